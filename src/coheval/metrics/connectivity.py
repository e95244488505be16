"""CONN: how closely the sentences of a text are linked by what they speak of.

Zhao, Strube, Eger (2023), DiscoScore: Evaluating Text Generation with BERT and Discourse Coherence, where it is one of
two features that tell candidates from references (the other is `focusfrequency`).

    CONN = 1/s² · Σ over sentences i < j of A_ij

A is the adjacency matrix of `dssent` for s sentences: A_ij = 1/(j − i) if two sentences share a focus (see `focus`), or
a/(j − i) with `weighted`, a being the number of foci that they share. It is the mean of the whole matrix; the diagonal
and the lower half are zeros that count. So a text of one sentence, or without foci, has 0; a long text has less than a
short one that is linked as densely. No program was released for it.

`form='discriminativeness'` is the distance between the candidate's CONN and the reference's; lower is better then.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from coheval.algo.graphs import Edges
from coheval.metrics._discourse import Text
from coheval.metrics._features import ComparableFeature
from coheval.metrics._sentencegraph import SentenceGraph, greatest_mean


@dataclass(frozen=True, kw_only=True)
class Connectivity(SentenceGraph, ComparableFeature):
    range: ClassVar[tuple[float, float]] = (0.0, math.inf)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.weighted:
            self.settle(range=(0.0, greatest_mean(discounted=True)))

    def graph(self, text: Text) -> Edges:
        edges = text.edges()
        return (edges if self.weighted else edges.unweighted()).discounted()

    def number(self, edges: Edges) -> float:
        return edges.mean()
