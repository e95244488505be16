"""Matchings stage by stage, against trying every matching of words."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from coheval.algo.stages import match

SENSES = {"a": "x", "b": "xy", "c": "y", "d": "z", "e": "zx"}  # letters are words, their senses overlap in a chain

words = st.lists(st.sampled_from("aAbBcde"), max_size=5)


def senses(word: str) -> str:
    return SENSES[word.lower()]


def most(left: list[str], right: list[str]) -> int:
    """The largest matching by shared senses, by trying every order of the right words."""
    shorter, longer = sorted((left, right), key=len)
    return max(
        sum(bool(set(senses(a)) & set(senses(b))) for a, b in zip(shorter, order, strict=False))
        for order in permutations(longer)
    )


@given(words, words)
@settings(deadline=None)
def test_a_stage_is_a_largest_matching(left: list[str], right: list[str]) -> None:
    (quotas,) = match(left, right, [senses])
    assert sum(quotas.values()) == most(left, right)
    assert all(set(senses(a)) & set(senses(b)) for a, b in quotas)


@given(words, words)
def test_no_word_is_matched_twice(left: list[str], right: list[str]) -> None:
    pairs = [pair for stage in match(left, right, [str, str.lower, senses]) for pair in Counter(stage).elements()]
    assert Counter(a for a, _ in pairs) <= Counter(left)
    assert Counter(b for _, b in pairs) <= Counter(right)


def test_a_stage_leaves_the_rest_to_the_next() -> None:
    """By hand: one A is equal, the other A and the a fit without case, nothing is left for the senses but b and c."""
    found = match(["A", "A", "b"], ["A", "a", "c"], [str, str.lower, senses])
    assert found == [{("A", "A"): 1}, {("A", "a"): 1}, {("b", "c"): 1}]


def test_a_choice_is_taken_back_for_a_larger_matching() -> None:
    """b would take a, the only word that a can have; it must take c."""
    (quotas,) = match(["b", "a"], ["a", "c"], [senses])
    assert quotas == {("b", "c"): 1, ("a", "a"): 1}


def test_many_words_are_counted_not_listed() -> None:
    (quotas,) = match(["a"] * 100_000, ["b"] * 70_000 + ["a"] * 50_000, [senses])
    assert sum(quotas.values()) == 100_000
