"""Pairs of subtrees whose roots have the same production, for many pairs of trees at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from coheval.algo.compiledtrees import LEAF, CompiledTree, Ints

_BLOCK = 1 << 20  # children of matches that are looked at together, to bound memory


class Forest:
    """The subtrees of several trees, one tree after the other."""

    production: Ints  # [u], as the following
    occurrences: Ints
    height: Ints
    size: Ints  # children
    begin: Ints  # where they begin in `children`
    tree: Ints
    start: Ints  # where the subtrees of its tree begin
    children: Ints  # their places among the subtrees of their tree, or LEAF

    def __init__(self, trees: Sequence[CompiledTree]) -> None:
        sizes = np.array([len(tree.table) for tree in trees])
        children = np.array([len(tree.children) for tree in trees])
        table = np.concatenate([tree.table for tree in trees]).T.astype(np.int64, order="C")
        self.production, self.occurrences, self.height, begin, self.size = table
        self.tree = np.arange(len(trees)).repeat(sizes)
        self.start = (sizes.cumsum() - sizes)[self.tree]
        self.begin = begin + (children.cumsum() - children)[self.tree]
        self.children = np.concatenate([tree.children for tree in trees])


class Matches:
    """All matches, by the height of the left subtree, so that children come before parents.

    Those of a left subtree x stand together: x with y is match number `shift[x]` + y.
    """

    def __init__(self, pairs: Sequence[tuple[CompiledTree, CompiledTree]]) -> None:
        self.forest = Forest([*(left for left, _ in pairs), *(right for _, right in pairs)])
        here = int(self.forest.tree.searchsorted(len(pairs)))  # the left trees end
        self.pair = self.forest.tree.copy()
        self.pair[here:] -= len(pairs)
        key = self.pair * (1 + self.forest.production.max(initial=0)) + self.forest.production
        ours, theirs = key[:here], key[here:]  # both sorted within a tree, so theirs are as a whole
        self.first = theirs.searchsorted(ours) + here  # [u] the first subtree that each could match
        counts = theirs.searchsorted(ours, side="right") + here - self.first
        self.order = self.forest.height[:here].argsort(kind="stable")
        self.counts = counts[self.order]
        ends = self.counts.cumsum()
        self.total = int(ends[-1]) if len(ends) else 0
        self.shift = np.empty_like(counts)
        self.shift[self.order] = ends - self.counts
        self.shift -= self.first

    def blocks(self) -> Iterator[Block]:
        """The matches in parts of a bounded size; a match has its children's in its own part or an earlier one."""
        part = (self.counts * self.forest.size[self.order]).cumsum() // _BLOCK
        begin = 0
        for start, stop in pairwise([0, *begins(part)[1:].tolist(), len(part)]):
            block = Block(self, start, stop, begin)
            begin = block.numbers.stop
            yield block


class Block:
    """The matches of some left subtrees."""

    numbers: slice  # of the matches
    left: Ints  # [p] their subtrees
    right: Ints
    pair: Ints  # [p] which pair of trees they are of
    weight: Ints  # [p] how many pairs of nodes they stand for

    def __init__(self, matches: Matches, start: int, stop: int, begin: int) -> None:
        subtrees, counts = matches.order[start:stop], matches.counts[start:stop]
        self._forest, self._shift = matches.forest, matches.shift
        self.left = subtrees.repeat(counts)
        self.right = matches.first[subtrees].repeat(counts) + _steps(counts)
        self.numbers = slice(begin, begin + len(self.left))
        self.pair = matches.pair[self.left]
        self.weight = self._forest.occurrences[self.left] * self._forest.occurrences[self.right]

    def levels(self) -> Iterator[tuple[Ints, Ints, Ints]]:
        """Matches with children that match too, one height after the other.

        Each time the numbers of the matches, those of their children's, and where in these each one's begin.
        """
        above, below = self._children()
        first = begins(above)
        tops = above[first]
        height = self._forest.height[self.left[tops]]
        tops += self.numbers.start
        ends = np.append(first, len(below))
        for start, stop in pairwise([*begins(height).tolist(), len(tops)]):
            yield tops[start:stop], below[ends[start] : ends[stop]], first[start:stop] - ends[start]

    def _children(self) -> tuple[Ints, Ints]:
        """Matches of children: the place of their parents' match in this block, in rising order, and their number."""
        forest = self._forest
        deep = forest.height[self.left].searchsorted(2)  # those before have nothing but leaves below
        sizes = forest.size[self.left[deep:]]
        above, step = np.arange(deep, len(self.left)).repeat(sizes), _steps(sizes)
        left, right = (forest.children[forest.begin[side[above]] + step] for side in (self.left, self.right))
        inner = ((left != LEAF) & (right != LEAF)).nonzero()[0]
        above = above[inner]
        left = left[inner] + forest.start[self.left[above]]
        right = right[inner] + forest.start[self.right[above]]
        same = (forest.production[left] == forest.production[right]).nonzero()[0]
        return above[same], self._shift[left[same]] + right[same]


def begins(values: Ints) -> Ints:
    """Where runs of equal values begin."""
    new = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=new[1:])
    return new.nonzero()[0]


def _steps(counts: Ints) -> Ints:
    """0 to n - 1 for each count n, one after the other."""
    ends = counts.cumsum()
    return np.arange(ends[-1] if len(ends) else 0) - (ends - counts).repeat(counts)
