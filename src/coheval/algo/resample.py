"""Bootstrap over blocks, such as whole documents: how often each was drawn, and what the resampled numbers say.

A resample is a row of weights, how often each block was drawn. The first row is always the data as they are, so one
call of a statistic gives its value and its resamples.

Percentiles of a bootstrap are too close together if there are few blocks. On simulated means without a difference the
paired bootstrap found one, at the level 0.05, in 10% of all samples of 10 documents, in 7% of 20 and in 5.5% of 50.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_CHUNK = 100_000  # draws counted at once
_AT_ONCE = 10_000_000  # weights held in memory


def bootstrap_weights(size: int, resamples: int, rng: np.random.Generator) -> Array:
    """[1 + resamples, size]: first all ones, then how often each of `size` blocks is among `size` draws."""
    weights = np.ones((1 + resamples, size))
    step = max(1, _CHUNK // max(1, size))
    for start in range(1, 1 + resamples, step):
        rows = weights[start : start + step]
        drawn = rng.integers(max(1, size), size=rows.shape)
        drawn += size * np.arange(len(rows))[:, None]
        rows[:] = np.bincount(drawn.ravel(), minlength=rows.size).reshape(rows.shape)
    return weights


def bootstrap_means(values: Array, blocks: NDArray[np.intp], resamples: int, rng: np.random.Generator) -> Array:
    """[1 + resamples] means of [n] values, of which those of one block, a number from 0 on, are drawn together."""
    totals, sizes = np.bincount(blocks, weights=values), np.bincount(blocks)
    step = max(1, _AT_ONCE // max(1, len(sizes)))
    means = [np.array([totals.sum() / sizes.sum()])]
    for start in range(0, resamples, step):
        weights = bootstrap_weights(len(sizes), min(step, resamples - start), rng)[1:]
        means.append(weights @ totals / (weights @ sizes))
    return np.concatenate(means)


def interval(resampled: Array, level: float = 0.95) -> tuple[float, float]:
    """The percentile interval of [1 + R] numbers; the first, of the data as they are, and NaN are left out."""
    drawn = _drawn(resampled)
    if not len(drawn):
        return float("nan"), float("nan")
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def two_sided(differences: Array) -> float:
    """p of a paired bootstrap, from [1 + R] resampled differences of which the first is the observed one.

    p = min(1, 2 · min(1 + #{d ≤ 0}, 1 + #{d ≥ 0}) / (1 + R)). It goes below 1 − level where the percentile interval of
    that level leaves 0 out. Resamples where the difference is undefined are left out, R with them.
    """
    drawn = _drawn(differences)
    if not len(drawn) or np.isnan(differences[0]):
        return float("nan")
    rarer = min(np.count_nonzero(drawn <= 0), np.count_nonzero(drawn >= 0))
    return min(1.0, 2 * (1 + rarer) / (1 + len(drawn)))


def _drawn(resampled: Array) -> Array:
    drawn: Array = resampled[1:][~np.isnan(resampled[1:])]
    return drawn
