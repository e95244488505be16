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

from coheval.data.groups import Variant
from coheval.encoders import Encoder
from coheval.models import Scored
from coheval.models._encodermodel import EncoderModel
from coheval.models._file import SCORES, Facts
from coheval.models._inputs import Batch, Inputs, padded
from coheval.models._recipe import Recipe
from coheval.models._trained import Outputs
from coheval.models._windowed import scored_in_windows

if TYPE_CHECKING:
    from coheval.models._networks.network import Network

LOCAL = "local"  # the graph's second output

_EMBEDDED = Path(__file__).parent / "_boundary" / "boundary.onnx"


@dataclass(frozen=True, kw_only=True)
class Boundary(EncoderModel):
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
        whole = super().score
        return scored_in_windows(lambda pieces: whole(pieces, reader=reader), documents)
