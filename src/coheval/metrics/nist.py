"""NIST: n-gram precision in which rare n-grams count more, by how much information they carry.

    NIST = Σ_n  Σ info(matched n-grams) / #(candidate n-grams)  ·  exp(β · log²(min(1, c/r))),   n = 1…5

    info(w_1…w_n) = log2( #(w_1…w_{n-1}) / #(w_1…w_n) ),   β = log 0.5 / log² 1.5

Counts # are over all references of the corpus (for n = 1 the numerator is their number of words), so the metric must
be fitted; c is the candidates' length, r the references' mean length, and β makes the brevity penalty 0.5 at c/r = 2/3.
Sums are taken over the corpus before dividing. Doddington 2002, "Automatic Evaluation of Machine Translation Quality
Using N-gram Co-Occurrence Statistics".

As in NIST's program mteval: text is lower-cased and tokenized by 13a; with several references an n-gram counts as often
as in the reference that has it most often, and r is the mean over references. `nltk.translate.nist_score` is equal for
one reference. For several it takes the best reference anew for each n, lengths included, which neither paper nor
program does; and it fails where no candidate has an n-gram of some order, which here adds 0.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar, Self

from coheval.data import Item
from coheval.errors import MetricError
from coheval.metrics import Measurement, Metric, Row, each_segment, undefined
from coheval.metrics._ngrams import joined, ngram_evidence, ngrams
from coheval.metrics._sacrebleu import Tokenizer, tokenizer
from coheval.spec import state

_BETA = math.log(0.5) / math.log(1.5) ** 2

Ngram = tuple[str, ...]
Counts = Mapping[Ngram, int]


@dataclass(frozen=True, kw_only=True)
class NIST(Metric):
    """Information-weighted n-gram precision, from 0 upwards; an identical text's score depends on its corpus."""

    libraries: ClassVar[tuple[str, ...]] = ("sacrebleu",)
    range: ClassVar[tuple[float, float]] = (0.0, math.inf)
    perfect: ClassVar[float | None] = None
    several_references: ClassVar[str] = "n-grams match in any of them; their mean length counts"

    ngram: int = 5
    tokenize: Tokenizer = "13a"
    lowercase: bool = True
    counts: Counts | None = state()  # of the references' n-grams; of the empty one: all words

    fits_references_only: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.ngram <= 100, f"ngram must be from 1 to 100, got {self.ngram}")

    @property
    def needs_fit(self) -> bool:
        return True

    def fit(self, items: Iterable[Item]) -> Self:
        counts: Counter[Ngram] = Counter()
        for item in items:
            for text in (text for i in range(len(item)) for text in item.reference_texts(i)):
                words = self._words(text)
                counts[()] += len(words)
                counts.update(self._ngrams(words))
        return replace(self, counts=counts)

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        if self.counts is None:
            raise MetricError(
                "the references' n-grams have not been counted",
                where=self.name(),
                hint="call fit(items), or score through coheval.score, which does",
            )

        @cache
        def prepare(references: tuple[str, ...]) -> tuple[Counter[Ngram], float]:
            """The most of each n-gram in any reference, and the mean length."""
            found = [self._words(text) for text in references]
            most: Counter[Ngram] = Counter()
            for words in found:
                most |= self._ngrams(words)
            return most, sum(map(len, found)) / len(found)

        def row(candidate: str, references: list[str]) -> Row:
            if not references:
                return undefined("the segment has no reference")
            theirs, length = prepare(tuple(references))
            if not length:
                return undefined("no reference has a word")
            words = self._words(candidate)
            ours = self._ngrams(words)
            why = ngram_evidence(joined(ours), joined(theirs), together=len(references)) if evidence else None
            values = (float(len(words)), length, *self._information(ours & theirs), *self._sizes(words))
            return Row(values, evidence=why)

        return [each_segment(item, row) for item in items]

    def combine(self, totals: Sequence[float], count: int) -> float | None:
        length, reference, *sums = totals
        if not length:
            return 0.0
        matched, sizes = sums[: self.ngram], sums[self.ngram :]
        gained = sum(m / size for m, size in zip(matched, sizes, strict=True) if size)
        return gained * math.exp(_BETA * math.log(min(1.0, length / reference)) ** 2)

    def _words(self, text: str) -> list[str]:
        text = text.lower() if self.lowercase else text
        return tokenizer(self.tokenize)(text.rstrip()).split()

    def _ngrams(self, words: list[str]) -> Counter[Ngram]:
        found: Counter[Ngram] = Counter()
        for n in range(1, self.ngram + 1):
            found.update(ngrams(words, n))
        return found

    def _sizes(self, words: list[str]) -> list[float]:
        """How many n-grams of each order a text of these words has."""
        return [float(max(0, len(words) - n)) for n in range(self.ngram)]

    def _information(self, matched: Counter[Ngram]) -> list[float]:
        """The information of the matched n-grams of each order."""
        sums = [0.0] * self.ngram
        for ngram, count in matched.items():
            sums[len(ngram) - 1] += count * self._info(ngram)
        return sums

    def _info(self, ngram: Ngram) -> float:
        counts = self.counts or {}
        if ngram not in counts:
            raise MetricError(
                f"the reference's {' '.join(ngram)!r} is not in the corpus that was counted",
                where=self.name(),
                hint="fit the metric to the items that it measures",
            )
        return math.log2(counts[ngram[:-1]] / counts[ngram])
