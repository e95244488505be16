"""Longest common subsequences: their length, one of them, and Lin's weighted length.

Length: the bit-parallel recursion of Hyyrö 2004, "Bit-parallel LCS-length computation revisited". A row of the usual
table never falls and rises by at most one a step, so it is kept as one long integer whose bit j is 0 where it rises:

    U = V & M[x],   V ← (V + U) | (V - U)          M[x]: bit j is 1 where right[j] == x

A row costs a handful of machine operations for 64 words: 2,000 against 2,000 words take milliseconds, 100,000 against
100,000 seconds, in memory that grows with the length and not with its square.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import isqrt

import numpy as np

Masks = Mapping[Hashable, int]


def masks(words: Sequence[Hashable]) -> dict[Hashable, int]:
    """For each word the integer whose bit j says that it stands at place j."""
    places: dict[Hashable, list[int]] = {}
    for place, word in enumerate(words):
        places.setdefault(word, []).append(place)
    return {word: _bits(found, len(words)) for word, found in places.items()}


def _bits(places: Sequence[int], size: int) -> int:
    if len(places) < 50:
        return sum(1 << place for place in places)
    flags = np.zeros(size, dtype=np.uint8)  # adding up thousands of long integers would take seconds
    flags[list(places)] = 1
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def length(left: Sequence[Hashable], right: Sequence[Hashable]) -> int:
    """How many words the longest common subsequence has."""
    found = masks(right)
    full = (1 << len(right)) - 1
    row = full
    for word in left:
        row = _step(row, found.get(word, 0), full)
    return len(right) - row.bit_count()


def _step(row: int, mask: int, full: int) -> int:
    both = row & mask
    return ((row + both) | (row - both)) & full if both else row


def places(left: Sequence[Hashable], right: Sequence[Hashable], right_masks: Masks | None = None) -> list[int]:
    """Where one longest common subsequence stands in `left`, ascending.

    Of several, the one found by walking back from the ends: a match is always taken, else `right` is shortened if that
    alone keeps the length, else `left`. That is the walk of the ROUGE programs, whose scores depend on the choice.
    """
    rows = _Rows(left, masks(right) if right_masks is None else right_masks, len(right))
    found: list[int] = []
    i, j = len(left), len(right)
    best = rows.value(i, j)
    while i and j and best:
        if left[i - 1] == right[j - 1]:
            i, j, best = i - 1, j - 1, best - 1
            found.append(i)
        elif not rows.rises(i, j) and rows.value(i - 1, j) < best:
            j -= 1
        else:
            i -= 1
    return found[::-1]


class _Rows:
    """The table for a walk from the last row to the first: every √n-th is kept, a block is redone when entered."""

    def __init__(self, left: Sequence[Hashable], found: Masks, size: int) -> None:
        self._masks = [found.get(word, 0) for word in left]
        self._full = (1 << size) - 1
        self._stride = isqrt(len(left)) + 1
        self._kept = self._every()
        self._start = len(left) + 1  # of the block in memory
        self._block: list[int] = []

    def value(self, i: int, j: int) -> int:
        """The length for the first i words of `left` and the first j of `right`."""
        return j - (self._row(i) & ((1 << j) - 1)).bit_count()

    def rises(self, i: int, j: int) -> bool:
        """Whether value(i, j) is more than value(i, j - 1)."""
        return not self._row(i) >> (j - 1) & 1

    def _row(self, i: int) -> int:
        if i < self._start:
            number = i // self._stride
            self._start = number * self._stride
            self._block = [self._kept[number]]
            # one row more than the stride: the walk looks at rows i and i - 1 in turn
            for mask in self._masks[self._start : self._start + self._stride]:
                self._block.append(_step(self._block[-1], mask, self._full))
        return self._block[i - self._start]

    def _every(self) -> list[int]:
        """Rows 0, √n, 2√n, …"""
        row, kept = self._full, [self._full]
        for number, mask in enumerate(self._masks, start=1):
            row = _step(row, mask, self._full)
            if number % self._stride == 0:
                kept.append(row)
        return kept


def weighted_length(left: Sequence[Hashable], right: Sequence[Hashable], *, weight: float) -> float:
    """Lin's WLCS: a run of k words in a row counts k^weight, by the recursion of Lin 2004, section 4.

        c[i, j] = c[i-1, j-1] + f(k+1) - f(k)    if the words are equal, k the length of the run that ends before them
                  max(c[i-1, j], c[i, j-1])      otherwise

    The recursion takes every match that it meets, so where words repeat it can miss a better choice; it is kept as it
    was published.
    """
    numbers = {word: number for number, word in enumerate({*left, *right})}
    rows = np.array([numbers[word] for word in left], dtype=np.intp)
    columns = np.array([numbers[word] for word in reversed(right)], dtype=np.intp)
    n, m = len(left), len(right)
    powers = np.arange(min(n, m) + 1, dtype=np.float64) ** weight
    gains = np.diff(powers, prepend=0.0)  # [k] what the k-th word of a run adds
    # A cell needs only its neighbours on the two anti-diagonals i + j before its own; arrays are indexed by i.
    score, before = np.zeros(n + 1), np.zeros(n + 1)
    run, run_before = np.zeros(n + 1, dtype=np.intp), np.zeros(n + 1, dtype=np.intp)
    for diagonal in range(2, n + m + 1):
        low, high = max(1, diagonal - m), min(n, diagonal - 1) + 1
        here, above = slice(low, high), slice(low - 1, high - 1)
        equal = rows[above] == columns[m - diagonal + low : m - diagonal + high]
        runs, scores = np.zeros_like(run), np.zeros_like(score)
        runs[here] = np.where(equal, run_before[above] + 1, 0)
        scores[here] = np.where(equal, before[above] + gains[runs[here]], np.maximum(score[above], score[here]))
        score, before, run, run_before = scores, score, runs, run
    return float(score[n]) if n and m else 0.0
