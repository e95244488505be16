"""Document, Passage, Item, Key: frozen values that everything above speaks in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

Span = tuple[int, int]  # character offsets into a document's text, end exclusive


@dataclass(frozen=True, slots=True)
class Key:
    """What a score is of: a segment of a document, a whole document (segment None)."""

    system: str
    document: str
    segment: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A text and its segments; `layers` are annotations that stand beside it.

    A segment is None where this document has none although its siblings do: the third reference of a corpus in which
    some lines have two.
    """

    id: str
    text: str
    segments: tuple[Span | None, ...]
    layers: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, id: str, segments: Sequence[str | None]) -> Document:
        """A document from its segments' texts, joined by line ends."""
        spans: list[Span | None] = []
        parts: list[str] = []
        start = 0
        for text in segments:
            if text is None:
                spans.append(None)
                continue
            spans.append((start, start + len(text)))
            parts.append(text)
            start += len(text) + 1
        return cls(id, "\n".join(parts), tuple(spans))

    def __len__(self) -> int:
        return len(self.segments)

    @property
    def whole(self) -> bool:
        """Whether it lacks no segment: a part of a reference cannot be compared with a whole document."""
        return None not in self.segments

    def __getitem__(self, index: int) -> str | None:
        span = self.segments[index]
        return None if span is None else self.text[span[0] : span[1]]

    def __iter__(self) -> Iterator[str | None]:
        return (self[i] for i in range(len(self)))


@dataclass(frozen=True, slots=True)
class Passage:
    """A text among its neighbours, which are read with it but are not what is scored; the oldest stands first."""

    text: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    with_neighbours: bool = False  # whether an encoder shall give the neighbours' tokens as well

    @classmethod
    def of(cls, text: str, among: Sequence[Document], index: int, *, before: int, after: int) -> Self:
        """A text at the place of segment `index` of a document, which may be another text's. What that document lacks
        is the next one's, where several are given; blank neighbours are left out."""
        first, last = max(0, index - before), min(len(among[0]), index + 1 + after)
        return cls(text, _said(among, range(first, index)), _said(among, range(index + 1, last)))

    @property
    def alone(self) -> bool:
        """Whether it has no neighbours."""
        return not (self.before or self.after)


def _said(among: Sequence[Document], places: Iterable[int]) -> tuple[str, ...]:
    texts = (next((d[i] for d in among if d[i] is not None), None) for i in places)
    return tuple(text for text in texts if text and not text.isspace())


@dataclass(frozen=True, slots=True)
class Item:
    """One system's document with what it is compared to; segments stand side by side in all of them."""

    system: str
    candidate: Document
    references: tuple[Document, ...] = ()
    source: Document | None = None
    labels: tuple[int, ...] = ()  # the number of each segment within its document, for keys
    positions: tuple[int, ...] = ()  # the place of each segment in its system's input order

    @property
    def document(self) -> str:
        return self.candidate.id

    def __len__(self) -> int:
        return len(self.candidate)

    def candidate_text(self, index: int) -> str:
        text = self.candidate[index]
        if text is None:  # a corpus never builds one
            raise ValueError(f"document {self.document!r} has no segment {index}")
        return text

    def reference_texts(self, index: int) -> list[str]:
        """The references that this segment has."""
        return [text for reference in self.references if (text := reference[index]) is not None]

    def key(self, index: int | None = None) -> Key:
        return Key(self.system, self.document, None if index is None else self.labels[index])
