"""Coherence: how well the sentences of a document hang together, by a trained model. No reference is looked at.

    coherence = σ(1/(n+1) Σ_t local_t),  boundaries t: before the first sentence, between any two, behind the last

The embedded model, `boundary` (docs/models.md), was trained to tell documents from the same documents in another order,
with a foreign half, a foreign sentence or a wrong ending. 1 is a text whose every boundary is natural, 0 one without
any. The evidence has the local score at each boundary: where it is lowest, the text breaks. It was trained on English.

Segments are taken as sentences; a single one is split into sentences first. `split='always'` also splits the segments
of other documents, such as paragraphs, `'never'` none. A blank segment is no sentence, and is counted. Documents of any
length are read in windows of sentences, in linear time. One sentence has no coherence.

`coherence(model=continuation)` reads sentences behind those before them with a small language model: better at what can
follow, slower, and its local scores are of sentences, none behind the last. Any other trained model can be read, too,
`coherence(model=unc(file='mine.onnx'))`. Each has a scale of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal, Self

from coheval.annotators import Annotator, Layer
from coheval.data import Document, Item
from coheval.data.types import Span
from coheval.encoders import Encoder
from coheval.metrics import Evidence, Measurement, Metric, Row, Unit, undefined
from coheval.models import CoherenceModel, Scored
from coheval.spec import Component, build, state


@dataclass(frozen=True, kw_only=True)
class Coherence(Metric):
    model: CoherenceModel = field(default_factory=lambda: build(CoherenceModel, "boundary"))
    split: Literal["auto", "always", "never"] = "auto"  # into sentences: single segments, all of them, or none
    annotator: Annotator = field(default_factory=lambda: build(Annotator, "spacy"))  # what finds them

    reader: Encoder | None = state()  # a run's stand-in for the model's encoder

    unit: ClassVar[Unit] = "document"
    needs: ClassVar[frozenset[str]] = frozenset()
    perfect: ClassVar[float | None] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.settle(range=self.model.range)

    def reads(self) -> dict[Encoder, tuple[int, ...]]:
        self.model.ready()
        return self.model.reads()

    def consults(self) -> dict[Annotator, tuple[Layer, ...]]:
        return {} if self.split == "never" else {self.annotator: ()}

    def sharing(self, shared: Mapping[Component, Component]) -> Self:
        stand_in = next((shared[encoder] for encoder in self.model.reads() if encoder in shared), None)
        return replace(super().sharing(shared), reader=stand_in)  # type: ignore[arg-type]

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        spans = self._sentences([item.candidate for item in items])
        texts = [[item.candidate.text[a:b] for a, b in own] for item, own in zip(items, spans, strict=True)]
        found = self.model.score([tuple(text) for text in texts], reader=self.reader)
        told = zip(items, spans, found, strict=True)
        return [Measurement((_row(item.candidate, own, scored, evidence),)) for item, own, scored in told]

    def _sentences(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Character spans, in the document's text."""
        spans = [[span for span in d.segments if span and d.text[slice(*span)].strip()] for d in documents]
        splits = [
            n for n, own in enumerate(spans) if self.split == "always" or (self.split == "auto" and len(own) == 1)
        ]
        pieces = [(n, span) for n in splits for span in spans[n]]
        if not pieces:
            return spans
        annotated = self.annotator.annotate([documents[n].text[a:b] for n, (a, b) in pieces])
        for n in splits:
            spans[n] = []
        for (n, (start, _)), one in zip(pieces, annotated, strict=True):
            spans[n] += [(start + a, start + b) for a, b in one.sentences.tolist()]
        return spans


def _row(document: Document, spans: Sequence[Span], found: Scored, evidence: bool) -> Row:
    if not spans:
        return undefined("the candidate is empty")
    if found.value is None:
        return undefined(found.reason or "the model gives no score")
    blank = sum(not (text or "").strip() for text in document)
    told = _explained(document, spans, found) if evidence else None
    return Row((found.value,), evidence=told, marks={"blank": blank} if blank else {})


def _explained(document: Document, spans: Sequence[Span], found: Scored) -> Evidence:
    own = found.local is not None and len(found.local) == len(spans)
    return {
        "kind": "sentences" if own else "boundaries",  # what local scores are of
        "text": document.text,
        "sentences": [list(span) for span in spans],
        "local": None if found.local is None else list(found.local),  # of boundaries: before each, and behind the last
    }
