"""What tasks that make wrong variants from documents have in common: a part, sentences, a number of negatives."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from coheval.annotators import Annotator
from coheval.data import Document
from coheval.data.groups import Fact
from coheval.data.parts import Part, of_part
from coheval.tasks import Group, Instances, LeftOut, Task, Variant


@dataclass(frozen=True, slots=True)
class Text:
    """A document as its sentences."""

    id: str
    sentences: Variant
    document: Document  # with its layers; its segments are the sentences, unless these were split further


@dataclass(frozen=True, kw_only=True)
class MadeTask(Task):
    """Subclasses say what they need of a text (`least`) and make groups (`groups`)."""

    part: Part = "all"  # of the corpus: train, dev, test
    negatives: int = 20  # wrong variants of a document, at most
    split: Annotator | None = None  # what finds sentences in segments; without, each segment is one

    least: ClassVar[int] = 2  # sentences without which a document makes no group

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.negatives >= 1, f"negatives must be at least 1, got {self.negatives}")

    def instances(self, documents: Sequence[Document], rng: np.random.Generator) -> Instances:
        texts = [self._text(document) for document in of_part(documents, self.part)]
        long = [text for text in texts if len(text.sentences) >= self.least]
        short = [text for text in texts if len(text.sentences) < self.least]
        found = self.groups(long, rng) if long else iter(())
        return Instances.of([*(LeftOut(text.id, self._too_short()) for text in short), *found])

    def groups(self, texts: Sequence[Text], rng: np.random.Generator) -> Iterator[Group | LeftOut | Fact]:
        """Groups of these texts, each with `least` sentences or more; what makes none is left out, told."""
        raise NotImplementedError(type(self).__name__)

    def _text(self, document: Document) -> Text:
        segments = tuple(text for text in document if text and not text.isspace())
        if self.split is None:
            return Text(document.id, segments, document)
        annotated = self.split.annotate(segments)
        pairs = zip(segments, annotated, strict=True)
        return Text(document.id, tuple(s[a:b] for s, found in pairs for a, b in found.sentences), document)

    def _too_short(self) -> str:
        return f"the document has fewer than {self.least} sentences"


def own_rng(root: int, id: str) -> np.random.Generator:
    """A document's own generator, so that its variants do not depend on which other documents are there.

    `root` is one draw of the task's generator: `int(rng.integers(2**63))`.
    """
    return np.random.default_rng([root, *hashlib.sha256(id.encode()).digest()])
