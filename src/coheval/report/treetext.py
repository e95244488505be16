"""A discourse tree in letters, for terminals and pipes: no colours, lines of a given width.

    Contrast
    ├─N Elaboration
    │ ├─N 1 The old bridge was closed in May
    │ └─S 2 when one of its piers began to sink;
    └─N 3 the new one is not ready.

N is a nucleus, S a satellite of the constituent beside it; EDUs are numbered. A node's probability, if it is known,
stands behind its relation. Where a tree is so deep that no room is left for texts, lines begin at the left again, with
the number of the levels above: ⋯35.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from coheval.data.rsttree import Constituent, RstTree
from coheval.report._wrapping import clean, columns, wrap

WIDTH = 100  # columns, where nobody says how many there are
_LEAST = 30  # columns that texts have in any case
_STEP = 2  # columns of a level


def tree_text(tree: RstTree, width: int = WIDTH) -> Iterator[str]:
    """The lines of a tree."""
    if not tree.edus:
        yield "(no words)"
    above: list[Constituent] = []  # the nodes over the one at hand
    for one in tree.constituents():
        while above and above[-1].stop <= one.first:
            above.pop()
        yield from _lines(tree, one, *_leads(above, one, width), width)
        if one.node is not None:
            above.append(one)


def _leads(above: list[Constituent], one: Constituent, width: int) -> tuple[str, str]:
    """The lines that come from above with the branch to this constituent, and what goes on below it."""
    if not above:
        return "", ""
    page = max(1, (width - _LEAST) // _STEP)  # levels that fit
    begin = (len(above) - 1) // page * page
    start = f"⋯{begin} " if begin else ""
    shown = above[begin:]
    trunks = "".join("  " if lower.stop == upper.stop else "│ " for upper, lower in pairwise(shown))
    last = one.stop == above[-1].stop
    return start + trunks + ("└─" if last else "├─"), start + trunks + ("  " if last else "│ ")


def _lines(tree: RstTree, one: Constituent, lead: str, below: str, width: int) -> Iterator[str]:
    """A node's relation, or the lines of an EDU's text behind its number."""
    mark = "" if one.role == "Root" else f"{one.role[0]} "
    if one.node is not None:
        chance = "" if one.node.probability is None else f" ({one.node.probability:.0%})"
        yield f"{lead}{mark}{clean(one.node.relation)}{chance}"
        return
    number = f"{mark}{one.first + 1} "
    first, *rest = wrap(tree.edu(one.first), max(_LEAST, width - len(lead + number)), columns) or [""]
    yield lead + number + first
    yield from (below + " " * len(number) + line for line in rest)
