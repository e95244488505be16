"""ParSeq: three LSTMs, one above the other, read words, sentences and paragraphs.

Each level reads the final states of the one below; the topmost final state is the document's vector, which the
classifier of `sentavg` judges (Lai & Tetreault 2018). Each sentence is a paragraph of its own, as the released program
reads texts whose sentences were moved.

The errors of the released program, and what is repaired, are those of `sentavg`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from coheval.models._encodermodel import EncoderModel
from coheval.models._file import Facts
from coheval.models._inputs import Batch, Inputs, sentence_inputs
from coheval.models._recipe import Recipe

if TYPE_CHECKING:
    from coheval.models._networks.network import Network


@dataclass(frozen=True, kw_only=True)
class ParSeq(EncoderModel):
    recipe: ClassVar[Recipe] = Recipe(epochs=8, hidden=100)

    def arrange(self, batch: Batch, sizes: Facts) -> Inputs:
        return sentence_inputs(batch)

    def network(self, sizes: Facts) -> Network:
        from coheval.models._networks.parseq import ParSeqNetwork

        return ParSeqNetwork(sizes["width"], sizes["hidden"], original=self.variant == "original")
