"""`agree`: every metric against every aspect, with intervals, differences, ranks and what did not match."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from threadpoolctl import threadpool_limits

from coheval.algo.resample import bootstrap_weights, interval
from coheval.algo.significance import clusters, ranks
from coheval.data.judgements import Judgements
from coheval.errors import UnknownName, did_you_mean
from coheval.run.agreement.conditions import Average, Conditions, Level, Statistic
from coheval.run.agreement.differences import Test, Tester
from coheval.run.agreement.given import Opinions, Scores, judgements_of, table_of
from coheval.run.agreement.grid import Array, Grid
from coheval.run.agreement.match import Matched, match
from coheval.run.agreement.options import Correction, Options, Resample
from coheval.run.agreement.result import MEAN, Agreed, Agreement, Difference, number
from coheval.run.agreement.statistics import Draws, measured
from coheval.run.agreement.told import (
    about_draws,
    about_metric,
    check_judged,
    counted,
    notes,
    reliability,
    why_no_p,
    why_none,
)
from coheval.run.scoretable import ScoreTable

ROUNDING = 1e-12  # differences that are none


def agree(
    scores: Scores,
    judgements: Opinions,
    *,
    aspects: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    lower_is_better: Collection[str] = (),
    level: Level | None = None,
    statistic: Statistic | None = None,
    average: Average | None = None,
    of_means: bool = False,
    least: float | None = None,
    resample: Resample = "documents",
    resamples: int = 1000,
    confidence: float = 0.95,
    test: Test = "bootstrap",
    one_sided: bool = False,
    correction: Correction = "holm",
    absolute: bool = False,
    drop_unmatched: bool = False,
    seed: int = 1,
) -> Agreement:
    """How far metrics agree with people.

    `scores` is a result of `score`, a run folder, or plain numbers: {metric: [numbers]} or {metric: {system:
    [numbers]}}; then `documents` has a document id for each and `lower_is_better` the metrics that run the other way.
    `judgements` is a file, or plain numbers in the same shapes. `level`, `statistic` and `average` are in
    `coheval.run.agreement.conditions`, the others in `options`. Left out, the first three are what the data allow:
    systems if there are at least three, and Kendall's τ; pairs of texts, if that is what people compared. Figures are
    signed unless `absolute`.
    """
    options = Options(
        resample=resample,
        resamples=resamples,
        confidence=confidence,
        test=test,
        one_sided=one_sided,
        correction=correction,
        absolute=absolute,
        drop_unmatched=drop_unmatched,
        seed=seed,
    )
    table = table_of(scores, documents, lower_is_better)
    opinions = judgements_of(judgements, table)
    chosen = _known("aspect", aspects, opinions.aspects())
    level, statistic = level or _level(table, opinions), statistic or _statistic(opinions)
    conditions = Conditions(level, statistic, average, of_means, least)
    tester = Tester(test, conditions, resamples, seed, one_sided, absolute)
    job = _Job(table, opinions, chosen, _known("metric", metrics, list(table.columns)), conditions, options, tester)
    with threadpool_limits(limits=1, user_api="blas"):  # on a busy machine, threads for small matrices cost 100 times
        return job.run()


def _known(what: str, asked: Sequence[str] | None, known: list[str]) -> list[str]:
    for name in asked or ():
        if name not in known:
            raise UnknownName(f"no {what} is called {name!r} here", hint=did_you_mean(name, known))
    return list(dict.fromkeys(asked)) if asked else known


def _level(table: ScoreTable, judgements: Judgements) -> Level:
    if judgements.ratings and len(table.systems) >= 3:
        return "system"
    segments = [*(r.segment for r in judgements.ratings), *(p.segment for p in judgements.preferences)]
    of_segments = any(segment is not None for segment in segments)
    return "segment" if of_segments or len(table.units) == len(table.documents) else "document"


def _statistic(judgements: Judgements) -> Statistic:
    return "kendall" if judgements.ratings else "wmt14"


@dataclass(frozen=True, eq=False)
class _Job:
    table: ScoreTable
    judgements: Judgements
    aspects: list[str]
    metrics: list[str]
    conditions: Conditions
    options: Options
    tester: Tester
    matched: dict[str, Matched] = field(default_factory=dict)
    draws: dict[tuple[str, str], Draws] = field(default_factory=dict)  # by aspect and group
    groups: dict[tuple[str, str], dict[str, Array]] = field(default_factory=dict)  # [1 + R] by metric, aspect, group
    resampled: dict[tuple[str, str], Array] = field(default_factory=dict)  # their means

    @cached_property
    def mean(self) -> str:
        """The name of the row over all aspects, which none of them has."""
        return MEAN if MEAN not in self.aspects else "mean of aspects"

    def run(self) -> Agreement:
        for aspect in self.aspects:
            self._measure(aspect)
        named = self.aspects
        if len(self.aspects) > 1:
            named = [*self.aspects, self.mean]
            for metric in self.metrics:
                self.resampled[metric, self.mean] = np.mean([self.resampled[metric, a] for a in self.aspects], axis=0)
        differences = {aspect: self._differences(aspect) for aspect in named}
        return Agreement(
            conditions=self.conditions,
            options=self.options,
            rows=[row for aspect in named for row in self._rows(aspect, differences[aspect])],
            differences=[row for of_aspect in differences.values() for row in of_aspect],
            reliability=list(reliability(self.judgements, self.aspects)),
            notes=[*self.table.notes, *self._notes()],
            resampled=self.resampled,
        )

    def _measure(self, aspect: str) -> None:
        drop = self.options.drop_unmatched
        matched = self.matched[aspect] = match(self.table, self.judgements, aspect, self.conditions.level, drop=drop)
        check_judged(self.conditions, matched.grids, aspect)
        for grid in matched.grids:
            self.draws[aspect, grid.group] = self._drawn(grid)
        for metric in self.metrics:
            self.groups[metric, aspect] = self._measured(metric, aspect, matched.grids)
            self.resampled[metric, aspect] = np.mean(list(self.groups[metric, aspect].values()), axis=0)

    def _measured(self, metric: str, aspect: str, grids: Sequence[Grid]) -> dict[str, Array]:
        """For each group, of the data as they are and of resamples: [1 + R]."""
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
        count, what = self.options.resamples, self.options.resample
        documents, systems = (
            bootstrap_weights(size, count, rng) if what in (name, "both") else np.ones((1 + count, size))
            for name, size in (("documents", len(grid.documents)), ("systems", len(grid.systems)))
        )
        return Draws(documents, systems)

    # ---------------------------------------------------------------------------------- metrics against each other

    def _differences(self, aspect: str) -> list[Difference]:
        """Of every pair of metrics, the one that is ahead first."""
        ordered = self._ordered(aspect)
        found = [self._pair(aspect, one, other) for one, other in combinations(ordered, 2)]
        adjusted = self.options.corrected(np.array([math.nan if d.p is None else d.p for d in found]))
        return [
            replace(d, adjusted=number(p), significant=bool(p < self.options.alpha))
            for d, p in zip(found, adjusted, strict=True)
        ]

    def _pair(self, aspect: str, one: str, other: str) -> Difference:
        aspects = self.aspects if aspect == self.mean else [aspect]
        parts = [self._on_the_same_texts(one, other, a) for a in aspects]
        gap = np.mean([part for part, _ in parts], axis=0)
        gap[np.abs(gap) < ROUNDING] = 0.0
        if gap[0] < 0:
            one, other, gap = other, one, -gap
        p = self.tester.bootstrap(gap)
        if aspect != self.mean:  # which other tests do not know
            p = self.tester.p(parts[0][1], self.table.columns[one], self.table.columns[other], gap)
        low, high = interval(gap, self.options.confidence)
        return Difference(
            aspect=aspect,
            metric=one,
            other=other,
            difference=number(gap[0]),
            low=number(low),
            high=number(high),
            p=number(p),
            adjusted=None,
            significant=False,
            reason=why_no_p(self.tester, gap) if math.isnan(p) else None,
        )

    def _on_the_same_texts(self, one: str, other: str, aspect: str) -> tuple[Array, list[Grid]]:
        """How far the first is ahead, [1 + R], over texts that both have scores for."""
        grids = self.matched[aspect].grids
        columns = [self.table.columns[metric] for metric in (one, other)]
        masks = [tuple(~np.isnan(grid.scores(column)) for column in columns) for grid in grids]
        if all((a == b).all() for a, b in masks):
            return self.resampled[one, aspect] - self.resampled[other, aspect], grids
        common = [grid.only(a & b) for grid, (a, b) in zip(grids, masks, strict=True)]
        values = [list(self._measured(metric, aspect, common).values()) for metric in (one, other)]
        return np.mean(values[0], axis=0) - np.mean(values[1], axis=0), common

    def _ordered(self, aspect: str) -> list[str]:
        """The metrics that have a value, best first."""
        defined = [m for m in self.metrics if not math.isnan(self.resampled[m, aspect][0])]
        return sorted(defined, key=lambda metric: -self.resampled[metric, aspect][0])

    # ----------------------------------------------------------------------------------------------- what is told

    def _rows(self, aspect: str, differences: Sequence[Difference]) -> Iterator[Agreed]:
        ranking = _ranking(self._ordered(aspect), differences)
        for metric in self.metrics:
            values = self.resampled[metric, aspect]
            low, high = interval(values, self.options.confidence) if not math.isnan(values[0]) else (math.nan,) * 2
            groups = {} if aspect == self.mean else self.groups[metric, aspect]
            count, left_out = self._counts(metric, aspect)
            rank, cluster = ranking.get(metric, (None, None))
            yield Agreed(
                metric=metric,
                aspect=aspect,
                value=number(values[0]),
                low=number(low),
                high=number(high),
                count=count,
                left_out=left_out,
                groups={name: number(of_group[0]) for name, of_group in groups.items() if name},
                rank=rank,
                cluster=cluster,
                reason=self._reason(metric, aspect) if math.isnan(values[0]) else None,
            )

    def _counts(self, metric: str, aspect: str) -> tuple[int, int]:
        """What was put together, and texts that were judged and have no score; of a mean, the most of any aspect."""
        if aspect == self.mean:
            each = [self._counts(metric, a) for a in self.aspects]
            return max(count for count, _ in each), max(lost for _, lost in each)
        counts = [counted(self.conditions, g, self.table.columns[metric]) for g in self.matched[aspect].grids]
        return sum(count for count, _ in counts), sum(lost for _, lost in counts)

    def _reason(self, metric: str, aspect: str) -> str:
        if aspect == self.mean:
            return "an aspect has no value"
        undefined = (g for g in self.matched[aspect].grids if math.isnan(self.groups[metric, aspect][g.group][0]))
        grid = next(undefined)
        where = f" in group {grid.group!r}" if grid.group else ""
        return f"{why_none(self.conditions, grid, self.table.columns[metric])}{where}"

    def _notes(self) -> Iterator[str]:
        yield from notes(self.judgements, self.matched)
        yield from about_draws(self.draws.values(), self.options, self.resampled.values())
        if self.options.test != "bootstrap" and len(self.aspects) > 1:
            yield f"p of the {self.mean} is a paired bootstrap's: the test {self.options.test} is of one aspect"
        for aspect, matched in self.matched.items():
            for metric in self.metrics:
                column = self.table.columns[metric]
                yield from about_metric(self.conditions, matched.grids, column, f"{metric}, {aspect}")


def _ranking(ordered: Sequence[str], differences: Sequence[Difference]) -> Mapping[str, tuple[tuple[int, int], int]]:
    """The best and worst rank of each metric, and its cluster; the best metric comes first."""
    place = {metric: n for n, metric in enumerate(ordered)}
    better = np.zeros((len(ordered), len(ordered)), dtype=np.bool_)
    for d in differences:
        better[place[d.metric], place[d.other]] = d.significant
    best, worst = ranks(better)
    numbers = clusters(better)
    return {metric: ((best[n], worst[n]), numbers[n]) for metric, n in place.items()}
