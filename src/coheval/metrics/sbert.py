"""SBERT: cosine of the two texts' mean token vectors.

Reimers, Gurevych (2019), Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks. The mean runs over all
tokens, specials included, as sentence-transformers does for the models with mean pooling.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.algo.matching import normalise
from coheval.encoders import Encoded
from coheval.metrics import Row, undefined
from coheval.metrics._embedding import EmbeddingMetric, Side, lack

Vector = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class SBERT(EmbeddingMetric[Vector | str]):  # a vector, or why there is none
    layer: int | Literal["last"] = "last"

    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    libraries: ClassVar[tuple[str, ...]] = ("numpy",)

    @property
    def layers(self) -> tuple[int, ...]:
        return (self.encoder.depth if self.layer == "last" else self.layer,)

    def prepare(self, encoded: Encoded, side: Side) -> Vector | str:
        flaw = lack(encoded)
        if flaw:
            return f"the {side} {flaw}"
        vectors = encoded.vectors[self.layers[0]]
        vector: Vector = normalise(vectors.mean(axis=0, dtype=np.float64)[None])[0]
        return vector

    def compare(self, candidate: Vector | str, reference: Vector | str, evidence: bool) -> Row:
        if isinstance(candidate, str) or isinstance(reference, str):
            return undefined(candidate if isinstance(candidate, str) else str(reference))
        cosine = min(1.0, float(candidate @ reference))  # rounding must not make it better than perfect
        return Row((cosine,), evidence={"kind": "cosine", "cosine": cosine} if evidence else None)
