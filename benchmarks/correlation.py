"""Correlation of scores with people's, many at once: rows are resamples, or documents."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

RESAMPLES = 1000
SEED = 17
SAME = 1e-9  # means that differ by less are tied: sums of the same numbers in another order do


def picks(size: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """First all places as they are, then resamples of them: [1 + resamples, size]."""
    return np.vstack([np.arange(size), rng.integers(size, size=(RESAMPLES, size))])


def weights(size: int) -> Array:
    """How often each place is in each resample; in the first row, once: [1 + resamples, size]."""
    picked = picks(size, np.random.default_rng(SEED))
    return np.array([np.bincount(row, minlength=size) for row in picked], dtype=float)


def interval(resampled: Array) -> tuple[float, float]:
    """95%; the first number is of the data as they are, and left out."""
    low, high = np.percentile(resampled[1:], [2.5, 97.5])
    return float(low), float(high)


def pearson(x: Array, y: Array) -> Array:
    """Row by row, over the places where x is defined."""
    y = np.where(np.isnan(x), np.nan, y)
    x = x - np.nanmean(x, axis=1, keepdims=True)
    y = y - np.nanmean(y, axis=1, keepdims=True)
    spread = np.sqrt(np.nansum(x**2, axis=1) * np.nansum(y**2, axis=1))
    correlation: Array = np.nansum(x * y, axis=1) / spread
    return correlation


def kendall(x: Array, y: Array) -> Array:
    """Tau-b row by row, over the places where x is defined; NaN where either side has nothing but ties."""
    one, other = _order(x), _order(np.where(np.isnan(x), np.nan, y))
    pairs = np.sqrt(np.abs(one).sum(axis=1) * np.abs(other).sum(axis=1))  # not tied in x, not tied in y
    agreeing = (one * other).sum(axis=1)
    return np.divide(agreeing, pairs, out=np.full(len(pairs), np.nan), where=pairs > 0)


def _order(x: Array) -> Array:
    """For every pair of places 1, -1, or 0 where they are tied or one is undefined: [rows, pairs]."""
    a, b = np.triu_indices(x.shape[1], 1)
    gap = x[:, a] - x[:, b]
    return np.where(np.abs(gap) > SAME, np.sign(gap), 0.0)
