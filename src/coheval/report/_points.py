"""Points of a scatter: a colour and a marker for each system, the smaller the more there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coheval.report._style import COLOURS, MARKERS, SMALL
from coheval.report._text import points_wide, wrap
from coheval.report._values import Array

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection

# Up to so many points: area of a marker in square points, opacity. More than the last are drawn as pixels in vector
# files too, which would take megabytes.
_SIZES = ((30, 26.0, 0.9), (150, 14.0, 0.7), (600, 8.0, 0.5), (2500, 4.0, 0.35))
_DUST = (2.0, 0.2)


def scatter(
    axes: Axes, x: Array, y: Array, *, of: int, colour: str = COLOURS[0], marker: str = MARKERS[0]
) -> PathCollection:
    """Points [n] of a figure that has `of` points in all."""
    area, opacity = next(((area, opacity) for most, area, opacity in _SIZES if of <= most), _DUST)
    dust = of > _SIZES[-1][0]
    return axes.scatter(x, y, s=area, alpha=opacity, c=colour, marker=marker, lw=0, rasterized=dust, zorder=2)


def look_of(system: int) -> tuple[str, str]:
    """Colour and marker of a system by its number."""
    return COLOURS[system % len(COLOURS)], MARKERS[system % len(MARKERS)]


def legend_of(systems: list[str], inches: float) -> tuple[list[Artist], int]:
    """A legend's entries, and the columns that so many inches have room for."""
    from matplotlib.lines import Line2D

    entries: list[Artist] = []
    widest = 0.0
    for number, system in enumerate(systems):
        colour, marker = look_of(number)
        name = wrap(system, 1.6, SMALL, most=3)
        widest = max(widest, *(points_wide(line, SMALL) for line in name.split("\n")))
        entries.append(Line2D([], [], ls="", marker=marker, color=colour, markersize=4, label=name))
    return entries, max(1, int(inches / (widest / 72 + 0.35)))
