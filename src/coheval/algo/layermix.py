"""A scalar mix: one vector a token from the vectors of all layers, each layer with a weight that was learned.

    m = γ Σ_k s_k h_k,   s = softmax(w), or sparsemax(w), which gives most layers nothing at all

Peters et al. (2018), Deep Contextualized Word Representations; Martins, Astudillo (2016), From Softmax to Sparsemax,
which is the Euclidean projection of w onto the probability simplex.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_EPSILON = 1e-12  # of the norm, as released


def softmax(logits: Array) -> Array:
    exponentials = np.exp(logits - logits.max())
    return np.asarray(exponentials / exponentials.sum())


def sparsemax(logits: Array) -> Array:
    """max(w - τ, 0) with the τ for which it sums to 1."""
    falling = np.sort(logits)[::-1]
    sums = np.cumsum(falling)
    sizes = np.arange(1, len(logits) + 1)
    size = int(sizes[1 + sizes * falling > sums].max())  # how many are above τ
    return np.asarray(np.maximum(logits - (sums[size - 1] - 1) / size, 0.0))


def mix(layers: Mapping[int, NDArray[np.float32]], weights: Mapping[int, float], *, normed: bool) -> Array:
    """Σ weight · vectors over layers [n, d].

    With `normed`, a layer's mean and variance over all tokens and dimensions of the text become 0 and 1 first.
    """
    return np.asarray(sum(weight * (_normed(layers[k]) if normed else layers[k]) for k, weight in weights.items()))


def _normed(vectors: NDArray[np.float32]) -> Array:
    centred = vectors - vectors.mean(dtype=np.float64)
    return np.asarray(centred / np.sqrt(np.square(centred).mean() + _EPSILON))
