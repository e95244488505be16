"""Correlations against scipy, with ties, missing values, few places and none."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from coheval.algo import correlation
from coheval.algo.correlation import (
    CORRELATIONS,
    kendall_b,
    kendall_c,
    largest,
    pearson,
    ranks,
    spearman,
    why_undefined,
)

NAN = float("nan")
ORACLES = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": stats.kendalltau,
    "kendall-c": lambda x, y: stats.kendalltau(x, y, variant="c"),
}

names = pytest.mark.parametrize("name", CORRELATIONS)
seeds = st.integers(0, 2**32 - 1)


def oracle(name: str, x: np.ndarray, y: np.ndarray) -> float:
    there = ~np.isnan(x) & ~np.isnan(y)
    if there.sum() < 2:
        return NAN
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy's about constant input
        return float(ORACLES[name](x[there], y[there]).statistic)


def sample(rng: np.random.Generator, rows: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Some rows with many ties, some with none; some values are missing."""
    x = np.where(rng.random((rows, 1)) < 0.5, rng.integers(0, 3, size=(rows, n)) / 10, rng.normal(size=(rows, n)))
    y = np.where(rng.random((rows, 1)) < 0.5, rng.integers(0, 4, size=(rows, n)) / 10, x + rng.normal(size=(rows, n)))
    x[rng.random(x.shape) < 0.1] = np.nan
    y[rng.random(y.shape) < 0.1] = np.nan
    return x, y


@names
@given(seed=seeds, n=st.integers(0, 12))
def test_short_rows_equal_scipy(name: str, seed: int, n: int) -> None:
    x, y = sample(np.random.default_rng(seed), 5, n)
    expected = [oracle(name, *row) for row in zip(x, y, strict=True)]
    assert CORRELATIONS[name](x, y) == pytest.approx(np.array(expected), abs=1e-12, nan_ok=True)


@names
@pytest.mark.parametrize("n", [63, 64, 65, 300])
def test_long_rows_equal_scipy(name: str, n: int) -> None:
    x, y = sample(np.random.default_rng(n), 4, n)
    expected = [oracle(name, *row) for row in zip(x, y, strict=True)]
    assert CORRELATIONS[name](x, y) == pytest.approx(np.array(expected), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("function", [kendall_b, kendall_c])
def test_kendall_by_pairs_equals_kendall_by_sorting(function: correlation.Correlation) -> None:
    x, y = sample(np.random.default_rng(0), 50, 9)
    by_pairs = function(x, y)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(correlation, "_SHORT", 0)
        assert function(x, y) == pytest.approx(by_pairs, abs=1e-12, nan_ok=True)


@names
def test_chunks_of_rows_do_not_show(name: str) -> None:
    x, y = sample(np.random.default_rng(1), 20, 6)
    whole = CORRELATIONS[name](x, y)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(correlation, "_CHUNK", 100)  # two rows of 36 pairs
        assert CORRELATIONS[name](x, y) == pytest.approx(whole, abs=0, nan_ok=True)


@names
def test_one_side_may_be_the_same_for_all_rows(name: str) -> None:
    x, y = sample(np.random.default_rng(2), 4, 8)
    expected = [oracle(name, x[0], row) for row in y]
    assert CORRELATIONS[name](x[0], y) == pytest.approx(np.array(expected), abs=1e-12, nan_ok=True)
    assert CORRELATIONS[name](x[0], y[0]).shape == (1,)


@names
@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([], []),
        ([1.0], [2.0]),
        ([1.0, NAN], [2.0, 3.0]),
        ([0.1, 0.1, 0.1], [1.0, 2.0, 3.0]),  # the mean of three 0.1 is not 0.1 in floats
        ([1.0, 2.0, 3.0], [0.7, 0.7, 0.7]),
        ([1.0, 2.0, 1.0], [3.0, NAN, 3.0]),
    ],
)
def test_undefined_is_nan(name: str, x: list[float], y: list[float]) -> None:
    assert np.isnan(CORRELATIONS[name](np.array(x), np.array(y))).all()
    assert why_undefined(np.array(x), np.array(y))


