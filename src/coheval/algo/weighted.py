"""Correlations of one sample under many bootstrap weights, without making the resamples.

x and y are [n], block [n] says which block, such as a document, each place belongs to, and weights [R, B] how often each
block was drawn: whole numbers. The result [R] is what `correlation` gives for the places repeated so often; places where
either side is NaN are left out. With t the total weights of the groups of ties and W that of all places:

    pearson     sums of x, y, x², y² and xy are sums over blocks: one product with the weights gives those of all resamples
    spearman    places stay sorted, so twice a mid-rank is the weight up to a group's end plus that up to its beginning;
                then 3 (Σ w 2u 2v − W³) / √((W³ − Σ t_x³)(W³ − Σ t_y³)), u and v being mid-ranks of x and y less ½
    kendall     2 (C − D) is the quadratic form w′Mw, M[d, e] = Σ sign(x_i − x_j) sign(y_i − y_j) over i in d and j in e;
                twice the pairs that are not tied in x is W² − Σ t_x²

All but Pearson's are sums of whole numbers, and exact until the last division. Resamples are the fast axis of arrays, so
that sorted places are moved as whole rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from coheval.algo import correlation
from coheval.algo.correlation import ratio

Array = NDArray[np.float64]
Floats = NDArray[np.floating]
Ints = NDArray[np.intp]
Weighted = Callable[[Array, Array, Ints, Array], Array]

_FAST = 64  # resamples at once, if places are moved: more would leave the cache
_WIDE = 512  # resamples at once, if they are columns of a matrix product
_SEGMENTS = 64  # parts of equal length that are summed up side by side
_BLOCKS = 4096  # the most blocks for which a matrix [B, B] is made
_EXACT = 2**24  # whole numbers below this are exact in float32, which is twice as fast
_DOUBTFUL = 1e-5  # share of a sum of squares that must be left after the mean is taken out, or it is computed anew


def pearson(x: Array, y: Array, block: Ints, weights: Array) -> Array:
    x, y, block = _present(x, y, block)
    x, y = _scaled(x), _scaled(y)
    sums = np.stack([_by_block(v, block, weights.shape[1]) for v in (np.ones(len(x)), x, y, x * x, y * y, x * y)], axis=1)
    total, sx, sy, sxx, syy, sxy = (weights @ sums).T
    total = np.maximum(total, 1.0)
    vx, vy = sxx - sx * sx / total, syy - sy * sy / total
    result = ratio(sxy - sx * sy / total, np.sqrt(np.maximum(vx, 0.0)) * np.sqrt(np.maximum(vy, 0.0)))
    for row in np.flatnonzero((vx <= _DOUBTFUL * sxx) | (vy <= _DOUBTFUL * syy)):
        result[row] = _repeated(correlation.pearson, x, y, block, weights[row])
    return np.clip(result, -1.0, 1.0)


def spearman(x: Array, y: Array, block: Ints, weights: Array) -> Array:
    x, y, block = _present(x, y, block)
    size = np.bincount(block, minlength=weights.shape[1])
    total = weights @ size
    # the largest whole number is twice a rank, times a weight
    exact = 2 * total.max(initial=0) * weights.max(initial=0) < _EXACT
    ranks = _Ranks.of(x, y, block, np.zeros((weights.shape[1] + 1, min(_FAST, len(weights))), np.float32 if exact else float))
    sums = np.empty((3, len(weights)))
    for rows, chunk in _chunks(weights, ranks.weights):
        sums[:, rows] = ranks.sums()[:, :chunk]
    product, ties_x, ties_y = sums
    cube = total**3
    return np.clip(ratio(3 * (product - cube), np.sqrt(cube - ties_x) * np.sqrt(cube - ties_y)), -1.0, 1.0)
