"""Scores and judgements of the same texts, side by side: a grid of systems × items for each group.

An item is what systems have in common: a segment, or a document. A group (a language pair, a domain) is looked at by
itself, and groups are averaged later. `match` makes grids.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from coheval.algo.correlation import ratio
from coheval.algo.pairs import rated_pairs, win_ratio
from coheval.run.scoretable import Column

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Places = NDArray[np.intp]
ItemLevel = Literal["document", "segment"]

AT_ONCE = 100  # resamples of which every pair's weight is held in memory
DIGITS = 12  # of the largest number: the same numbers added in another order are still ties


@dataclass(frozen=True, eq=False)
class Pairs:
    """Texts of which people prefer one: the places of two systems and of their item in a grid."""

    better: Places  # [P]
    worse: Places  # [P]
    item: Places  # [P]


@dataclass(frozen=True, eq=False)
class Grid:
    """One group's systems and items, and what people think of them."""

    group: str
    level: ItemLevel
    systems: Places  # [S], of the table's systems
    items: Places  # [N], of the table's units or documents
    documents: Places  # [D], of the table's documents
    block: Places  # [N], which of `documents` an item is in
    human: Array  # [S, N], higher is better, NaN where nobody rated
    preferred: Pairs | None  # where people compared texts instead of rating them
    human_systems: Array | None  # [S], where systems were rated as such
    judged: dict[str, Mask]  # by unit: the texts of the table that people judged, [systems, units]

    def scores(self, column: Column) -> Array:
        """A metric's scores of what people judged, turned so that higher is better: [S, N]."""
        values = column.segments if self.level == "segment" else column.documents
        chosen = np.ix_(self.systems, self.items)
        return np.where(self.judged[self.level][chosen], rounded(values[chosen] * _sign(column)), np.nan)

    def only(self, texts: Mask) -> Grid:
        """Without judgements of other texts [S, N], so that two metrics are looked at on the same ones."""
        own = self.judged[self.level].copy()
        own[np.ix_(self.systems, self.items)] &= texts
        return self.restricted({**self.judged, self.level: own})

    def restricted(self, judged: dict[str, Mask]) -> Grid:
        """As if nobody had judged more than these texts of the table, by unit."""
        texts, pairs = judged[self.level][np.ix_(self.systems, self.items)], self.preferred
        if pairs is not None:
            kept = texts[pairs.better, pairs.item] & texts[pairs.worse, pairs.item]
            pairs = Pairs(pairs.better[kept], pairs.worse[kept], pairs.item[kept])
        return replace(self, human=np.where(texts, self.human, np.nan), judged=judged, preferred=pairs)

    def pairs(self, least: float) -> Pairs:
        """People's preferences, or those that ratings imply where they differ by at least so much."""
        return self.preferred or Pairs(*rated_pairs(self.human, least=least))

    def system_scores(self, column: Column, weights: Array, *, of_means: bool = False) -> Array:
        """A metric's scores of systems over what people judged, for weights of documents [R, D]: [R, S].

        They are what the metric makes of its rows, or the means of items' scores.
        """
        if of_means:
            return weighted_means(self.scores(column), weights[:, self.block])
        everywhere = np.zeros((len(weights), column.documents.shape[1]))
        everywhere[:, self.documents] = weights
        rows = np.where(self.judged[column.unit][:, :, None], column.rows, np.nan)
        return _sign(column) * replace(column, rows=rows).resampled(everywhere)[:, self.systems]

    def system_ratings(self, weights: Array) -> Array:
        """Systems as people rated them, or by the mean of their items, or the share of comparisons won: [R, S]."""
        if self.human_systems is not None:
            return np.tile(self.human_systems, (len(weights), 1))
        if self.preferred is None:
            return weighted_means(self.human, weights[:, self.block])
        p, place = self.preferred, self.block[self.preferred.item]
        parts = [weights[start : start + AT_ONCE] for start in range(0, len(weights), AT_ONCE)]
        return np.concatenate([win_ratio(p.better, p.worse, len(self.systems), part[:, place]) for part in parts])


def rounded(values: Array) -> Array:
    """To so many digits of the largest number that rounding errors are gone."""
    largest = np.max(np.abs(values), where=np.isfinite(values), initial=0.0)
    power = int(np.frexp(largest)[1])  # of two, which divides without rounding
    return np.ldexp(np.round(np.ldexp(values, -power), DIGITS), power)


def weighted_means(values: Array, weights: Array) -> Array:
    """Means over the items that have a value: [S, N] and [R, N] -> [R, S]."""
    defined = ~np.isnan(values)
    total, count = weights @ np.where(defined, values, 0).T, weights @ defined.T
    return ratio(total, count)


def _sign(column: Column) -> float:
    return 1.0 if column.higher_is_better else -1.0
