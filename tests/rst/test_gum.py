"""The weights that ship reach their aims on GUM's test documents, from raw text; the aims are those of the project."""

from __future__ import annotations

from pathlib import Path

from coheval.annotators.rst import Rst
from coheval.data.gum import read_gum
from coheval.run.rst.evaluation import measure
from coheval.run.rst.instances import instances, of_document, of_sentences

AIMS = {  # span, nuclearity, relation, full
    "sentence": (0.865, 0.73, 0.0, 0.61),
    "end to end": (0.58, 0.44, 0.36, 0.35),
}


def test_aims(shared: Path) -> None:
    documents = [d for d in read_gum(shared / "data" / "gum_rst") if d.split == "test"]
    rst = Rst()
    whole = list(instances([of_document(d) for d in documents], rst.encoder, rst.words))
    single = instances([s for d in documents for s in of_sentences(d) if s.nodes], rst.encoder, rst.words)
    assert len(whole) == len(documents) == 30
    found = measure(rst.trained(), whole, single)
    assert (found.borders()["all"].f1 or 0) >= 0.91
    for table, aims in AIMS.items():
        reached = [counts.f1 or 0 for counts in found.trees()[table].values()]
        assert all(f1 >= aim for f1, aim in zip(reached, aims, strict=True)), (table, reached)


def test_the_annotator_finds_the_trees_that_were_measured(shared: Path) -> None:
    """Parsed as a user does, the shortest test document has as many EDUs and right beginnings as were counted."""
    documents = [d for d in read_gum(shared / "data" / "gum_rst") if d.split == "test"]
    document = min(documents, key=lambda d: len(d.text))
    rst = Rst()
    (annotated,) = rst.annotate([document.text], layers=("rst",))
    (instance,) = instances([of_document(document)], rst.encoder, rst.words)
    (measured,) = measure(rst.trained(), [instance], []).documents
    assert annotated.tree is not None
    starts = {start for start, _ in annotated.tree.edus[1:]}
    assert measured.borders.predicted == len(starts)
    assert measured.borders.matched == len(starts & {start for start, _ in document.tree.edus[1:]})
