"""Classes of discourse relations."""

from __future__ import annotations

import pytest

from coheval.data.relations import CLASSES, GUM, coarse, gum_coarse
from coheval.errors import DataError


def test_there_are_18_classes_in_alphabetical_order():
    assert len(CLASSES) == 18
    assert list(CLASSES) == sorted(set(CLASSES))


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_is_its_own_class_in_any_case(name):
    assert coarse(name) == coarse(name.lower()) == coarse(name.upper()) == name


@pytest.mark.parametrize("relation", GUM)
def test_gum_relations_keep_their_own_coarse_class(relation):
    """GUM's coarse class is what stands before the hyphen, but for same-unit; the way over the 18 classes keeps it."""
    own = relation if relation == "same-unit" else relation.partition("-")[0]
    assert GUM[relation] in CLASSES
    assert coarse(relation) == GUM[relation]
    assert gum_coarse(GUM[relation]) == own
    assert gum_coarse(coarse(own)) == own


def test_classes_that_gum_has_not():
    assert set(CLASSES) - set(GUM.values()) == {"Comparison", "Topic-Change"}


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        ("elaboration-object-attribute-e", "Elaboration"),
        ("Elaboration-Set-Member", "Elaboration"),
        ("consequence-n-e", "Cause"),
        ("Cause-Result", "Cause"),
        ("evaluation-s", "Evaluation"),
        ("interpretation-s-e", "Evaluation"),
        ("attribution-n", "Attribution"),
        ("List", "Joint"),
        ("Sequence", "Temporal"),
        ("Temporal-Same-Time", "Temporal"),
        ("TextualOrganization", "Textual-Organization"),
        ("Same-Unit", "Same-Unit"),
        ("same_unit", "Same-Unit"),
        ("problem-solution-n", "Topic-Comment"),
        ("question-answer-s", "Topic-Comment"),
        ("topic-shift", "Topic-Change"),
        ("purpose-e", "Enablement"),
        ("example", "Elaboration"),
        ("reason-e", "Explanation"),
        ("otherwise", "Condition"),
        ("antithesis-e", "Contrast"),
        ("means", "Manner-Means"),  # ends in -s only in writing
        ("analogy", "Comparison"),
        ("restatement", "Summary"),  # of RST-DT, and GUM's coarse class
        ("joint", "Joint"),
        ("context", "Background"),
    ],
)
def test_relations_of_the_treebank(relation, expected):
    assert coarse(relation) == expected


@pytest.mark.parametrize(
    ("relation", "hint"),
    [("elaborat", "Elaboration"), ("", "known"), ("-e", "known"), ("-s-n-e", "known"), ("span", "nucleus")],
)
def test_unknown_relations_are_refused(relation, hint):
    with pytest.raises(DataError, match="GUM or of RST-DT") as error:
        coarse(relation)
    assert hint in (error.value.hint or "")


def test_unknown_classes_are_refused():
    with pytest.raises(DataError, match="18 classes") as error:
        gum_coarse("contrast")
    assert "Contrast" in (error.value.hint or "")


def test_every_relation_of_gum_is_known(shared):
    """The corpus has the relations of the table, and no other."""
    from coheval.data.gum import read_gum

    documents = read_gum(shared / "data" / "gum_rst")
    assert {node.relation for document in documents for node in document.tree.nodes} == set(GUM)
