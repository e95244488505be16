"""Correlations under weights against the same of repeated places."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from coheval.algo import weighted
from coheval.algo.correlation import CORRELATIONS
from coheval.algo.resample import bootstrap_weights
from coheval.algo.weighted import WEIGHTED

names = pytest.mark.parametrize("name", WEIGHTED)
seeds = st.integers(0, 2**32 - 1)
Sample = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def repeated(name: str, x: np.ndarray, y: np.ndarray, block: np.ndarray, weights: np.ndarray) -> np.ndarray:
    found = []
    for row in weights:
        drawn = np.repeat(np.arange(len(x)), row[block].astype(int))
        found.append(CORRELATIONS[name](x[drawn], y[drawn])[0])
    return np.array(found)


def sample(seed: int, n: int, blocks: int, resamples: int) -> Sample:
    """Ties on either side or none, some values missing, blocks in no order and some without a place."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 4, size=n) / 10 if rng.random() < 0.5 else rng.normal(size=n)
    y = rng.integers(0, 9, size=n) / 10 if rng.random() < 0.5 else x + rng.normal(size=n)
    x[rng.random(n) < 0.1], y[rng.random(n) < 0.1] = np.nan, np.nan
    return x, y, rng.integers(blocks, size=n), bootstrap_weights(blocks, resamples, rng)


def assert_equal(name: str, drawn: Sample) -> None:
    assert WEIGHTED[name](*drawn) == pytest.approx(repeated(name, *drawn), abs=1e-12, nan_ok=True)


@names
@given(seed=seeds, n=st.integers(0, 30), blocks=st.integers(1, 8))
def test_equals_repeated_places(name: str, seed: int, n: int, blocks: int) -> None:
    assert_equal(name, sample(seed, n, blocks, 6))


@names
@pytest.mark.parametrize("few", [0, 2, 8])
@pytest.mark.parametrize("resamples", [0, 2, 3, 7])
@pytest.mark.parametrize("n", [4, 7, 8, 9, 40])
def test_chunks_and_segments_do_not_show(name: str, few: int, resamples: int, n: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for limit, value in {"_NARROW": 3, "_WIDE": 3, "_STEPS": 4, "_PAIRS": 20, "_FEW": few}.items():
            patch.setattr(weighted, limit, value)
        for seed in range(5):
            assert_equal(name, sample(seed, n, 5, resamples))


@names
def test_large_numbers_are_kept_in_doubles(name: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weighted, "_EXACT", 0)
        for seed in range(5):
            assert_equal(name, sample(seed, 30, 6, 5))


@names
def test_too_many_blocks_for_a_matrix(name: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weighted, "_BLOCKS", 3)
        for seed in range(5):
            assert_equal(name, sample(seed, 30, 6, 5))


@names
def test_single_precision_is_exact(name: str) -> None:
    # 3,000 places: products of ranks are far beyond what float32 holds
    rng = np.random.default_rng(0)
    x = rng.normal(size=3000)
    y = np.round(x + rng.normal(size=3000), 1)
    drawn = x, y, np.repeat(np.arange(100), 30), bootstrap_weights(100, 20, rng)
    assert np.abs(WEIGHTED[name](*drawn) - repeated(name, *drawn)).max() < 1e-13


@names
def test_weights_of_one_are_the_sample(name: str) -> None:
    x, y = np.random.default_rng(4).normal(size=(2, 25))
    oracle = {
        "pearson": stats.pearsonr(x, y),
        "spearman": stats.spearmanr(x, y),
        "kendall": stats.kendalltau(x, y),
        "kendall-c": stats.kendalltau(x, y, variant="c"),
    }[name].statistic
    assert WEIGHTED[name](x, y, np.arange(25), np.ones((1, 25))) == pytest.approx([oracle], abs=1e-12)


@names
def test_a_resample_of_equal_values_is_undefined(name: str) -> None:
    x, y = np.array([0.1, 0.3, 0.3, 0.9]), np.array([5.0, 6.0, 7.0, 8.0])
    weights = np.array([[0.0, 3.0, 2.0, 0.0], [0.0, 3.0, 2.0, 1.0], [0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
    assert np.isnan(WEIGHTED[name](x, y, np.arange(4), weights)).tolist() == [True, False, True, True]


def test_pearson_of_a_resample_far_from_the_rest() -> None:
    # what is drawn differs by some millionths of its distance from the rest, and so do the squares that must cancel
    x, y = np.array([0.0, 1e6, 1e6 + 1, 1e6 + 3]), np.array([0.0, 5.0, 7.0, 6.0])
    weights = np.array([[0.0, 1.0, 1.0, 1.0], [0.0, 2.0, 1.0, 1.0]])
    drawn = x, y, np.arange(4), weights
    assert WEIGHTED["pearson"](*drawn) == pytest.approx(repeated("pearson", *drawn), abs=1e-9)
