"""Word alignments with few chunks: which of many alike words to pair, when it is known how many of each group pair up.

A chunk is a run of pairs that stand side by side in both texts, so chunks = pairs - links, where a link joins the pairs
(i, j) and (i+1, j+1). The fewest chunks are the most links. Finding them is hard in general (it contains minimum common
string partition, Goldstein et al. 2005), so: long runs are taken first, greedily; then a branch-and-bound search over
the left text looks for something better. Its bound is the number of words that could still be linked to the one before.
It is complete for nearly all sentences; on long repetitive texts it stops after `NODES` steps and the best alignment
found so far stands, the same one every time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import chain, pairwise, product

from coheval.algo.stages import Group

NODES = 20_000  # steps of the search
LINKS = 1_000_000  # possible links, which are kept in memory

Pair = tuple[int, int]


class TooManyLinks(ValueError):
    """Two texts repeat so many of the same pairs of words that their links cannot be listed."""


@dataclass(frozen=True, slots=True)
class Alignment:
    pairs: list[Pair]  # (place in left, place in right), ascending
    fewest: bool  # whether the search was complete: no alignment within the limits of the groups has fewer chunks

    @property
    def chunks(self) -> int:
        links = sum(b == (a[0] + 1, a[1] + 1) for a, b in zip(self.pairs, self.pairs[1:], strict=False))
        return len(self.pairs) - links


def align(left: Sequence[str], right: Sequence[str], groups: Sequence[Group]) -> Alignment:
    """Pair as many words of each group as its total says, in few chunks."""
    space = _Space(left, right, groups)
    greedy = space.longest_first()
    better, complete = space.search(floor=_links(greedy))
    return Alignment(sorted(space.complete(better or greedy)), complete)


def _links(pairs: list[Pair]) -> int:
    found = set(pairs)
    return sum((i + 1, j + 1) in found for i, j in pairs)


class _Space:
    """Two texts, the links that are possible between them, and the limits of the groups."""

    def __init__(self, left: Sequence[str], right: Sequence[str], groups: Sequence[Group]) -> None:
        self.left, self.right, self.groups = left, right, groups
        self.room: list[int] = []  # how many pairs each limit allows
        self.limits: dict[tuple[str, str], list[int]] = {}  # which limits a pair of types counts against
        self._find_limits()
        self.links = self._find_links()  # [i] places j such that (i, j) and (i+1, j+1) may both be pairs

    def _find_limits(self) -> None:
        """Number the limits that could bind and so need watching.

        A type's limit needs none if its count or the total of its group is as low; nor does the total if one side
        cannot go beyond it.
        """
        ours, theirs = Counter(self.left), Counter(self.right)
        for group in self.groups:
            left, right = _bounds(group.left, ours, group.total), _bounds(group.right, theirs, group.total)
            total = [self._watch(group.total)] if min(sum(left.values()), sum(right.values())) > group.total else []
            on_left = {word: [self._watch(bound)] for word, bound in left.items() if bound < ours[word]}
            on_right = {word: [self._watch(bound)] for word, bound in right.items() if bound < theirs[word]}
            if total or on_left or on_right:
                for a, b in product(left, right):
                    self.limits[a, b] = total + on_left.get(a, []) + on_right.get(b, [])

    def _watch(self, limit: int) -> int:
        self.room.append(limit)
        return len(self.room) - 1

    def _find_links(self) -> list[list[int]]:
        ours = _numbers(self.left, [group.left for group in self.groups])
        theirs = _numbers(self.right, [group.right for group in self.groups])
        places: dict[tuple[int, int], list[int]] = defaultdict(list)  # two groups, one after the other
        for j, two in enumerate(pairwise(theirs)):
            for groups in product(*two):
                places[groups].append(j)
        links: list[list[int]] = []
        count = 0
        for two in pairwise(ours):
            here = [places.get(groups, ()) for groups in product(*two)]
            count += sum(map(len, here))
            if count > LINKS:
                raise TooManyLinks(f"more than {LINKS:,} ways to continue a chunk")
            links.append(sorted(chain.from_iterable(here)))
        return links

    def longest_first(self) -> list[Pair]:
        """Runs of links, the longest first; what is left of a run after others were taken comes again."""
        free_left, free_right = [True] * len(self.left), [True] * len(self.right)
        room = list(self.room)
        heap = [(-length, i, j) for (i, j), length in self._runs().items()]
        heapify(heap)
        taken: list[Pair] = []
        while heap:
            length, i, j = heappop(heap)
            run = [(i + k, j + k) for k in range(1 - length)]
            parts = self._usable(run, free_left, free_right, room)
            if parts != [run]:
                for part in parts:
                    heappush(heap, (1 - len(part), *part[0]))
                continue
            taken += run
            for i, j in run:
                free_left[i] = free_right[j] = False
                self._spend(room, i, j)
        return taken

    def _runs(self) -> dict[Pair, int]:
        """Where each longest run of links starts, and how many links it has."""
        reach: dict[Pair, int] = {}
        for i in range(len(self.links) - 1, -1, -1):
            for j in self.links[i]:
                reach[i, j] = reach.pop((i + 1, j + 1), 0) + 1
        return reach

    def _usable(
        self, run: list[Pair], free_left: list[bool], free_right: list[bool], room: list[int]
    ) -> list[list[Pair]]:
        """The parts of a run, of two pairs or more, that are still free and within the limits."""
        parts: list[list[Pair]] = [[]]
        room = list(room)
        for i, j in run:
            if free_left[i] and free_right[j] and self._spend(room, i, j):
                parts[-1].append((i, j))
            else:
                parts.append([])
        return [part for part in parts if len(part) > 1]

    def _spend(self, room: list[int], i: int, j: int) -> bool:
        """Count a pair against its limits, unless one of them is spent."""
        limits = self.limits.get((self.left[i], self.right[j]))
        if limits and not all(room[limit] for limit in limits):
            return False
        for limit in limits or ():
            room[limit] -= 1
        return True

    def search(self, *, floor: int) -> tuple[list[Pair] | None, bool]:
        """Pairs with more than `floor` links, or None, and whether the search was complete."""
        hope = [0] * (len(self.left) + 2)  # [i] words from i on that could be linked to the word before them
        for i in range(len(self.links), 0, -1):
            hope[i] = hope[i + 1] + bool(self.links[i - 1])
        best: tuple[int, _Node | None] = (floor, None)
        stack = [_Node(0, -1, 0, self.room, 0, None, ())]
        for _ in range(NODES):
            if not stack:
                break
            node = stack.pop()
            if node.links > best[0]:
                best = (node.links, node)
            stack += [n for n in self._moves(node) if n.links + hope[n.at] > best[0]]
        return (best[1].pairs() if best[1] else None), not stack

    def _moves(self, node: _Node) -> list[_Node]:
        """What can be done with the next word of the left text; the most promising comes last."""
        i, j = node.at, node.last + 1
        if i >= len(self.left):
            return []
        moves = [_Node(i + 1, -1, node.used, node.room, node.links, node, ())] if i < len(self.links) else []
        for start in reversed(self.links[i]) if i < len(self.links) else ():
            moves += self._take(node, ((i, start), (i + 1, start + 1)))
        if node.last >= 0 and j - 1 in self.links[i - 1]:
            moves += self._take(node, ((i, j),))
        return moves

    def _take(self, node: _Node, pairs: tuple[Pair, ...]) -> list[_Node]:
        """The node after one more link, or nothing where a word is used or a limit spent."""
        used = node.used
        limited = any((self.left[i], self.right[j]) in self.limits for i, j in pairs)
        room = list(node.room) if limited else node.room  # most nodes share theirs, which saves memory
        for i, j in pairs:
            if used >> j & 1 or not self._spend(room, i, j):
                return []
            used |= 1 << j
        last_i, last_j = pairs[-1]
        return [_Node(last_i + 1, last_j, used, room, node.links + 1, node, pairs)]

    def complete(self, pairs: list[Pair]) -> list[Pair]:
        """All pairs that the groups ask for: those given, and unused words of each type in reading order."""
        used_left, used_right = {i for i, _ in pairs}, {j for _, j in pairs}
        free_left, free_right = _free(self.left, used_left), _free(self.right, used_right)
        done = Counter((self.left[i], self.right[j]) for i, j in pairs)
        more: list[Pair] = []
        for group in self.groups:
            found = {two: done[two] for two in product(group.left, group.right) if two in done}
            missing = group.total - sum(found.values())
            if missing:
                ours, theirs = Counter(group.left), Counter(group.right)
                for (a, b), count in found.items():
                    ours[a] -= count
                    theirs[b] -= count
                more += zip(_draw(missing, ours, free_left), _draw(missing, theirs, free_right), strict=True)
        return pairs + more


@dataclass(frozen=True, slots=True)
class _Node:
    """A state of the search: the left text is decided before `at`; `last` is the place of its last word, or -1."""

    at: int
    last: int
    used: int  # bit j: right[j] is paired
    room: list[int]  # what is left of each limit
    links: int
    before: _Node | None
    added: tuple[Pair, ...]

    def pairs(self) -> list[Pair]:
        found: list[Pair] = []
        node: _Node | None = self
        while node:
            found += node.added
            node = node.before
        return found


def _numbers(words: Sequence[str], sides: Iterable[Iterable[str]]) -> list[list[int]]:
    """For each word the groups that have its type."""
    numbers: dict[str, list[int]] = {word: [] for word in words}
    for number, side in enumerate(sides):
        for word in side:
            numbers[word].append(number)
    return [numbers[word] for word in words]


def _bounds(side: dict[str, int], counts: Counter[str], total: int) -> dict[str, int]:
    """How many words of each type can be paired when the limits below the total are watched."""
    return {word: limit if limit < total else counts[word] for word, limit in side.items()}


def _draw(wanted: int, limits: dict[str, int], free: dict[str, list[int]]) -> list[int]:
    """So many free places, in reading order, of types that are below their limits."""
    places: list[int] = []
    for word, limit in limits.items():
        for _ in range(min(limit, wanted - len(places))):
            places.append(free[word].pop())
    return sorted(places)


def _free(words: Sequence[str], used: set[int]) -> dict[str, list[int]]:
    """The unused places of each type, the first at the end."""
    places: dict[str, list[int]] = defaultdict(list)
    for place in range(len(words) - 1, -1, -1):
        if place not in used:
            places[words[place]].append(place)
    return places
