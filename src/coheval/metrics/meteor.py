"""METEOR: words aligned exactly, by stem and by synonym; recall counts most, and scattered matches cost.

    METEOR = (1 - γ · (chunks / matches)^β) · P · R / (α · P + (1 - α) · R)

P and R are the matches (each weighted by its module) over the words of candidate and reference; a chunk is a run of
matches that stand side by side in both. A module matches as many words as it can of those that the modules before it
left over; of such alignments one with few chunks counts. The evidence has `fewest` where it is known that none has
fewer: the search was complete, and synonyms left no choice of which words match (see `algo/stages.py`).

| variant | α | β | γ | weights exact, stem, synonym | stemmer | whole text in one chunk |
|---|---|---|---|---|---|---|
| `2005` | 0.9 | 3 | 0.5 | 1, 1, 1 | Porter | is a chunk: an identical text of m words has 1 - 0.5 / m³ |
| `1.5` | 0.85 | 0.2 | 0.6 | 1, 0.6, 0.8 | Snowball English | costs nothing: an identical text has 1 |

Banerjee & Lavie 2005, "METEOR: An Automatic Metric for MT Evaluation with Improved Correlation with Human Judgments";
Denkowski & Lavie 2014, "Meteor Universal" (1.5). Documents and systems are scored from summed counts, as METEOR's own
program does (`average='micro'`), or by the mean of segments (`'macro'`). Where we differ:

- There are no paraphrases, so 1.5 lacks its fourth module, and no list of function words, so its δ = 0.75, which makes
  content words count more, is absent: all words count alike.
- The alignment is searched for exactly, within what synonyms leave open, and stops after a fixed number of steps (see
  `algo/chunks.py`), where the 2005 program counts crossings and 1.5 keeps a beam of 40. NLTK pairs words greedily from
  the end, so it can have more chunks: of the 3,920 segments of WMT 2017 into English it scored 1,808 lower and none
  higher (words split at blanks, without synonyms).
- Two words are synonyms if they share a WordNet synset once brought to base forms, as in METEOR. NLTK asks that the
  reference has a synonym of the candidate's word letter for letter, and by then has stemmed both, so it misses most.
- The synonym module needs WordNet: without the extra `wordnet` this metric says so, and never scores with fewer modules
  than asked for. `modules=['exact', 'stem']` needs nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import ClassVar, Literal

from coheval.algo import chunks, stages
from coheval.data import Item, Span
from coheval.data.wordnet import DIGEST, wordnet
from coheval.metrics import Evidence, Measurement, Metric, Row, each_segment, undefined
from coheval.metrics._words import blank_spans, fold, stemmer, word_spans

Module = Literal["exact", "stem", "synonym"]


@dataclass(frozen=True)
class _Preset:
    alpha: float
    beta: float
    gamma: float
    weights: dict[Module, float]
    stemmer: str


_PRESETS = {
    "2005": _Preset(0.9, 3.0, 0.5, {"exact": 1.0, "stem": 1.0, "synonym": 1.0}, "porter"),
    "1.5": _Preset(0.85, 0.2, 0.6, {"exact": 1.0, "stem": 0.6, "synonym": 0.8}, "english"),
}


@dataclass(frozen=True)
class _Text:
    words: tuple[str, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, kw_only=True)
class Meteor(Metric):
    """Aligned words, recall before precision, less for scattered matches."""

    version: ClassVar[int] = 2
    libraries: ClassVar[tuple[str, ...]] = ("regex", "snowballstemmer")
    perfect: ClassVar[float | None] = None  # just below 1, and 1 in variant 1.5
    several_references: ClassVar[str] = "the reference with the highest score counts"

    variant: Literal["2005", "1.5"] = "2005"
    modules: tuple[Module, ...] = ("exact", "stem", "synonym")
    weights: tuple[float, ...] | None = None  # of the modules; None, here and below: the variant's
    alpha: float | None = None
    beta: float | None = None
    gamma: float | None = None
    stemmer: str | None = None  # any of Snowball's: 'german', 'russian', …
    tokenize: Literal["words", "blanks"] = "words"
    punctuation: bool = True
    average: Literal["micro", "macro"] = "micro"

    def __post_init__(self) -> None:
        super().__post_init__()
        preset = _PRESETS[self.variant]
        self.require(len(set(self.modules)) == len(self.modules) > 0, "modules must be one or more, each once")
        if self.weights is None:
            self.settle(weights=tuple(preset.weights[module] for module in self.modules))
        for name in ("alpha", "beta", "gamma", "stemmer"):
            if getattr(self, name) is None:
                self.settle(**{name: getattr(preset, name)})
        self.require(len(self._weights) == len(self.modules), "weights must be as many as modules")
        self.require(all(0 <= weight <= 1 for weight in self._weights), "weights must be between 0 and 1")
        for name in ("alpha", "gamma"):
            self.require(0 <= getattr(self, name) <= 1, f"{name} must be between 0 and 1, got {getattr(self, name)}")
        self.require((self.beta or 0.0) >= 0, f"beta must not be negative, got {self.beta}")

    @property
    def _weights(self) -> tuple[float, ...]:
        return self.weights or ()

    def digest(self) -> str | None:
        return DIGEST if "synonym" in self.modules else None

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        keys = [self._keys(module) for module in self.modules]
        text = cache(self._text)  # systems share their references: each distinct text is split once a call

        def row(candidate: str, references: list[str]) -> Row:
            if not references:
                return undefined("the segment has no reference")
            known = [(number, found) for number, found in enumerate(map(text, references)) if found.words]
            if not known:
                return undefined("no reference has a word")
            try:
                rows = [self._row(text(candidate), own, keys, number if evidence else None) for number, own in known]
            except chunks.TooManyLinks as error:
                return undefined(f"the texts repeat themselves too much to be aligned: {error}, the limit")
            return max(rows, key=lambda row: row.values or ())

        return [each_segment(item, row) for item in items]

    def combine(self, totals: Sequence[float], count: int) -> float | None:
        return totals[0] / count if self.average == "macro" else self._score(*totals[1:])

    def _row(self, ours: _Text, theirs: _Text, keys: list[stages.Keys], number: int | None) -> Row:
        """With evidence, if the reference's number is given."""
        matched = stages.match(ours.words, theirs.words, keys)
        alignment = chunks.align(ours.words, theirs.words, [group for stage in matched.stages for group in stage])
        found = [sum(group.total for group in stage) for stage in matched.stages]
        weighted = sum(weight * count for weight, count in zip(self._weights, found, strict=True))
        matches = len(alignment.pairs)
        whole = matches == len(ours.words) == len(theirs.words) and alignment.chunks == 1
        scattered = 0 if whole and self.variant == "1.5" else alignment.chunks
        counts = (weighted, float(matches), float(scattered), float(len(ours.words)), float(len(theirs.words)))
        why = None if number is None else self._explain(ours, theirs, alignment, matched) | {"reference": number}
        return Row((self._score(*counts), *counts), evidence=why)

    def _score(self, weighted: float, matches: float, scattered: float, ours: float, theirs: float) -> float:
        if not weighted:
            return 0.0
        alpha, beta, gamma = self.alpha or 0.0, self.beta or 0.0, self.gamma or 0.0
        precision, recall = weighted / ours, weighted / theirs
        mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
        return float((1 - gamma * (scattered / matches) ** beta) * mean)

    def _explain(self, ours: _Text, theirs: _Text, alignment: chunks.Alignment, matched: stages.Matching) -> Evidence:
        module = {
            pair: name
            for name, stage in zip(self.modules, matched.stages, strict=True)
            for group in stage
            for pair in product(group.left, group.right)
        }
        return {
            "kind": "alignment",
            "pairs": [[i, j, module[ours.words[i], theirs.words[j]]] for i, j in alignment.pairs],
            "candidate_spans": [list(span) for span in ours.spans],
            "reference_spans": [list(span) for span in theirs.spans],
            "chunks": alignment.chunks,
            "fewest": alignment.fewest and matched.forced,
        }

    def _text(self, text: str) -> _Text:
        spans = blank_spans(text) if self.tokenize == "blanks" else word_spans(text, punctuation=self.punctuation)
        return _Text(tuple(fold(text[start:end]) for start, end in spans), tuple(spans))

    def _keys(self, module: Module) -> stages.Keys:
        stem: Callable[[str], str] = stemmer(self.stemmer or "porter") if module == "stem" else str
        if module == "synonym":
            return wordnet().synsets
        return lambda word: (stem(word),)
