"""What can be said of each token of two texts once both are aligned: the input of a learned estimate of quality.

For a token i of one text, with S_l its cosines with the tokens of the other at layer l (arrays in, arrays out):

| number | what |
|---|---|
| 1 to L | the best match at each layer, max_j S_l[i, j] |
| L + 1 | how far the best match of the last layer is ahead of the second best |
| L + 2, L + 3 | its place less that of its match, from 0 to 1 along either text, and the amount of that |
| L + 4, L + 5 | whether the same piece is anywhere in the other text, and where the token looks |
| L + 6, L + 7 | how well the tokens before it, and behind it, match those beside its match: order |
| L + 8 | how sure the match is, the largest share of a softmax over 20 S_L[i] |

and two vectors: the token's own, and its distance, number by number, from what it looks at.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

SHARPNESS = 20.0  # of the softmax over cosines
LOCAL = 1  # the layer, counted from 0, at which neighbours are compared: a low one knows words, not sentences
ORDERS = (1, 2, 3, 4)  # n-grams of pieces that are counted
OVERALL = 2 * len(ORDERS) + 4


def scalars(layers: int) -> int:
    """How many numbers there are for each token."""
    return layers + 8


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """The tokens of one text beside another: numbers [n, L + 8], vectors [n, d], distances [n, d], matches [n]."""

    numbers: Array
    vectors: Array
    distances: Array
    match: NDArray[np.intp]


def align(ours: Array, theirs: Array, same: NDArray[np.bool_]) -> tuple[Aligned, Aligned]:
    """Both texts beside each other, from unit vectors [L, n, d] and [L, m, d], and which pieces are the same [n, m]."""
    similarity = ours @ theirs.transpose(0, 2, 1)  # [L, n, m]
    return _side(ours, theirs, similarity, same), _side(theirs, ours, similarity.transpose(0, 2, 1), same.T)


def _side(ours: Array, theirs: Array, similarity: Array, same: NDArray[np.bool_]) -> Aligned:
    last = similarity[-1]  # [n, m]
    count, others = last.shape
    match = last.argmax(axis=1)
    looks = _softmax(SHARPNESS * last)
    ahead = last.max(axis=1) - (np.partition(last, -2, axis=1)[:, -2] if others > 1 else 0.0)
    shift = np.arange(count) / max(1, count - 1) - match / max(1, others - 1)
    near = similarity[LOCAL]
    numbers = np.column_stack(
        [
            similarity.max(axis=2).T,
            ahead,
            shift,
            np.abs(shift),
            same.any(axis=1),
            (looks * same).sum(axis=1),
            _beside(near, match, -1),
            _beside(near, match, 1),
            looks.max(axis=1),
        ]
    )
    distances = np.abs(ours[-1] - looks @ theirs[-1])
    return Aligned(numbers.astype(np.float32), ours[-1], distances, match)


def _beside(near: Array, match: NDArray[np.intp], step: int) -> Array:
    """How well a token's neighbour matches its match's neighbour; 1 where both texts end there, 0 where one does."""
    count, others = near.shape
    mine, its = np.arange(count) + step, match + step
    ends = [(at < 0) | (at >= size) for at, size in ((mine, count), (its, others))]
    inside = near[np.clip(mine, 0, count - 1), np.clip(its, 0, others - 1)]
    return np.where(ends[0] | ends[1], ends[0] & ends[1], inside).astype(np.float32)


def _softmax(x: Array) -> Array:
    raised = np.exp(x - x.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float32)


def overall(ours: Sequence[str], theirs: Sequence[str]) -> Array:
    """Numbers of two texts as wholes, from their pieces [12]: shared n-grams as a share of each text's, for n from 1 to
    4; the logarithm of the ratio of lengths, its amount, and the logarithms of both lengths."""
    found: list[float] = []
    for order in ORDERS:
        mine, its = (Counter(zip(*(side[i:] for i in range(order)), strict=False)) for side in (ours, theirs))
        shared = (mine & its).total()
        found += [shared / max(1, mine.total()), shared / max(1, its.total())]
    ratio = math.log(len(ours) / len(theirs))
    return np.array([*found, ratio, abs(ratio), math.log(len(theirs)), math.log(len(ours))], dtype=np.float32)
