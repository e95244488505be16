"""Boundary: how natural it is that one sentence follows another, at each boundary of a document; ours, and embedded.

    score = σ(mean of local scores), local_t from what stands before boundary t, what stands behind it, and the two

It reads one vector for each sentence, the means of its tokens at three layers of minilm side by side, so a text is
encoded once, however it is read. A small GRU reads these vectors in both directions; docs/models.md has the formula. It
learns several tasks at once: orders, topics, intruders, endings. The embedded one was trained on dialogues, how-to
texts, captions of videos, encyclopedia and abstracts, all English (model card: models/_boundary/boundary.md).

A document of any length is read in windows of sentences, in linear time; a boundary's score is that of the window in
which it has most around it. Without `file` the embedded model is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from coheval.algo.windows import Window, windows
from coheval.data.groups import Variant
from coheval.encoders import Encoder
from coheval.models import Scored
from coheval.models._file import SCORES, Facts
from coheval.models._inputs import Batch, Inputs, padded
from coheval.models._recipe import Recipe
from coheval.models._trained import Outputs, TrainedModel

if TYPE_CHECKING:
    from coheval.models._networks.network import Network

WINDOW = 32  # sentences
LOCAL = "local"  # the graph's second output

_EMBEDDED = Path(__file__).parent / "_boundary" / "boundary.onnx"


@dataclass(frozen=True, kw_only=True)
class Boundary(TrainedModel):
    recipe: ClassVar[Recipe] = Recipe(epochs=6, hidden=128, decay=1e-5, negatives=4, linear=True)
    usual_layers: ClassVar[tuple[int, ...] | None] = (2, 4, 6)
    outputs: ClassVar[tuple[str, ...]] = (SCORES, LOCAL)
    pooled: ClassVar[bool] = True
    embedded: ClassVar[Path | None] = _EMBEDDED
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def arrange(self, batch: Batch, sizes: Facts) -> Inputs:
        places, counts = padded(batch.documents)
        return {"vectors": batch.tokens, "sentences": places, "sentence_counts": counts}

    def network(self, sizes: Facts) -> Network:
        from coheval.models._networks.boundary import BoundaryNetwork

        return BoundaryNetwork(sizes["width"], sizes["hidden"])

    def results(self, found: Outputs, documents: Sequence[Variant]) -> list[Scored]:
        rows = zip(found[LOCAL].tolist(), documents, strict=True)
        return [Scored(None, local=tuple(row[: len(document) + 1])) for row, document in rows]

    def score(self, documents: Sequence[Variant], *, reader: Encoder | None = None) -> list[Scored]:
        cut = [windows(len(document), WINDOW) for document in documents]
        pieces = [document[w.start : w.stop] for document, own in zip(documents, cut, strict=True) for w in own]
        found = iter(super().score(pieces, reader=reader))
        return [_joined([(window, next(found)) for window in own]) for own in cut]


def _joined(found: Sequence[tuple[Window, Scored]]) -> Scored:
    """A document's boundaries, each from the window that speaks for the sentence behind it."""
    without = next((scored for _, scored in found if scored.local is None), None)
    if without is not None:  # and then it says why
        return without
    local = [
        score
        for window, scored in found
        for score in (scored.local or ())[window.first - window.start : window.last - window.start]
    ]
    *_, (window, scored) = found
    local.append((scored.local or ())[window.stop - window.start])  # behind the last sentence
    return Scored(float(1 / (1 + np.exp(-np.mean(local)))), local=tuple(local))
