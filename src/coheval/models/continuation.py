"""Continuation: how naturally each sentence goes on after those before it, as a language model reads them; ours.

    score = σ(mean of local scores), local_i from states and probabilities of sentence i's tokens behind 1 … i − 1

A small causal language model, frozen, reads the whole document (`smollm`, which is installed by one command and needs
no torch); a small network learnt what of this tells right endings from wrong ones. Where `boundary` compares sentences
that were read one by one, this one reads them together: it is better at endings and slower, as each variant of a
document is read anew. docs/models.md has the formula.

Documents of any length are read in windows of 32 sentences. Without `file` the embedded weights are read
(model card: models/_continuation/continuation.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from coheval.data.groups import Variant
from coheval.encoders import Encoder
from coheval.models._file import Facts
from coheval.models._incontext import InContext
from coheval.models._recipe import Recipe
from coheval.models._trained import without_libraries
from coheval.models._windowed import WindowedModel
from coheval.rankers import LanguageModel
from coheval.spec import build

if TYPE_CHECKING:
    from coheval.models._networks.network import Network

_EMBEDDED = Path(__file__).parent / "_continuation" / "continuation.onnx"
_HEIGHT = 2 / 3  # of the layer that is read, unless told: that of smollm whose states tell endings apart best


@dataclass(frozen=True, kw_only=True)
class Continuation(WindowedModel):
    model: LanguageModel | None = None  # what reads; the one that the file names, or smollm

    recipe: ClassVar[Recipe] = Recipe(epochs=8, hidden=256, decay=1e-5, negatives=4, linear=True)
    embedded: ClassVar[Path | None] = _EMBEDDED

    def reads(self) -> dict[Encoder, tuple[int, ...]]:
        return {}

    def named(self) -> dict[str, object]:
        reads = self.readings()
        return {"model": reads.model, "layers": reads.layers}

    def ready(self) -> None:
        reads = self.readings()
        reads.model.ready(reads.layers)

    def readings(self, reader: Encoder | None = None) -> InContext:
        facts = self.facts()
        named = self.model or build(LanguageModel, without_libraries(facts["encoder"]))
        return InContext(named, self.layers or tuple(facts["layers"]))

    def new_readings(self) -> InContext:
        named = self.model or build(LanguageModel, "smollm")
        layers = self.layers or (round(named.depth * _HEIGHT),)
        named.ready(layers)
        return InContext(named, layers)

    def read_by(self) -> Facts:
        reads = self.new_readings()
        return {"encoder": reads.model.signature, "layers": list(reads.layers)}

    def check(self, facts: Facts) -> None:
        if self.model is not None:
            self.check_reader(facts, "model", self.model, self.model.located_by)
        super().check(facts)

    def unfit(self, document: Variant, sizes: Facts) -> str | None:
        """A blank sentence is none: nothing is read there."""
        return super().unfit(tuple(filter(str.strip, document)), sizes)

    def network(self, sizes: Facts) -> Network:
        from coheval.models._networks.continuation import ContinuationNetwork

        return ContinuationNetwork(sizes["width"], sizes["hidden"])
