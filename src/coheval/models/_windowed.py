"""Models with local scores, which read documents of any length in windows of sentences, in linear time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from coheval.algo.windows import Window, windows
from coheval.data.groups import Variant
from coheval.encoders import Encoder
from coheval.models import Scored
from coheval.models._file import SCORES, Facts
from coheval.models._inputs import Batch, Inputs, padded
from coheval.models._trained import Outputs, TrainedModel

WINDOW = 32  # sentences
LOCAL = "local"  # the graph's second output


@dataclass(frozen=True, kw_only=True)
class WindowedModel(TrainedModel):
    """A sentence is one vector, and has a local score; a document's is σ of their mean."""

    judges_end: ClassVar[bool] = False  # whether there is one behind the last sentence, too

    outputs: ClassVar[tuple[str, ...]] = (SCORES, LOCAL)
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def arrange(self, batch: Batch, sizes: Facts) -> Inputs:
        places, counts = padded(batch.documents)
        return {"vectors": batch.tokens, "sentences": places, "sentence_counts": counts}

    def results(self, found: Outputs, documents: Sequence[Variant]) -> list[Scored]:
        rows = zip(found[LOCAL].tolist(), documents, strict=True)
        return [Scored(None, local=tuple(row[: len(document) + self.judges_end])) for row, document in rows]

    def score(self, documents: Sequence[Variant], *, reader: Encoder | None = None) -> list[Scored]:
        cut = [windows(len(document), WINDOW) for document in documents]
        pieces = [document[w.start : w.stop] for document, own in zip(documents, cut, strict=True) for w in own]
        found = iter(super().score(pieces, reader=reader))
        return [_joined([(window, next(found)) for window in own]) for own in cut]


def _joined(found: Sequence[tuple[Window, Scored]]) -> Scored:
    """A document's local scores, each from the window that speaks for its sentence."""
    without = next((scored for _, scored in found if scored.local is None), None)
    if without is not None:  # and then it says why
        return without
    local = [
        score
        for window, scored in found
        for score in (scored.local or ())[window.first - window.start : window.last - window.start]
    ]
    *_, (window, scored) = found
    local += (scored.local or ())[window.stop - window.start :]  # behind the last sentence
    return Scored(float(1 / (1 + np.exp(-np.mean(local)))), local=tuple(local))
