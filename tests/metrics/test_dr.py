"""DR and what it shares with DR-LEX, by hand and by the definition; goldens are in test_goldens_trees."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import coheval
from coheval.algo.compiledtrees import Vocabulary
from coheval.annotators import Annotated
from coheval.data import Document, Item
from coheval.data.rsttree import Node
from coheval.errors import SpecError
from coheval.metrics import _trees as trees_module
from coheval.metrics._trees import Shape
from coheval.metrics.dr import DR
from coheval.metrics.drlex import DRLex
from discoursetrees import Known, Source, annotated, known, of, parsed, score, shape, text_of
from trees import by_definition

# Two of the three nodes below the top are the same in both.
REFERENCE: Source = [
    "Contrast",
    "ROOT",
    ["Cause", "Nucleus", ["edu", "Satellite", "As it rained ,"], ["edu", "Nucleus", "we stayed in ,"]],
    ["Elaboration", "Nucleus", ["edu", "Nucleus", "they went out"], ["edu", "Satellite", "to look for mushrooms ."]],
]
CANDIDATE: Source = [
    "Contrast",
    "ROOT",
    ["Cause", "Nucleus", ["edu", "Satellite", "Because of rain"], ["edu", "Nucleus", "we were at home ,"]],
    ["Joint", "Nucleus", ["edu", "Nucleus", "they went"], ["edu", "Nucleus", "and looked for mushrooms ."]],
]
ONE: Source = ["edu", "ROOT", "It rained ."]
OTHER: Source = ["edu", "ROOT", "So what ?"]


def test_labels() -> None:
    assert shape(REFERENCE, "nolex", "full") == (
        "(Contrast-ROOT (Cause-Nucleus EDU-Satellite EDU-Nucleus) (Elaboration-Nucleus EDU-Nucleus EDU-Satellite))"
    )
    assert shape(REFERENCE, "nolex", "no_rel") == (
        "(*-ROOT (*-Nucleus EDU-Satellite EDU-Nucleus) (*-Nucleus EDU-Nucleus EDU-Satellite))"
    )
    assert shape(REFERENCE, "nolex", "no_nuc") == "(Contrast-* (Cause-* EDU-* EDU-*) (Elaboration-* EDU-* EDU-*))"
    assert shape(REFERENCE, "nolex", "no_nuc_no_rel") == "(*-* (*-* EDU-* EDU-*) (*-* EDU-* EDU-*))"
    assert shape(ONE, "nolex", "full") == "EDU-ROOT"


@pytest.mark.parametrize(
    ("condition", "common", "own", "others"),
    [
        # The top production of either names the relations below it, so Cause is all that both have. Each with itself:
        # both nodes, and at the top all of (alone, with the left, with the right, with both).
        ("full", 1, 6, 6),
        # Top and left alike: the left, and at the top two. The right ones differ in nuclearity.
        ("no_rel", 3, 6, 6),
        # As with full; each node's production has a relation of its own.
        ("no_nuc", 1, 6, 6),
        # All nodes alike: two times two below, and at the top four. The top itself has other labels below it.
        ("no_nuc_no_rel", 8, 8, 8),
    ],
)
def test_by_hand(condition: str, common: int, own: int, others: int) -> None:
    def found(candidate: Source, reference: Source, normalise: str) -> float | None:
        metric = of(DR, CANDIDATE, REFERENCE, condition=condition, decay=1, normalise=normalise)
        return score(metric, candidate, reference)

    assert found(CANDIDATE, REFERENCE, "none") == common
    assert found(CANDIDATE, CANDIDATE, "none") == own
    assert found(REFERENCE, REFERENCE, "none") == others
    assert found(CANDIDATE, REFERENCE, "cosine") == pytest.approx(common / math.sqrt(own * others), rel=1e-12)
    logs = math.log(1 + common) / math.sqrt(math.log(1 + own) * math.log(1 + others))
    assert found(CANDIDATE, REFERENCE, "log") == pytest.approx(logs, rel=1e-12)
    assert found(REFERENCE, REFERENCE, "cosine") == 1


def test_decay_by_hand() -> None:
    """Cause alone is common: one production. Each with itself: three of one, two of two, one of three."""
    metric = of(DR, CANDIDATE, REFERENCE, decay=0.5)
    assert score(metric, CANDIDATE, REFERENCE) == pytest.approx(0.5 / (3 * 0.5 + 2 * 0.25 + 0.125), rel=1e-12)


@pytest.mark.parametrize("normalise", ["cosine", "log"])
def test_texts_of_one_edu(normalise: str) -> None:
    """They have no fragment; alike are those that have none."""
    metric = of(DR, ONE, OTHER, REFERENCE, normalise=normalise)
    assert score(metric, ONE, OTHER) == 1
    assert score(metric, ONE, REFERENCE) == 0
    assert score(metric, REFERENCE, ONE) == 0
    assert score(of(DR, ONE, OTHER, normalise="none"), ONE, OTHER) == 0


@pytest.mark.parametrize("metric", [DR, DRLex])
@pytest.mark.parametrize("empty", ["", " \t "])
def test_texts_without_words(metric: type[DR] | type[DRLex], empty: str) -> None:
    made, text = of(metric, REFERENCE), text_of(REFERENCE)
    result = coheval.score([empty, text, empty, text], [[text], [empty], [empty], [empty, text]], metrics=[made])
    (only,) = result.values()
    assert only.segments == [0, None, None, 1]
    assert only.reasons == [None, "no reference has a word", "no reference has a word", None]


def test_the_best_reference_counts() -> None:
    metric = of(DR, CANDIDATE, REFERENCE, ONE)
    for references in ([REFERENCE, CANDIDATE, ONE], [ONE, CANDIDATE, REFERENCE]):
        assert score(metric, CANDIDATE, *references) == 1


def test_missing_references() -> None:
    candidate, reference = text_of(CANDIDATE), text_of(REFERENCE)
    item = Item(
        "s",
        Document.of("d", [candidate, candidate, candidate]),
        (Document.of("d", [reference, candidate, None]), Document.of("d", [candidate, None, None])),
    )
    (found,) = of(DR, CANDIDATE, REFERENCE).measure([item], evidence=True)
    assert [row.values for row in found.rows] == [(1.0,), (1.0,), None]
    assert found.rows[2].reason == "no reference"
    assert [row.evidence["reference"]["number"] for row in found.rows[:2] if row.evidence] == [1, 0]


def lines(relation: str, *edus: str) -> Annotated:
    """A document of two lines that are an EDU each."""
    return annotated("\n".join(edus), edus, [Node(0, 1, 2, "NN", relation)])


@pytest.mark.parametrize(("condition", "expected"), [("full", 0), ("no_rel", 1)])
def test_documents_are_one_tree(condition: str, expected: float) -> None:
    made = [lines("Joint", "It rained .", "We left ."), lines("Cause", "It snows .", "We stay .")]
    metric = of(DR, *made, level="document", condition=condition)
    candidates, references = ["It rained .", "We left ."], ["It snows .", "We stay ."]
    result = coheval.score(candidates, references, documents=["d", "d"], metrics=[metric])
    (only,) = result.values()
    assert only.documents == {"d": expected}
    assert only.segments == [None, None]


def test_parts_of_references_are_no_documents() -> None:
    candidate = Document.of("d", [text_of(ONE), text_of(ONE)])
    item = Item("s", candidate, (Document.of("d", [text_of(ONE), None]),))
    metric = of(DR, lines("Joint", text_of(ONE), text_of(ONE)), level="document")
    (found,) = metric.measure([item])
    assert [row.reason for row in found.rows] == ["the reference lacks segments of the document"]


def test_what_it_says_of_itself() -> None:
    assert (of(DR).range, of(DR).perfect) == ((0, 1), 1)
    assert (of(DR, normalise="log").range, of(DR, normalise="log").perfect) == ((0, 1), 1)
    assert (of(DR, normalise="none").range, of(DR, normalise="none").perfect) == ((0, math.inf), None)
    assert (of(DR).unit, of(DR, level="document").unit) == ("segment", "document")


def test_signature() -> None:
    metric = coheval.metric("dr(annotator=spacy, condition='no_rel', decay=1, normalise=log, level=document)")
    assert coheval.metric(metric.signature) == metric


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("decay=0", "decay must be above 0"),
        ("decay=1.5", "decay must be above 0 and at most 1, got 1.5"),
        ("decay=-1", "decay must be"),
        ("condition=no_discourse", "use drlex"),
        ("condition=none", "condition must be"),
        ("normalise=max", "normalise must be"),
        ("level=system", "level must be"),
    ],
)
def test_parameters_that_cannot_be(parameters: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        coheval.metric(f"dr(annotator=spacy, {parameters})")


def test_an_annotator_without_trees() -> None:
    text = text_of(ONE)
    metric = DR(annotator=Known(texts={text: parsed(ONE).only(())}))
    with pytest.raises(SpecError, match="gives no discourse trees"):
        coheval.score([text], [text], metrics=[metric])


# ------------------------------------------------------------------------------- many trees, large trees


def grown(rng: random.Random, name: str, size: int) -> Annotated:
    """A random tree over so many EDUs of one word."""
    edus = [f"{name}{k}" for k in range(size)]
    nodes, waiting = [], [(0, size)]
    while waiting:
        first, stop = waiting.pop()
        if stop - first > 1:
            split = rng.randint(first + 1, stop - 1)
            nuclearity: Any = rng.choice(["NS", "SN", "NN"])
            nodes.append(Node(first, split, stop, nuclearity, rng.choice(["Joint", "Cause"])))
            waiting += [(split, stop), (first, split)]
    return annotated(" ".join(edus), edus, nodes)


def labels(tree: Annotated) -> list[tuple[str, int]]:
    return [part[:2] for part in Shape("nolex", "full").parts(tree)]


@pytest.mark.parametrize("decay", [0.4, 1.0])
def test_by_the_definition(decay: float) -> None:
    rng = random.Random(5)
    made = [grown(rng, f"t{k}x", rng.randint(2, 12)) for k in range(30)]
    texts = [" ".join(found.words) for found in made]
    references = [[texts[k - 1], texts[k - 2]] for k in range(30)]
    (only,) = coheval.score(texts, references, metrics=[of(DR, *made, decay=decay)]).values()
    for k, found in enumerate(only.segments):
        scores = []
        for other in (made[k - 1], made[k - 2]):
            one, two = labels(made[k]), labels(other)
            own = by_definition(one, one, decay) * by_definition(two, two, decay)
            scores.append(by_definition(one, two, decay) / math.sqrt(own))
        assert found == pytest.approx(max(scores), rel=1e-12)


def test_trees_are_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    plain = Vocabulary.compile

    def watched(self: Vocabulary, nodes: list[tuple[str, int]]) -> Any:
        compiled.append(len(nodes))
        return plain(self, nodes)

    monkeypatch.setattr(Vocabulary, "compile", watched)
    annotator = known(CANDIDATE, REFERENCE, ONE)
    texts = [text_of(source) for source in (CANDIDATE, REFERENCE, ONE)]
    metrics = [DR(annotator=annotator, decay=decay, normalise=n) for decay in (0.4, 1) for n in ("cosine", "log")]
    coheval.score({f"s{k}": texts for k in range(4)}, texts, metrics=metrics)
    assert len(compiled) == 3


def test_vocabularies_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trees that were compiled by an old one are not compared with new ones."""
    metric = of(DR, CANDIDATE, REFERENCE)
    before = score(metric, CANDIDATE, REFERENCE)
    monkeypatch.setattr(trees_module, "_LARGEST", 0)
    assert score(metric, REFERENCE, CANDIDATE) == before
    assert score(metric, CANDIDATE, REFERENCE) == before


