"""COMET-QE: a learned estimate of quality from candidate and source alone, in document context if asked for.

Rei et al. (2021), Are References Really Needed?; in context, Vernikos et al. (2022), Embarrassingly Easy Document-Level
MT Metrics: candidate and source are each read behind their own sentences.

The default, `model='embedded'`, is a small estimator of our own that scores an English candidate against an English
source, such as a summary against its article (model card: metrics/_cometembedded/comet.md). It cannot read a source in
another language. A published checkpoint of the class referenceless_regression_metric pools the tokens of each text to h
and s and feeds [h; s; h⊙s; |h−s|] to a network; one of the class unified_metric, such as CometKiwi, reads both as one
sequence. Variants are those of `comet`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from coheval.data import Item
from coheval.metrics import Row
from coheval.metrics._estimated import EstimatedMetric
from coheval.metrics._estimator import Case


@dataclass(frozen=True, kw_only=True)
class COMETQE(EstimatedMetric):
    context_from: Literal["candidate", "source"] = "candidate"  # whose sentences stand around the candidate

    needs: ClassVar[frozenset[str]] = frozenset({"source"})
    referenceless: ClassVar[bool] = True

    def cases(self, item: Item, index: int) -> list[Case]:
        return [Case(self.candidate_passage(item, index, None), source=self.source_passage(item, index))]

    def merged(self, rows: Sequence[Row]) -> Row:
        return rows[0]
