"""Kneser-Ney against a brute-force reading of its formulas, sums of probabilities, what is attested."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from coheval.algo.kneserney import BEGIN, KneserNey
from coheval.errors import DataError, UsageError
from coheval.rankers import Choice, Ranker
from coheval.spec import build

SENTENCES = [
    "I was late because it rained.",
    "I was early, but it rained.",
    "He came because it was late.",
    "But he was late, and it rained.",
]


def kneser_ney(sentences: list[list[int]], vocabulary: int):
    """The formulas word for word, over dictionaries: an oracle."""
    padded = [[BEGIN, BEGIN, *s] for s in sentences]
    c3 = Counter(tuple(s[i : i + 3]) for s in padded for i in range(len(s) - 2))
    c2 = Counter(k[1:] for k in c3)
    c1 = Counter(k[1:] for k in c2)

    def discount(counts: Counter) -> float:
        n1, n2 = (sum(v == n for v in counts.values()) for n in (1, 2))
        return n1 / (n1 + 2 * n2) if n1 and n2 else 0.5

    def p(key: tuple[int, ...]) -> float:
        if not key:
            return 1 / vocabulary
        counts = {3: c3, 2: c2, 1: c1}[len(key)]
        behind = {k: n for k, n in counts.items() if k[:-1] == key[:-1]}
        shorter = p(key[1:]) if len(key) > 1 else 1 / vocabulary
        if not behind:
            return shorter
        d, total = discount(counts), sum(behind.values())
        return max(counts[key] - d, 0) / total + d * len(behind) / total * shorter

    return p


@pytest.fixture
def toy() -> tuple[KneserNey, list[list[int]]]:
    rng = np.random.default_rng(3)
    sentences = [[*rng.integers(2, 7, size=rng.integers(1, 6)).tolist(), 1] for _ in range(12)]
    flat = [word for s in sentences for word in (BEGIN, BEGIN, *s)]
    return KneserNey.of(np.array(flat), 8), sentences


def test_against_the_formulas(toy) -> None:
    model, sentences = toy
    oracle = kneser_ney(sentences, 8)
    keys = list(product(range(9), range(9), range(1, 9)))
    ours = model.probabilities(*np.array(keys).T)
    assert np.allclose(ours, [oracle(key) for key in keys], atol=1e-12)


def test_probabilities_behind_any_context_sum_to_one(toy) -> None:
    model, _ = toy
    for u, v in product(range(9), range(9)):
        w = np.arange(1, 9)
        assert model.probabilities(np.full(8, u), np.full(8, v), w).sum() == pytest.approx(1)


def test_a_hand_calculation() -> None:
    """Two sentences, "2 3" and "2 4" with their ends: three orders written out."""
    model = KneserNey.of(np.array([0, 0, 2, 3, 1, 0, 0, 2, 4, 1]), 5)
    # Trigrams 002 twice, 023 024 231 241 once: D3 = 4 / (4 + 2). Pairs 02 23 24 31 41 once each: D2 = 1/2, as no pair
    # is counted twice. Words 2 3 4 once, 1 twice: D1 = 3 / (3 + 2).
    p1 = (1 - 3 / 5) / 5 + 3 / 5 * 4 / 5 * 1 / 5
    p2 = (1 - 1 / 2) / 2 + 1 / 2 * 2 / 2 * p1
    p3 = (1 - 2 / 3) / 2 + 2 / 3 * 2 / 2 * p2
    assert model.probabilities(np.array([0]), np.array([2]), np.array([3]))[0] == pytest.approx(p3)


def fitted(spec: str) -> Ranker:
    return build(Ranker, spec).fit(SENTENCES)


def test_the_words_behind_count() -> None:
    choice = Choice("I was late, ", ("but", "and", "because", "late"), " it rained.")
    (scores,) = fitted("counts(attested=word)").scores([choice])
    whole = fitted("counts(attested=word)").scores([Choice("", choice.texts, "")])[0]
    assert np.allclose(np.diff(scores), np.diff(whole))  # what all share is left out, and nothing else
    assert scores.argmin() == 3


@pytest.mark.parametrize(
    ("spec", "natural"),
    [("counts", [True, False, False]), ("counts(attested=neighbour)", [True, True, False])],
)
def test_what_was_never_seen_so_is_refused(spec: str, natural: list[bool]) -> None:
    """ "because it" was seen, but "because" never behind a comma; "though" never at all."""
    (scores,) = fitted(spec).scores([Choice("I was late, ", ("but", "because", "though"), " it rained.")])
    assert np.isfinite(scores).tolist() == natural


def test_faults() -> None:
    with pytest.raises(UsageError, match="counted nothing"):
        build(Ranker, "counts").scores([Choice("", ("a",), "")])
    with pytest.raises(DataError, match="got 0"):
        build(Ranker, "counts").fit(["", " "])


def test_choices_do_not_change_each_other() -> None:
    ranker = fitted("counts(attested=neighbour)")
    choices = [
        Choice("I was late, ", ("but", "because", "", "even though"), " it rained."),
        Choice("", (), "It rained."),
        Choice("He was ", ("late",), "."),
        Choice("", ("but he", "he but"), " was late."),
    ]
    together = ranker.scores(choices)
    assert [len(row) for row in together] == [4, 0, 1, 2]
    for choice, row in zip(choices, together, strict=True):
        assert np.array_equal(ranker.scores([choice])[0], row)
    assert np.isfinite(together[3]).tolist() == [True, False]  # "he but" was never seen
    assert ranker.scores([]) == []
