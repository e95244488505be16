"""The statistics of docs/results.md against scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr

from correlation import RESAMPLES, interval, kendall, pearson, weights

ROWS = 40


def rows(seed: int, values: int) -> np.ndarray:
    """Small whole numbers, so that there are ties, and some places without a score."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(values, size=(ROWS, 12)).astype(float)
    drawn[rng.random(drawn.shape) < 0.1] = np.nan
    return drawn


@pytest.mark.parametrize("values", [3, 5, 1000])
@pytest.mark.parametrize(("mine", "oracle"), [(kendall, kendalltau), (pearson, pearsonr)])
def test_rows_as_scipy_has_them(mine, oracle, values):
    x, y = rows(1, values), np.nan_to_num(rows(2, values))
    for a, b, found in zip(x, y, mine(x, y), strict=True):
        known = ~np.isnan(a)
        assert found == pytest.approx(oracle(a[known], b[known]).statistic, abs=1e-12)


def test_kendall_by_hand():
    # Of the six pairs of places three rise in both, one rises in x and falls in y, one is tied in x, one in y:
    # (3 − 1) / sqrt(5 · 5); with y turned round, the same with a minus.
    x, y = np.array([1.0, 2, 2, 3]), np.array([1.0, 3, 2, 2])
    assert kendall(np.array([x, x]), np.array([y, -y])).tolist() == pytest.approx([0.4, -0.4])


def test_kendall_is_undefined_where_one_side_is_tied_throughout():
    x = np.array([[1.0, 1, 1], [1, 2, 3], [np.nan, np.nan, 3]])
    y = np.array([[1.0, 2, 3], [2, 2, 2], [1, 2, 3]])
    assert np.isnan(kendall(x, y)).all()


def test_sums_in_another_order_are_ties():
    x = np.array([[0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1, 1.0]])
    assert x[0, 0] != x[0, 1]
    assert kendall(x, np.array([[1.0, 2, 3]])) == pytest.approx(2 / np.sqrt(2 * 3))


def test_weights_begin_with_the_data_as_they_are():
    found = weights(7)
    assert found.shape == (RESAMPLES + 1, 7)
    assert (found[0] == 1).all()
    assert (found.sum(axis=1) == 7).all()
    assert (found == weights(7)).all()


def test_interval_leaves_the_data_out():
    # 2.5% and 97.5% between the numbers 0 to 1000, by their ranks
    assert interval(np.array([-1e9, *range(1001)])) == pytest.approx((25, 975))
