"""SentAvg: a document is the sum of its sentences' vectors, and the order of sentences is not seen.

An LSTM reads each sentence; the final states are summed, although the name says average, and a classifier with one
hidden layer tells coherent from incoherent (Lai & Tetreault 2018).

    v = Σ LSTM(sentence),  (a₀, a₁) = W₂ batchnorm(relu(W₁ v + b₁)) + b₂,  score = a₁ − a₀

The released program normalises its output over the documents of a batch, not over the two classes, and ranks documents
one at a time, so that each of them scores 1: `variant='original'` does both. Repaired, classes are normalised, and the
score is the difference of the logits, ln P(coherent) / P(incoherent).
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
class SentAvg(EncoderModel):
    recipe: ClassVar[Recipe] = Recipe(epochs=5, hidden=100)

    def arrange(self, batch: Batch, sizes: Facts) -> Inputs:
        return sentence_inputs(batch)

    def network(self, sizes: Facts) -> Network:
        from coheval.models._networks.sentavg import SentAvgNetwork

        return SentAvgNetwork(sizes["width"], sizes["hidden"], original=self.variant == "original")
