"""A feature of candidates against the same feature of their references (figures 3 and 7 of DiscoScore): on the
diagonal a text is like its reference, below it the candidate has less of the feature, above it more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from coheval.report._labels import crowded, label_points
from coheval.report._points import look_of, scatter
from coheval.report._style import GREY, TEXT, blank, finish, fit, style
from coheval.report._text import wrap
from coheval.report._values import Array, Values, enough, left_out, numbers, same_length

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_features(
    candidates: Values,
    references: Values,
    *,
    systems: Sequence[str] | None = None,
    ratings: Values | None = None,
    feature: str = "feature",
    aspect: str = "rating",
    title: str | None = None,
) -> Figure:
    """A point for each text [n], the lighter the better people rate it if ratings are given; and for each system a
    large one at the mean of its texts, with its name."""
    sides = {"values of candidates": candidates, "values of references": references} | (
        {} if ratings is None else {"ratings": ratings}
    )
    values = {what: numbers(side, what) for what, side in sides.items()}
    same_length(values | ({} if systems is None else {"systems": systems}))
    there = ~np.isnan(sum(values.values()))
    enough(int(there.sum()), 2, "texts with all values")
    y, x, *shades = (side[there] for side in values.values())
    names = [] if systems is None else [s for s, is_there in zip(systems, there, strict=True) if is_there]
    why = "no value" if ratings is None else f"no value or no {aspect}"
    with style():
        side = 4.2 if crowded(list(set(names))) else 2.4
        figure = blank(side + 0.4, side)
        axes = figure.subplots()
        _texts(figure, axes, x, y, shades, aspect)
        _diagonal(axes, x, y)
        axes.set_xlabel(wrap(f"{feature} of the reference", side, TEXT, most=3))
        axes.set_ylabel(wrap(f"{feature} of the candidate", side, TEXT, most=3))
        finish(figure, title, left_out(int((~there).sum()), len(there), "texts", why))
        fit(figure, axes, width=side, height=side)
        if names:
            _means(figure, axes, x, y, names)
    return figure


def _texts(figure: Figure, axes: Axes, x: Array, y: Array, shades: list[Array], aspect: str) -> None:
    points = scatter(axes, x, y, of=len(x), colour=GREY)
    if shades:
        points.set(array=shades[0], cmap="cividis", alpha=None)  # through each other, shades would say nothing
        figure.colorbar(points, ax=axes, aspect=30, pad=0.02, label=wrap(aspect, 2.0, TEXT, most=2))


def _diagonal(axes: Axes, x: Array, y: Array) -> None:
    """Both axes show the same range."""
    ends = float(min(x.min(), y.min())), float(max(x.max(), y.max()))
    edge = 0.05 * (ends[1] - ends[0]) or 0.5
    limits = ends[0] - edge, ends[1] + edge
    axes.plot(limits, limits, color=GREY, linestyle=(0, (4, 2)), linewidth=0.8, zorder=1)
    axes.set(xlim=limits, ylim=limits)


def _means(figure: Figure, axes: Axes, x: Array, y: Array, names: list[str]) -> None:
    systems = list(dict.fromkeys(names))
    own = [np.array([name == system for name in names]) for system in systems]
    across, up = (np.array([side[mine].mean() for mine in own]) for side in (x, y))
    for number, place in enumerate(zip(across, up, strict=True)):
        colour, marker = look_of(number)
        axes.plot(*place, marker, color=colour, markersize=5.5, markeredgecolor="white", markeredgewidth=0.7, zorder=3)
    label_points(figure, axes, across, up, systems, line=np.array([(end, end) for end in axes.get_xlim()]))
