"""What tasks that replace words in sentences have in common: which sentences, which replacement, how many variants.

A wrong variant has one replacement in every sentence that has a place for one (amount=full), or in half of them, drawn
anew for each variant. The place is drawn from those of the sentence, the replacement from those that the ranker finds
natural there: as often as it finds them likely (draw=likely), or each as often as any other (draw=even). The first
keeps rare words from being a sign of a wrong variant.
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
        sentence = sentences[self.sentence]
        return Choice(sentence[: self.start], self.options, sentence[self.stop :])


@dataclass(frozen=True, slots=True)
class _Scored:
    place: Place
    chances: NDArray[np.float64]  # [options] sums to 1


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
        return Group(
            id=text.id,
            phenomenon=self.name(),
            right=text.sentences,
            wrong=tuple(wrong),
            origin=str(text.document.layers.get("origin") or ""),
        )

    def _scored(self, ranker: Ranker, text: Text, places: Sequence[Place]) -> list[list[_Scored]]:
        """The places that have options, by sentence."""
        by_sentence: dict[int, list[_Scored]] = {}
        scores = ranker.scores([place.choice(text.sentences) for place in places])
        for place, row in zip(places, scores, strict=True):
            best = np.isin(np.arange(len(row)), np.argsort(-row, kind="stable")[: self.top])
            kept = np.isfinite(row) & best & np.array(place.wanted)
            if kept.any():
                chances = np.exp(row - row[kept].max()) if self.draw == "likely" else np.ones(len(row))
                chances = np.where(kept, chances, 0.0)
                by_sentence.setdefault(place.sentence, []).append(_Scored(place, chances / chances.sum()))
        return list(by_sentence.values())

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
            one = scored[number][int(rng.integers(len(scored[number])))]
            place, drawn = one.place, int(rng.choice(len(one.chances), p=one.chances))
            sentence = sentences[place.sentence]
            sentences[place.sentence] = sentence[: place.start] + place.options[drawn] + sentence[place.stop :]
            pairs.append((place.original, place.names[drawn]))
        return tuple(sentences), pairs
