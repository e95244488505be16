"""How frequent relations are in references and in groups of texts, such as the best and the worst (after figures of
section 5 of Joty, Guzmán, Màrquez and Nakov 2017). What is most frequent in the references comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from coheval.report._style import COLOURS, COLUMN, GREY, PALE, SMALL, TEXT, blank, finish, fit, style
from coheval.report._text import wrap
from coheval.report._values import Array, Values, enough, left_out, numbers, same_length

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAMES = 1.2  # inches that names may take
_BAR, _GAP = 0.07, 0.075  # inches: a bar, and what stays free between two relations
_LINE = SMALL * 1.15 / 72  # inches: a line of a name
_HATCHES = ("", "//////", "......", "xxxxxx", "------", "||||||")  # six, so that 42 pairs with a colour differ


def draw_relations(
    relations: Sequence[str], references: Values, groups: Mapping[str, Values], *, title: str | None = None
) -> Figure:
    """Shares [n] of relations [n] in the references, and in each group of texts; a missing share has no bar."""
    sides = [("references", references), *groups.items()]
    bars = [(name, numbers(values, f"shares of {name}")) for name, values in sides]
    for name, values in bars:
        same_length({"relations": relations, f"shares of {name}": values})
    shown = {*np.flatnonzero(np.any([~np.isnan(values) for _, values in bars], axis=0)).tolist()}
    enough(len(shown), 1, "relation with a share")
    order = [n for n in np.argsort(-np.nan_to_num(bars[0][1]), kind="stable").tolist() if n in shown]
    with style():
        labels = [wrap(relations[n], _NAMES, SMALL, most=3) for n in order]
        heights = np.array([max(_BAR * len(bars), _LINE * (label.count("\n") + 1)) + _GAP for label in labels])
        figure = blank(COLUMN, float(heights.sum()))
        axes = figure.subplots()
        middles = np.cumsum(heights) - heights / 2
        for number, (_, values) in enumerate(bars):
            _draw(axes, 100 * values[order], middles + _BAR * (number - (len(bars) - 1) / 2), number)
        axes.set_yticks(middles, labels, linespacing=1.0)
        axes.set_ylim(heights.sum(), 0)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x", color=PALE, linewidth=0.5)
        axes.set_axisbelow(True)
        axes.set_xlabel(wrap("share of all relations, %", COLUMN - _NAMES - 0.3, TEXT))
        notes = left_out(len(relations) - len(order), len(relations), "relations", "no share")
        finish(figure, title, notes, keys=_keys([name for name, _ in bars]), columns=min(3, len(bars)))
        fit(figure, axes, height=float(heights.sum()))
    return figure


def _draw(axes: Axes, values: Array, places: Array, number: int) -> None:
    axes.barh(places, np.nan_to_num(values), height=_BAR, linewidth=0.4, **_look(number))


def _look(number: int) -> dict[str, Any]:
    """References are grey; groups have a colour and a hatch each."""
    if number == 0:
        return {"facecolor": GREY, "edgecolor": GREY}
    colour = COLOURS[(number - 1) % len(COLOURS)]
    hatch = _HATCHES[(number - 1) % len(_HATCHES)]
    return {"facecolor": "white" if hatch else colour, "edgecolor": colour, "hatch": hatch}


def _keys(names: Sequence[str]) -> list[Artist]:
    from matplotlib.patches import Patch

    return [Patch(label=wrap(name, 0.75, SMALL, most=3), linewidth=0.4, **_look(n)) for n, name in enumerate(names)]
