"""`agree`: every metric against every aspect, with intervals, differences, ranks and what did not match."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from threadpoolctl import threadpool_limits

from coheval.algo.resample import interval
from coheval.algo.significance import clusters, ranks
from coheval.data.judgements import Judgements
from coheval.errors import UnknownName, did_you_mean
from coheval.run.agreement.conditions import Average, Conditions, Level, Statistic
from coheval.run.agreement.differences import Test, Tester
from coheval.run.agreement.given import Opinions, Scores, judgements_of, table_of
from coheval.run.agreement.measuring import Measured
from coheval.run.agreement.options import Correction, Options, Resample
from coheval.run.agreement.result import Agreed, Agreement, Difference, number
from coheval.run.agreement.told import (
    about_draws,
    about_metric,
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
    resamples: int | None = None,
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
    level = level or _level(table, opinions)
    statistic = statistic or _statistic(opinions, level)
    conditions = Conditions(level, statistic, average, of_means, least)
    names = _known("metric", metrics, list(table.columns))
    options = options.for_pairs(len(names) * (len(names) - 1) // 2)
    tester = Tester(test, conditions, options.resamples or 0, seed, one_sided, absolute)
    with threadpool_limits(limits=1, user_api="blas"):  # on a busy machine, threads for small matrices cost 100 times
        return _Telling(Measured(table, opinions, chosen, names, conditions, options), tester).agreement()


def _known(what: str, asked: Sequence[str] | None, known: list[str]) -> list[str]:
    for name in asked or ():
        if name not in known:
            raise UnknownName(f"no {what} is called {name!r} here", hint=did_you_mean(name, known))
    return list(dict.fromkeys(asked)) if asked else known


def _level(table: ScoreTable, judgements: Judgements) -> Level:
    if len({rating.system for rating in judgements.ratings} & {*table.systems}) >= 3:
        return "system"
    segments = [*(r.segment for r in judgements.ratings), *(p.segment for p in judgements.preferences)]
    of_segments = any(segment is not None for segment in segments)
    return "segment" if of_segments or len(table.units) == len(table.documents) else "document"


def _statistic(judgements: Judgements, level: Level) -> Statistic:
    return "kendall" if judgements.ratings or level == "system" else "wmt14"


@dataclass(frozen=True, eq=False)
class _Telling:
    """What was measured, as a result."""

    measured: Measured
    tester: Tester

    def agreement(self) -> Agreement:
        m = self.measured
        differences = {aspect: self._differences(aspect) for aspect in m.rows}
        return Agreement(
            conditions=m.conditions,
            options=m.options,
            rows=[row for aspect in m.rows for row in self._rows(aspect, differences[aspect])],
            differences=[row for of_aspect in differences.values() for row in of_aspect],
            reliability=list(reliability(m.judgements, m.aspects)),
            notes=[*_about(m.table, m.metrics), *self._notes()],
            resampled=m.resampled,
        )

    def _differences(self, aspect: str) -> list[Difference]:
        """Of every pair of metrics, the one that is ahead first."""
        m = self.measured
        ordered = m.ordered(aspect)
        found = [self._pair(aspect, one, other) for one, other in combinations(ordered, 2)]
        adjusted = m.options.corrected(np.array([math.nan if d.p is None else d.p for d in found]))
        return [
            replace(d, adjusted=number(p), significant=bool(p < m.options.alpha))
            for d, p in zip(found, adjusted, strict=True)
        ]

    def _pair(self, aspect: str, one: str, other: str) -> Difference:
        m = self.measured
        aspects = m.aspects if aspect == m.mean else [aspect]
        parts = [m.on_the_same_texts(one, other, a) for a in aspects]
        gap = np.mean([part for part, _ in parts], axis=0)
        gap[np.abs(gap) < ROUNDING] = 0.0
        if gap[0] < 0:
            one, other, gap = other, one, -gap
        p = self.tester.bootstrap(gap)
        if aspect != m.mean:  # which other tests do not know
            p = self.tester.p(parts[0][1], m.table.columns[one], m.table.columns[other], gap)
        low, high = interval(gap, m.options.confidence)
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

    def _rows(self, aspect: str, differences: Sequence[Difference]) -> Iterator[Agreed]:
        m = self.measured
        ranking = _ranking(m.ordered(aspect), differences)
        for metric in m.metrics:
            values = m.resampled[metric, aspect]
            low, high = interval(values, m.options.confidence) if not math.isnan(values[0]) else (math.nan,) * 2
            groups = {} if aspect == m.mean else m.groups[metric, aspect]
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
        m = self.measured
        if aspect == m.mean:
            each = [self._counts(metric, a) for a in m.aspects]
            return max(count for count, _ in each), max(lost for _, lost in each)
        counts = [counted(m.conditions, g, m.table.columns[metric]) for g in m.matched[aspect].grids]
        return sum(count for count, _ in counts), sum(lost for _, lost in counts)

    def _reason(self, metric: str, aspect: str) -> str:
        m = self.measured
        if aspect == m.mean:
            return "an aspect has no value"
        undefined = (g for g in m.matched[aspect].grids if math.isnan(m.groups[metric, aspect][g.group][0]))
        grid = next(undefined)
        where = f" in group {grid.group!r}" if grid.group else ""
        return f"{why_none(m.conditions, grid, m.table.columns[metric])}{where}"

    def _notes(self) -> Iterator[str]:
        m = self.measured
        yield from notes(m.judgements, m.matched)
        yield from about_draws(m.draws.values(), m.options, m.metrics, m.resampled.values())
        if m.options.test != "bootstrap" and len(m.aspects) > 1:
            yield f"p of the {m.mean} is a paired bootstrap's: the test {m.options.test} is of one aspect"
        for aspect, matched in m.matched.items():
            for metric in m.metrics:
                column = m.table.columns[metric]
                yield from about_metric(m.conditions, matched.grids, column, f"{metric}, {aspect}")


def _about(table: ScoreTable, metrics: Sequence[str]) -> list[str]:
    """A run's notes, without those of metrics that nobody asked for."""
    others = tuple(f"{name}: " for name in table.columns if name not in metrics)
    return [note for note in table.notes if not note.startswith(others)]


def _ranking(ordered: Sequence[str], differences: Sequence[Difference]) -> Mapping[str, tuple[tuple[int, int], int]]:
    """The best and worst rank of each metric, and its cluster; the best metric comes first."""
    place = {metric: n for n, metric in enumerate(ordered)}
    better = np.zeros((len(ordered), len(ordered)), dtype=np.bool_)
    for d in differences:
        better[place[d.metric], place[d.other]] = d.significant
    best, worst = ranks(better)
    numbers = clusters(better)
    return {metric: ((best[n], worst[n]), numbers[n]) for metric, n in place.items()}
