"""How many words of each type match in each stage: maximum matchings between bags of words, stage after stage.

A stage says which keys a word has; two words match if they share one (the word itself, its stem, its synsets). A stage
matches as many words as it can and leaves the rest to the next. Words of one type are alike, so this is a flow between
types whose capacities are their counts; it is found by augmenting paths (Ford & Fulkerson 1956). A search that fails
shows that what it saw can never be augmented again, so it is not searched twice and the work stays near the number of
pairs.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Hashable, Sequence

Keys = Callable[[str], Collection[Hashable]]
Quotas = dict[tuple[str, str], int]  # left type, right type -> how many words are matched


def match(left: Sequence[str], right: Sequence[str], stages: Sequence[Keys]) -> list[Quotas]:
    """The quotas of each stage. Among equally large matchings, types that come first are matched first."""
    ours, theirs = Counter(left), Counter(right)  # in order of appearance
    found: list[Quotas] = []
    for keys in stages:
        quotas = _Flow(ours, theirs, _neighbours(ours, theirs, keys)).run()
        for (a, b), count in quotas.items():
            ours[a] -= count
            theirs[b] -= count
        ours, theirs = +ours, +theirs
        found.append(quotas)
    return found


def _neighbours(ours: Counter[str], theirs: Counter[str], keys: Keys) -> dict[str, list[str]]:
    """For each left type the right types that it matches, in order of appearance."""
    holders: dict[Hashable, list[int]] = {}
    types = list(theirs)
    for number, word in enumerate(types):
        for key in keys(word):
            holders.setdefault(key, []).append(number)
    return {word: [types[k] for k in sorted({k for key in keys(word) for k in holders.get(key, ())})] for word in ours}


class _Flow:
    def __init__(self, ours: Counter[str], theirs: Counter[str], neighbours: dict[str, list[str]]) -> None:
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
