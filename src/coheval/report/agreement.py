"""Score against rating: do the texts, or systems, that people like score well?

The line is the least-squares fit of scores on ratings. The axis of a lower-is-better metric is turned round, and so is
that of ratings of which less is better, so a line that rises always means agreement; r is signed in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from coheval.algo.correlation import pearson
from coheval.report._labels import crowded, label_points
from coheval.report._points import legend_of, look_of, scatter
from coheval.report._style import COLUMN, PAGE, SMALL, TEXT, blank, columns_of, finish, fit, oriented, style
from coheval.report._text import signed, wrap
from coheval.report._values import Array, Values, enough, left_out, numbers, same_length

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

_CORNERS = ((0.03, 0.97), (0.97, 0.03), (0.97, 0.97), (0.03, 0.03))  # agreement leaves the first two empty


def draw_agreement(
    scores: Values,
    ratings: Values,
    *,
    systems: Sequence[str] | None = None,
    metric: str = "score",
    aspect: str = "rating",
    higher_is_better: bool = True,
    lower_ratings_are_better: bool = False,
    statistics: Mapping[str, float | None] | None = None,
    title: str | None = None,
) -> Figure:
    """Points of texts [n], coloured and marked by system; where each system has one point, its name is beside it.

    `statistics` are shown in the corner; without any it is Pearson's r of the points drawn.
    """
    points, notes = _Points.of(scores, ratings, systems)
    with style():
        width, height = (PAGE, 4.0) if points.named and crowded(points.systems) else (COLUMN, 2.2)
        figure = blank(width, height)
        axes = figure.subplots()
        _draw(axes, points)
        axes.set_xlabel(wrap(aspect, width - 1.1, TEXT, most=3))
        axes.set_ylabel(oriented(metric, height, higher_is_better=higher_is_better))
        if not higher_is_better:
            axes.invert_yaxis()
        if lower_ratings_are_better:
            axes.set_xlabel(oriented(aspect, width - 1.1, higher_is_better=False))
            axes.invert_xaxis()
        corner = _tell(axes, points, statistics or {"r": points.r(higher_is_better != lower_ratings_are_better)})
        keys, columns = legend_of([] if points.named else points.different, width)
        finish(figure, title, notes, keys=keys, columns=columns)
        fit(figure, axes, height=height)
        if points.named:
            _name_points(figure, axes, points, corner)
    return figure


def draw_agreement_by_system(
    scores: Values,
    ratings: Values,
    *,
    systems: Sequence[str],
    metric: str = "score",
    aspect: str = "rating",
    higher_is_better: bool = True,
    title: str | None = None,
) -> Figure:
    """A panel for each system, all with the same axes, each with its own line, r and n."""
    points, notes = _Points.of(scores, ratings, systems)
    panels = points.different
    columns = columns_of(len(panels))
    rows = -(-len(panels) // columns)
    side = PAGE / max(columns, 2)  # of a panel with its labels
    height = min(side - 0.4, 1.7)
    with style():
        figure = blank(side * columns, rows * side)
        grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel().tolist()
        for axes, system in zip(grid, panels, strict=False):
            _draw(axes, points.of_system(system))
            axes.set_title(wrap(system, side - 0.5, SMALL, most=3), fontsize=SMALL)
        if not higher_is_better:
            grid[0].invert_yaxis()
        for axes, system in zip(grid, panels, strict=False):  # now that all have their limits
            _tell(axes, own := points.of_system(system), {"r": own.r(higher_is_better)})
        _name_grid(grid, len(panels), columns, wrap(aspect, side - 0.5, TEXT, most=3))
        figure.supylabel(oriented(metric, rows * height, higher_is_better=higher_is_better), fontsize=TEXT)
        finish(figure, title, notes)
        fit(figure, grid[0], height=height, rows=rows)
    return figure


@dataclass(frozen=True)
class _Points:
    """Those that have both values; `total` counts all points of the figure."""

    ratings: Array  # [n], across
    scores: Array  # [n], upwards
    systems: list[str]  # [n], or none
    total: int

    @classmethod
    def of(cls, scores: Values, ratings: Values, systems: Sequence[str] | None) -> tuple[_Points, list[str]]:
        y, x = numbers(scores, "scores"), numbers(ratings, "ratings")
        same_length({"scores": y, "ratings": x} | ({} if systems is None else {"systems": systems}))
        there = ~np.isnan(x + y)
        count = int(there.sum())
        enough(count, 2, "points with a score and a rating")
        names = [] if systems is None else [s for s, is_there in zip(systems, there, strict=True) if is_there]
        notes = left_out(len(x) - count, len(x), "points", "no score or no rating")
        return cls(x[there], y[there], names, count), notes

    @property
    def different(self) -> list[str]:
        return list(dict.fromkeys(self.systems))

    @property
    def named(self) -> bool:
        """Whether each point is a system."""
        return bool(self.systems) and len(self.different) == len(self.systems)

    def of_system(self, system: str) -> _Points:
        own = np.array([s == system for s in self.systems])
        return _Points(self.ratings[own], self.scores[own], [], self.total)

    def r(self, alike: bool) -> float:
        """Pearson's, with the sign of agreement: `alike` if good scores and good ratings are on the same side."""
        return float(pearson(self.ratings[None], self.scores[None] * (1 if alike else -1))[0])

    def line(self) -> tuple[Array, Array]:
        """The fitted line's ends; none if all ratings are the same."""
        x, y = self.ratings - self.ratings.mean(), self.scores - self.scores.mean()
        if not (spread := float(x @ x)) > 0:
            return np.empty(0), np.empty(0)
        ends = np.array([self.ratings.min(), self.ratings.max()])
        return ends, self.scores.mean() + (x @ y) / spread * (ends - self.ratings.mean())


