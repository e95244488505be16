"""ROUGE against the `rouge_score` package (kinds n, L, Lsum) and against hand calculations from Lin 2004 (W, S, SU)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from rouge_score import rouge_scorer, tokenize, tokenizers

from coheval.data import Document, Item
from coheval.errors import SpecError
from coheval.metrics import Metric, Row
from coheval.metrics.rouge import Rouge
from coheval.spec import build

CANDIDATE = "The owls were hunting in the meadow.\nTheir nest, high in the barn, stayed empty; the barn creaked."
REFERENCE = "In the meadow the owl hunts.\nIts nest in the old barn is empty.\nThe barn creaks in the wind."


class OriginalPorter(tokenizers.Tokenizer):  # type: ignore[misc]
    """The oracle's tokenizer with the algorithm as Porter published it."""

    def tokenize(self, text: str) -> list[str]:
        found: list[str] = tokenize.tokenize(text, PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM))
        return found


def rows(metric: Rouge, candidate: str, *references: str, evidence: bool = False) -> Row:
    refs = tuple(Document.of("d", [reference]) for reference in references)
    (measurement,) = metric.measure([Item("system", Document.of("d", [candidate]), refs)], evidence=evidence)
    return measurement.rows[0]


def values(metric: Rouge, candidate: str, *references: str) -> tuple[float, ...]:
    row = rows(metric, candidate, *references)
    assert row.values is not None, row.reason
    return row.values


def score(metric: Rouge, candidate: str, *references: str) -> float:
    result = metric.combine(values(metric, candidate, *references), 1)
    assert result is not None
    return result


KINDS = ["1", "2", "3", "L", "Lsum"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("stem", [False, True])
def test_kinds_are_the_oracles(kind: str, stem: bool) -> None:
    oracle = rouge_scorer.RougeScorer([f"rouge{kind}"], tokenizer=OriginalPorter() if stem else None)
    expected = oracle.score(REFERENCE, CANDIDATE)[f"rouge{kind}"]
    assert values(Rouge(kind=kind, stem=stem), CANDIDATE, REFERENCE) == pytest.approx(tuple(expected), abs=1e-12)
    assert 0 < expected.fmeasure < 1


ascii_texts = st.text("ab c.\nD7_", min_size=1, max_size=40)
few_words = st.lists(st.sampled_from("abc"), min_size=2, max_size=9)


@given(ascii_texts, ascii_texts, st.sampled_from(KINDS))
@settings(max_examples=300, deadline=None)
def test_random_texts(candidate: str, reference: str, kind: str) -> None:
    """Equal wherever the reference has a unit; where it has none, the oracle says 0 and we say undefined."""
    expected = rouge_scorer.RougeScorer([f"rouge{kind}"]).score(reference, candidate)[f"rouge{kind}"]
    row = rows(Rouge(kind=kind), candidate, reference)
    if row.values is None:
        assert tuple(expected) == (0, 0, 0)
    else:
        assert row.values == pytest.approx(tuple(expected), abs=1e-12)


@given(st.text(max_size=40), st.text(max_size=40))
@settings(deadline=None)
def test_ascii_tokenization_is_the_oracles_on_any_text(candidate: str, reference: str) -> None:
    expected = rouge_scorer.RougeScorer(["rouge1"]).score(reference, candidate)["rouge1"]
    row = rows(Rouge(tokenize="ascii"), candidate, reference)
    assert (row.values or (0, 0, 0)) == pytest.approx(tuple(expected), abs=1e-12)


def test_several_references_are_the_oracles_best() -> None:
    references = ["owls hunt at night", "the owls were hunting", "an empty nest"]
    expected = rouge_scorer.RougeScorer(["rouge2"]).score_multi(references, CANDIDATE)["rouge2"]
    assert values(Rouge(kind="2"), CANDIDATE, *references) == pytest.approx(tuple(expected))


def test_the_mean_over_references() -> None:
    """By hand: "a b" has recall 1/2 in "a c" and 1 in "a b"."""
    assert score(Rouge(form="recall", references="mean"), "a b", "a c", "a b") == 0.75
    assert score(Rouge(form="recall"), "a b", "a c", "a b") == 1.0


@pytest.mark.parametrize(("form", "expected"), [("precision", 1 / 2), ("recall", 1 / 4), ("f", 1 / 3)])
def test_forms_by_hand(form: str, expected: float) -> None:
    metric = Rouge(form=form)  # type: ignore[arg-type]
    assert score(metric, "green tea", "tea with warm milk") == pytest.approx(expected)


def test_lin_2004_section_4_weighted() -> None:
    """With k², Lin gives 0.571 for four words in a row of seven and 0.286 for four words apart."""
    metric = Rouge(kind="W", weight=2.0)
    assert score(metric, "A B C D H I K", "A B C D E F G") == pytest.approx(4 / 7)
    assert score(metric, "A H B K C I D", "A B C D E F G") == pytest.approx(2 / 7)


def test_lin_2004_section_5_skip_bigrams() -> None:
    """Lin's four sentences: with any gap S2, S3, S4 share 3, 1 and 2 of 6 pairs with S1 (0.500, 0.167, 0.333)."""
    reference = "police killed the gunman"
    others = ["police kill the gunman", "the gunman kill police", "the gunman police killed"]
    assert [score(Rouge(kind="S9"), other, reference) for other in others] == pytest.approx([1 / 2, 1 / 6, 1 / 3])


def test_no_gap_is_bigrams() -> None:
    assert values(Rouge(kind="S0"), CANDIDATE, REFERENCE) == values(Rouge(kind="2"), CANDIDATE, REFERENCE)


@given(few_words, few_words)
def test_su_counts_by_enumeration(candidate: list[str], reference: list[str]) -> None:
    """Every pair with at most two words between, and every word, counted one by one."""

    def units(found: list[str]) -> list[tuple[str, ...]]:
        pairs = [(a, b) for i, a in enumerate(found) for j, b in enumerate(found) if i < j <= i + 3]
        return [*pairs, *((word,) for word in found)]

    ours, theirs = units(candidate), units(reference)
    shared = sum(min(ours.count(unit), theirs.count(unit)) for unit in set(ours))
    expected = (shared / len(ours), shared / len(theirs))
    assert values(Rouge(kind="SU2"), " ".join(candidate), " ".join(reference))[:2] == pytest.approx(expected)


def test_other_scripts_are_words_too() -> None:
    """`rouge_score` sees nothing in any of these."""
    assert score(Rouge(), "Снег идёт", "снег шёл") == pytest.approx(1 / 2)
    assert score(Rouge(), "हिन्दी भाषा", "हिन्दी बोली") == pytest.approx(1 / 2)  # vowel signs do not split words
    assert score(Rouge(), "我爱茶", "我爱咖啡") == pytest.approx(2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4))
    assert score(Rouge(), "caf\u00e9", "cafe\u0301") == 1.0


