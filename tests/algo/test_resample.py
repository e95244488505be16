"""Bootstrap weights, intervals and p."""

from __future__ import annotations

import numpy as np
import pytest

from coheval.algo import resample
from coheval.algo.resample import bootstrap_weights, interval, two_sided

NAN = float("nan")


def test_weights_are_the_data_and_then_draws() -> None:
    weights = bootstrap_weights(7, 50, np.random.default_rng(0))
    assert weights.shape == (51, 7)
    assert (weights[0] == 1).all()
    assert (weights.sum(axis=1) == 7).all()
    assert (weights >= 0).all()
    assert (weights == np.round(weights)).all()
    assert len(np.unique(weights, axis=0)) > 40


def test_weights_are_multinomial() -> None:
    # a weight of n = 4 draws among 4 is binomial(4, 1/4): mean 1, variance 3/4; two of a row have covariance −1/4
    weights = bootstrap_weights(4, 40_000, np.random.default_rng(1))[1:]
    covariance = np.cov(weights.T)
    # standard error of a mean: √(0.75 / 40,000) = 0.0043; of a (co)variance it is below 0.01
    assert weights.mean(axis=0) == pytest.approx(np.ones(4), abs=0.02)
    assert covariance == pytest.approx(np.eye(4) - 0.25, abs=0.04)


def test_chunks_do_not_show() -> None:
    whole = bootstrap_weights(5, 20, np.random.default_rng(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resample, "_CHUNK", 15)
        assert (bootstrap_weights(5, 20, np.random.default_rng(2)) == whole).all()


@pytest.mark.parametrize(("size", "resamples"), [(0, 3), (3, 0), (1, 2)])
def test_nothing_to_draw(size: int, resamples: int) -> None:
    weights = bootstrap_weights(size, resamples, np.random.default_rng(3))
    assert weights.shape == (1 + resamples, size)
    assert (weights == 1).all()


def test_interval_leaves_out_the_first_and_missing_ones() -> None:
    resampled = np.concatenate([[1e9], np.arange(101.0), [NAN, NAN]])
    assert interval(resampled, 0.9) == pytest.approx((5.0, 95.0))
    assert interval(resampled) == pytest.approx((2.5, 97.5))


@pytest.mark.parametrize("resampled", [[1.0], [1.0, NAN, NAN]])
def test_no_interval(resampled: list[float]) -> None:
    assert np.isnan(interval(np.array(resampled))).all()
    assert np.isnan(two_sided(np.array(resampled)))


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([1.0] * 10, 2 * 1 / 10),  # none of nine on the other side
        ([1.0, *[1.0] * 7, -1.0, NAN], 2 * 2 / 9),  # one of eight that are there
        ([-1.0, *[-1.0] * 7, 0.0, 1.0], 2 * 3 / 10),  # 0 is on both sides
        ([0.0] * 10, 1.0),
        ([NAN, 1.0, 1.0], NAN),
    ],
)
def test_two_sided_by_hand(differences: list[float], p: float) -> None:
    assert two_sided(np.array(differences)) == pytest.approx(p, nan_ok=True)


@pytest.mark.parametrize("shift", np.linspace(1.0, 3.0, 9))
def test_p_and_interval_tell_the_same(shift: float) -> None:
    resampled = np.random.default_rng(5).normal(shift, 1.0, size=2000)
    low, _ = interval(resampled)
    assert (low > 0) == (two_sided(resampled) < 0.05)
