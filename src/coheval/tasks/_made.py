"""What tasks that make wrong variants from documents have in common: a part, sentences, a number of negatives."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import ClassVar

import numpy as np

from coheval.annotators import Annotator
from coheval.data import Document
from coheval.data.batches import batches
from coheval.data.groups import Count, Fact
from coheval.data.parts import Part, of_part
from coheval.errors import UsageError
from coheval.tasks import Group, Instances, LeftOut, Task, Variant

_TOGETHER = 1_000_000  # characters that are annotated in one call


@dataclass(frozen=True, slots=True)
class Text:
    """A document as its sentences."""

    id: str
    sentences: Variant
    document: Document  # with its layers; its segments are the sentences, unless these were split further
    starts: tuple[int, ...] = ()  # the number of the first sentence of each segment

    @property
    def origin(self) -> str:
        """The same for texts that are no independent observations, and must not be mixed with each other."""
        return str(self.document.layers.get("origin") or self.id)


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
        texts = self._texts(of_part(documents, self.part))
        long = [text for text in texts if len(text.sentences) >= self.fewest]
        short = [text for text in texts if len(text.sentences) < self.fewest]
        found = self.groups(long, rng) if long else iter(())
        made = Instances.of([*(LeftOut(text.id, self._too_short()) for text in short), *found])
        return replace(made, count=self.count, made=True)

    def groups(self, texts: Sequence[Text], rng: np.random.Generator) -> Iterator[Group | LeftOut | Fact]:
        """Groups of these texts, each with `least` sentences or more; what makes none is left out, told."""
        raise NotImplementedError(type(self).__name__)

    def grouped(self, text: Text, wrong: Iterable[Variant], *, label: str = "", before: int = 0) -> Group:
        """A text and wrong variants of it, which share `before` sentences of context with it."""
        return Group(
            id=text.id,
            phenomenon=self.name(),
            right=text.sentences,
            wrong=tuple(wrong),
            before=before,
            label=label,
            origin=text.origin,
        )

    @property
    def count(self) -> Count:
        """Pairs, as Pishdad et al. (2020) do, unless there is one place or ending to be found among several."""
        return "pairs"

    @property
    def fewest(self) -> int:
        """Sentences without which a document makes no group, where that depends on parameters."""
        return self.least

    def sentences_of(self, variants: Sequence[Variant]) -> list[list[Variant]]:
        """The sentences of each segment of some texts, all found together, which is faster."""
        if self.split is None:
            return [[(segment,) for segment in variant] for variant in variants]
        annotate = self.split.annotate
        segments = [segment for variant in variants for segment in variant]
        batched = batches(segments, _TOGETHER)  # only spans are kept: words and tags of a whole corpus would not fit
        spans = (one.sentences.tolist() for batch in batched for one in annotate(batch))
        return [[tuple(s[a:b] for a, b in next(spans)) for s in variant] for variant in variants]

    def _texts(self, documents: Sequence[Document]) -> list[Text]:
        self._refuse_unsplit(documents)
        variants = [tuple(text.strip() for text in document if text and not text.isspace()) for document in documents]
        found = self.sentences_of(variants)
        return [_text(document, segments) for document, segments in zip(documents, found, strict=True)]

    def _refuse_unsplit(self, documents: Sequence[Document]) -> None:
        unsplit = next((document for document in documents if document.layers.get("unsplit")), None)
        if unsplit is not None and self.split is None:
            raise UsageError(
                f"expected documents as sentences, got paragraphs, the first in {unsplit.id!r}",
                where=self.name(),
                hint=f"let something find the sentences: {self.name()}(split=spacy)",
            )

    def _too_short(self) -> str:
        return f"the document has fewer than {self.fewest} sentences"


def _text(document: Document, segments: Sequence[Variant]) -> Text:
    sentences = tuple(sentence for segment in segments for sentence in segment)
    starts = tuple(accumulate((len(segment) for segment in segments[:-1]), initial=0)) if segments else ()
    return Text(document.id, sentences, document, starts)


def own_rng(root: int, id: str) -> np.random.Generator:
    """A document's own generator, so that its variants do not depend on which other documents are there.

    `root` is one draw of the task's generator: `int(rng.integers(2**63))`.
    """
    return np.random.default_rng([root, *hashlib.sha256(id.encode()).digest()])
