"""COMET: a learned estimate of quality from candidate, reference and source, in document context if asked for.

Rei, Stewart, Farinha, Lavie (2020), COMET: A Neural Framework for MT Evaluation; in context, Vernikos, Thompson,
Mathur, Federico (2022), Embarrassingly Easy Document-Level MT Metrics.

The default, `model='embedded'`, is a small estimator of our own for English, not COMET's: it sees how the tokens of
candidate and reference align in the default encoder, was trained on WMT17 and WMT19, and reads no source (model card:
metrics/_cometembedded/comet.md; docs/results.md has its agreement with people on language pairs it has not seen).

A published checkpoint of the class regression_metric pools the tokens of each text, specials included, to h, r and s,
and feeds [h; r; h⊙r; |h−r|; h⊙s; |h−s|] to a network. One of the class unified_metric reads candidate and reference as
one sequence, and, where there is a source, candidate and source, and all three; the score is the mean.

In context candidate and reference are read behind the reference's sentences, the source behind its own, and 'strict'
pools over the sentence alone, as the paper says; 'code' pools over both specials too, as the released program does. A
joint sequence is not pooled: its first token is taken. Differences from the comet package: docs/comet.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from coheval.data import Item
from coheval.metrics import Row
from coheval.metrics._estimated import EstimatedMetric
from coheval.metrics._estimator import Case
from coheval.metrics._references import Rule, over_references


@dataclass(frozen=True, kw_only=True)
class COMET(EstimatedMetric):
    references: Rule = "mean"

    needs: ClassVar[frozenset[str]] = frozenset({"references"})
    several_references: ClassVar[str] = "mean of the references' scores; references='max' takes the best"

    def cases(self, item: Item, index: int) -> list[Case]:
        return [
            Case(
                self.candidate_passage(item, index, reference),
                self.reference_passage(item, index, reference),
                self.source_passage(item, index) if self.used.reads_source else None,
            )
            for reference in item.references
            if reference[index] is not None
        ]

    def merged(self, rows: Sequence[Row]) -> Row:
        return over_references(rows, self.references)
