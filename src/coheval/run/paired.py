"""One metric's systems, two by two: differences with intervals, p-values, effects, clusters.

Everything rests on sums of rows by document. A bootstrap resample counts documents several times or not at all (Koehn
2004, "Statistical Significance Tests for Machine Translation Evaluation"); approximate randomisation exchanges
documents between two systems (Riezler & Maxwell 2005, "On Some Pitfalls in Automatic Evaluation and Significance
Testing for MT"). Both then score the new sums, so they are right for metrics that are no means, such as BLEU. Resamples
and exchanges are the same for all systems and metrics, so a figure does not depend on what else is compared.

Two systems are compared over the units, segments or documents, that both have scores for. Else a system could win by
having none where texts are hard.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from coheval.algo.correlation import largest
from coheval.algo.exchanges import randomisation_of_pairs
from coheval.algo.resample import interval, two_sided
from coheval.algo.significance import CORRECTIONS, clusters, ranks
from coheval.run.comparison import MetricComparison, PairFigures, Settings, SystemFigures, Test
from coheval.run.result import Score
from coheval.run.scoretable import Array, Column, Mask

ONE_DOCUMENT = "there is only one document to compare"
_SAME = "no effect size: the differences of documents are all the same"
_FEW = "no effect size: fewer than two documents have a score of both"
_ANCHOR = "the others are compared with it"
_NOTHING_SHARED = "no text has scores of both"
_ROUNDING = 1e-12  # of the size of scores


@dataclass(frozen=True, eq=False)
class Contest:
    """What one metric says of the systems that are compared, over the documents they share.

    There are V views: first each system with all it has, then systems with only the units that another one has too.
    """

    systems: Sequence[str]
    column: Column
    beside: Mapping[tuple[int, int], tuple[int, int]]  # the views of two systems that lack different units
    totals: Array  # [V, D, k + 1]
    documents: Array  # [V, D], their scores
    resampled: Array  # [1 + R, V], scores of systems; first those of the data as they are

    @property
    def sign(self) -> float:
        return 1.0 if self.column.higher_is_better else -1.0

    def order(self) -> list[int]:
        """The best first; those without a score last."""
        scores = self.sign * self.resampled[0]
        return sorted(range(len(self.systems)), key=lambda s: (math.isnan(scores[s]), -scores[s]))

    def views(self, first: int, second: int) -> tuple[int, int]:
        """Two systems over the units that both have."""
        return self.beside.get((first, second), (first, second))

    def differences(self, first: int, second: int) -> Array:
        """Resampled differences; those that are rounding alone are 0, so that equal systems tie."""
        one, other = self.resampled[:, self.views(first, second)].T
        return _without_rounding(one - other, largest(one, other))

    def gaps(self, first: int, second: int) -> Array:
        """Differences of the documents that both have a score of, as shares of the largest score."""
        one, other = self.documents[list(self.views(first, second))]
        gaps = (one - other) / (largest(one, other) or 1.0)
        return _without_rounding(gaps[~np.isnan(gaps)], 1.0)

    def units(self, first: int, second: int) -> int:
        """How many both have scores for."""
        return int(self.totals[self.views(first, second)[0], :, -1].sum())

    def why_undefined(self, system: int, other: int | None = None) -> str | None:
        """Why a system, or two beside each other, have no intervals and p-values, if they have none."""
        asked = [system] if other is None else [system, other]
        missing = [self.systems[s] for s in asked if math.isnan(self.resampled[0, s])]
        if missing:
            return f"{missing[0]!r} has no score: the metric is undefined for all its texts"
        view = system if other is None else self.views(system, other)[0]
        documents = np.count_nonzero(self.totals[view, :, -1])
        return None if documents > 1 else ONE_DOCUMENT if documents else _NOTHING_SHARED


@dataclass(frozen=True, eq=False)
class _Verdicts:
    """The p-values of pairs of systems."""

    alone: dict[Test, Array]  # [P] by test
    corrected: dict[Test, Array]  # [P] by test
    deciding: Array  # [S, S], corrected, of the test that decides; NaN where there is none
    better: Mask  # [S, S], whether the first is significantly better


def compared(contest: Contest, settings: Settings, progress: Callable[[int], None] | None = None) -> MetricComparison:
    order = contest.order()
    pairs = pairs_of(order, contest.systems, settings.baseline)
    verdicts = _verdicts(contest, pairs, settings, progress)
    return MetricComparison(
        signature=contest.column.signature,
        higher_is_better=contest.column.higher_is_better,
        systems=_systems(contest, order, verdicts, settings),
        pairs=[_pair(contest, pair, n, verdicts, settings) for n, pair in enumerate(pairs)],
    )


def pairs_of(order: Sequence[int], systems: Sequence[str], baseline: str | None) -> list[tuple[int, int]]:
    if baseline is None:
        return list(combinations(order, 2))
    fixed = systems.index(baseline)
    return [(system, fixed) for system in order if system != fixed]


def _verdicts(
    contest: Contest, pairs: Sequence[tuple[int, int]], settings: Settings, progress: Callable[[int], None] | None
) -> _Verdicts:
    alone: dict[Test, Array] = {"bootstrap": np.full(len(pairs), np.nan), "randomisation": np.full(len(pairs), np.nan)}
    tested = {n: pair for n, pair in enumerate(pairs) if not contest.why_undefined(*pair)}
    rng = np.random.default_rng([settings.seed, 1])
    views = [contest.views(*pair) for pair in tested.values()]
    found = randomisation_of_pairs(contest.totals, views, contest.column.combined, settings.resamples, rng)
    for (n, pair), p in zip(tested.items(), found, strict=True):
        alone["bootstrap"][n] = two_sided(contest.differences(*pair))
        alone["randomisation"][n] = p
        if progress:
            progress(1)
    corrected = {test: CORRECTIONS[settings.correction](p) for test, p in alone.items()}
    deciding = np.full((len(contest.systems), len(contest.systems)), np.nan)
    better = np.zeros(deciding.shape, dtype=np.bool_)
    for (first, second), p in zip(pairs, corrected[settings.test], strict=True):
        deciding[first, second] = deciding[second, first] = p
        ahead = contest.sign * contest.differences(first, second)[0]
        better[first, second] = p < settings.alpha and ahead > 0
        better[second, first] = p < settings.alpha and ahead < 0
    return _Verdicts(alone, corrected, deciding, better)


def _pair(contest: Contest, pair: tuple[int, int], number: int, verdicts: _Verdicts, settings: Settings) -> PairFigures:
    first, second = pair
    differences = contest.differences(first, second)
    reason = contest.why_undefined(first, second)
    low, high = (None, None) if reason else _interval(differences, settings)
    gaps = contest.gaps(first, second)
    effect = _effect(gaps)
    won, tied, lost = _shares(contest.sign * gaps)
    return PairFigures(
        first=contest.systems[first],
        second=contest.systems[second],
        difference=_known(differences[0]),
        low=low,
        high=high,
        bootstrap_p=_known(verdicts.corrected["bootstrap"][number]),
        randomisation_p=_known(verdicts.corrected["randomisation"][number]),
        bootstrap_p_alone=_known(verdicts.alone["bootstrap"][number]),
        randomisation_p_alone=_known(verdicts.alone["randomisation"][number]),
        significant=_significant(verdicts.deciding[first, second], settings),
        effect=effect,
        won=won,
        tied=tied,
        lost=lost,
        documents=len(gaps),
        reason=reason or (None if effect is not None else _SAME if len(gaps) > 1 else _FEW),
    )


def _systems(contest: Contest, order: Sequence[int], verdicts: _Verdicts, settings: Settings) -> list[SystemFigures]:
    anchor = order[0] if settings.baseline is None else contest.systems.index(settings.baseline)
    groups = _groups(contest, order, verdicts.better) if settings.baseline is None else {}
    p = verdicts.deciding[:, anchor]
    return [_system(contest, place, anchor, p[place], groups.get(place), settings) for place in order]


def _groups(contest: Contest, order: Sequence[int], better: Mask) -> dict[int, tuple[int, int, int]]:
    """Cluster, best and worst rank of every system that can be told from others or not."""
    tested = [place for place in order if not contest.why_undefined(place)]
    better = better[np.ix_(tested, tested)]
    best, worst = ranks(better)
    return dict(zip(tested, zip(clusters(better), best, worst, strict=True), strict=True))


def _system(
    contest: Contest, place: int, anchor: int, p: float, group: tuple[int, int, int] | None, settings: Settings
) -> SystemFigures:
    reason = contest.why_undefined(place)
    low, high = (None, None) if reason else _interval(contest.resampled[:, place], settings)
    cluster, best, worst = group or (None, None, None)
    return SystemFigures(
        system=contest.systems[place],
        score=_known(contest.resampled[0, place]),
        low=low,
        high=high,
        difference=None if place == anchor else _known(contest.differences(place, anchor)[0]),
        p=_known(p),
        significant=_significant(p, settings),
        cluster=cluster,
        best_rank=best,
        worst_rank=worst,
        reason=reason or (_ANCHOR if place == anchor else contest.why_undefined(place, anchor)),
    )


def _interval(resampled: Array, settings: Settings) -> tuple[Score, Score]:
    low, high = interval(resampled, settings.confidence)
    return _known(low), _known(high)


def _effect(gaps: Array) -> Score:
    """Cohen's d of paired differences; rounding must not give differences that are all the same a deviation."""
    deviation = float(gaps.std(ddof=1)) if len(gaps) > 1 else 0.0
    return float(gaps.mean()) / deviation if deviation > _ROUNDING else None


def _shares(gaps: Array) -> tuple[Score, Score, Score]:
    if not len(gaps):
        return None, None, None
    return float((gaps > 0).mean()), float((gaps == 0).mean()), float((gaps < 0).mean())


def _without_rounding(gaps: Array, size: float) -> Array:
    """Differences of scores of that size; the same numbers added up in another order do not differ."""
    return np.where(np.abs(gaps) <= _ROUNDING * size, 0.0, gaps)


def _significant(p: float, settings: Settings) -> bool | None:
    return None if math.isnan(p) else bool(p < settings.alpha)


def _known(number: float) -> Score:
    return None if math.isnan(number) else float(number)
