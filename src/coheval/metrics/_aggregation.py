"""How a token's layers become one vector: a small text such as `last`, `layer(4)`, `pmeans` or `routing(3, 4, 5)`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from coheval.algo.matching import normalise
from coheval.algo.pooling import power_means, routing
from coheval.encoders import Encoded
from coheval.errors import SpecError
from coheval.grammar import parse

_POOLED = {"pmeans": power_means, "routing": routing}
_LAST = 5  # layers that `pmeans` and `routing` take unless told


@dataclass(frozen=True)
class Aggregation:
    method: str
    layers: tuple[int, ...]

    @classmethod
    @lru_cache(maxsize=64)  # asked for with every text
    def of(cls, text: str, depth: int) -> Aggregation:
        """For an encoder of `depth` layers."""
        spec = parse(text)
        numbers = tuple(a for a in spec.args if type(a) is int)
        well_formed = len(numbers) == len(spec.args) and not spec.params
        match spec.name, len(numbers):
            case "last", 0 if well_formed:
                return cls("layer", (depth,))
            case "layer", 1 if well_formed:
                return cls("layer", numbers)
            case "pmeans" | "routing" as method, 0 if well_formed:
                return cls(method, tuple(range(max(1, depth - _LAST + 1), depth + 1)))
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
        layers = np.stack([encoded.vectors[k][positions] for k in self.layers])  # [L, n, d]
        return _POOLED[self.method](normalise(layers))
