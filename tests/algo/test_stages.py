"""Matchings stage by stage, against trying every matching of words."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from coheval.algo.stages import Group, match

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
    (groups,) = match(left, right, [senses]).stages
    assert sum(group.total for group in groups) == most(left, right)
    assert all(set(senses(a)) & set(senses(b)) for group in groups for a in group.left for b in group.right)


@given(words, words)
def test_any_pairs_within_the_limits_can_be_completed(left: list[str], right: list[str]) -> None:
    """Each side of a group has words enough for its total, and no word is promised to two groups."""
    groups = [group for stage in match(left, right, [str, str.lower, senses]).stages for group in stage]
    assert all(min(sum(group.left.values()), sum(group.right.values())) >= group.total for group in groups)
    assert sum((Counter(group.left) for group in groups), Counter()) <= Counter(left)
    assert sum((Counter(group.right) for group in groups), Counter()) <= Counter(right)


def test_a_stage_leaves_the_rest_to_the_next() -> None:
    """By hand: one A is equal, the other A and the a fit without case, nothing is left for the senses but b and c."""
    found = match(["A", "A", "b"], ["A", "a", "c"], [str, str.lower, senses])
    assert found.stages == [
        [Group({"A": 1}, {"A": 1}, 1)],
        [Group({"A": 1}, {"a": 1}, 1)],
        [Group({"b": 1}, {"c": 1}, 1)],
    ]
    assert found.forced


def test_types_that_all_match_are_one_group() -> None:
    """Either of a and A may have one of the two partners, or both together."""
    found = match(["a", "A"], ["b", "B", "b"], [str, senses])
    assert found.stages == [[], [Group({"a": 1, "A": 1}, {"b": 2, "B": 1}, 2)]]
    assert found.forced


def test_a_choice_is_taken_back_for_a_larger_matching() -> None:
    """b would take a, the only word that a can have; it must take c."""
    found = match(["b", "a"], ["a", "c"], [senses])
    assert found.stages == [[Group({"b": 1}, {"c": 1}, 1), Group({"a": 1}, {"a": 1}, 1)]]
    assert not found.forced


def initial(word: str) -> str:
    return word[0]


def others(word: str) -> str:
    return word[1:]


def test_what_a_later_stage_needs_is_reserved() -> None:
    """One of three has the b of "by". "b" comes first, or the other "b" may: "bz" is kept for the z."""
    found = match(["b", "bz", "b"], ["by", "cz"], [initial, others])
    assert found.stages == [[Group({"b": 2, "bz": 0}, {"by": 1}, 1)], [Group({"bz": 1}, {"cz": 1}, 1)]]
    assert not found.forced


def test_what_could_match_later_is_not_left_over() -> None:
    """ "bz" comes first and has the b of "by". If "b" had it, "bz" would be left over and could match "cz"."""
    found = match(["bz", "b"], ["by", "cz"], [initial, others])
    assert found.stages == [[Group({"bz": 1, "b": 0}, {"by": 1}, 1)], []]
    assert not found.forced


def test_many_words_are_counted_not_listed() -> None:
    (groups,) = match(["a"] * 100_000, ["b"] * 70_000 + ["a"] * 50_000, [senses]).stages
    assert sum(group.total for group in groups) == 100_000
