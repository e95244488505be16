"""Does one metric agree with people more than another does?

    bootstrap     paired bootstrap: the same resamples for both metrics
    perm-both, perm-inputs, perm-systems    scores of two metrics, brought to one scale, are exchanged text by text, or
                  for all systems of an item, or for all items of a system (Deutsch et al. 2021)
    williams      Williams' test, for Pearson's correlation in one group (Graham and Baldwin 2014)
    randomisation what two metrics earn on the pairs of an item is exchanged (Yeh 2000; DiscoTK), for the forms of τ

All are two-sided unless one-sided ones are asked for, which then say whether the one that is ahead is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from coheval.algo.correlation import pearson
from coheval.algo.pairs import compare, tau
from coheval.algo.permutation import permutation_p, randomisation_p
from coheval.algo.resample import two_sided
from coheval.algo.significance import williams
from coheval.errors import UsageError
from coheval.run.agreement.conditions import Conditions
from coheval.run.agreement.grid import Array, Grid
from coheval.run.agreement.statistics import of_scores
from coheval.run.scoretable import Column

Test = Literal["bootstrap", "perm-both", "perm-inputs", "perm-systems", "williams", "randomisation"]


@dataclass(frozen=True)
class Tester:
    """A test of two metrics, the first of which is ahead."""

    test: Test
    conditions: Conditions
    resamples: int
    seed: int
    one_sided: bool
    absolute: bool

    def __post_init__(self) -> None:
        statistic = self.conditions.statistic
        refused = {
            "it is a test of Pearson's correlation, pooled: choose the statistic pearson": self.test == "williams"
            and (statistic != "pearson" or self.conditions.average != "pooled"),
            "it is a test of the forms of τ over pairs: choose the statistic wmt14": self.test == "randomisation"
            and not self.conditions.by_pairs,
            "absolute figures are tested by bootstrap or permutation": self.absolute
            and self.test in ("williams", "randomisation"),
        }
        for hint, is_so in refused.items():
            if is_so:
                raise UsageError(f"the test {self.test} cannot be had for {self.conditions}", hint=hint)

    def p(self, grids: Sequence[Grid], ahead: Column, behind: Column, resampled: Array) -> float:
        """NaN where there is none. `resampled`: bootstrapped differences between the two, [1 + R]."""
        if self.test == "bootstrap":
            return self.bootstrap(resampled)
        if self.test == "williams":
            return self._williams(grids, ahead, behind)
        if self.test == "randomisation":
            p = self._randomisation(grids, ahead, behind)
            return p / 2 if self.one_sided else p
        return self._permutation(grids, ahead, behind)

    def bootstrap(self, resampled: Array) -> float:
        p = two_sided(resampled)
        return p / 2 if self.one_sided else p

    def _permutation(self, grids: Sequence[Grid], ahead: Column, behind: Column) -> float:
        """Groups stand in one table without touching each other, so that one exchange covers all of them."""
        shape = sum(len(g.systems) for g in grids), sum(len(g.items) for g in grids)
        one, other = np.full(shape, np.nan), np.full(shape, np.nan)
        places: list[tuple[slice, slice]] = []
        row = column = 0
        for grid in grids:
            place = slice(row, row + len(grid.systems)), slice(column, column + len(grid.items))
            one[place], other[place] = _standard(grid.scores(ahead)), _standard(grid.scores(behind))
            places.append(place)
            row, column = place[0].stop, place[1].stop

        def statistic(x: Array) -> Array:
            each = [of_scores(self.conditions, g, x[:, r, c]) for g, (r, c) in zip(grids, places, strict=True)]
            mean: Array = np.mean(np.abs(each) if self.absolute else each, axis=0)
            return mean

        _, p = permutation_p(
            other,
            one,
            statistic,
            self.test.removeprefix("perm-"),  # type: ignore[arg-type]
            self.resamples,
            np.random.default_rng(self.seed),
            alternative="greater" if self.one_sided else "two-sided",
        )
        return p

    def _williams(self, grids: Sequence[Grid], ahead: Column, behind: Column) -> float:
        if len(grids) > 1:
            raise UsageError(
                f"Williams' test is of one correlation, and there are {len(grids)} groups, whose mean is told",
                hint="use another test, or judgements of one group",
            )
        grid = grids[0]
        if self.conditions.level == "system":
            once = np.ones((1, len(grid.documents)))
            x1, x2 = (grid.system_scores(c, once, of_means=self.conditions.of_means) for c in (ahead, behind))
            y = grid.system_ratings(once)
        else:
            x1, x2, y = (a.reshape(1, -1) for a in (grid.scores(ahead), grid.scores(behind), grid.human))
        there = ~np.isnan(x1 + x2 + y)
        x1, x2, y = (np.where(there, a, np.nan) for a in (x1, x2, y))
        r12, r13, r23 = (float(pearson(a, b)[0]) for a, b in ((y, x1), (y, x2), (x1, x2)))
        return williams(r12, r13, r23, int(there.sum()), alternative="greater" if self.one_sided else "two-sided")

    def _randomisation(self, grids: Sequence[Grid], ahead: Column, behind: Column) -> float:
        """What each item's pairs earn is exchanged; a row has three counts for each group, of which one is its own."""
        sizes, width = [len(grid.items) for grid in grids], len(grids)
        rows = [np.zeros((sum(sizes), 3 * width)) for _ in range(2)]
        for n, grid in enumerate(grids):
            own = slice(sum(sizes[:n]), sum(sizes[: n + 1])), slice(3 * n, 3 * n + 3)
            rows[0][own], rows[1][own] = self._earned(grid, behind), self._earned(grid, ahead)

        def score(sums: Array) -> Array:
            each = [tau(self.conditions.statistic, *sums[:, 3 * n : 3 * n + 3].T) for n in range(width)]
            mean: Array = np.mean(each, axis=0)
            return mean

        return randomisation_p(rows[0], rows[1], score, self.resamples, np.random.default_rng(self.seed))

    def _earned(self, grid: Grid, column: Column) -> Array:
        x, pairs = grid.scores(column), grid.pairs(self.conditions.least or 0.0)
        sides = compare(x[pairs.better, pairs.item], x[pairs.worse, pairs.item])
        size = len(grid.items)
        return np.stack([np.bincount(pairs.item, weights=side, minlength=size) for side in sides], axis=1)  # [N, 3]


def _standard(x: Array) -> Array:
    """Mean 0 and deviation 1 in each group, whose scales may differ."""
    present = x[~np.isnan(x)]
    deviation = present.std() if len(present) else 0.0
    return (x - present.mean()) / deviation if deviation > 0 else x
