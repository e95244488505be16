"""The figures of one measurement of agreement: for each aspect intervals and scores against ratings, and how metrics
correlate with each other. They show what the table measures: the same scores, ratings on their own scale, and in the
corner the table's value."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
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
from coheval.run.agreement.conditions import Conditions
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
    taken: set[str] = set()
    for name, draw in _figures(table, judgements, found):
        file = _file_name(name, taken)
        taken.add(file)
        try:
            files.append(save(draw(), folder / f"{file}.svg"))
        except DataError as error:  # too few texts, or nothing but equal ratings: the other figures stand
            left_out[name] = error.message
    return Drawn(files, left_out)


LONGEST = 100  # bytes of a file's name without its number and ending; systems allow 255 of all
_Named = Iterator[tuple[str, Callable[[], "Figure"]]]


def _figures(table: ScoreTable, judgements: Judgements, found: Agreement) -> _Named:
    for aspect in found.aspects:
        yield f"intervals {aspect}", partial(_intervals, found, aspect)
    for aspect in found.judged:
        grids = match(table, judgements, aspect, found.level, drop=True).grids
        if all(grid.preferred is None for grid in grids):
            turned = aspect in judgements.lower_is_better
            yield from _of_aspect(table, found, aspect, grids, lower_is_better=turned)
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
        level=found.options.confidence,
    )


def _of_aspect(table: ScoreTable, found: Agreement, aspect: str, grids: list[Grid], *, lower_is_better: bool) -> _Named:
    columns = {metric: table.columns[metric] for metric in found.metrics}
    systems = [table.systems[s] for grid in grids for s in _systems(grid, found.level)]
    ratings = np.concatenate([_ratings(grid, found.level) for grid in grids]) * (-1.0 if lower_is_better else 1.0)
    scores = {m: np.concatenate([_scores(grid, c, found.conditions) for grid in grids]) for m, c in columns.items()}
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
                lower_ratings_are_better=lower_is_better,
                statistics={_statistic(found, len(grids)): found.row(metric, aspect).value},
            ),
        )
    if found.level != "system":
        scores = {metric: own for metric, own in scores.items() if not np.isnan(own).all()}
        lower = [metric for metric in scores if not columns[metric].higher_is_better]
        yield (
            f"distributions {aspect}",
            partial(
                draw_distributions,
                scores,
                ratings,
                aspect=aspect,
                lower_is_better=lower,
                lower_ratings_are_better=lower_is_better,
            ),
        )


def _statistic(found: Agreement, groups: int) -> str:
    """What the table's value is, in short."""
    name = f"|{found.conditions.statistic}|" if found.options.absolute else found.conditions.statistic
    return name if found.conditions.average == "pooled" and groups == 1 else f"mean {name}"


def _scores(grid: Grid, column: Column, conditions: Conditions) -> Array:
    """As the metric gives them, of systems or of texts."""
    if conditions.level == "system":
        turned: Array = grid.system_scores(column, _once(grid), of_means=conditions.of_means)[0]
    else:
        turned = grid.scores(column).ravel()
    return turned if column.higher_is_better else -turned


def _ratings(grid: Grid, level: str) -> Array:
    """Turned so that higher is better, of systems or of texts."""
    return grid.system_ratings(_once(grid))[0] if level == "system" else grid.human.ravel()


def _once(grid: Grid) -> Array:
    """Every document as it is."""
    return np.ones((1, len(grid.documents)))


def _systems(grid: Grid, level: str) -> list[int]:
    times = 1 if level == "system" else len(grid.items)
    repeated: list[int] = np.repeat(grid.systems, times).tolist()
    return repeated


def _file_name(name: str, taken: Collection[str]) -> str:
    """The name in letters, digits and hyphens; a number follows where it is too long or another figure has it."""
    whole = re.sub(r"[^\w]+", "-", name.lower()).strip("-")
    slug = whole.encode()[:LONGEST].decode(errors="ignore")
    if slug == whole and slug not in taken:
        return slug
    return next(f"{slug}-{n}" for n in count(1 if slug != whole else 2) if f"{slug}-{n}" not in taken)
