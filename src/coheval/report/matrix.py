"""Correlation between metrics, like ones side by side (figure 6 of DiscoScore, figure 3 of MoverScore).

Rows are ordered by hierarchical clustering: average linkage of the distances 1 − |r|. The colours grow steadily darker
from −1 to 1, so that they keep their order in grey; yellow and blue, the sides of zero, are a pair that the common
kinds of colour-blindness leave apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coheval.algo.clustering import cluster_order
from coheval.errors import DataError
from coheval.report._style import GREY, SMALL, blank, finish, fit, style
from coheval.report._text import points_wide, signed, wrap
from coheval.report._values import Array, enough, numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

_COLOURS = ((0.0, "#FFE600"), (0.5, "#CACACA"), (0.75, "#7797BF"), (1.0, "#08306B"))
_CELL = (0.215, 0.36)  # inches, with many metrics and with few
_ROOM = 5.1  # inches that all cells together take, if that is between the two
_NAMES = (1.0, 1.5, 2.0, 2.5, 3.0)  # inches that names may take
_WIDEST = 2.43  # em, of a value such as −.87
_ROUNDED = 1e-6  # how far apart rounding may bring two sides


def draw_matrix(
    names: Sequence[str],
    correlations: Sequence[Sequence[float | None]] | NDArray[np.floating],
    *,
    order: Sequence[int] | None = None,
    statistic: str = "Pearson r",
    title: str | None = None,
) -> Figure:
    """Correlations [n, n] with their values, hatched where undefined; in `cluster_order` if no other order is given."""
    values = _checked(names, correlations)
    rows = cluster_order(values) if order is None else _checked_order(order, len(names))
    values = values[np.ix_(rows, rows)]
    cell = float(np.clip(_ROOM / len(names), *_CELL))
    with style():
        labels, inches = _labels([names[i] for i in rows], cell)
        side = len(names) * cell
        figure = blank(side + inches + 0.5, side + inches)
        axes = figure.subplots()
        mesh = _cells(axes, values, cell)
        _name_sides(axes, labels)
        figure.colorbar(mesh, ax=axes, shrink=0.9, aspect=30, pad=0.01, ticks=[-1, -0.5, 0, 0.5, 1], label=statistic)
        finish(figure, title, [f"Hatched: {statistic} is undefined."] if np.isnan(values).any() else [])
        fit(figure, axes, width=side, height=side)
    return figure


def colours() -> Colormap:
    """From −1 to 1: yellow, grey, blue, ever darker."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("coheval", list(_COLOURS))


def _checked(names: Sequence[str], correlations: Sequence[Sequence[float | None]] | NDArray[np.floating]) -> Array:
    rows = [numbers(row, "correlations") for row in correlations]
    enough(len(names), 2, "metrics")
    if [len(row) for row in rows] != [len(names)] * len(names):
        raise DataError(
            f"{len(names)} metrics need as many rows of {len(names)} correlations, got rows of {[*map(len, rows)]}",
            hint="give a row and a column for each metric",
        )
    values = np.array(rows)
    if not np.allclose(values, values.T, atol=_ROUNDED, equal_nan=True):
        raise DataError("correlations must be the same on both sides of the diagonal", hint="give a full matrix")
    if np.nanmax(np.abs(values), initial=0.0) > 1 + _ROUNDED:
        raise DataError(
            f"correlations must lie between −1 and 1, got {np.nanmax(np.abs(values)):g}", hint="divide percents by 100"
        )
    return values


def _checked_order(order: Sequence[int], size: int) -> list[int]:
    if sorted(order) != list(range(size)):
        raise DataError(
            f"the order of {size} metrics must name each row from 0 to {size - 1} once, got {list(order)}",
            hint="leave it out to have it computed",
        )
    return list(order)


def _labels(names: list[str], cell: float) -> tuple[list[str], float]:
    """Names in as many lines as a cell is high, in the least room that takes all of them, and their width."""
    lines = int(cell * 72 / (SMALL * 1.1))
    for inches in _NAMES:
        labels = [wrap(name, inches, SMALL, most=lines) for name in names]
        if not any(label.endswith("…") for label in labels):
            break
    return labels, max(points_wide(line, SMALL) for label in labels for line in label.split("\n")) / 72


def _cells(axes: Axes, values: Array, cell: float) -> QuadMesh:
    from matplotlib.patches import Rectangle

    shades = colours()
    mesh = axes.pcolormesh(values, cmap=shades, vmin=-1, vmax=1, edgecolors="white", linewidth=0.6)
    size = min(SMALL, (cell * 72 - 2) / _WIDEST)
    for (row, column), value in np.ndenumerate(values):
        if np.isnan(value):
            axes.add_patch(Rectangle((column, row), 1, 1, fill=False, hatch="/////", edgecolor=GREY, linewidth=0))
        else:
            ink = "white" if _grey(shades((value + 1) / 2)) < 0.5 else "black"
            text = axes.text(column + 0.5, row + 0.5, _short(value), fontsize=size, color=ink, ha="center", va="center")
            text.set_in_layout(False)  # it is inside anyway, and a layout of a thousand texts takes seconds
    axes.set(xlim=(0, len(values)), ylim=(len(values), 0))
    return mesh


def _grey(colour: tuple[float, float, float, float]) -> float:
    """How light a colour looks, from 0 to 1."""
    return float(np.dot(colour[:3], (0.2126, 0.7152, 0.0722)))


def _short(value: float) -> str:
    """As papers print correlations: no zero before the point."""
    text = signed(value)
    return text.replace("0.", ".") if "0." in text else text.replace(".00", "")


def _name_sides(axes: Axes, labels: list[str]) -> None:
    middles = np.arange(len(labels)) + 0.5
    axes.set_yticks(middles, labels, linespacing=1.0)
    axes.set_xticks(middles, labels, linespacing=1.0, rotation=90)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=2)
    axes.spines[:].set_visible(False)
