"""What stands beside the figures: how many texts they are of, why one is missing, what is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from coheval.algo.correlation import why_undefined
from coheval.algo.reliability import krippendorff_alpha, pairwise_agreement
from coheval.data.judgements import Judgements
from coheval.run.agreement.conditions import Conditions
from coheval.run.agreement.grid import Grid
from coheval.run.agreement.match import Matched
from coheval.run.agreement.result import Reliability, number
from coheval.run.scoretable import Column


def counted(conditions: Conditions, grid: Grid, column: Column) -> tuple[int, int]:
    """How many systems, pairs or texts were put together, and how many texts were judged and have no score."""
    scored = ~np.isnan(grid.scores(column))
    judged = grid.judged[grid.level][np.ix_(grid.systems, grid.items)]
    lost = int((judged & ~scored).sum())
    if conditions.level == "system":
        return len(grid.systems), lost
    if conditions.by_pairs:
        pairs = grid.pairs(conditions.least or 0.0)
        return int((scored[pairs.better, pairs.item] & scored[pairs.worse, pairs.item]).sum()), lost
    return int((scored & judged).sum()), lost


def why_none(conditions: Conditions, grid: Grid, column: Column) -> str:
    """Why a group has no value."""
    if conditions.by_pairs:
        return "there are no pairs that people order and the metric scores"
    if conditions.level == "system":
        once = np.ones((1, len(grid.documents)))
        systems = grid.system_scores(column, once, of_means=conditions.of_means)
        found = why_undefined(systems[0], grid.system_ratings(once)[0])
    else:
        found = why_undefined(grid.scores(column).ravel(), grid.human.ravel())
    return found or "no part of it has two different scores and two different ratings"


def reliability(judgements: Judgements, aspects: Sequence[str]) -> Iterator[Reliability]:
    """Of the aspects that several people rated."""
    for aspect in aspects:
        raters, ratings = judgements.raters(aspect)
        shared = int((np.count_nonzero(~np.isnan(ratings), axis=0) > 1).sum())
        if len(raters) > 1 and shared:
            alpha, equal = krippendorff_alpha(ratings), pairwise_agreement(ratings)
            yield Reliability(aspect, len(raters), shared, number(alpha), number(equal))


def notes(judgements: Judgements, matched: Mapping[str, Matched]) -> list[str]:
    found = []
    for aspect, of_aspect in matched.items():
        told = {
            "judgements have no text in the run and were dropped": of_aspect.dropped,
            "comparisons are ties and were left out": of_aspect.ties,
            "segments of the run were judged by nobody and are left out": of_aspect.unjudged,
        }
        found += [f"{aspect}: {count:,} {what}" for what, count in told.items() if count]
    if judgements.missing:
        found.append(f"{judgements.missing:,} judgements are missing (None) and were left out")
    return found
