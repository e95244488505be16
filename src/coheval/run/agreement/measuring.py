"""Every metric measured in every aspect, for the data as they are and for resamples that all metrics share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from coheval.algo.resample import bootstrap_weights
from coheval.data.judgements import Judgements
from coheval.metrics import Unit
from coheval.run.agreement.conditions import Conditions
from coheval.run.agreement.grid import Array, Grid, Mask
from coheval.run.agreement.match import Matched, match
from coheval.run.agreement.options import Options
from coheval.run.agreement.result import MEAN
from coheval.run.agreement.statistics import Draws, measured
from coheval.run.agreement.told import check_judged
from coheval.run.scoretable import Column, ScoreTable


@dataclass(frozen=True, eq=False)
class Measured:
    table: ScoreTable
    judgements: Judgements
    aspects: list[str]
    metrics: list[str]
    conditions: Conditions
    options: Options
    matched: dict[str, Matched] = field(default_factory=dict)
    draws: dict[tuple[str, str], Draws] = field(default_factory=dict)  # by aspect and group
    groups: dict[tuple[str, str], dict[str, Array]] = field(default_factory=dict)  # [1 + R] by metric, aspect, group
    resampled: dict[tuple[str, str], Array] = field(default_factory=dict)  # their means

    def __post_init__(self) -> None:
        for aspect in self.aspects:
            self._measure(aspect)
        if len(self.aspects) > 1:
            for metric in self.metrics:
                self.resampled[metric, self.mean] = np.mean([self.resampled[metric, a] for a in self.aspects], axis=0)

    @property
    def mean(self) -> str:
        """The name of the row over all aspects, which none of them has."""
        return MEAN if MEAN not in self.aspects else "mean of aspects"

    @property
    def rows(self) -> list[str]:
        """All aspects, and their mean if there are several."""
        return [*self.aspects, self.mean] if len(self.aspects) > 1 else self.aspects

    def ordered(self, aspect: str) -> list[str]:
        """The metrics that have a value, best first."""
        defined = [m for m in self.metrics if not math.isnan(self.resampled[m, aspect][0])]
        return sorted(defined, key=lambda metric: -self.resampled[metric, aspect][0])

    def on_the_same_texts(self, one: str, other: str, aspect: str) -> tuple[Array, list[Grid]]:
        """How far the first is ahead, [1 + R], over texts that both have scores for; and these."""
        grids = self.matched[aspect].grids
        common = [self._common(grid, self.table.columns[one], self.table.columns[other]) for grid in grids]
        if all(restricted is grid for restricted, grid in zip(common, grids, strict=True)):
            return self.resampled[one, aspect] - self.resampled[other, aspect], grids
        values = [list(self._by_group(metric, aspect, common).values()) for metric in (one, other)]
        return np.mean(values[0], axis=0) - np.mean(values[1], axis=0), common

    def _common(self, grid: Grid, one: Column, other: Column) -> Grid:
        """The grid of texts that both metrics have scores for; the same grid if there is no difference."""
        if self.conditions.level != "system" or self.conditions.of_means or self.conditions.statistic == "spa":
            a, b = (~np.isnan(grid.scores(column)) for column in (one, other))
            return grid if (a == b).all() else grid.only(a & b)
        units = [one.unit, other.unit]
        unit = units[0] if units[0] == units[1] else "document"
        a, b = (self._scored(grid, column, unit) for column in (one, other))
        if (a == b).all():
            return grid
        both, documents = a & b, len(self.table.documents)
        if unit == "document":
            return grid.restricted(
                {"document": both, "segment": grid.judged["segment"] & both[:, self.table.document_of]}
            )
        of_documents = np.stack([np.bincount(self.table.document_of[row], minlength=documents) > 0 for row in both])
        return grid.restricted({"segment": both, "document": grid.judged["document"] & of_documents})

    def _scored(self, grid: Grid, column: Column, unit: Unit) -> Mask:
        """What was judged and has rows: [systems, units]."""
        own: Mask = np.asarray(~np.isnan(column.rows).any(axis=2)) & grid.judged[column.unit]
        if column.unit == unit:
            return own
        size = len(self.table.documents)
        return np.stack([np.bincount(column.block[row], minlength=size) > 0 for row in own])

    def _measure(self, aspect: str) -> None:
        drop = self.options.drop_unmatched
        matched = self.matched[aspect] = match(self.table, self.judgements, aspect, self.conditions.level, drop=drop)
        check_judged(self.conditions, matched.grids, aspect)
        for grid in matched.grids:
            self.draws[aspect, grid.group] = self._drawn(grid)
        for metric in self.metrics:
            self.groups[metric, aspect] = self._by_group(metric, aspect, matched.grids)
            self.resampled[metric, aspect] = np.mean(list(self.groups[metric, aspect].values()), axis=0)

    def _by_group(self, metric: str, aspect: str, grids: Sequence[Grid]) -> dict[str, Array]:
        column, found = self.table.columns[metric], {}
        for grid in grids:
            draws = self.draws[aspect, grid.group]
            values = measured(self.conditions, grid, column, draws)
            if draws.blocks < 2:
                values[1:] = np.nan  # whatever is drawn is the same again
            found[grid.group] = np.abs(values) if self.options.absolute else values
        return found

    def _drawn(self, grid: Grid) -> Draws:
        """The same for every metric; a group's do not depend on which other groups there are."""
        rng = np.random.default_rng([self.options.seed, *grid.group.encode()])
        count, what = self.options.resamples or 0, self.options.resample
        documents, systems = (
            bootstrap_weights(size, count, rng) if what in (name, "both") else np.ones((1 + count, size))
            for name, size in (("documents", len(grid.documents)), ("systems", len(grid.systems)))
        )
        return Draws(documents, systems)
