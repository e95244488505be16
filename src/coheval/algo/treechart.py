"""Distributions over binary trees, and the tree of the highest expected value: exact, in time O(n³).

A tree over n leaves has n - 1 nodes; one of them joins leaves i to k - 1 with k to j - 1. A tree's weight is

    ln w = Σ_nodes scores[k, i, j]

Sums over all trees are found from narrow spans to wide ones (inside), probabilities from wide to narrow (outside); Lari
& Young 1990, "The estimation of stochastic context-free grammars using the Inside-Outside algorithm".
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

Array = NDArray[Any]  # of float32 or float64, as the scores are
Split = tuple[int, int, int]  # leaves i to k - 1 are joined with k to j - 1

_NEVER = -1e9


class Trees(NamedTuple):
    log_total: float  # ln Σ w over all trees
    nodes: Array  # [n + 1, n + 1, n + 1] the probability of each node, at [k, i, j]: the derivatives of `log_total`


def all_trees(scores: Array) -> Trees:
    """The distribution over all trees of at least one leaf."""
    size = len(scores) - 1
    by_start = np.full((size + 1, size + 1), _NEVER, scores.dtype)  # ln Σ w of spans, by first leaf and width
    by_stop = by_start.copy()
    by_start[:size, 1] = by_stop[1:, 1] = 0
    for width in range(2, size + 1):
        inside = _log_sum(_splits(scores, by_start, by_stop, width))
        by_start[: size - width + 1, width] = by_stop[width:, width] = inside
    return Trees(float(by_start[0, size]), _probabilities(scores, by_start, by_stop))


def _probabilities(scores: Array, by_start: Array, by_stop: Array) -> Array:
    size = len(scores) - 1
    nodes = np.zeros_like(scores)
    as_left, as_right = np.zeros_like(by_start), np.zeros_like(by_start)  # of spans, by start and by stop, and width
    as_left[0, size] = 1
    for width in range(size, 1, -1):
        count = size - width + 1
        chance = as_left[:count, width] + as_right[width:, width]
        split = _splits(scores, by_start, by_stop, width) - by_start[:count, width, None]
        split = np.exp(split) * chance[:, None]
        _of_width(nodes, width)[...] = split
        as_left[:count, 1:width] += split
        as_right[width:, width - 1 : 0 : -1] += split
    return nodes


def _splits(scores: Array, by_start: Array, by_stop: Array, width: int) -> Array:
    """[places, width - 1] what each split of each span of a width adds to its sum."""
    count = len(scores) - width
    found: Array = by_start[:count, 1:width] + by_stop[width:, width - 1 : 0 : -1] + _of_width(scores, width)
    return found


def best_tree(values: Array) -> list[Split]:
    """The tree whose spans have the largest sum of `values` [n + 1, n + 1]: parents first, left before right."""
    size = len(values) - 1
    total = np.zeros((size + 1, size + 1))  # by first leaf and width
    by_stop = total.copy()
    split = np.zeros((size + 1, size + 1), dtype=np.int64)
    for width in range(2, size + 1):
        count = size - width + 1
        sums = total[:count, 1:width] + by_stop[width:, width - 1 : 0 : -1]
        split[:count, width] = sums.argmax(axis=1) + 1
        total[:count, width] = by_stop[width:, width] = sums.max(axis=1) + values.diagonal(width)
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
    """A view [places, width - 1] of the scores [i + t, i, i + width] for all places i and splits t > 0."""
    of_split, of_first, of_stop = scores.strides
    return as_strided(
        scores[1:, :, width:],
        shape=(len(scores) - width, width - 1),
        strides=(of_split + of_first + of_stop, of_split),
    )


def _log_sum(values: Array) -> Array:
    largest = values.max(axis=1, keepdims=True)
    summed: Array = np.log(np.exp(values - largest).sum(axis=1)) + largest[:, 0]
    return summed
