"""FREQ: how often a text comes back to the things that it speaks of more than once.

Zhao, Strube, Eger (2023), DiscoScore: Evaluating Text Generation with BERT and Discourse Coherence, where it is one of
two features that tell candidates from references (the other is `connectivity`).

    FREQ = mentions of the foci that have two or more / number of such foci

So it is 2 or more; a text that mentions nothing twice has no score. `form='discriminativeness'` is the distance between
the candidate's FREQ and the reference's. Lower is better in both: summaries that come back to the same things more
often are rated worse (docs/results.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from coheval.metrics import Evidence, Row, undefined
from coheval.metrics._discourse import Text
from coheval.metrics._features import ComparableFeature, told_foci


@dataclass(frozen=True, kw_only=True)
class FocusFrequency(ComparableFeature):
    higher_is_better: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (2.0, math.inf)

    def feature(self, text: Text) -> Row:
        if not text.foci:
            return undefined("the text has no focus")
        counts = [len(mentions) for mentions in text.foci.values() if len(mentions) > 1]
        if not counts:
            return undefined("the text mentions no focus more than once")
        return Row((sum(counts) / len(counts),))

    def explain(self, text: Text) -> Evidence:
        return told_foci(text.foci)
