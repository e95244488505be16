"""Batches by hand."""

from __future__ import annotations

from coheval.data.batches import batches


def test_neighbours_stay_together_up_to_the_limit() -> None:
    assert list(batches(["aa", "b", "cccc", "", "dddddd", "e"], 4)) == [["aa", "b"], ["cccc", ""], ["dddddd"], ["e"]]
    assert list(batches([], 4)) == []