@pytest.mark.parametrize("kind", [*KINDS, "W", "SU4", "S4"])
def test_degenerate_texts(kind: str) -> None:
    metric = Rouge(kind=kind)
    four = "one two three four"
    assert values(metric, "", four) == (0, 0, 0)
    assert values(metric, "?!\x00\u200b", four) == (0, 0, 0)
    assert score(metric, four, four) == pytest.approx(1.0)
    unit = {"2": "2-gram", "3": "3-gram", "S4": "pair of words"}.get(kind, "word")
    assert rows(metric, four, "", "...").reason == f"no reference has a {unit}"
    assert rows(metric, four).reason == "the segment has no reference"
    assert values(metric, four, "", four) == pytest.approx((1, 1, 1))


def test_one_word_has_no_bigram_to_recall() -> None:
    assert rows(Rouge(kind="2"), "yes", "yes").values is None


def test_a_system_is_the_mean_of_its_segments() -> None:
    metric = Rouge()
    first, second = values(metric, "a b", "a c"), values(metric, "x", "x")
    totals = [a + b for a, b in zip(first, second, strict=True)]
    assert metric.combine(totals, 2) == pytest.approx((1 / 2 + 1) / 2)


@pytest.mark.parametrize("kind", ["1", "L", "Lsum", "W", "SU4"])
def test_a_very_long_text_ends(kind: str) -> None:
    text = " ".join(f"w{k * k % 9973}" for k in range(100_000))
    row = rows(Rouge(kind=kind), text, " ".join(reversed(text.split())))
    assert (row.values is None) == (kind == "W")
    if row.values is None:
        assert "limit of 1,000,000,000 word pairs" in (row.reason or "")


def test_limits_are_reasons() -> None:
    assert "250,000 line pairs" in (rows(Rouge(kind="Lsum"), "a\n" * 2_000, "a\n" * 2_000).reason or "")
    assert "5,000,000 skip-bigrams" in (rows(Rouge(kind="S9999"), "a " * 9_999, "a").reason or "")


def test_evidence() -> None:
    assert rows(Rouge(kind="2"), "a b c", "b c d", evidence=True).evidence == {
        "kind": "ngrams",
        "matched": ["b c"],
        "missing": ["c d"],
        "extra": ["a b"],
        "reference": 0,
    }
    for kind in ("L", "Lsum", "W"):
        assert rows(Rouge(kind=kind), "a b c", "b d c", evidence=True).evidence == {
            "kind": "ngrams",
            "matched": ["b", "c"],
            "missing": ["d"],
            "extra": ["a"],
            "reference": 0,
        }


def test_kind_in_a_spec() -> None:
    assert build(Metric, "rouge(kind=2)") == build(Metric, "rouge(kind='2')") == Rouge(kind="2")
    assert build(Metric, "rouge(kind=Lsum, form=recall)") == Rouge(kind="Lsum", form="recall")
    assert build(Metric, Rouge(kind="SU4").signature) == Rouge(kind="SU4")


@pytest.mark.parametrize("wrong", [{"kind": "0"}, {"kind": "LL"}, {"kind": "SU"}, {"weight": 0.5}, {"form": "F"}])
def test_wrong_parameters_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(SpecError, match=next(iter(wrong))):
        Rouge(**wrong)  # type: ignore[arg-type]
