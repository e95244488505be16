"""Places in a text that do not depend on its white space: how many visible characters stand before them.

Two trees over one text compare by such places even if one was made from tokens with blanks between them, and whether
a blank between two EDUs belongs to the first, the second or neither.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from coheval.data.rsttree import RstTree

VisibleNode = tuple[int, int, int, str, str]  # start, split, stop, nuclearity, relation


def visible(text: str) -> str:
    """The text without its white space."""
    return "".join(text.split())


def counted(text: str, places: Iterable[int]) -> list[int]:
    """Visible characters before each place of a text."""
    before = list(accumulate((not character.isspace() for character in text), initial=0))
    return [before[place] for place in places]


def edu_starts(tree: RstTree) -> list[int]:
    """Visible characters before each EDU."""
    return counted(tree.text, (start for start, _ in tree.edus))


def visible_nodes(tree: RstTree) -> list[VisibleNode]:
    """The nodes of a tree by visible characters. What stands between two EDUs counts as a part of the first."""
    bounds = [*edu_starts(tree), len(visible(tree.text))]
    return [
        (bounds[node.first], bounds[node.split], bounds[node.stop], node.nuclearity, node.relation)
        for node in tree.nodes
    ]
