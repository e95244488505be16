"""Word alignments with few chunks: which of many alike words to pair, when it is known how many of each type pair up.

A chunk is a run of pairs that stand side by side in both texts, so chunks = pairs - links, where a link joins the pairs
(i, j) and (i+1, j+1). The fewest chunks are the most links. Finding them is hard in general (it contains minimum common
string partition, Goldstein et al. 2005), so: long runs are taken first, greedily; then a branch-and-bound search over
the left text looks for something better. Its bound is the number of words that could still be linked to the one before.
It is complete for nearly all sentences; on long repetitive texts it stops after `NODES` steps and the best alignment
found so far stands, the same one every time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

NODES = 20_000  # steps of the search
LINKS = 1_000_000  # possible links, which are kept in memory

Pair = tuple[int, int]
Quotas = Mapping[tuple[str, str], int]


class TooManyLinks(ValueError):
    """Two texts repeat so many of the same pairs of words that their links cannot be listed."""


@dataclass(frozen=True, slots=True)
class Alignment:
    pairs: list[Pair]  # (place in left, place in right), ascending
    fewest: bool  # whether it is known that no alignment with these quotas has fewer chunks

    @property
    def chunks(self) -> int:
        links = sum(b == (a[0] + 1, a[1] + 1) for a, b in zip(self.pairs, self.pairs[1:], strict=False))
        return len(self.pairs) - links


def align(left: Sequence[str], right: Sequence[str], quotas: Quotas) -> Alignment:
    """Pair as many words of each two types as the quotas say, in few chunks."""
    space = _Space(left, right, quotas)
    greedy = space.longest_first()
    better, complete = space.search(floor=_links(greedy))
    return Alignment(sorted(space.complete(better or greedy)), complete)


def _links(pairs: list[Pair]) -> int:
    found = set(pairs)
    return sum((i + 1, j + 1) in found for i, j in pairs)


class _Space:
    """Two texts, the links that are possible between them, and the quotas."""

    def __init__(self, left: Sequence[str], right: Sequence[str], quotas: Quotas) -> None:
        self.left, self.right, self.quotas = left, right, quotas
        self.links = self._find_links()  # [i] places j such that (i, j) and (i+1, j+1) may both be pairs
        ours, theirs = Counter(left), Counter(right)
        # a quota that uses up one side needs no watching
        self.tight = {pair: q for pair, q in quotas.items() if q < min(ours[pair[0]], theirs[pair[1]])}

    def _find_links(self) -> list[list[int]]:
        partners: dict[str, list[str]] = defaultdict(list)
        for ours, theirs in self.quotas:
            partners[ours].append(theirs)
        places: dict[tuple[str, str], list[int]] = defaultdict(list)
        for j, two in enumerate(zip(self.right, self.right[1:], strict=False)):
            places[two].append(j)
        links: list[list[int]] = []
        count = 0
        for one, other in zip(self.left, self.left[1:], strict=False):
            here = [places.get((a, b), []) for a in partners.get(one, ()) for b in partners.get(other, ())]
            count += sum(map(len, here))
            if count > LINKS:
                raise TooManyLinks(f"more than {LINKS:,} ways to continue a chunk")
            links.append(sorted(j for found in here for j in found))
        return links

    def longest_first(self) -> list[Pair]:
        """Runs of links, the longest first; what is left of a run after others were taken comes again."""
        free_left, free_right = [True] * len(self.left), [True] * len(self.right)
        left_over = dict(self.tight)
        heap = [(-length, i, j) for (i, j), length in self._runs().items()]
        heapify(heap)
        taken: list[Pair] = []
        while heap:
            length, i, j = heappop(heap)
            run = [(i + k, j + k) for k in range(1 - length)]
            parts = self._usable(run, free_left, free_right, left_over)
            if parts != [run]:
                for part in parts:
                    heappush(heap, (1 - len(part), *part[0]))
                continue
            taken += run
            for i, j in run:
                free_left[i] = free_right[j] = False
                self._spend(left_over, i, j)
        return taken

    def _runs(self) -> dict[Pair, int]:
        """Where each longest run of links starts, and how many links it has."""
        reach: dict[Pair, int] = {}
        for i in range(len(self.links) - 1, -1, -1):
            for j in self.links[i]:
                reach[i, j] = reach.pop((i + 1, j + 1), 0) + 1
        return reach

    def _usable(
        self, run: list[Pair], free_left: list[bool], free_right: list[bool], left_over: dict[tuple[str, str], int]
    ) -> list[list[Pair]]:
        """The parts of a run, of two pairs or more, that are still free and within the quotas."""
        parts: list[list[Pair]] = [[]]
        quotas = dict(left_over) if left_over else left_over
        for i, j in run:
            pair = (self.left[i], self.right[j])
            if free_left[i] and free_right[j] and quotas.get(pair, 1):
                parts[-1].append((i, j))
                self._spend(quotas, i, j)
            else:
                parts.append([])
        return [part for part in parts if len(part) > 1]

    def _spend(self, quotas: dict[tuple[str, str], int], i: int, j: int) -> None:
        pair = (self.left[i], self.right[j])
        if pair in quotas:
            quotas[pair] -= 1

    def search(self, *, floor: int) -> tuple[list[Pair] | None, bool]:
        """Pairs with more than `floor` links, or None, and whether the search was complete."""
        hope = [0] * (len(self.left) + 2)  # [i] words from i on that could be linked to the word before them
        for i in range(len(self.links), 0, -1):
            hope[i] = hope[i + 1] + bool(self.links[i - 1])
        best: tuple[int, _Node | None] = (floor, None)
        stack = [_Node(0, -1, 0, (0,) * len(self.tight), 0, None, ())]
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
        moves = [_Node(i + 1, -1, node.used, node.spent, node.links, node, ())] if i < len(self.links) else []
        for start in reversed(self.links[i]) if i < len(self.links) else ():
            moves += self._take(node, ((i, start), (i + 1, start + 1)))
        if node.last >= 0 and j - 1 in self.links[i - 1]:
            moves += self._take(node, ((i, j),))
        return moves

    def _take(self, node: _Node, pairs: tuple[Pair, ...]) -> list[_Node]:
        """The node after one more link, or nothing where a word is used or a quota spent."""
        used, spent = node.used, node.spent
        for i, j in pairs:
            if used >> j & 1:
                return []
            used |= 1 << j
            spent = self._count(spent, (self.left[i], self.right[j]))
            if not spent and self.tight:
                return []
        last_i, last_j = pairs[-1]
        return [_Node(last_i + 1, last_j, used, spent, node.links + 1, node, pairs)]

    def _count(self, spent: tuple[int, ...], pair: tuple[str, str]) -> tuple[int, ...]:
        """The quotas spent with one more pair; empty if that is too many."""
        if pair not in self.tight:
            return spent
        counted = tuple(n + (other == pair) for n, other in zip(spent, self.tight, strict=True))
        return counted if all(n <= q for n, q in zip(counted, self.tight.values(), strict=True)) else ()

    def complete(self, pairs: list[Pair]) -> list[Pair]:
        """All pairs that the quotas ask for: those given, and unused words in reading order."""
        used_left, used_right = {i for i, _ in pairs}, {j for _, j in pairs}
        free_left, free_right = _free(self.left, used_left), _free(self.right, used_right)
        done = Counter((self.left[i], self.right[j]) for i, j in pairs)
        more: list[Pair] = []
        for (ours, theirs), quota in self.quotas.items():
            for _ in range(quota - done[ours, theirs]):
                more.append((free_left[ours].pop(), free_right[theirs].pop()))
        return pairs + more


@dataclass(frozen=True, slots=True)
class _Node:
    """A state of the search: the left text is decided before `at`; `last` is the place of its last word, or -1."""

    at: int
    last: int
    used: int  # bit j: right[j] is paired
    spent: tuple[int, ...]  # of each tight quota
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


def _free(words: Sequence[str], used: set[int]) -> dict[str, list[int]]:
    """The unused places of each type, the first at the end."""
    places: dict[str, list[int]] = defaultdict(list)
    for place in range(len(words) - 1, -1, -1):
        if place not in used:
            places[words[place]].append(place)
    return places
