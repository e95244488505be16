"""Trigrams counted in the task's own documents, with Kneser-Ney smoothing: needs no weights and no torch.

A candidate's score is the log-probability of its words and of the two behind it, in lower case: all other words of the
sentence have the same probability whatever stands in the place. Of two candidates the one with the higher score makes
the likelier sentence, the words behind included.

So that sentences stay natural where counts are few, a candidate must be attested, or its score is -inf:

    place      it stood before the word that follows here, and in a place as here: at the beginning of a sentence,
               behind the same mark, or behind a word
    neighbour  it stood next to the word before or next to the word behind
    word       its words occur, be it apart from one another
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from coheval.algo.kneserney import BEGIN, MOST, KneserNey, Words
from coheval.errors import DataError, UsageError
from coheval.rankers import Choice, Ranker
from coheval.spec import state

_TOKEN = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
_END, _UNKNOWN, _FIRST = 1, 2, 3  # numbers behind BEGIN; words begin at the last


@dataclass(frozen=True, kw_only=True)
class Counts(Ranker):
    attested: Literal["place", "neighbour", "word"] = "place"  # where a candidate must have been seen

    libraries: ClassVar[tuple[str, ...]] = ("numpy",)
    fitted: _Fitted | None = state()

    def fit(self, sentences: Iterable[str]) -> Self:
        numbers: dict[str, int] = {}
        found: list[int] = []
        for sentence in sentences:
            words = tokens(sentence)
            if words:
                found += [BEGIN, BEGIN, *(numbers.setdefault(w, len(numbers) + _FIRST) for w in words), _END]
        if not numbers or len(numbers) + _FIRST > MOST:
            raise DataError(
                f"expected sentences with 1 to {MOST - _FIRST:,} different words, got {len(numbers):,}",
                where="ranker counts",
                hint="give documents with words" if not numbers else "give fewer documents at a time",
            )
        return replace(self, fitted=_Fitted.of(np.array(found), numbers))

    def scores(self, choices: Sequence[Choice]) -> list[NDArray[np.float64]]:
        if self.fitted is None:
            raise UsageError(
                "the ranker has counted nothing yet", where="ranker counts", hint="give it sentences: ranker.fit(…)"
            )
        rows = [row for choice in choices for row in self.fitted.rows(choice)]
        if not rows:
            return [np.empty(0) for _ in choices]
        found = np.where(self._attested(self.fitted, rows), self.fitted.logprobs(rows), -np.inf)
        edges = np.cumsum([len(choice.candidates) for choice in choices])[:-1]
        return np.split(found, edges)

    def _attested(self, fitted: _Fitted, rows: Sequence[_Row]) -> NDArray[np.bool_]:
        known = np.array([bool(row.middle) and _UNKNOWN not in row.middle for row in rows], dtype=np.bool_)
        if self.attested == "word":
            return known
        before, inside, behind = fitted.seen(rows)
        if self.attested == "neighbour":
            return known & inside & (before | behind)
        placed = [(int(fitted.kind[row.before[-1]]), *row.middle[:1]) in fitted.places for row in rows]
        return known & inside & behind & np.array(placed, dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class _Row:
    """A candidate, and two words on either side, or fewer behind it."""

    before: list[int]
    middle: list[int]
    after: list[int]


@dataclass(frozen=True, eq=False)
class _Fitted:
    numbers: dict[str, int]
    model: KneserNey
    kind: Words  # [number] what a word is as a left neighbour: BEGIN and marks themselves, all other words one kind
    places: frozenset[tuple[int, int]]  # a left neighbour's kind and the word behind it

    @classmethod
    def of(cls, found: Words, numbers: dict[str, int]) -> _Fitted:
        kind = np.arange(len(numbers) + _FIRST)
        kind[[number for word, number in numbers.items() if word[0].isalnum()]] = _UNKNOWN
        model = KneserNey.of(found, len(numbers) + _FIRST - 1)
        pairs = np.unique(np.stack([kind[found[:-1]], found[1:]], axis=1), axis=0)
        return cls(numbers, model, kind, frozenset((int(a), int(b)) for a, b in pairs))

    def rows(self, choice: Choice) -> list[_Row]:
        before = [BEGIN, BEGIN, *self._numbered(choice.before)][-2:]
        after = [*self._numbered(choice.after), _END][:2]
        return [_Row(before, self._numbered(candidate), after) for candidate in choice.candidates]

    def logprobs(self, rows: Sequence[_Row]) -> NDArray[np.float64]:
        """[rows] of the middle and of what is behind it, after the words before."""
        words = [[*row.before, *row.middle, *row.after] for row in rows]
        keys = np.array([key for row in words for key in zip(row, row[1:], row[2:], strict=False)]).reshape(-1, 3)
        return _sums(np.log(self.model.probabilities(*keys.T)), [len(row) - 2 for row in words])

    def seen(self, rows: Sequence[_Row]) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
        """[rows] each: whether the middle was seen behind the word before, in itself, and before the word behind."""
        words = [[row.before[-1], *row.middle, row.after[0]] for row in rows]
        pairs = np.array([pair for row in words for pair in pairwise(row)], dtype=np.int64).reshape(-1, 2)
        found = self.model.seen(*pairs.T)
        counts = np.array([len(row) - 1 for row in words], dtype=np.int64)
        last = np.cumsum(counts) - 1
        before, behind = found[last - counts + 1], found[last]
        unseen = _sums((~found).astype(np.float64), counts.tolist())
        return before, unseen == (~before).astype(np.float64) + (~behind & (counts > 1)), behind

    def _numbered(self, text: str) -> list[int]:
        return [self.numbers.get(word, _UNKNOWN) for word in tokens(text)]


def _sums(values: NDArray[np.float64], counts: Sequence[int]) -> NDArray[np.float64]:
    """[n] of so many values each, one behind the other; each count is 1 or more."""
    starts = np.cumsum([0, *counts])[:-1]
    found: NDArray[np.float64] = np.add.reduceat(values, starts)
    return found


def tokens(text: str) -> list[str]:
    """Words and marks in lower case."""
    return _TOKEN.findall(text.lower().replace("’", "'"))
