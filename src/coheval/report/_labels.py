"""Names beside points, where they hide neither each other nor the points.

Each name may stand around its point, near or far. Names are placed one after the other where they cost least, then
moved again while that makes them cheaper; a name that had to go far is tied to its point by a thin line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from coheval.report._style import INK, SMALL
from coheval.report._text import points_wide, wrap
from coheval.report._values import Array, Mask

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

_ANGLES = np.arange(16) * np.pi / 8
_FAR = (4.5, 10.0, 16.0, 24.0, 34.0, 46.0, 60.0, 80.0)  # points between a point and its name
_TIED = 10.0  # from here on there is a line to the point
_ROUNDS = 20  # of moving names; it settles after a few
_MARKER = 5.0  # points, half the width of a marker and of what stays free around it, so that no name seems to be its
_GAP = 1.0  # points that stay free around a name

# What is hidden costs much more, for each square point, than a longer way, for each point.
_NAME_HIDDEN, _OUTSIDE, _POINT_HIDDEN, _LINE_HIDDEN = 100.0, 100.0, 30.0, 0.3
_CROSSED = 60.0  # for each name, point or other such line that a line to a point crosses

NOWHERE = np.empty((0, 4))


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
    texts = [_wrapped(name) for name in names]
    sizes = np.array([_size(figure, text) for text in texts]) / scale
    places = _Places(points, sizes, np.array(axes.bbox.extents) / scale, taken / scale, spots)
    return [
        _write(axes, (px, py), text, size, choice)
        for px, py, text, size, choice in zip(x, y, texts, sizes, places.settled(), strict=True)
    ]


def crowded(names: list[str]) -> bool:
    """Whether names take more than a square inch, which is too much for a figure as wide as a column."""
    lines = [line for name in names for line in _wrapped(name).split("\n")]
    return sum(points_wide(line, SMALL) * SMALL * 1.2 for line in lines) > 72**2


def _wrapped(name: str) -> str:
    return wrap(name, 1.15, SMALL, most=3)


def _size(figure: Figure, text: str) -> tuple[float, float]:
    written = figure.text(0, 0, text, fontsize=SMALL, linespacing=1.05)
    box = written.get_window_extent()
    written.remove()
    return box.width, box.height


def _write(axes: Axes, point: tuple[float, float], text: str, size: Array, choice: int) -> Annotation:
    from matplotlib.patheffects import AbstractPathEffect, withStroke

    middle, tie = _middles(size)[choice], _ties(size)[choice]
    halo: list[AbstractPathEffect] = [
        withStroke(linewidth=1.6, foreground="white")
    ]  # lines and clouds end before the letters
    if _WAYS[choice] >= _TIED:
        look = {"arrowstyle": "-", "lw": 0.5, "color": INK, "shrinkA": 0, "shrinkB": 2, "path_effects": halo}
        axes.annotate("", point, tie.tolist(), textcoords="offset points", arrowprops=look, zorder=2.5, in_layout=False)
    note = axes.annotate(text, point, middle.tolist(), textcoords="offset points", ha="center", va="center")
    note.set(fontsize=SMALL, linespacing=1.05, zorder=4, in_layout=False)
    note.set_path_effects(halo)
    return note


_WAYS = np.repeat(_FAR, len(_ANGLES))  # [c] how far the choices are
_DIRECTIONS = np.tile(np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)]), (len(_FAR), 1))  # [c, 2]


def _middles(size: Array) -> Array:
    """[c, 2] where the middle of a name could be, seen from its point; at a diagonal, a corner is nearest."""
    middles: Array = _WAYS[:, None] * _DIRECTIONS + np.clip(1.45 * _DIRECTIONS, -1, 1) * size / 2
    return middles


def _ties(size: Array) -> Array:
    """[c, 2] the place of a name that is nearest to its point."""
    middles = _middles(size)
    ties: Array = np.clip(0.0, middles - size / 2, middles + size / 2)
    return ties


class _Places:
    """The boxes [c, 4] (left, bottom, right, top) that each name could take, and what each costs; all in points."""

    def __init__(self, points: Array, sizes: Array, inside: Array, taken: Array, line: Array) -> None:
        self.points = points
        middles = [point + _middles(size) for point, size in zip(points, sizes, strict=True)]
        self.boxes = [_around(m, size / 2 + _GAP) for m, size in zip(middles, sizes, strict=True)]
        self.ties = [point + _ties(size) for point, size in zip(points, sizes, strict=True)]  # [c, 2]
        markers, spots = _around(points, _MARKER), _around(line, 2.0)
        others = [np.delete(markers, i, axis=0) for i in range(len(points))]
        self.fixed: list[Array] = [
            _WAYS
            + _CROSSED * _meets(point[None], tie, other).sum(axis=1)
            + _POINT_HIDDEN * _shared(box, other)
            + _NAME_HIDDEN * _shared(box, taken)
            + _LINE_HIDDEN * _shared(box, spots)
            + _OUTSIDE * (np.prod(box[:, 2:] - box[:, :2], axis=1) - _shared(box, inside[None]))
            for point, box, tie, other in zip(points, self.boxes, self.ties, others, strict=True)
        ]

    def settled(self) -> list[int]:
        """The choice of each name: the cheapest of what different orders of placing them lead to."""
        across, up = self.points.T
        crowd = -np.abs(self.points - np.median(self.points, axis=0)).sum(axis=1)
        orders = [np.argsort(way, kind="stable").tolist() for way in (across, -across, up, -up, crowd, -crowd)]
        return min((self._settled(order) for order in orders), key=self._cost)

    def _settled(self, order: list[int]) -> list[int]:
        chosen: dict[int, int] = {}
        for _ in range(_ROUNDS):
            before = dict(chosen)
            for name in order:
                chosen[name] = int(np.argmin(self._costs(name, chosen)))
            if chosen == before:
                break
        return [chosen[name] for name in range(len(order))]

    def _cost(self, chosen: list[int]) -> float:
        return sum(float(self._costs(name, dict(enumerate(chosen)))[choice]) for name, choice in enumerate(chosen))

    def _costs(self, name: int, chosen: dict[int, int]) -> Array:
        """[c] of a name's places, given those of others."""
        others = [i for i in chosen if i != name]
        if not others:
            return self.fixed[name]
        boxes = np.array([self.boxes[i][chosen[i]] for i in others])
        ties = np.array([self.ties[i][chosen[i]] for i in others])
        crossed = _meets(self.points[name][None], self.ties[name], boxes).sum(axis=1)
        crossed += _meets(self.points[others], ties, self.boxes[name]).sum(axis=0)
        crossed += _cross(self.points[name][None], self.ties[name], self.points[others], ties).sum(axis=1)
        costs: Array = self.fixed[name] + _NAME_HIDDEN * _shared(self.boxes[name], boxes) + _CROSSED * crossed
        return costs


