"""Correlations of one sample under many bootstrap weights, without making the resamples.

x and y are [n]; block [n] says which block, such as a document, each place belongs to; weights [R, B] say how often
each block was drawn, in whole numbers. The result [R] is what `correlation` gives if places are repeated so often.
Places where either side is NaN are left out. With w the weights of places, W their sum, t the sums over groups of ties:

    pearson    Σ w, Σ wx, Σ wy, Σ wx², Σ wy² and Σ wxy are sums over blocks: one matrix product for all resamples
    spearman   3 (Σ w u v − W³) / √((W³ − Σ t³ of x)(W³ − Σ t³ of y)), where u, of x, is the weight before a place's
               group plus the weight up to its end, that is, twice its mid-rank less 1; v is the same of y
    kendall    2 (C − D) = Σ w_d w_e M[d, e], where M[d, e] = Σ sign(x_i − x_j) sign(y_i − y_j), i in block d, j in e;
               twice the pairs that are not tied is W² − Σ t²

All but Pearson's are made of whole numbers, and exact up to the last division. Resamples are the fast axis of all big
arrays: sorted places are moved as whole rows, and added up as such.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike, NDArray

from coheval.algo import correlation
from coheval.algo.correlation import Correlation, ratio

Array = NDArray[np.float64]
Floats = NDArray[np.floating]
Ints = NDArray[np.intp]
Weighted = Callable[[Array, Array, Ints, Array], Array]

_NARROW, _WIDE = 64, 512  # resamples at once: where places are moved, which should not leave the cache; in products
_STEPS = 64  # additions one after the other in a cumulative sum
_FEW = 8  # groups of ties times blocks, for each place, up to which a matrix product is the quicker way to sum them up
_BLOCKS = 4096  # the most blocks for which a matrix [B, B] is made
_PAIRS = 500_000  # pairs of places compared at once
_EXACT = 2**24  # whole numbers up to this are exact in float32, which is twice as fast
_LEFT = 1e-5  # share of a sum of squares that must remain without the mean; else rounding could show


def pearson(x: Array, y: Array, block: Ints, weights: Array) -> Array:
    x, y, block, weights = _present(x, y, block, weights)
    x, y = _scaled(x), _scaled(y)
    parts = (np.ones(len(x)), x, y, x * x, y * y, x * y)
    sums = np.stack([np.bincount(block, weights=part, minlength=weights.shape[1]) for part in parts], axis=1)
    total, sum_x, sum_y, square_x, square_y, product = (weights @ sums).T
    total = np.maximum(total, 1.0)
    spread_x, spread_y = square_x - sum_x**2 / total, square_y - sum_y**2 / total
    spread = np.sqrt(np.maximum(spread_x, 0.0) * np.maximum(spread_y, 0.0))
    result = np.clip(ratio(product - sum_x * sum_y / total, spread), -1.0, 1.0)
    doubtful = (spread_x <= _LEFT * square_x) | (spread_y <= _LEFT * square_y)
    result[doubtful] = _one_by_one(correlation.pearson, x, y, block, weights[doubtful])
    return result


def spearman(x: Array, y: Array, block: Ints, weights: Array) -> Array:
    x, y, block, weights = _present(x, y, block, weights)
    total = weights @ np.bincount(block, minlength=weights.shape[1])
    product = _rank_products(x, y, block, weights, most=float(total.max(initial=0.0)))
    cube_x, cube_y = (total**3 - _tie_sums(side, block, weights, _cube) for side in (x, y))
    return np.clip(ratio(3 * (product - total**3), np.sqrt(cube_x) * np.sqrt(cube_y)), -1.0, 1.0)


def kendall_b(x: Array, y: Array, block: Ints, weights: Array) -> Array:
    x, y, block, weights = _present(x, y, block, weights)
    if not _matrix_pays(len(x), *weights.shape):
        return _one_by_one(correlation.kendall_b, x, y, block, weights)
    total = weights @ np.bincount(block, minlength=weights.shape[1])
    untied_x, untied_y = (total**2 - _tie_sums(side, block, weights, np.square) for side in (x, y))
    surplus = _surplus(x, y, block, weights)
    return np.clip(ratio(surplus, np.sqrt(untied_x) * np.sqrt(untied_y)), -1.0, 1.0)


def kendall_c(x: Array, y: Array, block: Ints, weights: Array) -> Array:
    x, y, block, weights = _present(x, y, block, weights)
    if not _matrix_pays(len(x), *weights.shape):
        return _one_by_one(correlation.kendall_c, x, y, block, weights)
    total = weights @ np.bincount(block, minlength=weights.shape[1])
    classes = np.minimum(*(_tie_sums(side, block, weights, _drawn) for side in (x, y)))
    return ratio(_surplus(x, y, block, weights) * classes, total**2 * (classes - 1))


WEIGHTED: dict[str, Weighted] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall_b,
    "kendall-c": kendall_c,
}


def _present(x: Array, y: Array, block: Ints, weights: Array) -> tuple[Array, Array, Ints, Array]:
    """Without missing places, sorted by block, and without blocks that have no place."""
    there = np.flatnonzero(~(np.isnan(x) | np.isnan(y)))
    there = there[np.argsort(block[there], kind="stable")]
    used, block = np.unique(block[there], return_inverse=True)
    return x[there], y[there], block, weights if len(used) == weights.shape[1] else weights[:, used]


def _scaled(x: Array) -> Array:
    """Mean about 0, largest deviation 1: so that squares neither cancel nor overflow."""
    if not len(x):
        return x
    x = x - x.mean()
    largest = np.abs(x).max()
    return x / largest if largest > 0 else x


def _one_by_one(statistic: Correlation, x: Array, y: Array, block: Ints, weights: Array) -> Array:
    """Every resample made, and measured by itself."""
    found = np.full(len(weights), np.nan)
    for number, row in enumerate(weights):
        drawn = np.repeat(np.arange(len(x)), row[block].astype(np.intp))
        found[number] = statistic(x[drawn], y[drawn])[0]
    return found


def _in_chunks(weights: Array, width: int, kind: DTypeLike, statistic: Callable[[Floats], Array]) -> Array:
    """[R] from statistic(weights [B + 1, width]) -> [width]; the last row is of a block that is never drawn."""
    width = min(width, len(weights))
    chunk = np.zeros((weights.shape[1] + 1, width), dtype=kind)
    found = [np.empty(0)]
    for start in range(0, len(weights), max(1, width)):
        some = weights[start : start + width].T
        chunk[:-1, : some.shape[1]] = some  # the last chunk may keep columns of the one before, which are cut off
        found.append(statistic(chunk)[: some.shape[1]])
    return np.concatenate(found)


def _cube(weights: Floats) -> Floats:
    return weights * weights * weights


def _drawn(weights: Floats) -> Floats:
    return (weights > 0).astype(weights.dtype)


@dataclass(frozen=True, eq=False, slots=True)
class _Sorted:
    """Places by rising value, for sums of weights up to the end of each group of ties.

    The places are cut in segments of `_STEPS`. Stored are the first places of all segments, then all second places, and
    so on: a cumulative sum within all segments is then a few additions of long rows. Of few groups, the places of each
    block are counted instead.
    """

    source: Ints  # [stored] the block of each place; the last segment is filled with the block that is never drawn
    end: Ints  # [groups] where the last place of each group is stored
    group: Ints  # [n] group of each place
    counts: Array | None  # [groups, B]

    @classmethod
    def of(cls, values: Array, block: Ints, blocks: int) -> _Sorted:
        order = np.argsort(values, kind="stable")
        ordered = values[order]
        last = np.append(ordered[1:] != ordered[:-1], True)[: len(values)]
        segments = -(-len(values) // _STEPS)
        source = np.full(segments * _STEPS, blocks)
        source[: len(values)] = block[order]
        segment, step = np.divmod(np.flatnonzero(last), _STEPS)
        group = np.empty(len(values), dtype=np.intp)
        group[order] = np.cumsum(last) - last
        counts = _counts(group, len(step), block, blocks) if len(step) * blocks <= _FEW * len(values) else None
        return cls(source.reshape(segments, _STEPS).T.ravel(), step * segments + segment, group, counts)

    def ends(self, weights: Floats, space: Floats, out: Floats) -> Floats:
        """Weight up to the end of each group, after a first row of zeros: [groups + 1, width], in `out`."""
        ends = out[: len(self.end) + 1]
        ends[0] = 0
        if self.counts is not None:
            np.cumsum(self.counts.astype(weights.dtype) @ weights[:-1], axis=0, out=ends[1:])
            return ends
        stored = np.take(weights, self.source, axis=0, out=space[: len(self.source)], mode="clip")
        steps = stored.reshape(_STEPS, -1, weights.shape[1])
        for step in range(1, _STEPS):
            steps[step] += steps[step - 1]
        steps[:, 1:] += np.cumsum(steps[-1, :-1], axis=0)
        np.take(stored, self.end, axis=0, out=ends[1:], mode="clip")
        return ends

    def doubled(self, weights: Floats, space: Floats, out: Floats) -> None:
        """Twice the mid-rank, less 1, of each place: [n, width], in `out`."""
        ends = self.ends(weights, space, out)
        groups = np.add(ends[1:], ends[:-1], out=space[: len(self.end)])
        np.take(groups, self.group, axis=0, out=out[: len(self.group)], mode="clip")


def _counts(group: Ints, groups: int, block: Ints, blocks: int) -> Array:
    """How many places of each block each group has: [groups, blocks]."""
    counts: Array = np.bincount(group * blocks + block, minlength=groups * blocks).astype(np.float64)
    return counts.reshape(groups, blocks)


def _rank_products(x: Array, y: Array, block: Ints, weights: Array, *, most: float) -> Array:
    """Σ w u v of all resamples; `most` is the largest total weight."""
    order = np.argsort(x, kind="stable")  # memory is then read in order for one side at least
    x, y, block = x[order], y[order], block[order]
    one, other = (_Sorted.of(side, block, weights.shape[1]) for side in (x, y))
    places, stored, width = len(x), len(one.source), min(_NARROW, len(weights))
    kind = np.float32 if 2 * most * weights.max(initial=0.0) <= _EXACT else np.float64  # the largest w u
    # made once: asking for fresh memory would cost more than all the sums
    space, u, v = (np.zeros((stored + 1, width), dtype=kind) for _ in range(3))

    def products(chunk: Floats) -> Array:
        one.doubled(chunk, space, u)
        other.doubled(chunk, space, v)
        u[:places] *= np.take(chunk, block, axis=0, out=space[:places], mode="clip")
        u[places:] = v[places:] = 0
        long = (side[:stored].reshape(-1, _STEPS * width) for side in (u, v))  # longer rows are multiplied faster
        sums: Array = np.einsum("sr,sr->r", *long, dtype=np.float64).reshape(_STEPS, width).sum(axis=0)
        return sums

    return _in_chunks(weights, _NARROW, kind, products)


def _tie_sums(values: Array, block: Ints, weights: Array, function: Callable[[Floats], Floats]) -> Array:
    """Σ function(t) over the groups of ties, t being the weight of each, of all resamples."""
    _, group, size = np.unique(values, return_inverse=True, return_counts=True)
    shared = size[group] > 1
    lone = np.bincount(block[~shared], minlength=weights.shape[1])
    places = _Sorted.of(values[shared], block[shared], weights.shape[1])
    width = min(_NARROW, len(weights))
    space, out = (np.empty((len(places.source) + 1, width)) for _ in range(2))

    def sums(chunk: Floats) -> Array:
        alone: Array = lone @ function(chunk[:-1])
        together: Array = function(np.diff(places.ends(chunk, space, out), axis=0)).sum(axis=0)
        return alone + together

    return _in_chunks(weights, _NARROW, np.float64, sums)


def _matrix_pays(places: int, resamples: int, blocks: int) -> bool:
    """Whether comparing all pairs of places once costs less than sorting them for each resample; as measured, about."""
    return blocks <= _BLOCKS and blocks**2 <= 4000 * places and places <= 200 * resamples


def _surplus(x: Array, y: Array, block: Ints, weights: Array) -> Array:
    """2 (C − D) of all resamples: the quadratic forms."""
    matrix = _signs(x, y, block, weights.shape[1])
    most = (weights @ np.bincount(block)).max(initial=0.0) * np.bincount(block).max(initial=0)
    matrix = matrix.astype(np.float32 if most <= _EXACT else np.float64)

    def forms(chunk: Floats) -> Array:
        result: Array = np.einsum("br,br->r", matrix @ chunk[:-1], chunk[:-1], dtype=np.float64)
        return result

    return _in_chunks(weights, _WIDE, matrix.dtype, forms)


def _signs(x: Array, y: Array, block: Ints, blocks: int) -> Array:
    """M[d, e] = Σ sign(x_i − x_j) sign(y_i − y_j) over i in block d and j in block e; places are sorted by block."""
    matrix = np.zeros((blocks, blocks))
    starts = np.searchsorted(block, np.arange(blocks))
    step = max(1, _PAIRS // max(1, len(x)))
    for here in range(0, len(x), step):
        rows = slice(here, here + step)
        first = block[here]  # M is symmetric: only blocks from here on
        later = slice(starts[first], None)
        signs = _order(x[rows], x[later]) * _order(y[rows], y[later])  # [rows, later places]
        by_column = np.add.reduceat(signs, starts[first:] - starts[first], axis=1, dtype=np.int32)
        mine, begin = np.unique(block[rows], return_index=True)
        matrix[mine, first:] += np.add.reduceat(by_column, begin, axis=0, dtype=np.int64)
    return np.triu(matrix) + np.triu(matrix, 1).T


def _order(a: Array, b: Array) -> NDArray[np.int8]:
    """1 where a is larger, −1 where b is, 0 where they are tied: [len(a), len(b)]."""
    a = a[:, None]
    return (a > b).view(np.int8) - (a < b).view(np.int8)
