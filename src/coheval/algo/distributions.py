"""How counts of labels differ: divergence of distributions, overlap of counts, error of numbers.

Counts are arrays whose last axis is the labels, the same ones on both sides. Weights [R, T] say how often each of T
texts counts in each of R resamples; a row of ones is the data as they are. What is undefined is NaN.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coheval.algo.correlation import ratio

Array = NDArray[np.float64]

SMOOTHING = 0.5  # added to every count: a label that one side lacks would make the divergence infinite


def shares(counts: Array, smoothing: float = 0.0) -> Array:
    """[..., L] counts as parts of their sum, (c + s) / Σ (c + s); NaN where there is nothing."""
    smoothed = counts + smoothing
    return ratio(smoothed, smoothed.sum(axis=-1, keepdims=True))


def kl_divergence(counts: Array, others: Array, smoothing: float = SMOOTHING) -> Array:
    """KL(P ‖ Q) = Σ p ln(p / q) in nats, P the smoothed shares of `counts` and Q of `others`: [..., L] twice -> [...].

    How many nats longer labels of P get in the code that is best for Q. NaN where a side has no counts, as its shares
    would be made of smoothing alone.
    """
    p, q = shares(counts, smoothing), shares(others, smoothing)
    divergence: Array = (p * np.log(p / q)).sum(axis=-1)
    nothing = (counts.sum(axis=-1) == 0) | (others.sum(axis=-1) == 0)
    return np.where(nothing, np.nan, np.maximum(divergence, 0.0))  # a sum of roundings may be just below 0


def overlap_f1(candidates: Array, references: Array, weights: Array) -> Array:
    """Micro F1 of labels, wherever in a text they are: [T, L], [T, L] and [R, T] -> [R].

    A label that a text has c times and its reference r times is found min(c, r) times:
    F1 = 2 Σ min(c, r) / (Σ c + Σ r), over all labels of all texts; NaN where there are none.
    """
    found = np.minimum(candidates, references).sum(axis=-1)
    there = (candidates + references).sum(axis=-1)
    return ratio(2 * weights @ found, weights @ there)


def rmse(candidates: Array, references: Array, weights: Array) -> Array:
    """√(mean of squared differences) of a number of each text: [T], [T] and [R, T] -> [R]."""
    return np.sqrt(ratio(weights @ (candidates - references) ** 2, weights.sum(axis=1)))
