"""What stands beside the figures: how many texts they are of, why one is missing, what is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from coheval.algo.correlation import why_undefined
from coheval.algo.reliability import krippendorff_alpha, pairwise_agreement
from coheval.data.judgements import Judgements
from coheval.errors import UsageError
from coheval.run.agreement.conditions import Conditions
from coheval.run.agreement.differences import Tester
from coheval.run.agreement.grid import Array, Grid, Mask
from coheval.run.agreement.match import Matched
from coheval.run.agreement.options import Options
from coheval.run.agreement.result import Reliability, number
from coheval.run.agreement.statistics import BY_ROW, Draws
from coheval.run.scoretable import Column

FEW = 10  # documents or systems, below which a bootstrap is no longer trusted without a word


def counted(conditions: Conditions, grid: Grid, column: Column) -> tuple[int, int]:
    """How many systems, pairs or texts were put together, and how many texts were judged and have no score."""
    scored = ~np.isnan(grid.scores(column))
    judged = grid.judged[grid.level][np.ix_(grid.systems, grid.items)]
    lost = int((judged & ~scored).sum())
    if conditions.level == "system":
        # the metric's own units need not be those that were judged
        own: Mask = np.asarray(np.isnan(column.rows).any(axis=2))
        lost = int((grid.judged[column.unit][grid.systems] & own[grid.systems]).sum())
        once = np.ones((1, len(grid.documents)))
        both = grid.system_scores(column, once, of_means=conditions.of_means) + grid.system_ratings(once)
        return int((~np.isnan(both)).sum()), lost
    if conditions.by_pairs:
        pairs = grid.pairs(conditions.least or 0.0)
        return int((scored[pairs.better, pairs.item] & scored[pairs.worse, pairs.item]).sum()), lost
    return int((scored & ~np.isnan(grid.human)).sum()), lost


def why_none(conditions: Conditions, grid: Grid, column: Column) -> str:
    """Why a group has no value."""
    if column.unit == "document" and grid.level == "segment" and np.isnan(grid.scores(column)).all():
        return "it scores whole documents, and people judged segments; choose the level document"
    if conditions.by_pairs:
        if conditions.least and not len(grid.pairs(conditions.least).item):
            return f"no two ratings of an item are {conditions.least:g} apart (least=, --least)"
        return "there are no pairs that people order and the metric scores"
    if conditions.level == "system":
        once = np.ones((1, len(grid.documents)))
        systems = grid.system_scores(column, once, of_means=conditions.of_means)
        found = why_undefined(systems[0], grid.system_ratings(once)[0])
    else:
        found = why_undefined(grid.scores(column).ravel(), grid.human.ravel())
    return found or "no part of it has two different scores and two different ratings"


def check_judged(conditions: Conditions, grids: Sequence[Grid], aspect: str) -> None:
    """Refuse a statistic that these judgements say nothing about."""
    rated = any((~np.isnan(grid.human)).any() for grid in grids)
    if conditions.level == "system" and conditions.statistic != "spa":
        return
    if not rated and not (conditions.by_pairs and any(grid.preferred for grid in grids)):
        raise UsageError(
            f"{conditions} needs ratings of texts, and people gave none of {aspect!r}",
            hint="comparisons have wmt14, wmt13, wmt12 and darr; systems have the level system",
        )


def why_no_p(tester: Tester, gap: Array) -> str:
    if tester.test == "bootstrap" or np.isnan(gap[1:]).all():
        return "there is nothing to draw from: one document or system, or no resamples"
    return "the test needs several texts that people judged and both metrics score"


def reliability(judgements: Judgements, aspects: Sequence[str]) -> Iterator[Reliability]:
    """Of the aspects that several people judged: α of ratings on an interval scale, of comparisons on a nominal one."""
    for aspect in aspects:
        of_ratings = judgements.raters(aspect)
        for (raters, values), scale in ((of_ratings, "interval"), (_votes(judgements, aspect), "nominal")):
            named = values[[rater is not None for rater in raters]]  # a published mean is nobody's
            shared = int((np.count_nonzero(~np.isnan(named), axis=0) > 1).sum())
            if len(named) > 1 and shared:
                alpha, equal = krippendorff_alpha(named, scale), pairwise_agreement(named)
                yield Reliability(aspect, len(named), shared, number(alpha), number(equal))


def _votes(judgements: Judgements, aspect: str) -> tuple[list[str | None], Array]:
    """Raters, and for each pair of texts 1 where the system that comes first in the alphabet is better, -1 or 0."""
    found: dict[tuple[object, ...], dict[str | None, float]] = {}
    for p in judgements.preferences_of(aspect):
        first, second = sorted((p.better, p.worse))
        vote = 0.0 if p.tie else 1.0 if p.better == first else -1.0
        found.setdefault((first, second, p.document, p.segment), {})[p.rater] = vote
    raters = list(dict.fromkeys(rater for votes in found.values() for rater in votes))
    values = [[votes.get(rater, np.nan) for votes in found.values()] for rater in raters]
    return raters, np.array(values, dtype=np.float64).reshape(len(raters), len(found))


def about_draws(
    draws: Iterable[Draws], options: Options, metrics: Sequence[str], resampled: Iterable[Array]
) -> Iterator[str]:
    """What a reader of intervals should know."""
    fewest = min(drawn.blocks for drawn in draws) if options.resamples else FEW
    what = "documents and systems" if options.resample == "both" else options.resample
    if fewest == 1:
        yield f"only one of {what} to draw from: no intervals"
    elif fewest < FEW:
        yield f"only {fewest} {what} to draw from: intervals and bootstrap p are too small"
    pairs = len(metrics) * (len(metrics) - 1) // 2
    holm = options.correction == "holm"  # Benjamini and Hochberg's depends on how many p are small
    if pairs and holm and options.resamples and options.resamples < options.needed(pairs) - 1:
        yield (
            f"with {options.resamples:,} resamples no p is small enough to be significant after the correction for "
            f"{pairs} pairs of metrics; {options.needed(pairs):,} would do"
        )
    worst = max((int(np.isnan(v[1:]).sum()) for v in resampled if not np.isnan(v[0])), default=0)
    if worst and fewest > 1:
        yield f"in up to {worst:,} of {options.resamples:,} resamples a figure is undefined; they are left out"


def about_metric(conditions: Conditions, grids: Sequence[Grid], column: Column, name: str) -> Iterator[str]:
    """What is missing in a figure."""
    lost = sum(counted(conditions, grid, column)[1] for grid in grids)
    if lost:
        yield f"{name}: {lost:,} judged texts have no score; against other metrics it is tested on those that both have"
    if conditions.average == "item" and conditions.statistic in BY_ROW:
        tied, every = (sum(counts) for counts in zip(*(_tied(grid, column) for grid in grids), strict=True))
        if tied:
            yield f"{name}: all scores are the same in {tied:,} of {every:,} items that people order; they are left out"


def _tied(grid: Grid, column: Column) -> tuple[int, int]:
    """Items in which a metric has nothing but ties though ratings differ, and all in which these differ."""
    x = np.where(np.isnan(grid.human), np.nan, grid.scores(column))
    y = np.where(np.isnan(x), np.nan, grid.human)
    of_scores, of_ratings = _spread(x), _spread(y)
    return int(((of_ratings > 0) & (of_scores <= 0)).sum()), int((of_ratings > 0).sum())


def _spread(values: Array) -> Array:
    """From the least to the most in each column, over what is there; below 0 where nothing is."""
    there = ~np.isnan(values)
    most = np.max(values, axis=0, where=there, initial=-np.inf)
    least = np.min(values, axis=0, where=there, initial=np.inf)
    spread: Array = most - least
    return spread


def notes(judgements: Judgements, matched: Mapping[str, Matched]) -> list[str]:
    found = []
    for aspect, of_aspect in matched.items():
        told = {
            "judgements have no text in the run and were dropped": of_aspect.dropped,
            "comparisons are ties and were left out": of_aspect.ties,
            "segments of the run were judged by nobody and are left out": of_aspect.unjudged,
            "judgements are of larger or smaller texts than are looked at and were not used": of_aspect.unused,
        }
        found += [f"{aspect}: {count:,} {what}" for what, count in told.items() if count]
    if judgements.missing:
        found.append(f"{judgements.missing:,} judgements are missing (None) and were left out")
    return found
