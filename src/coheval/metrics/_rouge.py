"""The units that ROUGE counts, one class a kind: how a text becomes units, and what two texts share of them.

Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries", sections 2 to 5. What a kind makes of a text is
opaque to the metric; empty units are falsy. A text that a kind cannot work on in reasonable time or memory is refused
with a reason that names the limit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from coheval.algo import lcs
from coheval.metrics import Evidence
from coheval.metrics._ngrams import joined, ngram_evidence, ngrams

CELLS = 1_000_000_000  # word pairs that W compares, about ten seconds
LINES = 250_000  # pairs of lines that Lsum compares, about 8 s for lines of 20 words
PAIRS = 5_000_000  # skip-bigrams of a text that are kept in memory

Words = Callable[[str], list[str]]


class Refused(Exception):
    """A text is beyond a limit; the message is the reason."""


@dataclass(frozen=True)
class Kind(ABC):
    words: Words

    unit = "word"

    def units(self, text: str) -> Any:
        return self.words(text)

    @abstractmethod
    def compare(self, candidate: Any, reference: Any) -> tuple[float, float]:
        """Precision and recall of units, none of them empty."""

    def explain(self, candidate: Any, reference: Any) -> Evidence:
        """The words of one longest common subsequence, in their order, and the words outside it."""
        matched = [reference[place] for place in lcs.places(reference, candidate)]
        missing, extra = (list((Counter(side) - Counter(matched)).elements()) for side in (reference, candidate))
        return {"kind": "ngrams", "matched": matched, "missing": missing, "extra": extra}


@dataclass(frozen=True)
class Ngrams(Kind):
    n: int

    @property
    def unit(self) -> str:  # type: ignore[override]
        return "word" if self.n == 1 else f"{self.n}-gram"

    def units(self, text: str) -> Counter[tuple[str, ...]]:
        return ngrams(self.words(text), self.n)

    def compare(self, candidate: Counter[Any], reference: Counter[Any]) -> tuple[float, float]:
        shared = (candidate & reference).total()
        return shared / candidate.total(), shared / reference.total()

    def explain(self, candidate: Counter[Any], reference: Counter[Any]) -> Evidence:
        return ngram_evidence(joined(candidate), joined(reference))


@dataclass(frozen=True)
class SkipBigrams(Ngrams):
    """Pairs with at most `gap` words between them; `n` is 1 to count single words too, else 2."""

    gap: int

    @property
    def unit(self) -> str:  # type: ignore[override]
        return "word" if self.n == 1 else "pair of words"

    def units(self, text: str) -> Counter[tuple[str, ...]]:
        found = self.words(text)
        if len(found) * min(len(found), self.gap + 1) > PAIRS:
            raise Refused(f"a text of {len(found):,} words has more than {PAIRS:,} skip-bigrams, the limit")
        pairs: Counter[tuple[str, ...]] = Counter(
            (found[i], other) for i in range(len(found)) for other in found[i + 1 : i + self.gap + 2]
        )
        return pairs + ngrams(found, 1) if self.n == 1 else pairs


@dataclass(frozen=True)
class Longest(Kind):
    def compare(self, candidate: list[str], reference: list[str]) -> tuple[float, float]:
        shared = lcs.length(reference, candidate)
        return shared / len(candidate), shared / len(reference)


@dataclass(frozen=True)
class Weighted(Kind):
    weight: float

    def compare(self, candidate: list[str], reference: list[str]) -> tuple[float, float]:
        if len(candidate) * len(reference) > CELLS:
            size = f"{len(candidate):,} and {len(reference):,} words"
            raise Refused(f"texts of {size} are above the limit of {CELLS:,} word pairs for kind W")
        score = lcs.weighted_length(reference, candidate, weight=self.weight)
        return self._rate(score, len(candidate)), self._rate(score, len(reference))

    def _rate(self, score: float, length: int) -> float:
        """f⁻¹(score / f(length)) with f(k) = k^weight, so that a whole text in one run gives 1."""
        return float((score / length**self.weight) ** (1 / self.weight))


@dataclass(frozen=True)
class Lines(Kind):
    def units(self, text: str) -> list[list[str]]:
        lines = [self.words(line) for line in text.split("\n")]
        return [line for line in lines if line]

    def compare(self, candidate: list[list[str]], reference: list[list[str]]) -> tuple[float, float]:
        if len(candidate) * len(reference) > LINES:
            size = f"{len(candidate):,} and {len(reference):,} lines"
            raise Refused(f"texts of {size} are above the limit of {LINES:,} line pairs for kind Lsum")
        shared = len(self._shared(candidate, reference))
        return shared / sum(map(len, candidate)), shared / sum(map(len, reference))

    def explain(self, candidate: list[list[str]], reference: list[list[str]]) -> Evidence:
        matched = self._shared(candidate, reference)
        missing, extra = (Counter(word for line in side for word in line) for side in (reference, candidate))
        missing.subtract(matched)
        extra.subtract(matched)
        return {
            "kind": "ngrams",
            "matched": matched,
            "missing": list(missing.elements()),
            "extra": list(extra.elements()),
        }

    def _shared(self, candidate: list[list[str]], reference: list[list[str]]) -> list[str]:
        """The words of the unions, none more often than either text has it: so ROUGE-1.5.5, against the paper."""
        masks = [lcs.masks(line) for line in candidate]
        ours, theirs = (Counter(word for line in side for word in line) for side in (candidate, reference))
        left = ours & theirs
        shared: list[str] = []
        for line in reference:
            union: set[int] = set()
            for other, found in zip(candidate, masks, strict=True):
                union.update(lcs.places(line, other, found))
            for place in sorted(union):
                if left[line[place]] > 0:
                    left[line[place]] -= 1
                    shared.append(line[place])
        return shared
