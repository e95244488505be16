"""Distances and greedy matching against the full matrix."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.algo import matching
from coheval.algo.matching import Points, best_matches, distances, harmonic, normalise, squared_distances

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 12)


def unit_rows(rng: np.random.Generator, n: int, d: int = 5) -> matching.Array:
    return normalise(rng.normal(size=(n, d)))


@given(seeds, sizes, sizes)
def test_squared_distances_by_definition(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = unit_rows(rng, n), unit_rows(rng, m)
    expected = ((x[:, None] - y[None]) ** 2).sum(axis=2)
    points = Points.of(x), Points.of(y)
    assert squared_distances(*points) == pytest.approx(expected, abs=1e-12)
    assert (squared_distances(*points) >= 0).all()
    assert distances(*points) == pytest.approx(np.sqrt(expected), abs=1e-6)


@given(seeds, sizes)
def test_equal_rows_have_no_distance(seed: int, n: int) -> None:
    x = unit_rows(np.random.default_rng(seed), n, 384)
    assert (np.diag(squared_distances(Points.of(x), Points.of(x.copy()))) == 0).all()


@pytest.mark.parametrize("chunk", [1, 5, 7, 20, 8_000_000])
@given(seed=seeds, n=sizes, m=sizes)
def test_best_matches_equal_the_full_matrix(chunk: int, seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(-2, 3, size=(n, 2)).astype(float), rng.integers(-2, 3, size=(m, 2)).astype(float)  # with ties
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "_CHUNK", chunk)
        best_x, at_x, best_y, at_y = best_matches(x, y)
    similarity = x @ y.T
    assert (best_x == similarity.max(axis=1)).all()
    assert (best_y == similarity.max(axis=0)).all()
    assert (at_x == similarity.argmax(axis=1)).all()
    assert (at_y == similarity.argmax(axis=0)).all()


def test_normalise_keeps_zero_rows() -> None:
    rows = normalise(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert rows.tolist() == [[0.6, 0.8], [0.0, 0.0]]


def test_units_add_epsilon_to_the_length() -> None:
    points = Points.units(np.array([[3.0, 4.0], [0.0, 0.0]]), epsilon=np.array([5.0, 1.0]))
    assert points.vectors * points.scale[:, None] == pytest.approx(np.array([[0.3, 0.4], [0.0, 0.0]]))
    assert points.squares == pytest.approx([0.25, 0.0])


def test_units_are_as_far_apart_as_normalised_vectors() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(4, 3)), rng.normal(size=(2, 3))
    scaled = squared_distances(Points.units(x), Points.units(y))
    assert scaled == pytest.approx(squared_distances(Points.of(normalise(x)), Points.of(normalise(y))), abs=1e-12)


def test_harmonic_mean() -> None:
    assert harmonic(0.5, 1.0) == pytest.approx(2 / 3)
    assert harmonic(0.0, 0.0) == 0.0
