"""ROUGE-N, -L, -Lsum, -W, -S and -SU: units that candidate and reference share, as precision, recall and F1.

    P = shared / units of the candidate,   R = shared / units of the reference,   F = 2PR / (P + R)

| kind | unit |
|---|---|
| `1`, `2`, … | n-grams of words |
| `L` | the longest common subsequence of the texts |
| `Lsum` | for each reference line, the union of its longest common subsequences with all candidate lines |
| `W` | as L, a run of k words counts k^weight, and P and R are taken to the power 1/weight |
| `S4` | pairs of words with at most 4 words between them (skip-bigrams) |
| `SU4` | the same and single words |

Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries". Kinds n, L and Lsum equal the PyPI package
`rouge-score` 0.1.2; W, S and SU, which it lacks, follow the paper. Where we differ from it or from the paper's own
program, ROUGE-1.5.5:

- `rouge-score` drops every letter but a-z; `tokenize='unicode'` keeps all scripts and is equal on ASCII text.
- `stem=True` is Porter's algorithm as published. `rouge-score` takes NLTK's extended one, which stems about one word
  type in a hundred otherwise ("gainfully", "enjoyed"); ROUGE-1.5.5 takes another variant after a list of irregular
  forms. Words of up to three letters stay as they are in all of them.
- A reference without any unit (an empty text, one word for kind 2) leaves nothing to recall: undefined, not 0.
- Several references: the one with the highest F (`references='max'`, as in `rouge-score`) or the mean over all that
  have words (`'mean'`). ROUGE-1.5.5 averages such maxima over all choices of leaving one reference out; that is not
  offered.
- `SU` counts every single word; ROUGE-1.5.5 forgets the last one of a text.
- `W` is the paper's recursion over the whole text. ROUGE-1.5.5 goes sentence by sentence as in Lsum, and measures runs
  in the reference alone.
- F weighs precision and recall alike; the paper's programs allow other weights.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Literal

from coheval.algo.matching import harmonic
from coheval.data import Item
from coheval.metrics import Measurement, Metric, Row, each_segment, undefined
from coheval.metrics._rouge import Kind, Lines, Longest, Ngrams, Refused, SkipBigrams, Weighted
from coheval.metrics._words import stemmer, words

_KIND = re.compile(r"(?P<n>[1-9][0-9]?)|L|Lsum|W|S(?P<unigrams>U?)(?P<gap>[0-9]{1,4})")
_FORMS = ("precision", "recall", "f")


@dataclass(frozen=True, kw_only=True)
class Rouge(Metric):
    """Overlap of n-grams, subsequences or skip-bigrams; the mean over segments."""

    libraries: ClassVar[tuple[str, ...]] = ("regex", "snowballstemmer")
    several_references: ClassVar[str] = (
        "the one with the highest F counts, or the mean of all that have words (references=)"
    )

    kind: str | int = "1"
    form: Literal["f", "precision", "recall"] = "f"
    stem: bool = False
    weight: float = 1.2  # of kind W
    tokenize: Literal["unicode", "ascii"] = "unicode"
    references: Literal["max", "mean"] = "max"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.settle(kind=str(self.kind))  # so that kind=2 and kind='2' are one metric
        known = "a number of words, 'L', 'Lsum', 'W', or 'S' or 'SU' with a gap such as 'SU4'"
        self.require(_KIND.fullmatch(str(self.kind)) is not None, f"kind must be {known}, got {self.kind!r}")
        self.require(1 <= self.weight <= 10, f"weight must be from 1 to 10, got {self.weight}")

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        kind = self._kind()
        units = cache(kind.units)  # systems share their references: each distinct text is prepared once a call

        def row(candidate: str, references: list[str]) -> Row:
            if not references:
                return undefined("the segment has no reference")
            try:
                known = {number: found for number, found in enumerate(map(units, references)) if found}
                return self._row(kind, units(candidate), known, evidence)
            except Refused as refusal:
                return undefined(str(refusal))

        return [each_segment(item, row) for item in items]

    def combine(self, totals: Sequence[float], count: int) -> float | None:
        return totals[_FORMS.index(self.form)] / count

    def _row(self, kind: Kind, candidate: Any, references: dict[int, Any], evidence: bool) -> Row:
        if not references:
            return undefined(f"no reference has a {kind.unit}")
        rates = {n: kind.compare(candidate, theirs) if candidate else (0.0, 0.0) for n, theirs in references.items()}
        scores = {n: (*rate, harmonic(*rate)) for n, rate in rates.items()}
        best = max(scores, key=lambda n: scores[n][2])
        why = kind.explain(candidate, references[best]) if evidence else None
        if self.references == "mean":
            means = tuple(sum(column) / len(scores) for column in zip(*scores.values(), strict=True))
            return Row(means, evidence=why)
        return Row(scores[best], evidence=why and why | {"reference": best})

    def _kind(self) -> Kind:
        simple = {"L": Longest, "Lsum": Lines}
        if self.kind in simple:
            return simple[self.kind](self._words)
        if self.kind == "W":
            return Weighted(self._words, self.weight)
        parts = _KIND.fullmatch(str(self.kind))
        if parts and parts["gap"]:
            return SkipBigrams(self._words, 1 if parts["unigrams"] else 2, int(parts["gap"]))
        return Ngrams(self._words, int(self.kind))

    def _words(self, text: str) -> list[str]:
        found = words(text) if self.tokenize == "unicode" else re.findall(r"[a-z0-9]+", text.lower())
        if not self.stem:
            return found
        stem = stemmer("porter")
        return [stem(word) if len(word) > 3 else word for word in found]
