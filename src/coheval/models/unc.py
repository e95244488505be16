"""UNC: a score at each sentence from its neighbours and from the whole document, summed.

An LSTM reads each sentence in both directions; neighbours meet in a bilinear map, the document in lightweight
convolutions (Moon et al. 2019).

    f_t = bilinear(s_t, s_{t+1}),  g = mean of convolutions(s),  score = Σ_t w · [f_t; f_{t+1}; g] + b

Training asks that the right variant is better by 5 at each position where the two differ. The released program scores
documents of two sentences 0, whatever they say, and lets padding into g, so that a score depends on the batch.
`variant='original'` keeps the first and trains with the second; it scores documents without padding. Repaired, two
sentences have one position, and padding counts nowhere. The released program also trains a language model beside; its
words are not to be predicted from frozen vectors, so it is left out in both variants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from coheval.data.groups import Variant
from coheval.errors import UsageError
from coheval.models._encodermodel import EncoderModel
from coheval.models._file import Facts
from coheval.models._inputs import Batch, Inputs, sentence_inputs
from coheval.models._recipe import Recipe

if TYPE_CHECKING:
    from coheval.models._networks.network import Network

HEADS = 16  # of a convolution: channels share a kernel, as many in each


@dataclass(frozen=True, kw_only=True)
class UNC(EncoderModel):
    recipe: ClassVar[Recipe] = Recipe(epochs=4, rate=2e-4, decay=1e-5, batch=8, hidden=128)

    def sizes(self, width: int, hidden: int, documents: Sequence[Variant]) -> Facts:
        if 2 * hidden % HEADS:
            raise UsageError(
                f"states of both directions must share {HEADS} heads: hidden must be a multiple of {HEADS // 2}, "
                f"got {hidden}",
                where="unc",
                hint=f"try --hidden {-(-hidden // (HEADS // 2)) * (HEADS // 2)}",
            )
        return super().sizes(width, hidden, documents)

    def arrange(self, batch: Batch, sizes: Facts) -> Inputs:
        return sentence_inputs(batch)

    def together(self, document: Variant) -> int:
        """Padding moves an original score: without any, a document scores the same in any company."""
        return len(document) if self.variant == "original" else 0

    def network(self, sizes: Facts) -> Network:
        from coheval.models._networks.unc import UNCNetwork

        return UNCNetwork(sizes["width"], sizes["hidden"], heads=HEADS, original=self.variant == "original")
