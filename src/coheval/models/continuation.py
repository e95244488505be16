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

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from coheval.data.groups import Variant
from coheval.encoders import Encoder
from coheval.models import Scored
from coheval.models._file import SCORES, Facts
from coheval.models._incontext import InContext
from coheval.models._inputs import Batch, Inputs, padded
from coheval.models._recipe import Recipe
from coheval.models._trained import Outputs, TrainedModel, without_libraries
from coheval.models._windowed import scored_in_windows
from coheval.rankers import LanguageModel
from coheval.spec import build

if TYPE_CHECKING:
    from coheval.models._networks.network import Network

LOCAL = "local"  # the graph's second output

_EMBEDDED = Path(__file__).parent / "_continuation" / "continuation.onnx"
_HEIGHT = 2 / 3  # of the layer that is read, unless told: that of smollm whose states tell endings apart best


@dataclass(frozen=True, kw_only=True)
class Continuation(TrainedModel):
    model: LanguageModel | None = None  # what reads; the one that the file names, or smollm

    recipe: ClassVar[Recipe] = Recipe(epochs=8, hidden=256, decay=1e-5, negatives=4, linear=True)
    outputs: ClassVar[tuple[str, ...]] = (SCORES, LOCAL)
    embedded: ClassVar[Path | None] = _EMBEDDED
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def reads(self) -> dict[Encoder, tuple[int, ...]]:
        return {}

    def named(self) -> dict[str, object]:
        reads = self.readings()
        return {"model": reads.model, "layers": reads.layers}

    def ready(self) -> None:
        self.readings().model.digest()  # is it there

    def readings(self, reader: Encoder | None = None) -> InContext:
        facts = self.facts()
        named = self.model or build(LanguageModel, without_libraries(facts["encoder"]))
        return InContext(named, self.layers or tuple(facts["layers"]))

    def new_readings(self) -> InContext:
        named = self.model or build(LanguageModel, "smollm")
        return InContext(named, self.layers or (round(named.depth * _HEIGHT),))

    def read_by(self) -> Facts:
        reads = self.new_readings()
        return {"encoder": reads.model.signature, "layers": list(reads.layers)}

    def check(self, facts: Facts) -> None:
        if self.model is not None:
            self.check_reader(facts, "model", self.model, self.model.located_by)
        super().check(facts)

    def arrange(self, batch: Batch, sizes: Facts) -> Inputs:
        places, counts = padded(batch.documents)
        return {"vectors": batch.tokens, "sentences": places, "sentence_counts": counts}

    def network(self, sizes: Facts) -> Network:
        from coheval.models._networks.continuation import ContinuationNetwork

        return ContinuationNetwork(sizes["width"], sizes["hidden"])

    def results(self, found: Outputs, documents: Sequence[Variant]) -> list[Scored]:
        rows = zip(found[LOCAL].tolist(), documents, strict=True)
        return [Scored(None, local=tuple(row[: len(document)])) for row, document in rows]

    def score(self, documents: Sequence[Variant], *, reader: Encoder | None = None) -> list[Scored]:
        return scored_in_windows(super().score, documents)