def _draw(axes: Axes, points: _Points) -> None:
    if points.systems and not points.named:
        for number, system in enumerate(points.different):
            own = points.of_system(system)
            colour, marker = look_of(number)
            scatter(axes, own.ratings, own.scores, of=points.total, colour=colour, marker=marker)
    else:
        scatter(axes, points.ratings, points.scores, of=points.total).set_zorder(3)  # above the lines to names
    axes.plot(*points.line(), color="black", zorder=3)
    axes.margins(0.12 if points.named else 0.05)


def _name_grid(grid: list[Axes], panels: int, columns: int, label: str) -> None:
    """The lowest panel of each column names its axis; places without a system vanish."""
    for number, axes in enumerate(grid):
        if number >= panels:
            axes.remove()
        elif number + columns >= panels:
            axes.set_xlabel(label)
            axes.xaxis.set_tick_params(labelbottom=True)
            in_last_row = number // columns == (panels - 1) // columns
            axes.xaxis.set_in_layout(in_last_row)  # others are above an empty place, where there is room


def _tell(axes: Axes, points: _Points, statistics: Mapping[str, float | None]) -> Text:
    """The statistics and n, in the corner where the fewest points are."""
    lines = [f"{name} = {signed(value)}" for name, value in statistics.items()]
    text = "\n".join([*lines, f"n = {len(points.scores)}"])
    x, y = min(_CORNERS, key=lambda corner: _crowd(axes, points, corner))
    note = axes.text(x, y, text, transform=axes.transAxes, fontsize=SMALL, zorder=4)
    note.set(ha="left" if x < 0.5 else "right", va="bottom" if y < 0.5 else "top")
    return note


def _crowd(axes: Axes, points: _Points, corner: tuple[float, float]) -> int:
    """How many points are near a corner."""
    shown = axes.transData + axes.transAxes.inverted()
    places = shown.transform(np.column_stack([points.ratings, points.scores]))  # [n, 2] in shares of the axes
    return int((np.abs(places - corner) < (0.4, 0.25)).all(axis=1).sum())


def _name_points(figure: Figure, axes: Axes, points: _Points, corner: Text) -> None:
    taken = np.array([corner.get_window_extent().extents])
    line = np.column_stack(points.line())
    label_points(figure, axes, points.ratings, points.scores, points.systems, taken=taken, line=line)
