"""Labelled trees for tests: bracketed text, the lists that are compiled, and kernels computed as they are defined."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import prod

Nodes = list[tuple[str, int]]  # labels and numbers of children, parents first


def listed(bracketed: str) -> Nodes:
    """Of "(S (NP she) (VP sleeps))"; a label without brackets is a leaf."""
    labels: list[str] = []
    sizes: list[int] = []
    open_: list[int] = []
    for bracket, label in re.findall(r"(\(?)([^\s()]+)|\)", bracketed):
        if not label:
            open_.pop()
            continue
        if open_:
            sizes[open_[-1]] += 1
        if bracket:
            open_.append(len(labels))
        labels.append(label)
        sizes.append(0)
    return list(zip(labels, sizes, strict=True))


def bracketed(nodes: Nodes) -> str:
    """What `listed` reads."""
    waiting: list[str] = []
    for label, size in reversed(nodes):
        below = [waiting.pop() for _ in range(size)]
        waiting.append(f"({' '.join([label, *below])})" if size else label)
    (whole,) = waiting
    return whole


def children(nodes: Nodes) -> list[list[int]]:
    """The children of each node."""
    found: list[list[int]] = [[] for _ in nodes]
    waiting: list[int] = []
    for node in reversed(range(len(nodes))):
        found[node] = [waiting.pop() for _ in range(nodes[node][1])]
        waiting.append(node)
    return found


def enumerated(a: Nodes, b: Nodes, decay: float) -> float:
    """The kernel from all fragments of both, written down."""
    ours, theirs = fragments(a), fragments(b)
    return sum(count * theirs[fragment] * decay ** fragment[1] for fragment, count in ours.items())


def fragments(nodes: Nodes) -> Counter[tuple[object, int]]:
    """Each fragment with its number of productions, and how often it occurs."""
    below = children(nodes)
    rooted: list[list[tuple[object, int]]] = [[] for _ in nodes]
    for node in reversed(range(len(nodes))):
        if below[node]:
            choices = [[(nodes[child][0], 0), *rooted[child]] for child in below[node]]
            for chosen in product(*choices):
                fragment = (nodes[node][0], *(part for part, _ in chosen))
                rooted[node].append((fragment, 1 + sum(size for _, size in chosen)))
    return Counter(fragment for found in rooted for fragment in found)


def by_definition(a: Nodes, b: Nodes, decay: float = 1) -> float:
    """The kernel as the sum of C; a whole number of any size for decay 1."""
    return sum(common(a, b, decay).values())


def common(a: Nodes, b: Nodes, decay: float = 1) -> dict[tuple[int, int], float]:
    """C of all nodes with equal productions."""
    below_a, below_b = children(a), children(b)
    c: dict[tuple[int, int], float] = {}
    for x in reversed(range(len(a))):
        for y in reversed(range(len(b))):
            if below_a[x] and production(a, x, below_a[x]) == production(b, y, below_b[y]):
                c[x, y] = decay * prod(1 + c.get(pair, 0) for pair in zip(below_a[x], below_b[y], strict=True))
    return c


def production(nodes: Nodes, node: int, below: Sequence[int]) -> list[str]:
    return [nodes[k][0] for k in (node, *below)]
