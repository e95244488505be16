"""Distances between vectors and greedy matching over them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_SAME = 1e-12  # squared distance, relative to the vectors', that float32 input cannot tell from zero
_CHUNK = 8_000_000  # similarities held at once by `best_matches`


def normalise(x: NDArray[np.floating]) -> Array:
    """Vectors [..., d] divided by their length; zeros stay zeros."""
    x = np.asarray(x, dtype=np.float64)
    length = np.sqrt(np.einsum("...d,...d->...", x, x))[..., None]
    unit: Array = x / np.where(length > 0, length, 1.0)
    return unit


@dataclass(frozen=True, eq=False, slots=True)
class Points:
    """Vectors [n, d], each to be read as multiplied by its scale [n]: cheaper than a scaled copy of them all."""

    vectors: Array
    scale: Array
    squares: Array  # [n] squared lengths, scaled

    @classmethod
    def of(cls, vectors: Array) -> Points:
        return cls(vectors, np.ones(len(vectors)), _squares(vectors))

    @classmethod
    def units(cls, vectors: Array, epsilon: Array | float = 0.0) -> Points:
        """The vectors divided by their length (+ epsilon); zeros stay zeros."""
        squares = _squares(vectors)
        length = np.sqrt(squares) + epsilon
        scale = 1 / np.where(length > 0, length, 1.0)
        return cls(vectors, scale, squares * scale * scale)


def _squares(x: Array) -> Array:
    squares: Array = np.einsum("nd,nd->n", x, x)
    return squares


def squared_distances(x: Points, y: Points) -> Array:
    """‖x_i − y_j‖² -> [n, m]; exactly zero for equal points."""
    lengths = x.squares[:, None] + y.squares
    squares: Array = x.vectors @ y.vectors.T
    squares *= (-2 * x.scale)[:, None]
    squares *= y.scale
    squares += lengths
    squares[squares < _SAME * lengths] = 0.0
    return squares


def distances(x: Points, y: Points) -> Array:
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
