"""Distances between unit vectors and greedy matching over them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_SAME = 1e-12  # squared distance, relative to the vectors', that float32 input cannot tell from zero
_CHUNK = 8_000_000  # similarities held at once by `best_matches`


def normalise(x: NDArray[np.floating], epsilon: float = 0.0) -> Array:
    """Vectors [..., d] divided by their length (+ epsilon); zeros stay zeros."""
    x = np.asarray(x, dtype=np.float64)
    length = np.sqrt(np.einsum("...d,...d->...", x, x))[..., None] + epsilon
    unit: Array = x / np.where(length > 0, length, 1.0)
    return unit


def squared_distances(x: Array, y: Array) -> Array:
    """‖x_i − y_j‖² for rows of x [n, d] and y [m, d] -> [n, m]; exactly zero for equal rows."""
    lengths: Array = np.einsum("nd,nd->n", x, x)[:, None] + np.einsum("md,md->m", y, y)[None, :]
    squares: Array = lengths - 2 * (x @ y.T)
    squares[squares < _SAME * lengths] = 0.0
    return squares


def distances(x: Array, y: Array) -> Array:
    return np.sqrt(squared_distances(x, y))


def best_matches(x: Array, y: Array) -> tuple[Array, NDArray[np.intp], Array, NDArray[np.intp]]:
    """For each row of x its largest dot product with y and where, and the same for each row of y.

    Worked through in slices, so that two texts of 100,000 tokens need no 100,000 x 100,000 matrix.
    """
    best_x, at_x = np.empty(len(x)), np.empty(len(x), dtype=np.intp)
    best_y, at_y = np.full(len(y), -np.inf), np.zeros(len(y), dtype=np.intp)
    step = max(1, _CHUNK // max(1, len(y)))
    for start in range(0, len(x), step):
        similarity = x[start : start + step] @ y.T  # [step, m]
        rows = slice(start, start + len(similarity))
        at_x[rows] = similarity.argmax(axis=1)
        best_x[rows] = similarity[np.arange(len(similarity)), at_x[rows]]
        top = similarity.argmax(axis=0)
        value = similarity[top, np.arange(len(y))]
        better = value > best_y
        best_y[better], at_y[better] = value[better], top[better] + start
    return best_x, at_x, best_y, at_y


def harmonic(precision: float, recall: float) -> float:
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0
