"""Order: the sentences of a document, and the same sentences in other orders.

    random     any other order; Barzilay, Lapata (2008), Modeling Local Coherence
    window     one to three windows of three neighbours, which do not overlap, are each put into another order; as in
               Moon, Mohiuddin, Joty, Chi (2019), A Unified Neural Coherence Model, for ten sentences or more
    insertion  one sentence, drawn at random, at each other place: where does it go; Elsner, Charniak (2011), Extending
               the Entity Grid with Entity-Specific Features

No wrong variant is the right one, nor another wrong one, even as text: a document may say a sentence twice. The
program of GCDC (Lai, Tetreault 2018) does not exclude the right order. Orders of up to five sentences are listed and
drawn from, others are drawn until there are enough.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

import numpy as np

from coheval.data.groups import Count
from coheval.tasks import Group, LeftOut, Variant
from coheval.tasks._made import MadeTask, Text, own_rng

_FEW = 5  # sentences whose orders are all listed: 120
_WINDOW = 3  # sentences
_WINDOWS = 3  # at most
_LEAST_FOR_WINDOWS = 10
_TRIES = 50  # for each wrong variant that is asked for, until windows are taken to have no other


@dataclass(frozen=True, kw_only=True)
class Order(MadeTask):
    kind: Literal["random", "window", "insertion"] = "random"  # any order, small windows, or one sentence

    @property
    def count(self) -> Count:
        return "groups" if self.kind == "insertion" else "pairs"

    @property
    def fewest(self) -> int:
        return _LEAST_FOR_WINDOWS if self.kind == "window" else self.least

    def groups(self, texts: Sequence[Text], rng: np.random.Generator) -> Iterator[Group | LeftOut]:
        make = {"random": self._random, "window": self._windows, "insertion": self._insertion}[self.kind]
        root = int(rng.integers(2**63))
        for text in texts:
            wrong = make(text.sentences, own_rng(root, text.id))
            if not wrong:
                yield LeftOut(text.id, "its sentences are the same in any other order")
                continue
            yield self.grouped(text, wrong, label=self.kind)

    def _random(self, right: Variant, rng: np.random.Generator) -> list[Variant]:
        if len(right) <= _FEW:
            others = [order for order in dict.fromkeys(permutations(right)) if order != right]
            return [others[n] for n in rng.permutation(len(others))[: self.negatives]]
        found: dict[Variant, None] = {}
        wanted = min(self.negatives, arrangements(right) - 1)
        while len(found) < wanted:
            found[tuple(right[n] for n in rng.permutation(len(right)))] = None
            found.pop(right, None)
        return list(found)

    def _windows(self, right: Variant, rng: np.random.Generator) -> list[Variant]:
        found: dict[Variant, None] = {}
        for _ in range(_TRIES * self.negatives):
            found[_with_windows(right, rng)] = None
            found.pop(right, None)
            if len(found) == self.negatives:
                break
        return list(found)

    def _insertion(self, right: Variant, rng: np.random.Generator) -> list[Variant]:
        found: dict[Variant, None] = {}
        taken = int(rng.integers(len(right)))
        rest = (*right[:taken], *right[taken + 1 :])
        for place in rng.permutation(len(right)).tolist():
            found[(*rest[:place], right[taken], *rest[place:])] = None
            found.pop(right, None)
            if len(found) == self.negatives:
                break
        return list(found)


def arrangements(sentences: Variant) -> int:
    """How many orders differ as text: n! / Π m!, where a sentence is said m times."""
    return math.factorial(len(sentences)) // math.prod(map(math.factorial, Counter(sentences).values()))


def _with_windows(right: Variant, rng: np.random.Generator) -> Variant:
    """One to three windows, each in one of its five other orders; any places are as likely as any others."""
    count = int(rng.integers(1, _WINDOWS + 1))
    # Windows shrunk to one sentence each may stand anywhere; put back to size, they do not overlap.
    shrunk = rng.choice(len(right) - count * (_WINDOW - 1), size=count, replace=False)
    starts = np.sort(shrunk) + (_WINDOW - 1) * np.arange(count)
    order = list(range(len(right)))
    for start in starts.tolist():
        chosen = _OTHERS[int(rng.integers(len(_OTHERS)))]
        order[start : start + _WINDOW] = [start + n for n in chosen]
    return tuple(right[n] for n in order)


_OTHERS = list(permutations(range(_WINDOW)))[1:]
