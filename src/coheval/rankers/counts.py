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
        return [self._scores(self.fitted, choice) for choice in choices]

    def _scores(self, fitted: _Fitted, choice: Choice) -> NDArray[np.float64]:
        before = [BEGIN, BEGIN, *fitted.numbered(choice.before)]
        after = [*fitted.numbered(choice.after), _END]
        middles = [fitted.numbered(candidate) for candidate in choice.candidates]
        found = [fitted.logprob(before[-2:], middle, after[:2]) for middle in middles]
        known = [self._attested(fitted, before[-1], middle, after[0]) for middle in middles]
        return np.where(known, found, -np.inf)

    def _attested(self, fitted: _Fitted, left: int, middle: Sequence[int], right: int) -> bool:
        if not middle or _UNKNOWN in middle:
            return False
        if self.attested == "word":
            return True
        if not fitted.all_seen(middle):
            return False
        if self.attested == "place":
            return (int(fitted.kind[left]), middle[0]) in fitted.places and fitted.all_seen((middle[-1], right))
        return fitted.all_seen((left, middle[0])) or fitted.all_seen((middle[-1], right))


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

    def numbered(self, text: str) -> list[int]:
        return [self.numbers.get(word, _UNKNOWN) for word in tokens(text)]

    def logprob(self, before: Sequence[int], middle: Sequence[int], after: Sequence[int]) -> float:
        """Of the middle and of what is behind it, after two words before."""
        row = np.array([*before, *middle, *after], dtype=np.int64)
        return float(np.log(self.model.probabilities(row[:-2], row[1:-1], row[2:])).sum())

    def all_seen(self, words: Sequence[int]) -> bool:
        row = np.array(words, dtype=np.int64)
        return bool(self.model.seen(row[:-1], row[1:]).all())


def tokens(text: str) -> list[str]:
    """Words and marks in lower case."""
    return _TOKEN.findall(text.lower().replace("’", "'"))