@pytest.mark.parametrize("left", [True, False])
def test_a_deep_tree(left: bool) -> None:
    """1,500 EDUs, each joined to all before or all after it. All nodes but the lowest are alike. One with h and one
    with k nodes down to it share min(h, k) - 1 fragments, and h if h = k."""
    size = 1500
    edus = [f"e{k}" for k in range(size)]
    nodes = [
        Node(0, stop - 1, stop, "NN", "Joint") if left else Node(size - stop, size - stop + 1, size, "NN", "Joint")
        for stop in range(size, 1, -1)
    ]
    text = " ".join(edus)
    metric = of(DR, annotated(text, edus, nodes), normalise="none", decay=1, condition="no_nuc")
    (only,) = coheval.score([text], [text], metrics=[metric]).values()
    assert only.segments == [sum(h + 2 * (h - 1) * (size - 1 - h) for h in range(1, size))]


# ------------------------------------------------------------------------------------------------- evidence


def test_evidence_by_hand() -> None:
    metric = of(DR, CANDIDATE, REFERENCE, decay=0.4)
    candidate, reference = text_of(CANDIDATE), text_of(REFERENCE)
    result = coheval.score([candidate], [reference], metrics=[metric], evidence=True)
    (only,) = result.values()
    told: Any = only.evidence[0]
    assert told["kind"] == "trees"
    ours, theirs = told["candidate"], told["reference"]
    assert theirs["number"] == 0
    assert [candidate[a:b] for a, b in ours["edus"]][:2] == ["Because of rain", "we were at home ,"]
    assert theirs["nodes"] == [[0, 2, 4, "NN", "Contrast"], [0, 1, 2, "SN", "Cause"], [2, 3, 4, "NS", "Elaboration"]]
    assert [node["production"] for node in ours["subtrees"]] == [
        "Contrast-ROOT → Cause-Nucleus Joint-Nucleus",
        "Cause-Nucleus → EDU-Satellite EDU-Nucleus",
        "Joint-Nucleus → EDU-Nucleus EDU-Nucleus",
    ]
    assert [node["partner"] for node in ours["subtrees"]] == [None, 1, None]
    assert [node["partner"] for node in theirs["subtrees"]] == [None, 1, None]
    assert [node["share"] for node in ours["subtrees"]] == pytest.approx([0, 1, 0])
    assert [node["log_c"] for node in ours["subtrees"]] == [None, pytest.approx(math.log(0.4)), None]
    start, stop = ours["subtrees"][1]["span"]
    assert candidate[start:stop] == "Because of rain we were at home ,"
    result.to_json()


def test_evidence_where_nothing_matches() -> None:
    (only,) = coheval.score([""], [text_of(REFERENCE)], metrics=[of(DR, REFERENCE)], evidence=True).values()
    told: Any = only.evidence[0]
    assert told["candidate"] == {"edus": [], "nodes": [], "subtrees": []}
    assert [(node["partner"], node["log_c"], node["share"]) for node in told["reference"]["subtrees"]] == [
        (None, None, 0)
    ] * 3
