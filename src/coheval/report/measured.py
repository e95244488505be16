"""The figures of one measurement of agreement: for each aspect intervals and scores against ratings, and how metrics
correlate with each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from coheval.data.judgements import Judgements
from coheval.report.agreement import draw_agreement
from coheval.report.distributions import draw_distributions
from coheval.report.intervals import draw_intervals
from coheval.report.matrix import draw_matrix
from coheval.report.saving import save
from coheval.run.agreement import Agreement, between
from coheval.run.agreement.grid import Array, Grid
from coheval.run.agreement.match import match
from coheval.run.scoretable import Column, ScoreTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_measured(folder: Path, table: ScoreTable, judgements: Judgements, found: Agreement) -> list[Path]:
    """Draw all figures that the data allow into a folder, as SVG; the files, in order."""
    return [save(figure, folder / f"{_slug(name)}.svg") for name, figure in _figures(table, judgements, found)]


def _figures(table: ScoreTable, judgements: Judgements, found: Agreement) -> Iterator[tuple[str, Figure]]:
    for aspect in found.aspects:
        rows = [row for row in found.rows if row.aspect == aspect and row.value is not None]
        if rows:
            yield (
                f"intervals {aspect}",
                draw_intervals(
                    [row.metric for row in rows],
                    [row.value for row in rows],
                    [row.low for row in rows],
                    [row.high for row in rows],
                    clusters=[row.cluster or 0 for row in rows],
                    statistic=f"{found.conditions}: {aspect}",
                ),
            )
    for aspect in found.judged:
        grids = match(table, judgements, aspect, found.level, drop=True).grids
        if all(grid.preferred is None for grid in grids):
            yield from _of_aspect(table, found, aspect, grids)
    if len(found.metrics) > 1:
        level = "document" if found.level == "summary" else found.level
        matrix = between(table, metrics=found.metrics, level=level)
        yield "metrics", draw_matrix(matrix.metrics, matrix.values, order=range(len(matrix.metrics)))


def _of_aspect(table: ScoreTable, found: Agreement, aspect: str, grids: list[Grid]) -> Iterator[tuple[str, Figure]]:
    scores: dict[str, Array] = {}
    for metric in found.metrics:
        column = table.columns[metric]
        points = [_points(grid, column, found.level) for grid in grids]
        scores[metric], ratings = (np.concatenate(side) for side in zip(*points, strict=True))
        if np.count_nonzero(~np.isnan(scores[metric] + ratings)) > 1:
            yield (
                f"agreement {metric} {aspect}",
                draw_agreement(
                    scores[metric],
                    ratings,
                    systems=[table.systems[s] for grid in grids for s in _systems(grid, found.level)],
                    metric=metric,
                    aspect=aspect,
                    higher_is_better=column.higher_is_better,
                ),
            )
    if found.level != "system":
        lower = [metric for metric in found.metrics if not table.columns[metric].higher_is_better]
        yield f"distributions {aspect}", draw_distributions(scores, ratings, aspect=aspect, lower_is_better=lower)


def _points(grid: Grid, column: Column, level: str) -> tuple[Array, Array]:
    """Scores as they are, and ratings, of systems or of texts."""
    sign = 1.0 if column.higher_is_better else -1.0
    if level == "system":
        once = np.ones((1, len(grid.documents)))
        return sign * grid.system_scores(column, once)[0], grid.system_ratings(once)[0]
    return sign * grid.scores(column).ravel(), grid.human.ravel()


def _systems(grid: Grid, level: str) -> list[int]:
    times = 1 if level == "system" else len(grid.items)
    repeated: list[int] = np.repeat(grid.systems, times).tolist()
    return repeated


def _slug(name: str) -> str:
    return re.sub(r"[^\w]+", "-", name).strip("-").lower()
