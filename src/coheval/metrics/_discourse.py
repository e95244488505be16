"""What discourse metrics share: whole documents as units, annotated once, with the foci that they speak of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from coheval.algo.graphs import Edges, shared_edges
from coheval.annotators import Annotated, Annotator, Layer
from coheval.data import Document, Item
from coheval.encoders import Encoder
from coheval.encoders.static import Static
from coheval.metrics import Metric, Unit
from coheval.metrics._foci import LAYERS, Foci, Focus, entities, find, merged
from coheval.spec import build

PARTIAL = "the reference lacks segments of the document"


@dataclass(frozen=True, eq=False, slots=True)
class Text:
    """A document as discourse metrics see it."""

    text: str
    annotated: Annotated
    foci: Foci

    @property
    def sentences(self) -> int:
        return len(self.annotated.sentences)

    def edges(self) -> Edges:
        """Sentences joined by the number of foci that they share."""
        return shared_edges(([m.sentence for m in mentions] for mentions in self.foci.values()), self.sentences)


@dataclass(frozen=True, kw_only=True)
class DiscourseMetric(Metric):
    """A measure of whole documents from the foci that an annotator finds in them."""

    annotator: Annotator = field(default_factory=lambda: build(Annotator, "spacy"))
    focus: Focus = "noun"
    vectors: Static | None = None  # for focus='entity': the static vectors that merge nouns; GloVe unless given
    threshold: float = 0.8  # for focus='entity': nouns whose vectors' cosine is above it are one entity

    unit: ClassVar[Unit] = "document"
    perfect: ClassVar[float | None] = None
    unshared: ClassVar[frozenset[str]] = frozenset({"vectors"})  # words are looked up in it, no text is encoded

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(-1 <= self.threshold <= 1, f"threshold must be between -1 and 1, got {self.threshold}")
        if self.focus == "entity" and self.vectors is None:
            self.settle(vectors=build(Encoder, "static(file='glove-6b-50d')"))

    @property
    def lowercases(self) -> bool:
        """Whether texts are lower-cased first, as DiscoScore's callers do: in the variant 'code'."""
        return getattr(self, "variant", None) == "code"

    @property
    def layers_of_annotation(self) -> tuple[Layer, ...]:
        return LAYERS[self.focus]

    def consults(self) -> dict[Annotator, tuple[Layer, ...]]:
        return {self.annotator: self.layers_of_annotation}

    def plain(self, document: Document) -> str:
        return _lowered(document.text) if self.lowercases else document.text

    def read(self, items: Sequence[Item], *, references: bool) -> dict[str, Text]:
        """The candidates and, if asked for, the whole references of some items, by their plain text."""
        compared = [r for item in items for r in item.references if r.whole] if references else []
        texts = list(dict.fromkeys(map(self.plain, [*(item.candidate for item in items), *compared])))
        annotated = self.annotator.annotate(texts, layers=self.layers_of_annotation)
        return {t: Text(t, a, self.foci(a)) for t, a in zip(texts, annotated, strict=True)}

    def foci(self, annotated: Annotated) -> Foci:
        found = find(annotated, self.focus)
        return merged(found, self.entities(found)) if self.focus == "entity" else found

    def entities(self, nouns: Sequence[str] | Foci) -> dict[str, str]:
        """The name of each noun's entity, by the vectors."""
        return {} if self.vectors is None else entities(nouns, self.vectors.look_up, self.threshold)


def _lowered(text: str) -> str:
    """In lower case, character by character, so that spans stay true: "İ" would become two."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
