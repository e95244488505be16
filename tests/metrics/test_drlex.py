"""DR-LEX: its labelled trees by hand, its scores by the definition; goldens are in test_goldens_trees."""

from __future__ import annotations

import math
from typing import Any

import pytest

import coheval
from coheval.data.rsttree import Node
from coheval.errors import SpecError
from coheval.metrics._trees import Shape
from coheval.metrics.dr import DR
from coheval.metrics.drlex import DRLex
from discoursetrees import Source, annotated, of, score, shape, text_of
from trees import bracketed, by_definition, listed

REFERENCE: Source = [
    "Cause",
    "ROOT",
    ["edu", "Satellite", "As it rained"],
    ["Contrast", "Nucleus", ["edu", "Nucleus", "We stayed"], ["edu", "Nucleus", "they left"]],
]
CANDIDATE: Source = [
    "Cause",
    "ROOT",
    ["edu", "Satellite", "It rained"],
    ["Joint", "Nucleus", ["edu", "Nucleus", "we stayed"], ["edu", "Nucleus", "it rained"]],
]
ONE: Source = ["edu", "ROOT", "It rained"]
CONDITIONS = ["full", "no_rel", "no_nuc", "no_nuc_no_rel", "no_discourse"]


def ngram(words: str, tag: str = "", label: str = "NGRAM") -> str:
    return f"({label} {' '.join(f'({tag}{word} *d*)' for word in words.split())})"


def test_labels() -> None:
    inner = f"(EDU (NUC Nucleus) {ngram('we stayed')}) (EDU (NUC Nucleus) {ngram('they left')})"
    assert shape(REFERENCE, "lex", "full") == (
        f"(SPAN (NUC ROOT) (REL Cause) (EDU (NUC Satellite) {ngram('as it rained')}) "
        f"(SPAN (NUC Nucleus) (REL Contrast) {inner}))"
    )
    assert shape(ONE, "lex", "full") == f"(EDU (NUC ROOT) {ngram('it rained')})"
    assert shape(ONE, "lex", "full", lowercase=False) == f"(EDU (NUC ROOT) {ngram('It rained')})"
    assert shape(REFERENCE, "nolex", "full") == (
        "(Cause-ROOT EDU-Satellite (Contrast-Nucleus EDU-Nucleus EDU-Nucleus))"
    )


def test_labels_of_conditions() -> None:
    full = shape(REFERENCE, "lex", "full")
    no_rel = full.replace("Cause", "*").replace("Contrast", "*")
    assert shape(REFERENCE, "lex", "no_rel") == no_rel
    for nuclearity in ("ROOT", "Nucleus", "Satellite"):
        full, no_rel = full.replace(nuclearity, "*"), no_rel.replace(nuclearity, "*")
    assert shape(REFERENCE, "lex", "no_nuc") == full
    assert shape(REFERENCE, "lex", "no_nuc_no_rel") == no_rel
    for variant in ("lex", "lexe", "lex1", "lex1.1"):
        assert shape(REFERENCE, variant, "no_discourse") == ngram("as it rained we stayed they left")


@pytest.mark.parametrize(
    ("variant", "condition", "first", "last"),
    [
        ("lexe", "full", ngram("as it rained", "EDU:"), ngram("they left", "EDU:")),
        ("lexe", "no_nuc", ngram("as it rained", "EDU:"), ngram("they left", "EDU:")),
        (
            "lex1",
            "full",
            ngram("as it rained", "Satellite:", "NGRAM-Satellite"),
            ngram("they left", "Nucleus:", "NGRAM-Nucleus"),
        ),
        ("lex1", "no_nuc", ngram("as it rained", "*:", "NGRAM-*"), ngram("they left", "*:", "NGRAM-*")),
        (
            "lex1.1",
            "full",
            ngram("as it rained", "Satellite-Cause:", "NGRAM-Satellite-Cause"),
            ngram("they left", "Nucleus-Contrast:", "NGRAM-Nucleus-Contrast"),
        ),
        (
            "lex1.1",
            "no_rel",
            ngram("as it rained", "Satellite-*:", "NGRAM-Satellite-*"),
            ngram("they left", "Nucleus-*:", "NGRAM-Nucleus-*"),
        ),
    ],
)
def test_labels_of_variants(variant: Any, condition: Any, first: str, last: str) -> None:
    found = shape(REFERENCE, variant, condition)
    assert first in found
    assert last in found


def test_a_single_edu_has_no_relation_above_it() -> None:
    assert shape(ONE, "lex1.1", "full") == f"(EDU (NUC ROOT) {ngram('it rained', 'ROOT:', 'NGRAM-ROOT')})"


def test_by_hand() -> None:
    """Alike are NUC→ROOT, it→*d*, EDU→NUC NGRAM alone and with NUC→ROOT: 4. With itself, either has NUC→ROOT and two
    words, 4 at the NGRAM (with or without each word), and 10 at the EDU (with or without NUC, times 1 + 4): 17."""
    metric = of(DRLex, ONE, ["edu", "ROOT", "it snowed"], decay=1)
    assert score(metric, ONE, ["edu", "ROOT", "it snowed"]) == pytest.approx(4 / 17, rel=1e-12)


