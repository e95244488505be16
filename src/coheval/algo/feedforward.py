"""A feed-forward network: layers a(W x + b), the last with an activation of its own or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


def _sigmoid(x: Array) -> Array:
    return np.asarray(0.5 * (1 + np.tanh(0.5 * x)), dtype=np.float32)


def _gelu(x: Array) -> Array:
    from scipy.special import erf

    return np.asarray(0.5 * x * (1 + erf(x / np.sqrt(2))), dtype=np.float32)


ACTIVATIONS: dict[str, Callable[[Array], Array]] = {  # by torch's names
    "ELU": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    "GELU": _gelu,
    "Identity": lambda x: x,
    "LeakyReLU": lambda x: np.where(x > 0, x, np.float32(0.01) * x),
    "ReLU": lambda x: np.maximum(x, 0),
    "Sigmoid": _sigmoid,
    "SiLU": lambda x: x * _sigmoid(x),
    "Tanh": np.tanh,
}


@dataclass(frozen=True, slots=True, eq=False)
class FeedForward:
    layers: Sequence[tuple[Array, Array]]  # W [out, in] and b [out]
    activation: str
    final: str = "Identity"

    def __call__(self, features: Array) -> Array:
        """[in] -> [out]"""
        x = features
        for weights, bias in self.layers[:-1]:
            x = ACTIVATIONS[self.activation](weights @ x + bias)
        weights, bias = self.layers[-1]
        return ACTIVATIONS[self.final](weights @ x + bias)
