"""Where the parts of a drawn discourse tree stand, in pixels.

EDUs stand side by side in the order of the text, each in a column as wide as its text needs. A constituent's bar spans
the columns of its EDUs, a row below its parent's. Its anchor, where lines meet it, is that of its nucleus, so that
nuclei stand straight below each other down to an EDU; with two nuclei it is the middle between theirs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from coheval.data.rsttree import Constituent, RstTree
from coheval.report._wrapping import ems, width_of, wrap

TEXT, LABEL, SMALL = 12.0, 11.0, 9.5  # sizes of fonts: of EDUs, relations, numbers
LINE, LABEL_LINE = 15.0, 12.5  # from line to line
GAP = 10.0  # between two columns
_NARROWEST, _WIDEST = 96.0, 190.0  # texts of EDUs
_SHAPE = 2.4  # about how much wider than high a text is
_LABEL_ROOM, _LABEL_LINES = 118.0, 2  # the room that relations have
_ROW = 34.0  # between two rows, and a line of relations besides


@dataclass(frozen=True, slots=True)
class Column:
    """An EDU's text in lines, and the place that it takes."""

    left: float
    width: float
    lines: list[str]

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def middle(self) -> float:
        return self.left + self.width / 2


@dataclass(frozen=True, slots=True)
class Part:
    """A constituent in its place."""

    of: Constituent
    left: float
    right: float
    top: float  # of its bar
    anchor: float


class Layout:
    """A tree whose left upper corner is at 0, 0."""

    def __init__(self, tree: RstTree) -> None:
        self.tree = tree
        self.labels = {node.relation: _label(node.relation) for node in tree.nodes}
        self.row = _ROW + LABEL_LINE * max(map(len, self.labels.values()), default=1)
        self.columns = _columns(tree, self._narrowest())
        self._anchors: dict[tuple[int, int], float] = {}  # by first and stop
        for one in reversed(list(tree.constituents())):
            self._anchors[one.first, one.stop] = self._anchor(one)

    @property
    def width(self) -> float:
        return self.columns[-1].right if self.columns else 0.0

    @property
    def height(self) -> float:
        bottoms = [part.top + edu_height(self.columns[part.of.first]) for part in self.parts() if part.of.node is None]
        return max(bottoms, default=0.0)

    def parts(self) -> Iterator[Part]:
        """Parents first, left before right."""
        above: list[int] = []  # where the nodes stop that are not over yet
        for one in self.tree.constituents():
            while above and above[-1] <= one.first:
                above.pop()
            yield self._part(one, len(above))
            if one.node is not None:
                above.append(one.stop)

    def anchor(self, first: int, stop: int) -> float:
        return self._anchors[first, stop]

    def _part(self, one: Constituent, depth: int) -> Part:
        left, right = self.columns[one.first].left, self.columns[one.stop - 1].right
        return Part(one, left, right, depth * self.row, self.anchor(one.first, one.stop))

    def _anchor(self, one: Constituent) -> float:
        if one.node is None:
            return self.columns[one.first].middle
        left, right = self.anchor(one.first, one.node.split), self.anchor(one.node.split, one.stop)
        return {"NS": left, "SN": right, "NN": (left + right) / 2}[one.node.nuclearity]

    def _narrowest(self) -> float:
        """Columns leave room for a relation between two neighbours."""
        return max([_NARROWEST, *(label_width(lines) + 2 * GAP for lines in self.labels.values())])


def edu_height(column: Column) -> float:
    """From its bar to the end of its text, with its number."""
    return 22.0 + LINE * len(column.lines)


def label_width(lines: list[str]) -> float:
    return max(width_of(line, ems) for line in lines) * LABEL


def _label(relation: str) -> list[str]:
    return wrap(relation, _LABEL_ROOM / LABEL, ems, most=_LABEL_LINES) or [""]


def _columns(tree: RstTree, narrowest: float) -> list[Column]:
    texts = [tree.edu(number) for number in range(len(tree))]
    widths = [_width(text, narrowest) for text in texts]
    lefts = accumulate([width + GAP for width in widths], initial=0.0)
    return [
        Column(left, width, wrap(text, width / TEXT, ems))
        for text, width, left in zip(texts, widths, lefts, strict=False)
    ]


def _width(text: str, narrowest: float) -> float:
    """Of a column whose text has about the shape that texts should have."""
    area = width_of(text, ems) * TEXT * LINE
    return min(max(math.sqrt(area * _SHAPE), narrowest), max(_WIDEST, narrowest))
