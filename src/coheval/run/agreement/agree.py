"""`agree`: every metric against every aspect, with intervals, differences, ranks and what did not match."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
from coheval.run.agreement.told import counted, notes, reliability, why_none
from coheval.run.scoretable import ScoreTable


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
    job = _Job(table, opinions, chosen, _known("metric", metrics, list(table.columns)), conditions, options)
    with threadpool_limits(limits=1, user_api="blas"):  # on a busy machine, threads for small matrices cost 100 times
        return job.run()


def _known(what: str, asked: Sequence[str] | None, known: list[str]) -> list[str]:
    for name in asked or ():
        if name not in known:
            raise UnknownName(f"no {what} is called {name!r} here", hint=did_you_mean(name, known))
    return list(asked) if asked else known


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
    matched: dict[str, Matched] = field(default_factory=dict)
    groups: dict[tuple[str, str], dict[str, Array]] = field(default_factory=dict)  # [1 + R] by metric, aspect, group
    resampled: dict[tuple[str, str], Array] = field(default_factory=dict)  # their means

    def run(self) -> Agreement:
        tester = Tester(
            self.options.test, self.conditions, self.options.resamples, self.options.seed, self.options.one_sided
        )
        for aspect in self.aspects:
            self._measure(aspect)
        named = self.aspects
        if len(self.aspects) > 1:
            named = [*self.aspects, MEAN]
            for metric in self.metrics:
                self.resampled[metric, MEAN] = np.mean([self.resampled[metric, a] for a in self.aspects], axis=0)
        differences = {aspect: list(self._differences(aspect, tester)) for aspect in named}
        rows = [row for aspect in named for row in self._rows(aspect, differences[aspect])]
        every = [row for of_aspect in differences.values() for row in of_aspect]
        return Agreement(
            conditions=str(self.conditions),
            level=self.conditions.level,
            rows=rows,
            differences=every,
            reliability=list(reliability(self.judgements, self.aspects)),
            notes=notes(self.judgements, self.matched),
            resampled=self.resampled,
        )

    def _measure(self, aspect: str) -> None:
        level, drop = self.conditions.level, self.options.drop_unmatched
        self.matched[aspect] = match(self.table, self.judgements, aspect, level, drop=drop)
        draws = {grid.group: self._draws(grid) for grid in self.matched[aspect].grids}
        for metric in self.metrics:
            column = self.table.columns[metric]
            found = {
                grid.group: measured(self.conditions, grid, column, draws[grid.group])
                for grid in self.matched[aspect].grids
            }
            if self.options.absolute:
                found = {group: np.abs(values) for group, values in found.items()}
            self.groups[metric, aspect] = found
            self.resampled[metric, aspect] = np.mean(list(found.values()), axis=0)

    def _draws(self, grid: Grid) -> Draws:
        """The same for every metric; a group's do not depend on which other groups there are."""
        rng = np.random.default_rng([self.options.seed, *grid.group.encode()])
        count, what = self.options.resamples, self.options.resample
        documents, systems = (
            bootstrap_weights(size, count, rng) if what in (name, "both") else np.ones((1 + count, size))
            for name, size in (("documents", len(grid.documents)), ("systems", len(grid.systems)))
        )
        return Draws(documents, systems)

    def _differences(self, aspect: str, tester: Tester) -> Iterator[Difference]:
        """Of every pair of metrics, the one that is ahead first."""
        defined = [m for m in self.metrics if not math.isnan(self.resampled[m, aspect][0])]
        ordered = sorted(defined, key=lambda metric: -self.resampled[metric, aspect][0])
        pairs = list(combinations(ordered, 2))
        p = np.array([self._p(aspect, tester, one, other) for one, other in pairs])
        adjusted = self.options.corrected(p)
        for (one, other), raw, corrected in zip(pairs, p, adjusted, strict=True):
            gap = self.resampled[one, aspect] - self.resampled[other, aspect]
            low, high = interval(gap, self.options.confidence)
            yield Difference(
                aspect=aspect,
                metric=one,
                other=other,
                difference=number(gap[0]),
                low=number(low),
                high=number(high),
                p=number(raw),
                adjusted=number(corrected),
                significant=bool(corrected < self.options.alpha),
            )

    def _p(self, aspect: str, tester: Tester, one: str, other: str) -> float:
        gap = self.resampled[one, aspect] - self.resampled[other, aspect]
        if aspect == MEAN:  # other tests are of one aspect
            return tester.bootstrap(gap)
        columns = self.table.columns
        return tester.p(self.matched[aspect].grids, columns[one], columns[other], gap)

    def _rows(self, aspect: str, differences: Sequence[Difference]) -> Iterator[Agreed]:
        ranking = _ranking([m for m in self.metrics if not math.isnan(self.resampled[m, aspect][0])], differences)
        for metric in self.metrics:
            values = self.resampled[metric, aspect]
            low, high = interval(values, self.options.confidence) if not math.isnan(values[0]) else (math.nan,) * 2
            groups = {} if aspect == MEAN else self.groups[metric, aspect]
            count, left_out = self._counts(metric, aspect)
            yield Agreed(
                metric=metric,
                aspect=aspect,
                value=number(values[0]),
                low=number(low),
                high=number(high),
                count=count,
                left_out=left_out,
                groups={name: number(of_group[0]) for name, of_group in groups.items() if name},
                rank=ranking[metric][0] if metric in ranking else None,
                cluster=ranking[metric][1] if metric in ranking else None,
                reason=self._reason(metric, aspect) if math.isnan(values[0]) else None,
            )

    def _counts(self, metric: str, aspect: str) -> tuple[int, int]:
        """What was put together, and texts that were judged and have no score."""
        aspects = self.aspects if aspect == MEAN else [aspect]
        grids = [grid for a in aspects for grid in self.matched[a].grids]
        counts = [counted(self.conditions, grid, self.table.columns[metric]) for grid in grids]
        return sum(count for count, _ in counts), sum(lost for _, lost in counts)

    def _reason(self, metric: str, aspect: str) -> str:
        if aspect == MEAN:
            return "an aspect has no value"
        column = self.table.columns[metric]
        for grid in self.matched[aspect].grids:
            if math.isnan(self.groups[metric, aspect][grid.group][0]):
                where = f" in group {grid.group!r}" if grid.group else ""
                return f"{why_none(self.conditions, grid, column)}{where}"
        return "it cannot be computed"


def _ranking(metrics: Sequence[str], differences: Sequence[Difference]) -> Mapping[str, tuple[tuple[int, int], int]]:
    """The best and worst rank of each metric, and its cluster."""
    ordered = list(dict.fromkeys([d.metric for d in differences] + [d.other for d in differences])) or list(metrics)
    place = {metric: n for n, metric in enumerate(ordered)}
    better = np.zeros((len(ordered), len(ordered)), dtype=np.bool_)
    for d in differences:
        better[place[d.metric], place[d.other]] = d.significant
    best, worst = ranks(better)
    return {
        metric: ((best[n], worst[n]), cluster)
        for metric, n, cluster in zip(ordered, place.values(), clusters(better), strict=True)
    }
