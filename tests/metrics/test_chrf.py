"""chrF and chrF++ against sacreBLEU's CHRF, the oracle of every number here."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import chrf as sacre

from coheval.errors import SpecError
from coheval.metrics.chrf import ChrF
from support import assert_equals_sacrebleu, item, rows, total

CANDIDATES = ["A kettle sang on the stove.", "Rain, again", "x", "", "?!", "Ночью шёл снег 下雪了\x00"]
REFERENCES = [
    ["The kettle was singing on a stove.", "On the stove a kettle sang."],
    ["It rained again"],
    ["x", "y", "zz"],
    ["not empty"],
    ["?!"],
    ["Ночью был снег 下雪"],
]
OPTIONS: list[dict[str, object]] = [
    {},
    {"word_order": 2},
    {"char_order": 3, "beta": 1},
    {"lowercase": True, "whitespace": True},
    {"eps_smoothing": True, "word_order": 1},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_segments_and_system_are_the_oracles(options: dict[str, object]) -> None:
    metric, oracle = ChrF(**options), sacre.CHRF(**options)  # type: ignore[arg-type]
    expected = assert_equals_sacrebleu(metric, oracle, CANDIDATES, REFERENCES)
    assert 5 < expected < 95


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_random_corpora(pairs: list[tuple[str, str]]) -> None:
    candidates, references = [c for c, _ in pairs], [r for _, r in pairs]
    score = ChrF(word_order=2).combine(
        total(rows(ChrF(word_order=2), candidates, [[r] for r in references])), len(pairs)
    )
    assert score == pytest.approx(sacre.CHRF(word_order=2).corpus_score(candidates, [references]).score, abs=1e-12)


def test_halves_add_up() -> None:
    whole = total(rows(ChrF(), CANDIDATES, REFERENCES))
    first, second = (total(rows(ChrF(), CANDIDATES[s], REFERENCES[s])) for s in (slice(0, 3), slice(3, 6)))
    assert whole == [a + b for a, b in zip(first, second, strict=True)]


def test_beta_may_be_a_fraction() -> None:
    """By hand: the unigrams of "ab" and "abcd" give P = 1, R = 1/2; F_0.5 = 1.25 · 0.5 / (0.25 + 0.5)."""
    metric = ChrF(char_order=1, beta=0.5)
    (row,) = rows(metric, ["ab"], [["abcd"]])
    assert row.values is not None
    assert metric.combine(row.values, 1) == pytest.approx(100 * 1.25 * 0.5 / 0.75)


def test_evidence_is_about_the_best_reference() -> None:
    metric = ChrF(char_order=2)
    (row,) = metric.measure([item(["abc"], [["xyz", "abd"]])], evidence=True)[0].rows
    assert row.evidence == {"kind": "ngrams", "matched": ["ab"], "missing": ["bd"], "extra": ["bc"], "reference": 1}


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        ("Yes", "Yes", (["Yes"], [], [])),  # no text has the usual six characters
        ("Yes.", "No.", ([], ["No."], ["Yes", "es."])),  # of four, which the reference lacks, none counts
        ("", "No.", ([], ["No."], [])),
        ("", "", ([], [], [])),
    ],
)
def test_evidence_of_short_texts_is_of_the_highest_order_that_counts(
    candidate: str, reference: str, expected: tuple[list[str], ...]
) -> None:
    """By hand: all n-grams of the texts' characters, of the highest n that both have, or else one."""
    (row,) = ChrF().measure([item([candidate], [[reference]])], evidence=True)[0].rows
    assert row.evidence is not None
    assert tuple(row.evidence[key] for key in ("matched", "missing", "extra")) == expected


def test_a_segment_without_references_is_undefined() -> None:
    assert rows(ChrF(), ["a", "b"], [["a"], []])[1].reason == "the segment has no reference"


@pytest.mark.parametrize("wrong", [{"char_order": 0}, {"word_order": -1}, {"beta": 0.0}], ids=str)
def test_wrong_parameters_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(SpecError, match=next(iter(wrong))):
        ChrF(**wrong)  # type: ignore[arg-type]
