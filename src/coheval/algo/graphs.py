"""Graphs over a text's sentences, and groups of linked things.

An edge i → j (i < j) joins two sentences that share a focus. Neither a matrix [s, s] nor the list of all edges is made:
a graph keeps the sentences of each focus, and makes its edges in blocks. So memory grows with the mentions of a text,
even where every sentence is linked to every other, and time with the number of edges.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.intp]
Edge = tuple[int, int, float]  # i, j, weight

_BLOCK = 1 << 18  # edges made at once, about
_DENSE = 16  # a block of edges is multiplied as a matrix if that has at most so many places for each edge


@dataclass(frozen=True, eq=False, slots=True)
class Edges:
    """The edges i → j, i < j, between nodes that share groups; a pair has one edge, however many groups it shares.

    Members are the nodes of the groups, one group after the other, each in rising order.
    """

    nodes: int
    node: Ints  # [members]
    later: Ints  # [members] how many members of its group follow each
    strength: Array  # [members] how strongly each belongs to its group
    counted: bool = True  # whether an edge's weight adds up the groups that its nodes share; else it is 1
    near: bool = False  # whether weights are divided by the distance j − i

    def unweighted(self) -> Edges:
        """The same edges with the weight 1, before any discount."""
        return Edges(self.nodes, self.node, self.later, self.strength, counted=False, near=self.near)

    def discounted(self) -> Edges:
        """The same edges with weights divided by the distance j − i."""
        return Edges(self.nodes, self.node, self.later, self.strength, counted=self.counted, near=True)

    def blocks(self) -> Iterator[tuple[Ints, Ints, Array]]:
        """All edges by i and j, some at a time: i, j and weight, parallel."""
        return (self._edges(members) for members in self._parts())

    def _parts(self) -> list[Ints]:
        """Members in parts that make about as many edges as a block has; those of one node are in one part."""
        if self.later.sum() <= _BLOCK:
            return [np.arange(len(self.node))] if len(self.node) else []
        order = np.argsort(self.node, kind="stable")
        order = order[self.later[order] > 0]  # a group's last node leads nowhere, and no block may be empty
        before = np.cumsum(self.later[order]) - self.later[order]
        firsts = np.flatnonzero(_new(self.node[order]))
        full = np.flatnonzero(np.diff(before[firsts] // _BLOCK)) + 1
        return np.split(order, firsts[full])

    def _edges(self, members: Ints) -> tuple[Ints, Ints, Array]:
        later = self.later[members]
        first = np.repeat(members, later)
        second = np.arange(1, len(first) + 1) + np.repeat(members - np.cumsum(later) + later, later)
        pair = self.node[first] * self.nodes + self.node[second]
        if self.counted:
            order = np.argsort(pair, kind="stable")
            pair, product = pair[order], (self.strength[first] * self.strength[second])[order]
            weight = np.add.reduceat(product, np.flatnonzero(_new(pair)))
            pair = pair[_new(pair)]
        else:
            pair.sort()
            pair = pair[_new(pair)]
            weight = np.ones(len(pair))
        i, j = np.divmod(pair, self.nodes)
        return i, j, weight / (j - i) if self.near else weight

    def count(self) -> int:
        return sum(len(i) for i, _, _ in self.blocks())

    def strongest(self, limit: int) -> list[Edge]:
        """At most so many edges, those with the greatest weights, by i and j; of equal ones the first."""
        edges = (edge for block in self.blocks() for edge in zip(*(x.tolist() for x in block), strict=True))
        return sorted(heapq.nlargest(limit, edges, key=itemgetter(2)))

    def out_degree(self) -> float:
        """The sum of the weights for each node, on average."""
        return self._total() / self.nodes

    def mean(self) -> float:
        """The mean of the adjacency matrix; its diagonal and lower half are zeros that count."""
        return self._total() / self.nodes**2

    def _total(self) -> float:
        return sum(float(weight.sum()) for _, _, weight in self.blocks())

    def aggregate(self, vectors: Array) -> Array:
        """(A + I) V for vectors [s, d]: each node adds what its edges lead to."""
        total = vectors.copy()
        for i, j, weight in self.blocks():
            if (i[-1] - i[0] + 1) * (j.max() - j.min() + 1) <= _DENSE * len(i):
                _add_as_matrix(total, vectors, i, j, weight)
            else:
                _add_by_node(total, vectors, i, j, weight)
        return total

    def isolated(self) -> list[int]:
        """The nodes without any edge."""
        alone: list[int] = np.setdiff1d(np.arange(self.nodes), self.node).tolist()
        return alone


def _add_as_matrix(total: Array, vectors: Array, i: Ints, j: Ints, weight: Array) -> None:
    """One product for all edges, where most nodes of a range are linked."""
    top, left = i[0], j.min()
    matrix = np.zeros((i[-1] - top + 1, j.max() - left + 1))
    matrix[i - top, j - left] = weight
    total[top : i[-1] + 1] += matrix @ vectors[left : j.max() + 1]


def _add_by_node(total: Array, vectors: Array, i: Ints, j: Ints, weight: Array) -> None:
    """A product for each node, where few are linked."""
    for start, stop in pairwise([*np.flatnonzero(_new(i)).tolist(), len(i)]):
        total[i[start]] += weight[start:stop] @ vectors[j[start:stop]]


def _new(rising: Ints) -> NDArray[np.bool_]:
    """Whether each number is greater than the one before."""
    new = np.ones(len(rising), np.bool_)
    np.not_equal(rising[1:], rising[:-1], out=new[1:])
    return new


def shared_edges(groups: Iterable[Sequence[int]], nodes: int, strengths: Sequence[Sequence[float]] = ()) -> Edges:
    """Edges between all nodes of a group, weighted by the number of groups that two nodes share.

    With `strengths`, parallel to `groups`, a shared group counts the product of its strengths in the two nodes. A node
    that a group names twice counts once, with its greatest strength.
    """
    node: list[int] = []
    later: list[int] = []
    strength: list[float] = []
    for number, group in enumerate(groups):
        members = sorted(set(group)) if len(group) > 1 else ()
        if len(members) > 1:
            node += members
            later += range(len(members) - 1, -1, -1)
            strength += _greatest(members, group, strengths[number]) if strengths else [1.0] * len(members)
    return Edges(nodes, np.array(node, np.intp), np.array(later, np.intp), np.array(strength))


def _greatest(members: Sequence[int], group: Sequence[int], strengths: Sequence[float]) -> list[float]:
    greatest: dict[int, float] = {}
    for node, strength in zip(group, strengths, strict=True):
        greatest[node] = max(strength, greatest.get(node, strength))
    return [greatest[node] for node in members]


def components(links: Iterable[tuple[int, int]], nodes: int) -> list[int]:
    """For each node the smallest node that it is linked to, directly or over others."""
    parent = list(range(nodes))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for a, b in links:
        low, high = sorted((root(a), root(b)))
        parent[high] = low
    return [root(node) for node in range(nodes)]