@names
@pytest.mark.parametrize("there", [0, 1, 2, 3, 64])
def test_long_rows_of_which_little_is_there(name: str, there: int) -> None:
    x, y = np.random.default_rng(there).normal(size=(2, 3, 80))
    x[:, there:] = np.nan
    expected = [oracle(name, *row) for row in zip(x, y, strict=True)]
    assert CORRELATIONS[name](x, y) == pytest.approx(np.array(expected), abs=1e-12, nan_ok=True)


def test_largest() -> None:
    assert largest(np.array([[1.0, -3.0], [NAN, np.inf]]), np.array([2.0])) == 3.0
    assert largest(np.empty(0), np.array([NAN])) == 0.0


@names
def test_no_rows(name: str) -> None:
    assert CORRELATIONS[name](np.empty((0, 5)), np.empty((0, 5))).shape == (0,)


@names
@pytest.mark.parametrize(("y", "expected"), [([3.0, 5.0], 1.0), ([5.0, 3.0], -1.0)])
def test_two_places(name: str, y: list[float], expected: float) -> None:
    assert CORRELATIONS[name](np.array([0.1, 0.7]), np.array(y)).tolist() == [expected]


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([], [], "there are no pairs of values"),
        ([NAN, 1.0], [2.0, NAN], "there are no pairs of values"),
        ([1.0, NAN], [2.0, 3.0], "there is only one pair of values"),
        ([4.0, 4.0], [1.0, 2.0], "all scores are the same"),
        ([1.0, 2.0, 3.0], [4.0, 4.0, NAN], "all ratings are the same"),
        ([1.0, 1.0, 3.0], [4.0, 4.0, NAN], "all scores and all ratings are the same"),
        ([1.0, 2.0], [2.0, 1.0], None),
    ],
)
def test_why_undefined(x: list[float], y: list[float], reason: str | None) -> None:
    assert why_undefined(np.array(x), np.array(y)) == reason


@given(seed=seeds, n=st.integers(2, 6), levels=st.integers(1, 3))
def test_a_reason_is_given_just_where_there_is_no_value(seed: int, n: int, levels: int) -> None:
    x, y = np.random.default_rng(seed).integers(0, levels, size=(2, n)).astype(float)
    for name in CORRELATIONS:
        assert (why_undefined(x, y) is not None) == bool(np.isnan(CORRELATIONS[name](x, y)[0]))


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1e200])
def test_pearson_does_not_depend_on_the_scale(scale: float) -> None:
    x, y = np.random.default_rng(3).normal(size=(2, 4, 9))
    expected = [oracle("pearson", *row) for row in zip(x, y, strict=True)]
    assert pearson(x * scale, y) == pytest.approx(np.array(expected), abs=1e-12)


def test_pearson_of_small_differences_between_large_numbers() -> None:
    x = np.array([1.0, 2.0, 4.0, 7.0])  # whole numbers, so that adding 2**40 loses nothing
    y = np.array([2.0, 1.0, 5.0, 6.0])
    assert pearson(x + 2**40, y - 2**40) == pytest.approx(pearson(x, y), abs=1e-12)


def test_kendall_by_hand() -> None:
    # pairs of 1 2 2 3 with 1 1 2 3: tied in x: (2, 2); tied in y: (1, 1); the other 4 of 6 concordant
    x, y = np.array([1.0, 2.0, 2.0, 3.0]), np.array([1.0, 1.0, 2.0, 3.0])
    assert kendall_b(x, y)[0] == pytest.approx(4 / np.sqrt(5 * 5))
    assert kendall_c(x, y)[0] == pytest.approx(2 * 4 / (4**2 * 2 / 3))  # three classes on either side


def test_infinite_values_are_ranked_and_have_no_pearson() -> None:
    x, y = np.array([1.0, np.inf, 3.0]), np.array([1.0, 3.0, 2.0])
    assert spearman(x, y)[0] == pytest.approx(1.0)
    assert kendall_b(x, y).tolist() == [1.0]
    assert np.isnan(pearson(x, y)[0])


@given(seed=seeds, n=st.integers(0, 10))
def test_ranks_equal_scipy(seed: int, n: int) -> None:
    x, _ = sample(np.random.default_rng(seed), 3, n)
    expected = np.array([stats.rankdata(row, nan_policy="omit") for row in x]).reshape(x.shape)
    assert ranks(x) == pytest.approx(expected, abs=0, nan_ok=True)
