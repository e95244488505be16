"""From layers to one vector a token, and from tokens to n-grams.

`power_means` and `routing` are the two aggregations of MoverScore (Zhao et al. 2019).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def power_means(layers: Array) -> Array:
    """[L, n, d] -> [n, 3d]: minimum, mean and maximum over layers (p = −∞, 1, +∞)."""
    return np.concatenate([layers.min(axis=0), layers.mean(axis=0), layers.max(axis=0)], axis=1)


def routing(layers: Array, *, rate: float = 1.0, tolerance: float = 1e-6, rounds: int = 100) -> Array:
    """[L, n, d] -> [n, d]: mean shift of a kernel density over layers, with layer weights γ learned by routing.

    For each token, from γ = 0:  γ ← softmax over layers;  v = Σ γ k'(d) z / Σ k'(d);  γ ← γ + rate · k(d), with d the
    squared distance between v and a layer's vector z, until log Σ γ k(d) moves by less than `tolerance`, or until
    `rounds` are over, which is how it mostly ends: γ never stops growing, and turns to one layer in the end. The paper
    leaves the kernel open; this is the Gaussian profile k(d) = exp(−d/2), whose k' is proportional to itself.
    """
    logits = np.zeros(layers.shape[:2])  # [L, n]
    pooled: Array = layers.mean(axis=0)  # [n, d]
    before = np.full(layers.shape[1], -np.inf)
    moving = np.arange(layers.shape[1])  # tokens that have not settled: each stops by itself
    for _ in range(rounds):
        z, weights = layers[:, moving], _softmax(logits[:, moving])
        kernel = _kernel(pooled[moving], z)
        pooled[moving] = np.einsum("ln,lnd->nd", weights * kernel, z) / kernel.sum(axis=0)[:, None]
        kernel = _kernel(pooled[moving], z)
        logits[:, moving] += rate * kernel
        now = np.log((_softmax(logits[:, moving]) * kernel).sum(axis=0))
        settled = np.abs(now - before[moving]) < tolerance
        before[moving] = now
        moving = moving[~settled]
        if not len(moving):
            break
    return pooled


def _softmax(logits: Array) -> Array:
    exponentials = np.exp(logits - logits.max(axis=0))
    return np.asarray(exponentials / exponentials.sum(axis=0))


def _kernel(pooled: Array, layers: Array) -> Array:
    difference = layers - pooled
    values: Array = np.exp(-np.einsum("lnd,lnd->ln", difference, difference) / 2)
    return values


def ngrams(vectors: Array, weights: Array, size: int) -> tuple[Array, Array]:
    """Sums of w·v and of w over windows of `size` rows (all rows, if there are fewer) -> [k, d], [k]."""
    size = min(size, len(vectors))
    weighted = vectors if (weights == 1).all() else vectors * weights[:, None]
    if size <= 1:
        return weighted, weights
    count = len(vectors) - size + 1
    sums = sum(weighted[i : i + count] for i in range(size))
    masses = sum(weights[i : i + count] for i in range(size))
    return np.asarray(sums), np.asarray(masses)
