"""How far scores agree with people, as one number, for the data as they are and for bootstrap resamples of them.

Where a part of a mean has no value (an item whose ratings are all equal), it is left out of the mean.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from coheval.algo.correlation import CORRELATIONS, ratio
from coheval.algo.pairs import accuracy_with_ties, compare, pairwise_accuracy, soft_pairwise_accuracy, tau
from coheval.algo.weighted import WEIGHTED
from coheval.run.agreement.conditions import Conditions
from coheval.run.agreement.grid import Array, Grid, Places, rounded, weighted_means
from coheval.run.scoretable import Column

BY_ROW = {**CORRELATIONS, "accuracy": pairwise_accuracy}  # statistics of rows of numbers, [R, n] and [R, n] -> [R]
CHUNK = 2**22  # numbers that are worked on at once


@dataclass(frozen=True)
class Draws:
    """How often each document and each system is in each resample; in the first one, once."""

    documents: Array  # [1 + R, D]
    systems: Array  # [1 + R, S]

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def of_systems(self) -> bool:
        return bool((self.systems != 1).any())

    @property
    def blocks(self) -> int:
        """How many things there are to draw from; where both are drawn, of those that are fewer."""
        drawn = [side.shape[1] for side in (self.documents, self.systems) if (side != 1).any()]
        return min(drawn, default=1)


def measured(conditions: Conditions, grid: Grid, column: Column, draws: Draws) -> Array:
    """The number for each draw: [1 + R]; NaN where there is none."""
    if conditions.level == "system":
        return _of_systems(conditions, grid, column, draws)
    x = grid.scores(column)
    if conditions.by_pairs:
        return _of_pairs(conditions, grid, x, draws)
    if conditions.statistic == "acc-eq":
        return _calibrated(grid, x, draws)
    of = {"pooled": _pooled, "item": _by_item, "system": _by_system}[conditions.average or "pooled"]
    return of(conditions.statistic, grid, x, draws)


def of_scores(conditions: Conditions, grid: Grid, x: Array) -> Array:
    """The number for each of several sets of scores of the same texts, which permutation tests make: [r, S, N] -> [r].

    A system's score is the mean of its texts' scores here, whatever its metric does.
    """
    if conditions.statistic == "spa":
        return np.array([_soft(one, grid.human) for one in x])
    if conditions.level == "system":
        ratings = grid.system_ratings(np.ones((1, len(grid.documents))))
        return BY_ROW[conditions.statistic](_mean(x), np.tile(ratings, (len(x), 1)))
    if conditions.by_pairs:
        pairs = grid.pairs(conditions.least or 0.0)
        counts = [compare(one[pairs.better, pairs.item], one[pairs.worse, pairs.item]) for one in x]
        sums = np.array([[side.sum() for side in sides] for sides in counts])  # [r, 3]
        return tau(conditions.statistic, *sums.T)
    if conditions.statistic == "acc-eq":
        return np.array([accuracy_with_ties(one, grid.human, None)[0][0] for one in x])
    statistic, size = BY_ROW[conditions.statistic], len(x)
    if conditions.average == "pooled":
        return statistic(x.reshape(size, -1), np.tile(grid.human.reshape(1, -1), (size, 1)))
    rows, human = (x, grid.human) if conditions.average == "system" else (x.transpose(0, 2, 1), grid.human.T)
    each = statistic(rows.reshape(-1, rows.shape[2]), np.tile(human, (size, 1)))
    return _mean(each.reshape(size, -1))


def _of_systems(conditions: Conditions, grid: Grid, column: Column, draws: Draws) -> Array:
    if conditions.statistic == "spa":
        x = grid.scores(column)
        return _each(grid, draws, lambda s, n: _soft(x[np.ix_(s, n)], grid.human[np.ix_(s, n)], s))
    scores = grid.system_scores(column, draws.documents, of_means=conditions.of_means)
    x, y = (rounded(values) for values in (scores, grid.system_ratings(draws.documents)))
    if draws.of_systems:
        picked = np.stack([_repeated(row) for row in draws.systems])  # [1 + R, S]
        x, y = np.take_along_axis(x, picked, axis=1), np.take_along_axis(y, picked, axis=1)
    return BY_ROW[conditions.statistic](x, y)


def _pooled(statistic: str, grid: Grid, x: Array, draws: Draws) -> Array:
    size = len(draws.documents[0])
    block = np.tile(grid.block, len(grid.systems))
    if not draws.of_systems:
        return WEIGHTED[statistic](x.ravel(), grid.human.ravel(), block, draws.documents)
    cells = np.repeat(np.arange(len(grid.systems)), len(grid.items)) * size + block
    weights = (draws.systems[:, :, None] * draws.documents[:, None, :]).reshape(len(draws), -1)
    return WEIGHTED[statistic](x.ravel(), grid.human.ravel(), cells, weights)


def _by_item(statistic: str, grid: Grid, x: Array, draws: Draws) -> Array:
    """Of resampled documents only the weights in the mean change."""
    weights = draws.documents[:, grid.block]
    if not draws.of_systems:
        return weighted_means(BY_ROW[statistic](x.T, grid.human.T)[None], weights)[:, 0]
    values = []
    for weight, row in zip(weights, draws.systems, strict=True):
        picked = _repeated(row)
        each = BY_ROW[statistic](x[picked].T, grid.human[picked].T)
        values.append(weighted_means(each[None], weight[None])[0, 0])
    return np.array(values)


def _by_system(statistic: str, grid: Grid, x: Array, draws: Draws) -> Array:
    each = [WEIGHTED[statistic](a, b, grid.block, draws.documents) for a, b in zip(x, grid.human, strict=True)]
    values = np.stack(each, axis=1)  # [1 + R, S]
    defined = ~np.isnan(values)
    total, count = (np.where(defined, values, 0) * draws.systems).sum(axis=1), (defined * draws.systems).sum(axis=1)
    return ratio(total, count)


def _of_pairs(conditions: Conditions, grid: Grid, x: Array, draws: Draws) -> Array:
    pairs = grid.pairs(conditions.least or 0.0)
    sides = compare(x[pairs.better, pairs.item], x[pairs.worse, pairs.item])  # 3 × [P]
    if not draws.of_systems:
        size = len(grid.documents)
        by_document = [np.bincount(grid.block[pairs.item], weights=side, minlength=size) for side in sides]
        return tau(conditions.statistic, *(draws.documents @ counts for counts in by_document))
    sums = np.zeros((len(draws), 3))
    step = max(1, CHUNK // max(1, len(pairs.item)))
    for start in range(0, len(draws), step):
        part = slice(start, start + step)
        weights = draws.systems[part][:, pairs.better] * draws.systems[part][:, pairs.worse]
        weights = weights * draws.documents[part][:, grid.block[pairs.item]]
        sums[part] = np.stack([weights @ side for side in sides], axis=1)
    return tau(conditions.statistic, *sums.T)


def _calibrated(grid: Grid, x: Array, draws: Draws) -> Array:
    if not draws.of_systems:
        return accuracy_with_ties(x, grid.human, draws.documents[:, grid.block])[0]
    return _each(grid, draws, lambda s, n: _with_ties(x[np.ix_(s, n)], grid.human[np.ix_(s, n)], s))


def _each(grid: Grid, draws: Draws, value: Callable[[Places, Places], float]) -> Array:
    """One draw after the other: the systems and items that are in it, as often as they are."""
    weights = draws.documents[:, grid.block]
    rows = zip(draws.systems, weights, strict=True)
    return np.array([value(_repeated(systems), _repeated(items)) for systems, items in rows])


def _repeated(weights: Array) -> Places:
    return np.repeat(np.arange(len(weights)), weights.astype(int))


def _soft(x: Array, y: Array, systems: Places | None = None) -> float:
    return soft_pairwise_accuracy(x, y, rng=np.random.default_rng(0), same=systems)


def _with_ties(x: Array, y: Array, systems: Places) -> float:
    """A system that was drawn twice is not compared with itself."""
    return float(accuracy_with_ties(x, y, same=systems)[0][0])


def _mean(values: Array) -> Array:
    """Over the last axis, of the numbers that are there."""
    defined = ~np.isnan(values)
    total, count = np.where(defined, values, 0).sum(axis=-1), defined.sum(axis=-1)
    return ratio(total, count)
