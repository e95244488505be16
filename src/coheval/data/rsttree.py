"""A discourse tree in the sense of Rhetorical Structure Theory (RST), over the characters of its text.

Elementary discourse units (EDUs) are the leaves. Every other node joins two neighbours, says which of them is the
nucleus, and by which relation the two belong together. A tree of n EDUs has n - 1 nodes, listed parents first and left
before right, so that a node's children are found by counting and trees of any depth need no recursion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from coheval.errors import DataError

Span = tuple[int, int]
Nuclearity = Literal["NS", "SN", "NN"]  # left and right: nucleus or satellite
Role = Literal["Root", "Nucleus", "Satellite"]

ROLES: dict[str, Role] = {"N": "Nucleus", "S": "Satellite"}


class Node(NamedTuple):
    """Two neighbouring constituents, EDUs `first` to `split` - 1 and `split` to `stop` - 1, and what joins them."""

    first: int
    split: int
    stop: int
    nuclearity: Nuclearity
    relation: str
    probability: float | None = None  # that the text has this node, for parsers that tell


class Constituent(NamedTuple):
    """An EDU or a node with what it is to its parent."""

    first: int
    stop: int
    role: Role
    node: Node | None  # None: an EDU


@dataclass(frozen=True, slots=True)
class RstTree:
    text: str
    edus: tuple[Span, ...]  # character spans, in order
    nodes: tuple[Node, ...]  # parents first, left before right

    def __post_init__(self) -> None:
        _check_edus(self.text, self.edus)
        _check_nodes(self.nodes, len(self.edus))

    def __len__(self) -> int:
        return len(self.edus)

    def edu(self, number: int) -> str:
        """The text of an EDU."""
        start, stop = self.edus[number]
        return self.text[start:stop]

    def span(self, first: int, stop: int) -> Span:
        """The characters from the beginning of one EDU to the end of the last before `stop`."""
        return self.edus[first][0], self.edus[stop - 1][1]

    def constituents(self) -> Iterator[Constituent]:
        """Every EDU and node, parents first, left before right."""
        if not self.edus:
            return
        waiting: list[tuple[int, int, Role]] = [(0, len(self.edus), "Root")]
        nodes = iter(self.nodes)
        while waiting:
            first, stop, role = waiting.pop()
            if stop - first == 1:
                yield Constituent(first, stop, role, None)
                continue
            node = next(nodes)
            yield Constituent(first, stop, role, node)
            waiting.append((node.split, stop, ROLES[node.nuclearity[1]]))
            waiting.append((first, node.split, ROLES[node.nuclearity[0]]))

    def depth(self) -> int:
        """Nodes on the longest way from the root to an EDU."""
        depths = [0]
        stops: list[int] = []
        for node in self.nodes:
            while stops and stops[-1] <= node.first:
                stops.pop()
            stops.append(node.stop)
            depths.append(len(stops))
        return max(depths)


def _check_edus(text: str, edus: Sequence[Span]) -> None:
    last = 0
    for number, (start, stop) in enumerate(edus):
        if not last <= start < stop <= len(text):
            raise DataError(
                f"EDU {number + 1} spans characters {start} to {stop}, expected a place behind {last} and within "
                f"the {len(text)} characters of the text",
                hint="EDUs are listed in the order of the text and do not overlap",
            )
        last = stop


def _check_nodes(nodes: Sequence[Node], edus: int) -> None:
    """Whether the nodes are a binary tree over so many EDUs, parents first and left before right."""
    expected = [(0, edus)] if edus > 1 else []
    for node in nodes:
        place = expected.pop() if expected else None
        if place != (node.first, node.stop) or not node.first < node.split < node.stop:
            raise DataError(
                f"the node over EDUs {node.first + 1} to {node.stop}, split at {node.split + 1}, has no place in the "
                f"tree of {edus} EDUs" + (f"; expected one over {place[0] + 1} to {place[1]}" if place else ""),
                hint="list every node once, parents first and left before right",
            )
        if node.nuclearity not in ("NS", "SN", "NN"):
            raise DataError(f"nuclearity must be NS, SN or NN, got {node.nuclearity!r}", hint="N is the nucleus")
        expected += [(a, b) for a, b in ((node.split, node.stop), (node.first, node.split)) if b - a > 1]
    if expected:
        first, stop = expected[-1]
        raise DataError(
            f"a tree of {edus} EDUs has {edus - 1} nodes, got {len(nodes)}: none joins EDUs {first + 1} to {stop}",
            hint="a tree joins all its EDUs, two constituents at a time",
        )
