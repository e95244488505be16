"""Prism: how likely an encoder-decoder finds the candidate after the reference, and the reference after the candidate.

Thompson, Post (2020), Automatic Machine Translation Evaluation in Many Languages via Zero-Shot Paraphrasing.

    H(y | x) = 1/|y| Σ_t log p(y_t | y_<t, x),   score = ½ H(candidate | reference) + ½ H(reference | candidate)

`form` takes one direction alone: 'precision' is H(candidate | reference), 'recall' H(reference | candidate), 'source'
H(candidate | source), which needs a model that translates and no reference. Logarithms are natural, as the released
program's are; its identifier says base 2.

Variant `paper` (the default) averages the text's tokens and the end, and leaves out the tag before them.

With `context` it is Doc-Prism (Vernikos, Thompson, Mathur, Federico 2022): both sides are read behind the sentences
before them, and only the sentence is scored. Variant `code` averages what that program does: of a sentence alone the
language's tag and its tokens, in context the separator before it and its tokens, never the end. That program counts
from the end of the text, so `after` is not for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from coheval.algo.lastsentence import scored
from coheval.decoders import Decoded
from coheval.metrics._forced import ForcedMetric, Mask, closed


@dataclass(frozen=True, kw_only=True)
class Prism(ForcedMetric):
    variant: Literal["paper", "code"] = "paper"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.variant == "paper" or not self.after, "variant='code' reads no sentences behind the segment")

    def scored(self, decoded: Decoded) -> Mask:
        if self.variant == "paper":
            return closed(decoded)
        mask = np.zeros(len(decoded), dtype=np.bool_)
        mask[scored(len(decoded), int((~decoded.context).sum()))] = True
        return mask
