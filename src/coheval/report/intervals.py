"""Metrics with their agreement and its confidence interval, best first. Lines part the significance clusters; a hollow
marker is what a paper reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from coheval.report._style import BLUE, COLUMN, GREY, PALE, RED, SMALL, TEXT, blank, finish, fit, style
from coheval.report._text import wrap
from coheval.report._values import Array, Values, enough, left_out, numbers, same_length

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAMES = 1.35  # inches that names may take
_LINE, _GAP = SMALL * 1.15 / 72, 0.075  # inches: a line of a name, and what stays free between two names
_OURS: dict[str, Any] = {"linestyle": "", "marker": "o", "markersize": 3.8, "color": BLUE}
_PAPER: dict[str, Any] = {"linestyle": "", "marker": "D", "markersize": 4.2, "mfc": "none", "mec": RED}


def draw_intervals(
    names: Sequence[str],
    values: Values,
    low: Values | None = None,
    high: Values | None = None,
    *,
    clusters: Sequence[int] | None = None,
    papers: Values | None = None,
    statistic: str = "Pearson r",
    level: float = 0.95,
    title: str | None = None,
) -> Figure:
    """Agreement [n] of metrics and the ends of its intervals [n]; `clusters` [n] are numbers that change where a new
    cluster begins, `papers` [n] what papers report. An interval or a reported figure that is missing is not drawn."""
    rows = _rows(names, values, low, high, clusters, papers)
    shown = sorted((row for row in rows if not np.isnan(row.value)), key=lambda row: -row.value)
    enough(len(shown), 1, "metric with a value")
    lost = ", ".join(row.name for row in rows if np.isnan(row.value))
    with style():
        labels = [wrap(row.name, _NAMES, SMALL, most=4) for row in shown]
        heights = np.array([label.count("\n") + 1 for label in labels]) * _LINE + _GAP
        figure = blank(COLUMN, float(heights.sum()))
        axes = figure.subplots()
        _draw(axes, shown, heights)
        axes.set_yticks(_middles(heights), labels, linespacing=1.0)
        axes.set_xlabel(wrap(statistic, COLUMN - _NAMES - 0.3, TEXT, most=2))
        notes = left_out(len(rows) - len(shown), len(rows), "metrics", f"no value for {lost}")
        finish(figure, title, notes, keys=_keys(shown, level), columns=2)
        fit(figure, axes, height=float(heights.sum()))
    return figure


@dataclass(frozen=True)
class _Row:
    name: str
    value: float
    low: float
    high: float
    cluster: int
    paper: float


def _rows(
    names: Sequence[str],
    values: Values,
    low: Values | None,
    high: Values | None,
    clusters: Sequence[int] | None,
    papers: Values | None,
) -> list[_Row]:
    none = [None] * len(names)
    sides = {"values": values, "low ends": low, "high ends": high, "figures of papers": papers}
    columns = {what: numbers(none if side is None else side, what) for what, side in sides.items()}
    own = [0] * len(names) if clusters is None else clusters
    same_length({"names": names} | columns | {"clusters": own})
    middle, left, right, theirs = (column.tolist() for column in columns.values())
    return [_Row(*row) for row in zip(names, middle, left, right, own, theirs, strict=True)]


def _middles(heights: Array) -> Array:
    """Where the rows are; upwards a unit is an inch."""
    middles: Array = np.cumsum(heights) - heights / 2
    return middles


def _draw(axes: Axes, rows: list[_Row], heights: Array) -> None:
    places = _middles(heights)
    axes.hlines(places, [row.low for row in rows], [row.high for row in rows], color=BLUE, linewidth=1.1, zorder=2)
    axes.plot([row.value for row in rows], places, zorder=3, **_OURS)
    axes.plot([row.paper for row in rows], places, zorder=4, **_PAPER)
    for above, below, bottom in zip(rows, rows[1:], np.cumsum(heights), strict=False):
        if above.cluster != below.cluster:
            axes.axhline(bottom, color=GREY, linewidth=0.6, linestyle=(0, (4, 2)))
    axes.set_ylim(heights.sum(), 0)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=PALE, linewidth=0.5)
    axes.set_axisbelow(True)
    if min(axes.get_xlim()) < 0 < max(axes.get_xlim()):
        axes.axvline(0, color=GREY, linewidth=0.8, zorder=1)


def _keys(rows: list[_Row], level: float) -> list[Artist]:
    from matplotlib.lines import Line2D

    whiskers = any(not np.isnan(row.low + row.high) for row in rows)
    ours = f"measured, with its {100 * level:g}% interval" if whiskers else "measured"
    keys: list[Artist] = [Line2D([], [], label=ours, **(_OURS | ({"linestyle": "-"} if whiskers else {})))]
    if any(not np.isnan(row.paper) for row in rows):
        keys.append(Line2D([], [], label="reported in the paper", **_PAPER))
    return keys
