"""NIST against nltk's corpus_nist (one reference) and against hand calculations from Doddington 2002."""

from __future__ import annotations

from math import exp, log, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.nist_score import corpus_nist

from coheval.data import Document, Item
from coheval.errors import MetricError, SpecError
from coheval.metrics.nist import NIST

CANDIDATES = [
    "the miller sold his last sack of flour to a stranger",
    "a stranger paid the miller in old coins that nobody knew",
    "rain fell on the mill and the road was empty again",
]
REFERENCES = [
    "the miller sold the last sack of flour to some stranger",
    "the stranger paid with old coins which nobody in the village knew",
    "rain fell on the mill and the road lay empty",
]


def item(candidates: list[str], *references: list[str]) -> Item:
    return Item("system", Document.of("d", candidates), tuple(Document.of("d", column) for column in references))


def score(metric: NIST, whole: Item) -> float | None:
    fitted = metric.fit([whole])
    rows = [row for row in fitted.measure([whole])[0].rows if row.values is not None]
    totals = [sum(column) for column in zip(*(row.values for row in rows if row.values), strict=True)]
    return fitted.combine(totals, len(rows))


def split(texts: list[str]) -> list[list[str]]:
    return [text.split() for text in texts]


@pytest.mark.parametrize("n", [1, 2, 5])
def test_one_reference_is_nltk(n: int) -> None:
    expected = corpus_nist([[words] for words in split(REFERENCES)], split(CANDIDATES), n=n)
    assert score(NIST(ngram=n), item(CANDIDATES, REFERENCES)) == pytest.approx(expected, rel=1e-12)
    assert expected > 1


texts = st.lists(st.sampled_from("abcd"), min_size=5, max_size=9).map(" ".join)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
@settings(deadline=None)
def test_random_corpora_are_nltk(pairs: list[tuple[str, str]]) -> None:
    candidates, references = [c for c, _ in pairs], [r for _, r in pairs]
    expected = corpus_nist([[words] for words in split(references)], split(candidates))
    assert score(NIST(), item(candidates, references)) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_by_hand() -> None:
    """In "a b a c" info(a) = log2(4/2), info(b) = log2(4/1), info(a b) = log2(2/1). "a b" is half as long,
    so the penalty is exp(β log² 0.5)."""
    expected = (log2(4 / 2) + log2(4 / 1)) / 2 + log2(2 / 1) / 1
    penalty = exp(log(0.5) / log(1.5) ** 2 * log(0.5) ** 2)
    assert score(NIST(), item(["a b"], ["a b a c"])) == pytest.approx(expected * penalty)


def test_two_thirds_of_the_length_halve_the_score() -> None:
    """Doddington's choice of β. Both candidate words match: info = log2(3) each; the bigram "a b": log2(1/1) = 0."""
    assert score(NIST(), item(["a b"], ["a b c"])) == pytest.approx(log2(3) / 2)


def test_several_references_by_hand() -> None:
    """Words: a a | b b b, five in all; "a b b" matches a once (log2 5/2), b twice (log2 5/3 each); of the bigrams only
    "b b": log2(3/2), one of two. The mean length 2.5 is below 3, so nothing is taken off."""
    expected = (log2(5 / 2) + 2 * log2(5 / 3)) / 3 + log2(3 / 2) / 2
    assert score(NIST(ngram=2), item(["a b b"], ["a a"], ["b b b"])) == pytest.approx(expected)


def test_orders_that_no_candidate_has_add_nothing() -> None:
    """nltk divides by zero here."""
    with pytest.raises(ZeroDivisionError):
        corpus_nist([[["a", "b"]]], [["a", "b"]])
    assert score(NIST(), item(["a b"], ["a b"])) == pytest.approx(1.0)


def test_unequal_numbers_of_references() -> None:
    references = (Document.of("d", ["a b", "c d"]), Document.of("d", [None, "d"]))
    whole = Item("s", Document.of("d", ["a b", "c d"]), references)
    fitted = NIST(ngram=1).fit([whole])
    rows = fitted.measure([whole])[0].rows
    assert rows[0].values == pytest.approx((2, 2, log2(5) * 2, 2))
    assert rows[1].values == pytest.approx((2, 1.5, log2(5 / 1) + log2(5 / 2), 2))


def test_case_and_tokenization() -> None:
    assert score(NIST(), item(["Hello, World"], ["hello , world"])) == score(NIST(), item(["a , b"], ["a , b"]))
    assert score(NIST(lowercase=False, ngram=1), item(["A"], ["a"])) == 0
    assert score(NIST(tokenize="char", ngram=1), item(["ab"], ["ab"])) == pytest.approx(1.0)


def test_halves_add_up() -> None:
    fitted = NIST().fit([item(CANDIDATES, REFERENCES)])
    (whole,) = fitted.measure([item(CANDIDATES, REFERENCES)])
    parts = fitted.measure([item(CANDIDATES[:1], REFERENCES[:1]), item(CANDIDATES[1:], REFERENCES[1:])])
    assert whole.rows == (*parts[0].rows, *parts[1].rows)


def test_degenerate_texts() -> None:
    candidates = ["", "\x00", "a", "b"]
    references = ["a", "a", "", " "]
    fitted = NIST().fit([item(candidates, references)])
    rows = fitted.measure([item(candidates, references)])[0].rows
    assert [row.reason for row in rows] == [None, None, "no reference has a word", "no reference has a word"]
    assert rows[0].values is not None
    assert fitted.combine(rows[0].values, 1) == 0
    assert fitted.measure([item(["a"])])[0].rows[0].reason == "the segment has no reference"


def test_an_unfitted_metric_says_so() -> None:
    assert NIST().needs_fit
    with pytest.raises(MetricError, match=r"call fit\(items\)"):
        NIST().measure([item(["a"], ["a"])])


def test_references_of_another_corpus_are_refused() -> None:
    with pytest.raises(MetricError, match="'b' is not in the corpus"):
        NIST().fit([item(["a"], ["a"])]).measure([item(["b"], ["b"])])


def test_evidence() -> None:
    fitted = NIST(ngram=1).fit([item(["a x"], ["a b"])])
    (row,) = fitted.measure([item(["a x"], ["a b"])], evidence=True)[0].rows
    assert row.evidence == {"kind": "ngrams", "matched": ["a"], "missing": ["b"], "extra": ["x"]}


def test_the_order_must_be_positive() -> None:
    with pytest.raises(SpecError, match="ngram must be from 1 to 100"):
        NIST(ngram=0)
