"""Scalar mixes: sparsemax as the nearest point of the simplex, a mix worked out by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.algo.layermix import mix, softmax, sparsemax


def projection(point: np.ndarray) -> np.ndarray:
    """By brute force: the nearest point of the simplex lies inside one of its faces; each face is tried."""
    best, found = np.inf, point
    for size in range(1, len(point) + 1):
        for face in itertools.combinations(range(len(point)), size):
            tried = np.zeros_like(point)
            tried[list(face)] = point[list(face)] + (1 - point[list(face)].sum()) / size
            distance = ((tried - point) ** 2).sum()
            if (tried >= 0).all() and distance < best:
                best, found = distance, tried
    return found


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=6))
def test_sparsemax_is_the_projection(values: list[float]) -> None:
    point = np.array(values)
    found = sparsemax(point)
    assert found == pytest.approx(projection(point), abs=1e-9)
    assert found.sum() == pytest.approx(1)


def test_softmax() -> None:
    assert softmax(np.log([1.0, 2.0, 5.0])) == pytest.approx([1 / 8, 2 / 8, 5 / 8])


def test_mix_worked_by_hand() -> None:
    """1, 3 and 2, 6 have means 2 and 4, deviations 1 and 2: normed, both are -1, 1."""
    layers = {0: np.array([[1], [3]], dtype=np.float32), 2: np.array([[2], [6]], dtype=np.float32)}
    assert mix(layers, {0: 2.0, 2: 0.5}, normed=False).tolist() == [[3], [9]]
    assert mix(layers, {0: 2.0, 2: 0.5}, normed=True) == pytest.approx(np.array([[-2.5], [2.5]]))
