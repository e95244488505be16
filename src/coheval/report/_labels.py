"""Names beside points, where they hide neither each other nor the points.

Each name may stand around its point, near or far. Names are placed one after the other where they cost least, then
moved again while that makes them cheaper; a name that had to go far is tied to its point by a thin line.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from coheval.report._style import GREY, SMALL
from coheval.report._text import wrap
from coheval.report._values import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
_FAR = (3.5, 9.0, 16.0, 24.0, 34.0, 46.0)  # points between a point and its name
_TIED = 12.0  # from here on there is a line to the point
_ROUNDS = 20  # of moving names; it settles after a few
_MARKER = 3.0  # points, half the width of what a marker covers
_GAP = 1.0  # points that must stay free around a name

NOWHERE = np.empty((0, 4))

# What is hidden costs much more, for each square point, than a longer way, for each point.
_NAME_HIDDEN, _OUTSIDE, _POINT_HIDDEN, _LINE_HIDDEN = 100.0, 100.0, 30.0, 0.3


def label_points(
    figure: Figure,
    axes: Axes,
    x: Array,
    y: Array,
    names: list[str],
    *,
    taken: Array = NOWHERE,
    line: Array = NOWHERE[:, :2],
) -> list[Annotation]:
    """Writes a name beside each point [n]; `taken` [t, 4] are boxes in pixels to keep clear of, `line` [2, 2] are the
    ends of one that had better not be covered. The figure's layout must have been made."""
    scale = figure.dpi / 72
    points = axes.transData.transform(np.column_stack([x, y])) / scale  # [n, 2] in points
    along = np.linspace(0, 1, 50)[:, None]
    spots = axes.transData.transform(line[0] + along * (line[1] - line[0])) / scale if len(line) else line
    texts = [wrap(name, 1.15, SMALL, most=3) for name in names]
    sizes = np.array([_size(figure, text) for text in texts]) / scale
    boxes = _Boxes(points, sizes, np.array(axes.bbox.extents) / scale, taken / scale, spots)
    return [
        _write(axes, (px, py), text, choice) for px, py, text, choice in zip(x, y, texts, boxes.settled(), strict=True)
    ]


def _size(figure: Figure, text: str) -> tuple[float, float]:
    written = figure.text(0, 0, text, fontsize=SMALL, linespacing=1.05)
    box = written.get_window_extent()
    written.remove()
    return box.width, box.height


def _write(axes: Axes, point: tuple[float, float], text: str, choice: int) -> Annotation:
    (right, up), far = _CHOICES[choice]
    tied = {"arrowstyle": "-", "lw": 0.4, "color": GREY, "shrinkA": 0.5, "shrinkB": 2.5} if far >= _TIED else None
    note = axes.annotate(
        text,
        point,
        xytext=_offset(right, up, far),
        textcoords="offset points",
        ha={1: "left", 0: "center", -1: "right"}[right],
        va={1: "bottom", 0: "center", -1: "top"}[up],
        fontsize=SMALL,
        linespacing=1.05,
        arrowprops=tied,
        zorder=4,
    )
    note.set_in_layout(False)
    return note


_CHOICES = tuple((side, far) for far, side in product(_FAR, _SIDES))


def _offset(right: int, up: int, far: float) -> tuple[float, float]:
    shorter = 0.75 if right and up else 1.0  # a diagonal step is longer
    return right * far * shorter, up * far * shorter


class _Boxes:
    """The boxes [c, 4] (left, bottom, right, top) that each name could take, and what each costs; all in points."""

    def __init__(self, points: Array, sizes: Array, inside: Array, taken: Array, line: Array) -> None:
        self.boxes = [_candidates(point, size) for point, size in zip(points, sizes, strict=True)]
        markers = np.column_stack([points - _MARKER, points + _MARKER])
        way = np.array([far for _, far in _CHOICES])
        self.fixed = [
            way
            + _POINT_HIDDEN * _overlap(box, markers).sum(axis=1)
            + _NAME_HIDDEN * _overlap(box, taken).sum(axis=1)
            + _LINE_HIDDEN * _overlap(box, np.column_stack([line - 2, line + 2])).sum(axis=1)
            + _OUTSIDE * (_area(box) - _overlap(box, inside[None])[:, 0])
            for box in self.boxes
        ]

    def settled(self) -> list[int]:
        """The chosen candidate of each name."""
        chosen: list[int] = []
        for name in range(len(self.boxes)):
            chosen.append(self._cheapest(name, dict(enumerate(chosen))))
        for _ in range(_ROUNDS):
            before = list(chosen)
            for name in range(len(chosen)):
                chosen[name] = self._cheapest(name, {i: c for i, c in enumerate(chosen) if i != name})
            if chosen == before:
                break
        return chosen

    def _cheapest(self, name: int, others: dict[int, int]) -> int:
        there = np.array([self.boxes[i][c] for i, c in others.items()]).reshape(-1, 4)
        return int(np.argmin(self.fixed[name] + _NAME_HIDDEN * _overlap(self.boxes[name], there).sum(axis=1)))


def _candidates(point: Array, size: Array) -> Array:
    corners = []
    for (right, up), far in _CHOICES:
        middle = point + _offset(right, up, far) + np.array([right, up]) * size / 2
        corners.append([*(middle - size / 2 - _GAP), *(middle + size / 2 + _GAP)])
    return np.array(corners)


def _overlap(a: Array, b: Array) -> Array:
    """[a, b] the area that boxes share."""
    low, high = np.maximum(a[:, None, :2], b[None, :, :2]), np.minimum(a[:, None, 2:], b[None, :, 2:])
    shared: Array = np.prod(np.clip(high - low, 0, None), axis=2)
    return shared


def _area(boxes: Array) -> Array:
    area: Array = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    return area
