"""A discourse tree as a drawing: SVG, made of plain text, that needs nothing from elsewhere.

Bars span constituents. A straight line leads down from a node to its nucleus, or to both of two; a satellite has an
arrow to its nucleus instead, with the relation. So colours say nothing that lines do not. Pointing at a relation shows
what it joins and how probable it is; the whole tree is told in words for those who cannot see it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from coheval.data.rsttree import Node, RstTree
from coheval.report._treelayout import GAP, LABEL, LABEL_LINE, LINE, SMALL, TEXT, Layout, Part, edu_height, label_width
from coheval.report._wrapping import clean, ems, width_of, wrap

_FONTS = "Helvetica, Arial, 'DejaVu Sans', 'Noto Sans', sans-serif"
_INK, _GREY, _PALE = "#1f2933", "#5b6770", "#f3f6f9"
_SATELLITE, _NUCLEI = "#0067a3", "#9a3d00"  # of relations; both stand out from white by more than 4.5 : 1
_MARGIN = 16.0
_HEAD = 26.0  # a line of a heading
_BETWEEN = 34.0  # two trees
_RISE, _BEND = 15.0, 30.0  # of an arrow's arch: above the bars that it joins, and sidewards
_FAR = 800.0  # from here on, both ends of a relation may not be seen at once


def draw_tree(tree: RstTree, *, title: str = "") -> str:
    """The drawing of one tree, under a title if there is one."""
    return draw_trees([(title, tree)])


def draw_trees(trees: Sequence[tuple[str, RstTree]]) -> str:
    """Trees below each other, each under its title."""
    width, top = 240.0, _MARGIN
    drawn: list[str] = []
    for title, tree in trees:
        layout = Layout(tree)
        heading = wrap(title, max(layout.width, 480.0) / TEXT, ems, most=2)
        width = max(width, layout.width, *(width_of(line, ems) * TEXT for line in heading))
        drawn += _group(title, heading, layout, top)
        top += len(heading) * _HEAD + max(layout.height, LINE) + _BETWEEN
    return "\n".join([*_opened(trees, width + 2 * _MARGIN, top - _BETWEEN + _MARGIN), *drawn, "</svg>"]) + "\n"


def _opened(trees: Sequence[tuple[str, RstTree]], width: float, height: float) -> Iterator[str]:
    size = f'width="{_n(width)}" height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}"'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{_FONTS}" font-size="{_n(TEXT)}" '
        f'fill="{_INK}" stroke-linecap="round" stroke-linejoin="round">'
    )
    names = "; ".join(clean(title) for title, _ in trees if title)
    yield f"<title>{escape(names or 'Discourse tree')}</title>"
    yield f"<desc>{escape(' '.join(_told(tree) for _, tree in trees))}</desc>"
    yield '<rect width="100%" height="100%" fill="white"/>'


def _group(title: str, heading: list[str], layout: Layout, top: float) -> Iterator[str]:
    for number, line in enumerate(heading):
        yield _text(line, _MARGIN, top + 14 + number * LINE, anchor="start", weight="bold", size=TEXT)
    yield f'<g transform="translate({_n(_MARGIN)} {_n(top + len(heading) * _HEAD)})">'
    if not layout.columns:
        yield _text("(no words)", 0, LINE, anchor="start", colour=_GREY)
    for part in layout.parts():
        yield from _edu(layout, part) if part.of.node is None else _node(layout, part, part.of.node)
    yield "</g>"


def _edu(layout: Layout, part: Part) -> Iterator[str]:
    column = layout.columns[part.of.first]
    yield (
        f'<rect x="{_n(part.left)}" y="{_n(part.top)}" width="{_n(column.width)}" '
        f'height="{_n(edu_height(column))}" rx="3" fill="{_PALE}"/>'
    )
    yield _bar(part)
    yield _text(str(part.of.first + 1), part.anchor, part.top + 12, size=SMALL, colour=_GREY, weight="bold")
    for number, line in enumerate(column.lines):
        yield _text(line, part.anchor, part.top + 26 + number * LINE)


def _node(layout: Layout, part: Part, node: Node) -> Iterator[str]:
    ends = layout.anchor(node.first, node.split), layout.anchor(node.split, node.stop)
    below = part.top + layout.row
    yield _bar(part)
    yield _text(_range(node.first, node.stop), part.left + 1, part.top + 11, size=SMALL, colour=_GREY, anchor="start")
    for place, role in zip(ends, node.nuclearity, strict=True):
        if role == "N":
            yield _line(place, part.top, below)
    if node.nuclearity != "NN":
        satellite, nucleus = ends if node.nuclearity == "SN" else reversed(ends)
        yield from _arrow(satellite, nucleus, below)
    yield from _relation(layout, node, ends, below - _RISE - 6)


def _relation(layout: Layout, node: Node, ends: tuple[float, float], y: float) -> Iterator[str]:
    """Between the two that it joins; where they are far apart, beside each of them."""
    label = layout.labels[node.relation]
    room = label_width(label) / 2 + GAP  # away from the lines to nuclei
    middle = (ends[0] + ends[1]) / 2
    if ends[1] - ends[0] > _FAR:
        middles = [ends[0] + _BEND + room, ends[1] - _BEND - room]
    else:  # a relation may be wider than the way, but then there is room behind the satellite
        middles = [{"NS": max(middle, ends[0] + room), "SN": min(middle, ends[1] - room)}.get(node.nuclearity, middle)]
    yield f"<g><title>{escape(_meaning(node))}</title>"
    for x in middles:
        for number, line in enumerate(reversed(label)):
            colour = _NUCLEI if node.nuclearity == "NN" else _SATELLITE
            yield _text(line, x, y - number * LABEL_LINE, size=LABEL, colour=colour)
    yield "</g>"


def _arrow(start: float, nucleus: float, y: float) -> Iterator[str]:
    """An arch from the satellite's bar to the nucleus's, flat between two bends, and a head beside the line there."""
    side = 1.0 if start > nucleus else -1.0
    end, top = nucleus + 7 * side, y - _RISE
    bend = min(_BEND, abs(end - start) / 2) * side
    path = (
        f"M{_n(start)} {_n(y)}Q{_n(start)} {_n(top)} {_n(start - bend)} {_n(top)}"
        f"H{_n(end + bend)}Q{_n(end)} {_n(top)} {_n(end)} {_n(y - 3)}"
    )
    yield f'<path d="{path}" fill="none" stroke="{_SATELLITE}" stroke-width="1.4"/>'
    yield f'<path d="M{_n(end - 4)} {_n(y - 8)}L{_n(end)} {_n(y - 1)}L{_n(end + 4)} {_n(y - 8)}Z" fill="{_SATELLITE}"/>'


def _bar(part: Part) -> str:
    return f'<path d="M{_n(part.left)} {_n(part.top)}H{_n(part.right)}" stroke="{_INK}" stroke-width="2"/>'


def _line(x: float, top: float, bottom: float) -> str:
    return f'<path d="M{_n(x)} {_n(top)}V{_n(bottom)}" stroke="{_INK}" stroke-width="1.4"/>'


def _text(
    text: str,
    x: float,
    y: float,
    *,
    anchor: str = "middle",
    size: float = TEXT,
    colour: str = _INK,
    weight: str = "normal",
) -> str:
    look = "" if size == TEXT else f' font-size="{_n(size)}"'
    look += "" if colour == _INK else f' fill="{colour}"'
    look += "" if weight == "normal" else f' font-weight="{weight}"'
    look += "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{_n(x)}" y="{_n(y)}"{look}>{escape(text)}</text>'


def _n(value: float) -> str:
    """A number with at most one digit behind the point."""
    return f"{value:.1f}".removesuffix(".0")


def _range(first: int, stop: int) -> str:
    """EDUs, counted from 1."""
    return str(stop) if stop - first == 1 else f"{first + 1}–{stop}"


def _meaning(node: Node) -> str:
    """A node in words."""
    sides = (_range(node.first, node.split), _range(node.split, node.stop))
    roles = [
        f"{side} ({'nucleus' if role == 'N' else 'satellite'})"
        for side, role in zip(sides, node.nuclearity, strict=True)
    ]
    chance = "" if node.probability is None else f", probability {node.probability:.2f}"
    return f"{clean(node.relation)}: {' and '.join(roles)}{chance}"


def _told(tree: RstTree) -> str:
    """A tree in words."""
    units = "No words" if not tree.edus else "1 EDU" if len(tree) == 1 else f"{len(tree)} EDUs"
    return ". ".join([units, *map(_meaning, tree.nodes)]) + "."
