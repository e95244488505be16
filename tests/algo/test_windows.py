"""Windows against brute force: every token is spoken for once, by a window where it stands best."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from coheval.algo.windows import Window, left_out, windows

lengths = st.integers(0, 300)
widths = st.integers(1, 40)


def nearer_edge(window: Window, token: int) -> int:
    """The smaller of a token's left and right context inside a window."""
    return min(token - window.start, window.stop - 1 - token)


def test_a_text_that_fits_is_one_window() -> None:
    assert windows(5, 5) == [Window(0, 5, 0, 5)]
    assert windows(0, 5) == [Window(0, 0, 0, 0)]


def test_worked_example() -> None:
    """Eight of eighteen tokens at once: steps of six, borders in the middle of each overlap."""
    assert windows(18, 8) == [Window(0, 8, 0, 7), Window(6, 14, 7, 12), Window(10, 18, 12, 18)]


@given(lengths, widths)
def test_every_token_is_spoken_for_once(length: int, width: int) -> None:
    spoken = [token for window in windows(length, width) for token in range(window.first, window.last)]
    assert spoken == list(range(length))


@given(lengths, widths)
def test_windows_are_full_and_inside_the_text(length: int, width: int) -> None:
    for window in windows(length, width):
        assert 0 <= window.start <= window.first <= window.last <= window.stop <= length
        assert window.stop - window.start == min(width, length)


@given(lengths, widths)
def test_a_token_goes_where_its_context_is_largest(length: int, width: int) -> None:
    every = windows(length, width)
    for chosen in every:
        for token in range(chosen.first, chosen.last):
            best = max(nearer_edge(w, token) for w in every if w.start <= token < w.stop)
            assert nearer_edge(chosen, token) == best


@given(lengths, widths)
def test_neighbours_overlap_by_a_quarter(length: int, width: int) -> None:
    every = windows(length, width)
    for left, right in pairwise(every):
        assert left.stop - right.start >= width // 4


def test_context_that_fits_stays() -> None:
    assert left_out(5, [3, 3], [2], 13) == (0, 0)


def test_the_oldest_goes_first_then_the_latest() -> None:
    """5 + 3 + 4 + 2 + 1 = 15 tokens: without the oldest 12, without both before 8, without the last 7."""
    assert left_out(5, [3, 4], [2, 1], 14) == (1, 0)
    assert left_out(5, [3, 4], [2, 1], 11) == (2, 0)
    assert left_out(5, [3, 4], [2, 1], 7) == (2, 1)


@given(st.integers(0, 50), st.lists(st.integers(1, 9)), st.lists(st.integers(1, 9)), widths)
def test_no_more_is_left_out_than_must_be(own: int, before: list[int], after: list[int], width: int) -> None:
    oldest, latest = left_out(own, before, after, width)
    size = own + sum(before[oldest:]) + sum(after[: len(after) - latest])
    assert size <= width or (oldest, latest) == (len(before), len(after))
    if latest:
        assert size + after[len(after) - latest] > width
    elif oldest:
        assert size + before[oldest - 1] > width