EXCHANGED: list[Source] = [
    ["Cause", "ROOT", ["edu", "Satellite", first], ["edu", "Nucleus", last]]
    for first, last in (("it rained", "we left"), ("we left", "it rained"))
]


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        # NUC three times, REL; the EDUs in equal places alone and with NUC, 2 + 2; SPAN: NUC or not, REL or not, and
        # each EDU with its 2 or not, 2 · 2 · 3 · 3 = 36. The EDUs with equal words, in other places: alone or with the
        # NGRAM's 4, 5 + 5; these NGRAMs, 4 + 4; four words.
        ("lex", 3 + 1 + 4 + 36 + 10 + 8 + 4),
        ("lexe", 66),
        ("lex1", 3 + 1 + 4 + 36),
        ("lex1.1", 44),
        ("nolex", 1),
    ],
)
def test_words_in_other_places(variant: str, expected: int) -> None:
    metric = of(DRLex, *EXCHANGED, variant=variant, decay=1, normalise="none")
    assert score(metric, *EXCHANGED) == expected


def test_without_words_it_is_dr() -> None:
    sources = [CANDIDATE, REFERENCE, ONE, *EXCHANGED]
    for candidate in sources:
        for reference in sources:
            mine = score(of(DRLex, candidate, reference, variant="nolex"), candidate, reference)
            assert mine == score(of(DR, candidate, reference), candidate, reference)


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("variant", ["lex", "lexe", "lex1", "lex1.1"])
@pytest.mark.parametrize(("decay", "normalise"), [(1.0, "none"), (0.4, "cosine"), (1.0, "log")])
def test_by_the_definition(condition: Any, variant: Any, decay: float, normalise: Any) -> None:
    ours, theirs = (listed(shape(source, variant, condition)) for source in (CANDIDATE, REFERENCE))
    both, one, other = (by_definition(*pair, decay) for pair in ((ours, theirs), (ours, ours), (theirs, theirs)))
    expected = {
        "none": both,
        "cosine": both / math.sqrt(one * other),
        "log": math.log1p(both) / math.sqrt(math.log1p(one) * math.log1p(other)),
    }[normalise]
    metric = of(DRLex, CANDIDATE, REFERENCE, variant=variant, condition=condition, decay=decay, normalise=normalise)
    assert score(metric, CANDIDATE, REFERENCE) == pytest.approx(expected, rel=1e-12)
    assert expected > 0


@pytest.mark.parametrize("lowercase", [True, False])
def test_case(lowercase: bool) -> None:
    metric = of(DRLex, ONE, ["edu", "ROOT", "it RAINED"], lowercase=lowercase)
    found = score(metric, ONE, ["edu", "ROOT", "it RAINED"])
    assert (found == 1) == lowercase


STRANGE = [
    "*d*",
    "NGRAM",
    "(EDU (NUC ROOT)",
    "a\x00b \x07",
    "?!... --- ,,",
    "Привет 你好世界 مرحبا e\u0301",
    "z" * 2000,
]


@pytest.mark.parametrize("words", STRANGE)
def test_strange_words(words: str) -> None:
    """Whatever a word is, it equals itself and no label."""
    source: Source = ["edu", "ROOT", words]
    assert score(of(DRLex, source), source, source) == 1
    assert score(of(DRLex, source, ONE, condition="no_discourse"), ONE, source) == 0


def test_words_between_edus() -> None:
    """They belong to the EDU before them, or to the first."""
    made = annotated("so it rained and we left", ["it rained", "we left"], [Node(0, 1, 2, "NN", "Joint")])
    parts = Shape("lex", "full").parts(made)
    assert ngram("so it rained and") in bracketed([part[:2] for part in parts])


def test_more_than_a_number_can_hold() -> None:
    words = " ".join(f"w{k}" for k in range(1100))
    metric = of(DRLex, ["edu", "ROOT", words], decay=1, normalise="none")
    (only,) = coheval.score([words], [words], metrics=[metric]).values()
    assert only.segments == [None]
    assert only.reasons == ["the kernel is too large for a number; normalise='log' or 'cosine' can take it"]
    for normalise in ("cosine", "log"):
        source: Source = ["edu", "ROOT", words]
        assert score(of(DRLex, source, decay=1, normalise=normalise), source, source) == 1


def test_nothing_left_to_compare() -> None:
    with pytest.raises(SpecError, match="leaves nothing"):
        coheval.metric("drlex(annotator=spacy, variant=nolex, condition=no_discourse)")


def test_signature() -> None:
    metric = coheval.metric("drlex(annotator=spacy, variant='lex1.1', condition='no_rel', lowercase=False)")
    assert coheval.metric(metric.signature) == metric


@pytest.mark.parametrize("condition", CONDITIONS)
def test_evidence(condition: Any) -> None:
    """Every node with children is told, partners have the same production, and shares add up."""
    metric = of(DRLex, CANDIDATE, REFERENCE, condition=condition)
    candidate, reference = text_of(CANDIDATE), text_of(REFERENCE)
    result = coheval.score([candidate], [reference], metrics=[metric], evidence=True)
    (only,) = result.values()
    told: Any = only.evidence[0]
    sides = told["candidate"]["subtrees"], told["reference"]["subtrees"]
    for text, source, own, other in ((candidate, CANDIDATE, *sides), (reference, REFERENCE, *sides[::-1])):
        assert len(own) == sum(size > 0 for _, size in listed(shape(source, "lex", condition)))
        assert sum(node["share"] for node in own) == pytest.approx(1)
        productions = {node["production"] for node in other}
        for node in own:
            assert (node["partner"] is not None) == (node["production"] in productions)
            assert node["partner"] is None or other[node["partner"]]["production"] == node["production"]
            assert (node["log_c"] is None) == (node["partner"] is None)
            if node["production"].endswith("→ *d*"):
                start, stop = node["span"]
                assert node["production"].startswith(text[start:stop].lower())
    result.to_json()
