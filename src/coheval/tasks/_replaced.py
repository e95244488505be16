"""What tasks that replace words in sentences have in common: which sentences, which replacement, how many variants.

A wrong variant has one replacement in every sentence that has a place for one (amount=full), or in half of them, drawn
anew for each variant. Of all places of the sentence and all that the ranker finds natural there, one is drawn: every
place alike, and in it every option (draw=even), or as the language would have it (draw=likely):

    p(option in its place) = likelihood of the option / that of all options and of what stands there now

This is one step of Gibbs sampling: if "boat" becomes "ship" so often, then "ship" becomes "boat" as often, and words do
not give the wrong variants away by being rare or frequent. Drawn evenly, they do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.annotators import Annotator
from coheval.data.groups import Fact
from coheval.rankers import Choice, Ranker
from coheval.spec import build
from coheval.tasks import Group, LeftOut, Variant
from coheval.tasks._made import MadeTask, Text, own_rng

_LEAST = 1e-12  # the smallest chance of an option that may be drawn, beside what stands there now
_TRIES = 5  # for each variant that is wanted, where the same one is drawn again

Told = Counter[tuple[str, str]]  # what was replaced by what, and how often


@dataclass(frozen=True, slots=True)
class Place:
    """Characters of a sentence, and what could stand there instead."""

    sentence: int
    start: int
    stop: int
    options: tuple[str, ...]  # texts, as they would stand there
    wanted: tuple[bool, ...]  # which options the task wants; the others only take part in the ranking
    original: str  # what is told of the place, and of each option
    names: tuple[str, ...]

    def choice(self, sentences: Variant) -> Choice:
        """The options, and behind them what stands there now."""
        sentence = sentences[self.sentence]
        return Choice(sentence[: self.start], (*self.options, sentence[self.start : self.stop]), sentence[self.stop :])


@dataclass(frozen=True, slots=True)
class _Scored:
    place: Place
    chances: NDArray[np.float64]  # [options] 0 for those that may not be drawn


@dataclass(frozen=True, kw_only=True)
class ReplacingTask(MadeTask):
    """Subclasses find places (`places`) and tell facts of what was replaced (`facts`)."""

    amount: Literal["full", "half"] = "full"  # of the sentences that have a place
    ranker: Ranker = field(default_factory=lambda: build(Ranker, "counts"))
    draw: Literal["likely", "even"] = "likely"  # how often which replacement is taken
    top: int = 20  # options that the ranker likes best, among which one is drawn
    annotator: Annotator = field(default_factory=lambda: build(Annotator, "spacy"))

    nothing: ClassVar[str]  # why a document makes no group

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.top >= 1, f"top must be at least 1, got {self.top}")

    def places(self, texts: Sequence[Text]) -> Iterator[list[Place] | LeftOut]:
        """The places of each text, in order."""
        raise NotImplementedError(type(self).__name__)

    def facts(self, told: Told) -> Iterator[str]:
        """What a reader should know of the replacements."""
        return iter(())

    def groups(self, texts: Sequence[Text], rng: np.random.Generator) -> Iterator[Group | LeftOut | Fact]:
        root = int(rng.integers(2**63))
        ranker = self.ranker.fit(sentence for text in texts for sentence in text.sentences)
        told: Told = Counter()
        for text, found in zip(texts, self.places(texts), strict=True):
            if isinstance(found, LeftOut):
                yield found
                continue
            scored = self._scored(ranker, text, found)
            wrong = self._variants(text, scored, own_rng(root, text.id), told)
            yield self._group(text, wrong) if wrong else LeftOut(text.id, self.nothing)
        yield from map(Fact, self.facts(told))

    def _group(self, text: Text, wrong: Sequence[Variant]) -> Group:
        return self.grouped(text, wrong)

    def _scored(self, ranker: Ranker, text: Text, places: Sequence[Place]) -> list[list[_Scored]]:
        """The places that have options, by sentence."""
        by_sentence: dict[int, list[_Scored]] = {}
        scores = ranker.scores([place.choice(text.sentences) for place in places])
        for place, row in zip(places, scores, strict=True):
            chances = self._chances(place, row)
            if chances.any():
                by_sentence.setdefault(place.sentence, []).append(_Scored(place, chances))
        return list(by_sentence.values())

    def _chances(self, place: Place, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """[options] how often each is drawn; `scores` are of the options and, last, of what stands there now."""
        options = scores[:-1]
        best = np.isin(np.arange(len(options)), np.argsort(-options, kind="stable")[: self.top])
        kept = np.isfinite(options) & best & np.array(place.wanted)
        if self.draw == "even" or not kept.any():
            return np.where(kept, 1 / max(1, int(kept.sum())), 0.0)
        likely = np.exp(np.append(np.where(kept, options, -np.inf), scores[-1]) - max(options[kept].max(), scores[-1]))
        found: NDArray[np.float64] = np.maximum(likely[:-1] / likely.sum(), kept * _LEAST)
        return found

    def _variants(
        self, text: Text, scored: Sequence[Sequence[_Scored]], rng: np.random.Generator, told: Told
    ) -> list[Variant]:
        """Different from each other and from the text; what was replaced by what is counted."""
        wrong: dict[Variant, None] = {}
        for _ in range(_TRIES * self.negatives if scored else 0):
            variant, pairs = self._variant(text, scored, rng)
            if variant != text.sentences and variant not in wrong:
                wrong[variant] = None
                told.update(pairs)
            if len(wrong) == self.negatives:
                break
        return list(wrong)

    def _variant(
        self, text: Text, scored: Sequence[Sequence[_Scored]], rng: np.random.Generator
    ) -> tuple[Variant, list[tuple[str, str]]]:
        count = len(scored) if self.amount == "full" else -(-len(scored) // 2)
        sentences = list(text.sentences)
        pairs = []
        for number in sorted(rng.choice(len(scored), size=count, replace=False).tolist()):
            chances = np.concatenate([one.chances for one in scored[number]])
            place, drawn = _at(scored[number], int(rng.choice(len(chances), p=chances / chances.sum())))
            sentence = sentences[place.sentence]
            sentences[place.sentence] = sentence[: place.start] + place.options[drawn] + sentence[place.stop :]
            pairs.append((place.original, place.names[drawn]))
        return tuple(sentences), pairs


def _at(scored: Sequence[_Scored], number: int) -> tuple[Place, int]:
    """The place that an option belongs to, counted over all places, and its number there."""
    for one in scored:
        if number < len(one.chances):
            return one.place, number
        number -= len(one.chances)
    raise IndexError(number)
