"""The figures of one measurement of agreement: for each aspect intervals and scores against ratings, and how metrics
correlate with each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from coheval.data.judgements import Judgements
from coheval.errors import DataError
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


@dataclass(frozen=True)
class Drawn:
    """The files that were written, and why others were not, by name."""

    files: list[Path]
    left_out: dict[str, str]


def draw_measured(folder: Path, table: ScoreTable, judgements: Judgements, found: Agreement) -> Drawn:
    """Draw all figures that the data allow into a folder, as SVG."""
    files, left_out = [], {}
    for name, draw in _figures(table, judgements, found):
        try:
            files.append(save(draw(), folder / f"{_slug(name)}.svg"))
        except DataError as error:  # too few texts, or nothing but equal ratings: the other figures stand
            left_out[name] = error.message
    return Drawn(files, left_out)


_Named = Iterator[tuple[str, Callable[[], "Figure"]]]


def _figures(table: ScoreTable, judgements: Judgements, found: Agreement) -> _Named:
    for aspect in found.aspects:
        yield f"intervals {aspect}", partial(_intervals, found, aspect)
    for aspect in found.judged:
        grids = match(table, judgements, aspect, found.level, drop=True).grids
        if all(grid.preferred is None for grid in grids):
            yield from _of_aspect(table, found, aspect, grids)
    if len(found.metrics) > 1:
        level = "document" if found.level == "summary" else found.level
        matrix = between(table, metrics=found.metrics, level=level)
        yield "metrics", partial(draw_matrix, matrix.metrics, matrix.values, order=range(len(matrix.metrics)))


def _intervals(found: Agreement, aspect: str) -> Figure:
    rows = [row for row in found.rows if row.aspect == aspect]
    return draw_intervals(
        [row.metric for row in rows],
        [row.value for row in rows],
        [row.low for row in rows],
        [row.high for row in rows],
        clusters=[row.cluster or 0 for row in rows],
        statistic=f"{found.conditions}: {aspect}",
    )


def _of_aspect(table: ScoreTable, found: Agreement, aspect: str, grids: list[Grid]) -> _Named:
    columns = {metric: table.columns[metric] for metric in found.metrics}
    systems = [table.systems[s] for grid in grids for s in _systems(grid, found.level)]
    ratings = np.concatenate([_ratings(grid, found.level) for grid in grids])
    scores = {m: np.concatenate([_scores(grid, c, found.level) for grid in grids]) for m, c in columns.items()}
    for metric, column in columns.items():
        yield (
            f"agreement {metric} {aspect}",
            partial(
                draw_agreement,
                scores[metric],
                ratings,
                systems=systems,
                metric=metric,
                aspect=aspect,
                higher_is_better=column.higher_is_better,
            ),
        )
    if found.level != "system":
        lower = [metric for metric, column in columns.items() if not column.higher_is_better]
        yield (
            f"distributions {aspect}",
            partial(draw_distributions, scores, ratings, aspect=aspect, lower_is_better=lower),
        )


def _scores(grid: Grid, column: Column, level: str) -> Array:
    """As the metric gives them, of systems or of texts."""
    sign = 1.0 if column.higher_is_better else -1.0
    found = grid.system_scores(column, _once(grid))[0] if level == "system" else grid.scores(column).ravel()
    return sign * found


def _ratings(grid: Grid, level: str) -> Array:
    return grid.system_ratings(_once(grid))[0] if level == "system" else grid.human.ravel()


def _once(grid: Grid) -> Array:
    """Every document as it is."""
    return np.ones((1, len(grid.documents)))


def _systems(grid: Grid, level: str) -> list[int]:
    times = 1 if level == "system" else len(grid.items)
    repeated: list[int] = np.repeat(grid.systems, times).tolist()
    return repeated


def _slug(name: str) -> str:
    return re.sub(r"[^\w]+", "-", name).strip("-").lower()
