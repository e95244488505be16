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

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from coheval.models._encodermodel import EncoderModel
from coheval.models._file import Facts
from coheval.models._recipe import Recipe
from coheval.models._windowed import WindowedModel

if TYPE_CHECKING:
    from coheval.models._networks.network import Network

_EMBEDDED = Path(__file__).parent / "_boundary" / "boundary.onnx"


@dataclass(frozen=True, kw_only=True)
class Boundary(WindowedModel, EncoderModel):
    judges_end: ClassVar[bool] = True

    recipe: ClassVar[Recipe] = Recipe(epochs=6, hidden=128, decay=1e-5, negatives=4, linear=True)
    usual_layers: ClassVar[tuple[int, ...] | None] = (2, 4, 6)
    pooled: ClassVar[bool] = True
    embedded: ClassVar[Path | None] = _EMBEDDED

    def network(self, sizes: Facts) -> Network:
        from coheval.models._networks.boundary import BoundaryNetwork

        return BoundaryNetwork(sizes["width"], sizes["hidden"])
