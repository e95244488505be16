"""Distributions over binary trees, and the tree of the highest expected value: exact, in time O(n³).

A tree over n leaves has n - 1 nodes; one that joins leaves i to k - 1 with k to j - 1 has a type y of K. A tree's weight is

    ln w = root[y₀] + Σ_nodes ( scores[y, k, i, j] + left[y, l] + right[y, r] )

with y₀ the type of the uppermost node, and l and r those of a node's two children; a leaf's is K. Sums over all trees
are found from narrow spans to wide ones (inside), probabilities from wide to narrow (outside); Lari & Young 1990.

    chart = TreeChart(scores, left, right, root)
    chart.log_total                       # ln Σ w
    nodes, spans = chart.probabilities()  # of each (y, k, i, j), and of each (i, j)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

Array = NDArray[Any]  # of float32 or float64, as the scores are
Split = tuple[int, int, int]  # leaves i to k - 1 are joined with k to j - 1

_NEVER = -1e9


class Expected(NamedTuple):
    """Probabilities, which are the derivatives of `log_total`."""

    nodes: Array  # [K, n + 1, n + 1, n + 1] of a node of type y that joins i..k with k..j, at [y, k, i, j]
    left: Array  # [K, K + 1] expected numbers of nodes of type y with a left child of type l
    right: Array  # [K, K + 1]
    root: Array  # [K]

    def spans(self) -> Array:
        """[n + 1, n + 1] the probability that leaves i to j - 1 are a constituent, for j - i > 1."""
        found: Array = self.nodes.sum(axis=(0, 1))
        return found


class TreeChart:
    def __init__(self, scores: Array, left: Array, right: Array, root: Array) -> None:
        types, size = scores.shape[0], scores.shape[1] - 1
        self.scores, self.left, self.right, self.root = scores, left, right, root
        self._inside = np.full((types, size + 1, size + 1), _NEVER, scores.dtype)  # by type, first leaf and width
        # What a parent of type y sees below it, summed over the child's types: [y, i, width] of a child that begins
        # at i, and [y, j, width] of one that ends at j. So all splits of a span stand side by side.
        self._from_left, self._from_right = self._inside.copy(), self._inside.copy()
        self._from_left[:, :size, 1] = left[:, types, None]
        self._from_right[:, 1:, 1] = right[:, types, None]
        for width in range(2, size + 1):
            count = size - width + 1
            inside = _log_sum(self._splits(width), axis=2)
            self._inside[:, :count, width] = inside
            self._from_left[:, :count, width] = _log_sum(left[:, :types, None] + inside, axis=1)
            self._from_right[:, width:, width] = _log_sum(right[:, :types, None] + inside, axis=1)
        self.log_total = float(_log_sum(root + self._inside[:, 0, size], axis=0))

    def expected(self) -> Expected:
        types, size = self.scores.shape[0], self.scores.shape[1] - 1
        nodes = np.zeros_like(self.scores)
        seen_left, seen_right = np.zeros_like(self._inside), np.zeros_like(self._inside)  # of children, by parent
        left, right = np.zeros_like(self.left), np.zeros_like(self.right)
        root = np.exp(self.root + self._inside[:, 0, size] - self.log_total)
        for width in range(size, 1, -1):
            count = size - width + 1
            inside = self._inside[:, :count, width]
            if width == size:
                chance = root[:, None]
            else:  # [parent, type, place]
                as_left = seen_left[:, None, :count, width] * np.exp(
                    self.left[:, :types, None] + inside - self._from_left[:, None, :count, width]
                )
                as_right = seen_right[:, None, width:, width] * np.exp(
                    self.right[:, :types, None] + inside - self._from_right[:, None, width:, width]
                )
                left[:, :types] += as_left.sum(axis=2)
                right[:, :types] += as_right.sum(axis=2)
                chance = as_left.sum(axis=0) + as_right.sum(axis=0)
            splits = self._splits(width)
            splits -= inside[:, :, None]
            np.exp(splits, out=splits)
            splits *= chance[:, :, None]
            _of_width(nodes, width)[...] = splits
            seen_left[:, :count, 1:width] += splits
            seen_right[:, width:, width - 1 : 0 : -1] += splits
        left[:, types] = seen_left[:, :size, 1].sum(axis=1)
        right[:, types] = seen_right[:, 1:, 1].sum(axis=1)
        return Expected(nodes, left, right, root)

    def _splits(self, width: int) -> Array:
        """[K, places, width - 1] what each split of each span of a width adds to its sum."""
        count = self.scores.shape[1] - width
        found: Array = self._from_left[:, :count, 1:width] + self._from_right[:, width:, width - 1 : 0 : -1]
        found += _of_width(self.scores, width)
        return found


def best_tree(values: Array) -> list[Split]:
    """The tree whose spans have the largest sum of `values` [n + 1, n + 1]: parents first, left before right."""
    size = len(values) - 1
    total = np.zeros((size + 1, size + 1))  # by first leaf and width
    by_end = total.copy()
    split = np.zeros((size + 1, size + 1), dtype=np.int64)
    for width in range(2, size + 1):
        count = size - width + 1
        sums = total[:count, 1:width] + by_end[width:, width - 1 : 0 : -1]
        split[:count, width] = sums.argmax(axis=1) + 1
        total[:count, width] = by_end[width:, width] = sums.max(axis=1) + values.diagonal(width)
    return _followed(split, size)


def _followed(split: NDArray[np.int64], size: int) -> list[Split]:
    found: list[Split] = []
    waiting = [(0, size)]
    while waiting:
        first, stop = waiting.pop()
        if stop - first < 2:
            continue
        middle = first + int(split[first, stop - first])
        found.append((first, middle, stop))
        waiting += [(middle, stop), (first, middle)]
    return found


def _of_width(scores: Array, width: int) -> Array:
    """A view [K, places, width - 1] of the scores [y, i + t, i, i + width] for all places i and splits t > 0."""
    of_type, of_split, of_first, of_stop = scores.strides
    count = scores.shape[1] - width
    return as_strided(
        scores[:, 1:, :, width:],
        shape=(len(scores), count, width - 1),
        strides=(of_type, of_split + of_first + of_stop, of_split),
    )


def _log_sum(values: Array, axis: int) -> Array:
    largest = values.max(axis=axis, keepdims=True)
    summed: Array = np.log(np.exp(values - largest).sum(axis=axis)) + largest.squeeze(axis)
    return summed
