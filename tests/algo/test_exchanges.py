"""The randomisation test of many pairs is that of each pair alone."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pytest

from coheval.algo.exchanges import randomisation_of_pairs
from coheval.algo.permutation import randomisation_p


def ratio(sums: np.ndarray) -> np.ndarray:
    """A score that is no mean."""
    return sums[:, 0] / sums[:, 1]


@pytest.mark.parametrize(("units", "resamples"), [(4, 100), (9, 300)])
def test_as_one_by_one(units: int, resamples: int) -> None:
    """All 16 exchanges of 4 units; 300 random ones of 9."""
    rows = np.random.default_rng(3).uniform(1, 2, size=(4, units, 2))
    pairs = list(combinations(range(4), 2))
    found = list(randomisation_of_pairs(rows, pairs, ratio, resamples, np.random.default_rng(5)))
    alone = [randomisation_p(rows[a], rows[b], ratio, resamples, np.random.default_rng(5)) for a, b in pairs]
    assert found == alone


@pytest.mark.parametrize("scale", [1e-14, 1e-200, 1e300])
def test_on_any_scale(scale: float) -> None:
    """Whole numbers, of which many exchanges make the observed difference again."""
    rows = np.ones((3, 7, 2))
    rows[:, :, 0] = np.random.default_rng(2).integers(1, 5, size=(3, 7))
    pairs = list(combinations(range(3), 2))
    found = list(randomisation_of_pairs(rows * [scale, 1.0], pairs, ratio, 128, np.random.default_rng(1)))
    for (a, b), p in zip(pairs, found, strict=True):
        gaps = rows[a, :, 0] - rows[b, :, 0]
        sums = np.array([abs(np.dot(signs, gaps)) for signs in product([1, -1], repeat=7)])
        assert p == np.mean(sums >= abs(gaps.sum()))


def test_all_exchanges() -> None:
    rows = np.random.default_rng(4).normal(size=(2, 6, 2)) + 5
    observed = abs(ratio(rows[0].sum(0)[None]) - ratio(rows[1].sum(0)[None]))[0]
    reached = 0
    for swap in product([False, True], repeat=6):
        a = np.where(np.array(swap)[:, None], rows[1], rows[0])
        b = np.where(np.array(swap)[:, None], rows[0], rows[1])
        reached += abs(a.sum(0)[0] / a.sum(0)[1] - b.sum(0)[0] / b.sum(0)[1]) >= observed - 1e-12
    (p,) = randomisation_of_pairs(rows, [(0, 1)], ratio, 64, np.random.default_rng(1))
    assert p == reached / 64


def test_equal_and_undefined_systems() -> None:
    rows = np.ones((3, 5, 2))
    rows[2] = 0

    def score(sums: np.ndarray) -> np.ndarray:
        return np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0)

    same, undefined = randomisation_of_pairs(rows, [(0, 1), (0, 2)], score, 100, np.random.default_rng(1))
    assert same == 1
    assert math.isnan(undefined)
    assert list(randomisation_of_pairs(rows, [], score, 100, np.random.default_rng(1))) == []
