"""coheval's tree kernel and, in turn with it, the recursion of Collins & Duffy with a memory."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from coheval.algo.compiledtrees import CompiledTree, Vocabulary
from coheval.algo.treekernel import kernels
from peers.meter import answer, measure, peak_mb

DECAY = 0.4
RELATIONS = [f"R{k}" for k in range(18)]
WORDS = [f"w{k}" for k in range(5000)]
ROLES = [("Nucleus", "Satellite"), ("Satellite", "Nucleus"), ("Nucleus", "Nucleus")]

Nodes = list[tuple[str, int]]


@dataclass(eq=False)
class Node:
    label: str
    children: list[Node]
    production: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.production = (self.label, *(child.label for child in self.children)) if self.children else ()


@dataclass
class Tree:
    """One tree as both sides want it."""

    compiled: CompiledTree
    nodes: list[Node]


def recursion(a: Tree, b: Tree) -> float:
    known: dict[tuple[Node, Node], float] = {}

    def common(x: Node, y: Node) -> float:
        if (x, y) in known:
            return known[x, y]
        value = 0.0
        if x.production and x.production == y.production:
            value = DECAY
            for one, other in zip(x.children, y.children, strict=True):
                value *= 1 + common(one, other)
        known[x, y] = value
        return value

    return sum(common(x, y) for x in a.nodes for y in b.nodes)


def work(job: dict[str, Any]) -> dict[str, Any]:
    rng, vocabulary = random.Random(17), Vocabulary()

    def pair(edus: int, words: int) -> list[tuple[Tree, Tree]]:
        return [(made(simulated(rng, edus, words), vocabulary), made(simulated(rng, edus, words), vocabulary))]

    references = [made(simulated(rng, rng.randint(1, 4), 7), vocabulary) for _ in range(job["references"])]
    sentences = [
        (made(simulated(rng, rng.randint(1, 4), 7), vocabulary), reference)
        for _ in range(job["systems"])
        for reference in references
    ]
    tasks = {
        "DR, one pair": (pair(100, 0), 100, True),
        "DR-LEX, one pair": (pair(6, 13), 100, True),
        "DR, one pair, large": (pair(1500, 0), 1, False),
        "DR-LEX, one pair, large": (pair(100, 13), 3, False),
        "DR-LEX, one sentence": (sentences[1:2], 100, False),
        "DR-LEX, 1,000 sentences": (sentences, 1, False),
    }
    found: dict[str, Any] = {}
    for name, (pairs, _, target) in tasks.items():
        nodes = sum(len(a.nodes) + len(b.nodes) for a, b in pairs) / 2 / len(pairs)
        found[name] = {"nodes": nodes, "target": target, "rounds": []}
    for _ in range(job["rounds"]):
        for name, (pairs, repeats, _) in tasks.items():
            found[name]["rounds"].append(compared(pairs, repeats))
    return {"work": found, "compile": compiling(rng), "peak_mb": peak_mb()}


def compared(pairs: list[tuple[Tree, Tree]], repeats: int) -> dict[str, float]:
    """CPU seconds a pair; what takes microseconds is done many times."""
    compiled = [(a.compiled, b.compiled) for a, b in pairs]
    ours, mine = measure(lambda: [kernels(compiled, DECAY) for _ in range(repeats)])
    theirs, loop = measure(lambda: [recursion(a, b) for a, b in pairs])
    difference = np.abs(ours[0] / theirs - 1)[np.isfinite(ours[0])]
    return {
        "ours": mine["cpu"] / repeats / len(pairs),
        "recursion": loop["cpu"] / len(pairs),
        "difference": float(difference.max(initial=0)),
    }


def compiling(rng: random.Random) -> float:
    """CPU seconds a node."""
    trees = [simulated(rng, rng.randint(1, 4), 7) for _ in range(1000)]
    vocabulary = Vocabulary()
    _, cost = measure(lambda: [vocabulary.compile(nodes) for nodes in trees])
    return cost["cpu"] / sum(map(len, trees))


def simulated(rng: random.Random, edus: int, words: int) -> Nodes:
    """A tree over so many EDUs; with words, in the shape of DR-LEX, and without, of DR."""
    nodes: Nodes = []
    waiting = [(edus, "ROOT")]
    while waiting:
        width, role = waiting.pop()
        relation = rng.choices(RELATIONS, [1 / k for k in range(1, 19)])[0]
        if words:
            nodes += [("EDU", 2) if width == 1 else ("SPAN", 4), ("NUC", 1), (role, 0)]
            nodes += ngram(rng, words) if width == 1 else [("REL", 1), (relation, 0)]
        else:
            nodes.append((f"EDU-{role}", 0) if width == 1 else (f"{relation}-{role}", 2))
        if width > 1:
            split = rng.randint(1, width - 1)
            left, right = rng.choices(ROLES, [6, 2, 2])[0]
            waiting += [(width - split, right), (split, left)]
    return nodes


def ngram(rng: random.Random, size: int) -> Nodes:
    drawn = [WORDS[int(math.exp(rng.random() * math.log(len(WORDS))))] for _ in range(size)]
    return [("NGRAM", size), *(node for word in drawn for node in ((word, 1), ("*d*", 0)))]


def made(nodes: Nodes, vocabulary: Vocabulary) -> Tree:
    linked: list[Node] = []
    waiting: list[Node] = []
    for label, size in reversed(nodes):
        waiting.append(Node(label, [waiting.pop() for _ in range(size)]))
        linked.append(waiting[-1])
    return Tree(vocabulary.compile(nodes), linked)


if __name__ == "__main__":
    answer(work)
