"""How a token's layers become one vector: a small text such as `last`, `layer(4)`, `pmeans` or `routing(3, 4, 5)`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coheval.algo.matching import normalise
from coheval.algo.pooling import power_means, routing
from coheval.encoders import Encoded, Encoder
from coheval.errors import SpecError
from coheval.grammar import parse

_POOLED = {"pmeans": power_means, "routing": routing}
_LAST = 5  # layers that `pmeans` and `routing` take unless told


@dataclass(frozen=True)
class Aggregation:
    method: str
    layers: tuple[int, ...]

    @classmethod
    def of(cls, text: str, encoder: Encoder) -> Aggregation:
        spec = parse(text)
        numbers = tuple(a for a in spec.args if type(a) is int)
        well_formed = len(numbers) == len(spec.args) and not spec.params
        match spec.name, len(numbers):
            case "last", 0 if well_formed:
                return cls("layer", (encoder.depth,))
            case "layer", 1 if well_formed:
                return cls("layer", numbers)
            case "pmeans" | "routing" as method, 0 if well_formed:
                return cls(method, tuple(range(max(1, encoder.depth - _LAST + 1), encoder.depth + 1)))
            case "pmeans" | "routing" as method, _ if well_formed:
                return cls(method, numbers)
        raise SpecError(
            f"aggregation must be last, layer(k), pmeans, pmeans(k, …), routing or routing(k, …), got {text!r}",
            hint="layers are numbered from 1 to the encoder's depth",
        )

    def __call__(self, encoded: Encoded, positions: NDArray[np.intp]) -> NDArray[np.float64]:
        """[n, d] (3d for power means) at the given positions; with several layers, each is brought to unit length."""
        if self.method == "layer":
            return encoded.vectors[self.layers[0]][positions].astype(np.float64)
        return _POOLED[self.method](np.stack([normalise(encoded.vectors[k][positions]) for k in self.layers]))