def _around(middles: Array, half: Array | float) -> Array:
    """[n, 4] boxes around places [n, 2]."""
    boxes: Array = np.concatenate([middles - half, middles + half], axis=1)
    return boxes


def _shared(a: Array, b: Array) -> Array:
    """[a] the area that each box of a shares with all of b."""
    low, high = np.maximum(a[:, None, :2], b[None, :, :2]), np.minimum(a[:, None, 2:], b[None, :, 2:])
    shared: Array = np.prod(np.clip(high - low, 0, None), axis=2).sum(axis=1)
    return shared


def _meets(begin: Array, end: Array, boxes: Array) -> Mask:
    """[s, b] whether a straight line between two places [s, 2] meets a box [b, 4]: whether there is a share of its way
    at which it is between the box's sides both across and upwards."""
    way = np.where(end == begin, 1e-9, end - begin)[:, None]
    low, high = (boxes[:, :2] - begin[:, None]) / way, (boxes[:, 2:] - begin[:, None]) / way
    enters, leaves = np.minimum(low, high).max(axis=2), np.maximum(low, high).min(axis=2)
    meets: Mask = np.maximum(enters, 0) < np.minimum(leaves, 1)
    return meets


def _cross(begin: Array, end: Array, other_begin: Array, other_end: Array) -> Mask:
    """[s, o] whether two straight lines cross: the ends of each are on different sides of the other."""

    def side(a: Array, b: Array, place: Array) -> Array:
        return np.sign((b - a)[..., 0] * (place - a)[..., 1] - (b - a)[..., 1] * (place - a)[..., 0])

    a, b, c, d = begin[:, None], end[:, None], other_begin[None], other_end[None]
    return (side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0)
