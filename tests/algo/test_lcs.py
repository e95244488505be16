"""Subsequences against enumeration, and against the plain table of the `rouge_score` package."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import lcs_ind

from coheval.algo import lcs

letters = st.text("abcd", max_size=12)


def every_common(left: str, right: str) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All common subsequences as places in both texts, by trying everything."""
    return [
        (ours, theirs)
        for size in range(min(len(left), len(right)) + 1)
        for ours in combinations(range(len(left)), size)
        for theirs in combinations(range(len(right)), size)
        if [left[i] for i in ours] == [right[j] for j in theirs]
    ]


def runs(ours: tuple[int, ...], theirs: tuple[int, ...], weight: float) -> float:
    """What a subsequence is worth when a run of k counts k^weight."""
    total, size = 0.0, 0
    for place, pair in enumerate(zip(ours, theirs, strict=True)):
        follows = place and pair == (ours[place - 1] + 1, theirs[place - 1] + 1)
        total += size**weight if not follows else 0.0
        size = size + 1 if follows else 1
    return total + size**weight if ours else 0.0


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_length_is_the_longest_of_all(left: str, right: str) -> None:
    assert lcs.length(left, right) == max(len(ours) for ours, _ in every_common(left, right))


@given(letters, letters)
def test_the_choice_is_the_rouge_programs(left: str, right: str) -> None:
    assert lcs.places(left, right) == lcs_ind(left, right)


def test_the_choice_in_texts_of_several_blocks() -> None:
    left = [k * k % 37 % 11 for k in range(700)]
    right = [k * 7 % 41 % 11 for k in range(500)]
    assert lcs.places(left, right) == lcs_ind(left, right)


@given(st.permutations("abcdef"), st.permutations("abcdef"), st.sampled_from([1.0, 1.2, 2.0]))
def test_weighted_length_is_the_best_of_all_where_no_word_repeats(left: str, right: str, weight: float) -> None:
    best = max(runs(ours, theirs, weight) for ours, theirs in every_common(left, right))
    assert lcs.weighted_length(left, right, weight=weight) == pytest.approx(best)


@given(letters, letters)
def test_weight_one_is_the_plain_length(left: str, right: str) -> None:
    assert lcs.weighted_length(left, right, weight=1.0) == pytest.approx(lcs.length(left, right))


def test_weighted_length_takes_every_match_as_published() -> None:
    """By hand: "abb" and "ab" end in a match, so c = c(ab, a) + 1 = 2, though "ab" alone is worth 2^1.2."""
    assert lcs.weighted_length("abb", "ab", weight=1.2) == pytest.approx(2.0)


def test_lin_2004_section_4() -> None:
    """The paper's example, k²: four words in a row count 16, four words apart count 4."""
    assert lcs.weighted_length("ABCDEFG", "ABCDHIK", weight=2.0) == 16
    assert lcs.weighted_length("ABCDEFG", "AHBKCID", weight=2.0) == 4


@pytest.mark.parametrize(("left", "right"), [("", ""), ("a", ""), ("", "a")])
def test_nothing_has_nothing_in_common(left: str, right: str) -> None:
    assert lcs.length(left, right) == 0
    assert lcs.places(left, right) == []
    assert lcs.weighted_length(left, right, weight=1.2) == 0


def test_long_texts_end() -> None:
    left = [k * k % 9973 for k in range(30_000)]
    right = [k * 31 % 9973 for k in range(30_000)]
    assert len(lcs.places(left, right)) == lcs.length(left, right)
