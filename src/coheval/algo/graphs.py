"""Graphs over a text's sentences, kept as lists of edges, and groups of linked things.

An edge i → j (i < j) joins two sentences that share a focus. Matrices [s, s] are never made: a document of thousands of
sentences has few edges as long as few sentences share something.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False, slots=True)
class Edges:
    """i → j with a weight, i < j, sorted, each pair once."""

    i: Ints
    j: Ints
    weight: Array
    nodes: int

    def discounted(self) -> Edges:
        """Weights divided by the distance j − i."""
        return Edges(self.i, self.j, self.weight / np.maximum(self.j - self.i, 1), self.nodes)

    def unweighted(self) -> Edges:
        return Edges(self.i, self.j, np.ones(len(self.i)), self.nodes)

    def out_degree(self) -> float:
        """The sum of the weights for each node, on average."""
        return float(self.weight.sum()) / self.nodes

    def mean(self) -> float:
        """The mean of the adjacency matrix."""
        return float(self.weight.sum()) / self.nodes**2

    def aggregate(self, vectors: Array) -> Array:
        """(A + I) V for vectors [s, d]: each node adds what its edges lead to."""
        total = vectors.copy()
        for start in range(0, len(self.i), _CHUNK):
            part = slice(start, start + _CHUNK)
            np.add.at(total, self.i[part], self.weight[part, None] * vectors[self.j[part]])
        return total

    def isolated(self) -> list[int]:
        """The nodes without any edge."""
        alone: list[int] = np.setdiff1d(np.arange(self.nodes), np.concatenate([self.i, self.j])).tolist()
        return alone


_CHUNK = 4096  # edges whose vectors are held at once


def shared_edges(groups: Iterable[Sequence[int]], nodes: int, strengths: Iterable[Sequence[float]] = ()) -> Edges:
    """Edges between all nodes of a group, weighted by the number of groups that two nodes share.

    With `strengths`, parallel to `groups`, a shared group counts the product of its strengths in the two nodes. A node
    that a group names twice counts once, with its greatest strength.
    """
    pairs: list[Ints] = []
    products: list[Array] = []
    given = list(strengths)
    for number, group in enumerate(groups):
        members, place = np.unique(np.asarray(group, dtype=np.intp), return_inverse=True)
        if len(members) < 2:
            continue
        strength = np.ones(len(members))
        if given:
            strength = np.zeros(len(members))
            np.maximum.at(strength, place, np.asarray(given[number], dtype=np.float64))
        a, b = np.triu_indices(len(members), 1)
        pairs.append(members[a] * nodes + members[b])
        products.append(strength[a] * strength[b])
    if not pairs:
        return Edges(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0), nodes)
    codes, place = np.unique(np.concatenate(pairs), return_inverse=True)
    weight: Array = np.bincount(place, weights=np.concatenate(products)).astype(np.float64)
    return Edges(codes // nodes, codes % nodes, weight, nodes)


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
