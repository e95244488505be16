"""BARTScore: the mean log-probability of a text's tokens after another text, as an encoder-decoder sees them.

Yuan, Neubig, Liu (2021), BARTScore: Evaluating Generated Text as Text Generation.

    score = 1/|y| Σ_t log p(y_t | y_<t, x)

over all tokens of y, the opening one and the end included, as the released program does. `form` says what x and y are:
'precision' scores the candidate after the reference, 'recall' the reference after the candidate, 'f' (the default)
averages both, and 'source' scores the candidate after the source (the paper's faithfulness). A text identical to its
reference does not score 0. Texts longer than the decoder's window have no score, where the program cuts them.

With `context`, both sides are read behind the sentences before them (Vernikos, Thompson, Mathur, Federico 2022), and
only the sentence's own tokens and its end are averaged. No program for this was released.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coheval.decoders import Decoded
from coheval.metrics._forced import ForcedMetric, Mask, closed


@dataclass(frozen=True, kw_only=True)
class BARTScore(ForcedMetric):
    def scored(self, decoded: Decoded) -> Mask:
        return closed(decoded) if self.in_context else np.ones(len(decoded), dtype=np.bool_)
