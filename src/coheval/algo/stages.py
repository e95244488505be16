"""Which words may be paired, and how many, in each stage: maximum matchings between bags of words, stage after stage.

A stage says which keys a word has; two words match if they share one (the word itself, its stem, its synsets). A stage
matches as many words as it can and leaves the rest to the next. Words of one type are alike, so this is a flow between
types whose capacities are their counts; it is found by augmenting paths (Ford & Fulkerson 1956). A search that fails
shows that what it saw can never be augmented again, so it is not searched twice and the work stays near the number of
pairs.

Where types all match each other, as those of one stem do, there are as many matches whoever is paired with whom: such
types are one group, in which any pairing is allowed, and need no flow. Synonymy is not transitive. Where it links types
in other ways, each two types are a group with as many matches as the flow gave them, though other numbers could do.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

Keys = Callable[[str], Collection[Hashable]]
Quotas = dict[tuple[str, str], int]  # left type, right type -> how many words are matched


@dataclass(frozen=True, slots=True)
class Group:
    """Types that all match each other: how many words of each may be paired at most, and how many pairs there are.

    Pairs within the limits can always be completed. The limits of each side sum to the total or more, so where a pair
    is missing, both sides have a type below its limit; and a word of it is free, because the limits of a type sum to
    its count or less over all groups. Two types are never together in two groups: the first one uses one of them up.
    """

    left: dict[str, int]
    right: dict[str, int]
    total: int


@dataclass(frozen=True, slots=True)
class Matching:
    """The groups of each stage, and whether they contain all alignments in which each stage matches what it can.

    That is not known, and `forced` is False, where types needed the flow, or where a group could leave over other types
    than it did and one of its types could match in a later stage.
    """

    stages: list[list[Group]]
    forced: bool


def match(left: Sequence[str], right: Sequence[str], stages: Sequence[Keys]) -> Matching:
    """The groups of each stage. Where it can leave over one type or another, types that come first are matched."""
    ours, theirs = _Side(left), _Side(right)
    found: list[list[Group]] = []
    forced = True
    for keys in stages:
        ours.look_for_partners(theirs, keys)
        theirs.look_for_partners(ours, keys)
        groups, closed = _groups(ours.rest, theirs.rest, keys)
        ours.use([group.left for group in groups])
        theirs.use([group.right for group in groups])
        found.append(groups)
        forced = forced and closed
    for group in chain.from_iterable(found):
        ours.raise_limits(group.left)
        theirs.raise_limits(group.right)
    return Matching(found, forced and not ours.wanted and not theirs.wanted)


class _Side:
    """One of the two texts, as the stages use it up."""

    def __init__(self, words: Sequence[str]) -> None:
        self.rest = Counter(words)  # in order of appearance
        self.choice: set[str] = set()  # types of groups that could have left over other words than they did
        self.wanted: set[str] = set()  # those of them that a later stage could match

    def look_for_partners(self, other: _Side, keys: Keys) -> None:
        if self.choice:
            held = {key for word in chain(other.rest, other.choice) for key in keys(word)}
            self.wanted |= {word for word in self.choice if not held.isdisjoint(keys(word))}

    def use(self, sides: Sequence[dict[str, int]]) -> None:
        for side in sides:
            for word, count in side.items():
                self.rest[word] -= count
        self.rest = +self.rest
        self.choice |= {word for side in sides if len(side) > 1 and any(w in self.rest for w in side) for word in side}

    def raise_limits(self, side: dict[str, int]) -> None:
        """Let words that no stage uses stand in for those that a group uses, unless these could then match later.

        What later stages use stays reserved for them.
        """
        if len(side) > 1 and not any(count and word in self.wanted for word, count in side.items()):
            for word in side:
                side[word] += self.rest.pop(word, 0)


def _groups(ours: Counter[str], theirs: Counter[str], keys: Keys) -> tuple[list[Group], bool]:
    """The groups of a stage, with what it uses of each type for limits, and whether none needed the flow."""
    alike: dict[tuple[str, ...], list[str]] = {}  # right types -> the left types that match just these
    for word, matching in _neighbours(ours, theirs, keys).items():
        if matching:
            alike.setdefault(tuple(matching), []).append(word)
    wanted = Counter(word for partners in alike for word in partners)
    groups: list[Group] = []
    tangled: dict[str, tuple[str, ...]] = {}  # left types that share some of their partners but not all
    for partners, words in alike.items():
        if max(wanted[word] for word in partners) > 1:
            tangled.update(dict.fromkeys(words, partners))
        else:
            total = min(sum(ours[word] for word in words), sum(theirs[word] for word in partners))
            groups.append(Group(_first(words, ours, total), _first(partners, theirs, total), total))
    flow = _Flow({word: count for word, count in ours.items() if word in tangled}, theirs, tangled)
    groups += [Group({a: count}, {b: count}, count) for (a, b), count in flow.run().items()]
    return groups, not tangled


def _first(words: Iterable[str], counts: Counter[str], total: int) -> dict[str, int]:
    """How many words of each type are used if so many are, types that come first before others."""
    used: dict[str, int] = {}
    for word in words:
        used[word] = min(counts[word], total)
        total -= used[word]
    return used


def _neighbours(ours: Counter[str], theirs: Counter[str], keys: Keys) -> dict[str, list[str]]:
    """For each left type the right types that it matches, in order of appearance."""
    holders: dict[Hashable, list[int]] = {}
    types = list(theirs)
    for number, word in enumerate(types):
        for key in keys(word):
            holders.setdefault(key, []).append(number)
    return {word: [types[k] for k in sorted({k for key in keys(word) for k in holders.get(key, ())})] for word in ours}


class _Flow:
    def __init__(self, ours: Mapping[str, int], theirs: Counter[str], neighbours: Mapping[str, Sequence[str]]) -> None:
        self._ours, self._spare, self._neighbours = ours, Counter(theirs), neighbours
        self._flow: Quotas = {}
        self._senders: dict[str, list[str]] = {}  # right type -> left types that have sent to it
        self._dead: set[str] = set()  # right types that no path leads out of

    def run(self) -> Quotas:
        for word, count in self._ours.items():
            left = count
            while left and (sent := self._augment(word, left)):
                left -= sent
        return {pair: count for pair, count in self._flow.items() if count}

    def _augment(self, start: str, wanted: int) -> int:
        """Send up to so many words from a left type; 0 if there is no path."""
        came_from: dict[str, str] = {}  # right type -> left type it was reached from
        reached: dict[str, str] = {}  # left type -> right type it would withdraw from
        queue = deque([start])
        while queue:
            ours = queue.popleft()
            for theirs in self._neighbours[ours]:
                if theirs in came_from or theirs in self._dead:
                    continue
                came_from[theirs] = ours
                if self._spare[theirs]:
                    return self._send(start, theirs, wanted, came_from, reached)
                for other in self._senders.get(theirs, ()):
                    if other != start and other not in reached and self._flow[other, theirs]:
                        reached[other] = theirs
                        queue.append(other)
        self._dead.update(came_from)
        return 0

    def _send(self, start: str, end: str, wanted: int, came_from: dict[str, str], reached: dict[str, str]) -> int:
        path = [(came_from[end], end)]
        while path[-1][0] != start:
            theirs = reached[path[-1][0]]
            path.append((came_from[theirs], theirs))
        withdrawn = [(ours, reached[ours]) for ours, _ in path[:-1]]
        amount = min(wanted, self._spare[end], *(self._flow[pair] for pair in withdrawn))
        self._spare[end] -= amount
        for pair in withdrawn:
            self._flow[pair] -= amount
        for ours, theirs in path:
            if (ours, theirs) not in self._flow:
                self._flow[ours, theirs] = 0
                self._senders.setdefault(theirs, []).append(ours)
            self._flow[ours, theirs] += amount
        return amount
