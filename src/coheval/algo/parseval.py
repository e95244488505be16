"""Parseval for discourse trees: how many constituents two trees over one text share.

A tree is the list of its nodes (start, split, stop, nuclearity, relation): the constituents from `start` to `split` and
from `split` to `stop` are joined, "NS", "SN" or "NN", by a relation. Places may count EDUs, where both trees have the
same, or characters that are not white space, so that trees over different EDUs compare, too.

`original` counts nodes, the root among them, each with the nuclearity and relation that join its two children. EDUs
do not count. Morey, Muller and Asher 2017, "How much progress have we made on RST discourse parsing?".

`marcu`, or RST-Parseval, counts constituents but the root, EDUs among them, each with its own role (N or S) and its
relation to its parent, which is "span" for the nucleus of a satellite. With the same EDUs in both trees its spans are
about half-way between those of `original` and 1. Marcu 2000, "The Theory and Practice of Discourse Parsing".

    precision = matched / predicted     recall = matched / gold     F1 = 2 matched / (gold + predicted)

Counts are added up over documents (micro-average). "relation" does not look at nuclearity, "full" looks at both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

TreeNode = tuple[int, int, int, str, str]  # start, split, stop, nuclearity, relation
Labelled = tuple[int, int, str, str]  # start, stop, nuclearity or role, relation
Level = Literal["span", "nuclearity", "relation", "full"]

LEVELS: tuple[Level, ...] = ("span", "nuclearity", "relation", "full")


@dataclass(frozen=True, slots=True)
class Counts:
    matched: int = 0
    gold: int = 0
    predicted: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.matched + other.matched, self.gold + other.gold, self.predicted + other.predicted)

    @property
    def precision(self) -> float | None:
        """None where nothing was predicted."""
        return self.matched / self.predicted if self.predicted else None

    @property
    def recall(self) -> float | None:
        """None where there is nothing to find."""
        return self.matched / self.gold if self.gold else None

    @property
    def f1(self) -> float | None:
        """None where there is nothing on either side."""
        both = self.gold + self.predicted
        return 2 * self.matched / both if both else None


def original(gold: Sequence[TreeNode], predicted: Sequence[TreeNode]) -> dict[Level, Counts]:
    """Nodes that two trees over one text share."""
    return _compared(_parents(gold), _parents(predicted))


def marcu(gold: Sequence[TreeNode], predicted: Sequence[TreeNode]) -> dict[Level, Counts]:
    """Constituents below the root that two trees over one text share."""
    return _compared(_children(gold), _children(predicted))


def total(documents: Iterable[dict[Level, Counts]]) -> dict[Level, Counts]:
    """Counts of all documents together."""
    sums = {level: Counts() for level in LEVELS}
    for counts in documents:
        for level in LEVELS:
            sums[level] += counts[level]
    return sums


def segmentation(gold: Collection[int], predicted: Collection[int], *, given: Collection[int] = ()) -> Counts:
    """Places where EDUs begin that two segmentations share, without those that are `given`, as sentences' beginnings.

    A place of `given` counts on neither side, so that what is left is only what had to be found within sentences.
    """
    left, right = set(gold).difference(given), set(predicted).difference(given)
    return Counts(len(left & right), len(left), len(right))


def _compared(gold: Iterable[Labelled], predicted: Iterable[Labelled]) -> dict[Level, Counts]:
    left, right = _by_level(gold), _by_level(predicted)
    return {n: Counts(len(left[n] & right[n]), len(left[n]), len(right[n])) for n in LEVELS}


def _by_level(constituents: Iterable[Labelled]) -> dict[Level, set[tuple[object, ...]]]:
    """What is compared at each level. No two constituents of a tree have the same span, so that sets lose none."""
    listed = list(constituents)
    return {
        "span": {(start, stop) for start, stop, _, _ in listed},
        "nuclearity": {(start, stop, nuclearity) for start, stop, nuclearity, _ in listed},
        "relation": {(start, stop, relation) for start, stop, _, relation in listed},
        "full": set(listed),
    }


def _parents(nodes: Iterable[TreeNode]) -> Iterable[Labelled]:
    return ((start, stop, nuclearity, relation) for start, _, stop, nuclearity, relation in nodes)


def _children(nodes: Iterable[TreeNode]) -> Iterable[Labelled]:
    for start, split, stop, nuclearity, relation in nodes:
        yield start, split, nuclearity[0], "span" if nuclearity == "NS" else relation
        yield split, stop, nuclearity[1], "span" if nuclearity == "SN" else relation
