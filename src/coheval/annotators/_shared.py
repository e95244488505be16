"""One annotator for a whole run: every distinct text is annotated once, with what all metrics of the run ask for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from coheval.annotators import Annotated, Annotator, Layer
from coheval.spec import state

BUDGET = 2_000_000  # words kept beyond the call that needs them


@dataclass(frozen=True, kw_only=True)
class SharedAnnotator(Annotator):
    inner: Annotator
    wanted: tuple[str, ...]
    memory: OrderedDict[str, Annotated] = state(OrderedDict)

    def annotate(self, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        if not set(self.wanted).issuperset(layers):  # not foreseen, so not shared
            return self.inner.annotate(texts, layers=layers)
        missing = [text for text in dict.fromkeys(texts) if text not in self.memory]
        wanted: list[Layer] = list(self.wanted)  # type: ignore[arg-type]
        self.memory.update(zip(missing, self.inner.annotate(missing, layers=wanted), strict=True))
        for text in texts:
            self.memory.move_to_end(text)
        found = [self.memory[text] for text in texts]
        size = sum(map(len, self.memory.values()))
        while size > BUDGET:
            _, oldest = self.memory.popitem(last=False)
            size -= len(oldest)
        return found
