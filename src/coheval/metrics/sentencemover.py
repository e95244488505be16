"""Sentence mover: the distance between two texts taken as one n-gram each, with its sign turned.

Zhao et al. (2019), MoverScore, where n-grams may be as long as the sentence. Zero is perfect.

| variant | vector of a text | score | idf unless given |
|---|---|---|---|
| `coheval` | idf-weighted mean of its pieces' vectors | −Euclidean distance | none |
| `paper` | idf-weighted sum of its pieces' vectors | −Euclidean distance | corpus |
| `webservice` | mean over all pieces, brought to unit length | −L1 distance | none, and no other |

All take power means of the last five layers, specials included. The paper's sum measures length before meaning;
`coheval`, the default, scales the weights to one, as the paper does for the weights of words.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.algo.matching import normalise
from coheval.encoders import Encoded
from coheval.metrics import Row, undefined
from coheval.metrics._aggregation import Aggregation
from coheval.metrics._embedding import Side, WeightedMetric, lack

Vector = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class SentenceMover(WeightedMetric[Vector | str]):  # a vector, or why there is none
    variant: Literal["coheval", "paper", "webservice"] = "coheval"
    aggregation: str = "pmeans"

    range: ClassVar[tuple[float, float]] = (-math.inf, 0.0)
    perfect: ClassVar[float | None] = 0.0
    libraries: ClassVar[tuple[str, ...]] = ("numpy",)

    def __post_init__(self) -> None:
        super().__post_init__()
        Aggregation.of(self.aggregation, depth=1)  # a wrong text is told now, a wrong layer when encoding
        self.require(self.variant != "webservice" or self.idf == "none", "variant 'webservice' has no idf")

    @property
    def usual_idf(self) -> str:
        return "corpus" if self.variant == "paper" else "none"

    @property
    def layers(self) -> tuple[int, ...]:
        return Aggregation.of(self.aggregation, self.encoder.depth).layers

    def prepare(self, encoded: Encoded, side: Side) -> Vector | str:
        weights = self.weights(encoded, side)
        flaw = None if len(encoded) and self.variant == "webservice" else lack(encoded)  # it takes the specials
        if flaw or weights.sum() <= 0:
            return f"the {side} {flaw or 'has no piece with a weight above zero'}"
        vectors = Aggregation.of(self.aggregation, self.encoder.depth)(encoded, np.arange(len(encoded)))
        total: Vector = weights @ vectors
        if self.variant == "paper":
            return total
        mean = total / weights.sum()
        return mean if self.variant == "coheval" else normalise(mean)

    def compare(self, candidate: Vector | str, reference: Vector | str, evidence: bool) -> Row:
        if isinstance(candidate, str) or isinstance(reference, str):
            return undefined(candidate if isinstance(candidate, str) else str(reference))
        order = 1 if self.variant == "webservice" else 2
        distance = float(np.linalg.norm(candidate - reference, ord=order))
        return Row((0.0 - distance,), evidence={"kind": "distance", "distance": distance} if evidence else None)
