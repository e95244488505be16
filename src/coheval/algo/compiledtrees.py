"""Labelled trees as arrays of their distinct subtrees, so that they can be compared without walking through them.

A production is a node's label with the labels of its children in order; leaves have none. Subtrees that are equal in
every node are listed once, with how often they occur: whatever they are compared with, the result is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from sys import intern

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Small = NDArray[np.int32]  # trees are kept by the hundred thousand
Key = tuple[int, ...]  # the number of a production, then the children's subtrees

LEAF = -1


@dataclass(frozen=True, slots=True, eq=False)
class CompiledTree:
    """The distinct subtrees of a tree, but for leaves, sorted by production.

    A row of `table` is a subtree: the number of its root's production, how many nodes have such a subtree, its height
    (nodes on the longest way down, without the leaf), where its children begin in `children`, and how many they are.
    """

    vocabulary: Vocabulary
    table: Small  # [u, 5]
    children: Small  # [Σ children] the subtree of each child, or LEAF
    subtree: Small  # [n] of each node, parents first, or LEAF
    own: dict[float, float] = field(default_factory=dict, init=False, repr=False)  # ln K with itself, by decay

    @property
    def occurrences(self) -> Small:
        return self.table[:, 1]


class Vocabulary:
    """Numbers for productions. Trees that are to be compared are compiled by the same one."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, ...], int] = {}
        self._next = iter(range(2**62))

    def __len__(self) -> int:
        return len(self._numbers)

    def compile(self, nodes: Sequence[tuple[str, int]]) -> CompiledTree:
        """A tree from each node's label and number of children, parents first and left before right."""
        subtrees: dict[Key, int] = {}  # and their numbers; children come before parents
        subtree = [LEAF] * len(nodes)
        waiting: list[int] = []  # nodes whose parent is still to come, the leftmost last
        for node in range(len(nodes) - 1, -1, -1):
            label, size = nodes[node]
            if size:
                below = waiting[: -size - 1 : -1]
                if len(below) < size:
                    break
                del waiting[-size:]
                production = self._number((label, *[nodes[child][0] for child in below]))
                key = (production, *[subtree[child] for child in below])
                subtree[node] = subtrees.setdefault(key, len(subtrees))
            waiting.append(node)
        if waiting != [0]:
            raise ValueError("the numbers of children are not those of one tree, parents first")
        return self._by_production(list(subtrees), subtree)

    def _number(self, production: tuple[str, ...]) -> int:
        known = self._numbers.get(production)
        if known is not None:
            return known
        # In one step, so that threads cannot give one number to two productions. Numbers may be left out. A word stands
        # in many productions, and is kept once.
        return self._numbers.setdefault(tuple(map(intern, production)), next(self._next))

    def _by_production(self, subtrees: list[Key], subtree: list[int]) -> CompiledTree:
        order = sorted(range(len(subtrees)), key=subtrees.__getitem__)
        heights, occurrences = _heights(subtrees), Counter(subtree)
        sizes = [len(subtrees[k]) - 1 for k in order]
        begins = accumulate(sizes, initial=0)
        rows = [
            (subtrees[k][0], occurrences[k], heights[k], begin, size)
            for k, begin, size in zip(order, begins, sizes, strict=False)
        ]
        place = dict(zip(order, range(len(order)), strict=True)) | {LEAF: LEAF}
        return CompiledTree(
            vocabulary=self,
            table=np.array(rows, dtype=np.int32).reshape(-1, 5),
            children=np.array([place[child] for k in order for child in subtrees[k][1:]], dtype=np.int32),
            subtree=np.array([place[k] for k in subtree], dtype=np.int32),
        )


def _heights(subtrees: list[Key]) -> list[int]:
    """Of subtrees that are listed children first."""
    heights: list[int] = []
    for _, *below in subtrees:
        heights.append(1 + max([0 if child == LEAF else heights[child] for child in below]))
    return heights
