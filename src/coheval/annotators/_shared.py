"""One annotator for a whole run: every distinct text is annotated once, with what all metrics of the run ask for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from coheval.annotators import Annotated, Annotator, Layer
from coheval.spec import state

BUDGET = 2_000_000  # words kept beyond the call that needs them


class Memory(OrderedDict[str, Annotated]):
    """Annotated texts, the least recently used first, and how many words they have."""

    words: int = 0

    def keep(self, text: str, annotated: Annotated) -> None:
        self[text] = annotated
        self.words += len(annotated)

    def forget(self) -> None:
        while self.words > BUDGET:
            _, oldest = self.popitem(last=False)
            self.words -= len(oldest)


@dataclass(frozen=True, kw_only=True)
class SharedAnnotator(Annotator):
    inner: Annotator
    wanted: tuple[Layer, ...]
    memory: Memory = state(Memory)

    def annotate(self, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        if not set(self.wanted).issuperset(layers):  # not foreseen, so not shared
            return self.inner.annotate(texts, layers=layers)
        missing = [text for text in dict.fromkeys(texts) if text not in self.memory]
        if missing:
            for text, annotated in zip(missing, self.inner.annotate(missing, layers=self.wanted), strict=True):
                self.memory.keep(text, annotated)
        for text in texts:
            self.memory.move_to_end(text)
        found = [self.memory[text].only(layers) for text in texts]
        self.memory.forget()
        return found
