"""Document context: one way for any metric to read a segment among its neighbours.

Vernikos, Thompson, Mathur, Federico (2022), Embarrassingly Easy Document-Level MT Metrics. The sentences before a
segment are read with it, but only the segment is scored. Context ends where the document does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from coheval.data import Document, Item, Passage
from coheval.metrics import Metric

Neighbours = Literal["reference", "candidate", "source"]


@dataclass(frozen=True, kw_only=True)
class ContextMetric(Metric):
    """A metric whose segments may be read in context; `context=0` reads each by itself."""

    context: int = 0  # sentences before the segment that are read with it
    after: int = 0  # sentences behind it
    context_from: Neighbours = "reference"  # whose they are, around candidate and reference; 'candidate': each its own

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("context", "after"):
            self.require(getattr(self, name) >= 0, f"{name} must be at least 0, got {getattr(self, name)}")
        if self.in_context:
            more = {"documents", "source"} if self.context_from == "source" else {"documents"}
            self.settle(needs=self.needs | more)

    def without_references(self) -> None:
        """For `__post_init__` of a metric that compares with the source alone, where each text has its own context."""
        self.settle(needs=(self.needs - {"references"}) | {"source"})
        if self.context_from == "reference":
            self.settle(context_from="candidate")

    @property
    def in_context(self) -> bool:
        return self.context + self.after > 0

    @property
    def looks_at_neighbours(self) -> bool:
        """Whether it wants the vectors of the context's tokens, too."""
        return False

    def candidate_passage(self, item: Item, index: int, reference: Document | None) -> Passage:
        """A candidate as it is read beside a reference (None where there is none to compare with)."""
        return self._passage(item.candidate_text(index), self._around(item, reference) or [item.candidate], index)

    def reference_passage(self, item: Item, index: int, reference: Document) -> Passage:
        among = self._around(item, reference) or [reference, *item.references]
        return self._passage(reference[index] or "", among, index)

    def source_passage(self, item: Item, index: int) -> Passage | None:
        """A source among its own neighbours."""
        text = item.source[index] if item.source else None
        return None if item.source is None or text is None else self._passage(text, [item.source], index)

    def _around(self, item: Item, reference: Document | None) -> list[Document]:
        """The documents from which neighbours of both sides come, or none if each has its own.

        What a reference lacks is taken from the first that has it.
        """
        if self.context_from == "reference" and reference is not None:
            return [reference, *item.references]
        return [item.source] if self.context_from == "source" and item.source is not None else []

    def _passage(self, text: str, among: Sequence[Document], index: int) -> Passage:
        passage = Passage.of(text, among, index, before=self.context, after=self.after)
        return replace(passage, with_neighbours=True) if self.looks_at_neighbours else passage
