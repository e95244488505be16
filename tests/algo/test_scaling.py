"""Scales by their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from coheval.algo.scaling import SCALES, MinMax, Rank, Standard

seeds = st.integers(0, 2**32 - 1)


def test_minmax_does_not_clip() -> None:
    scale = MinMax.of(np.array([3.0, 1.0, 2.0]))
    assert (scale.low, scale.high) == (1, 3)
    assert scale(np.array([1.0, 2.0, 3.0, 5.0, -1.0])).tolist() == [0, 0.5, 1, 2, -1]


def test_standard_by_hand() -> None:
    scale = Standard.of(np.array([1.0, 3.0]))  # mean 2, deviation 1
    assert scale(np.array([2.0, 4.0])).tolist() == [0, 2]


@given(seeds, st.integers(1, 30))
def test_rank_is_the_mid_rank(seed: int, size: int) -> None:
    x = np.random.default_rng(seed).integers(0, 6, size=size).astype(float)  # with ties
    expected = (rankdata(x) - 0.5) / size  # the mean rank from 1 is the share below plus half the ties, plus a half
    assert Rank.of(x)(x) == pytest.approx(expected)


def test_rank_between_and_beyond() -> None:
    scale = Rank.of(np.array([0.0, 1.0]))  # ranks 1/4 and 3/4
    assert scale(np.array([-9.0, 0.0, 0.5, 1.0, 9.0])).tolist() == [0.25, 0.25, 0.5, 0.75, 0.75]


def test_a_long_sample_is_kept_in_few_points() -> None:
    x = np.random.default_rng(0).normal(size=20_000)
    scale = Rank.of(x)
    assert len(scale.values) == len(scale.ranks) <= 1001
    assert (scale.values[0], scale.values[-1]) == (x.min(), x.max())
    assert np.abs(scale(x) - (rankdata(x) - 0.5) / len(x)).max() < 0.001  # one point in a thousand


@pytest.mark.parametrize("scaling", SCALES)
@pytest.mark.parametrize("value", [0.1, -3.0])
def test_a_constant_sample_scales_to_one_number(scaling: str, value: float) -> None:
    x = np.full(7, value)
    scaled = SCALES[scaling].of(x)(x)
    assert np.isfinite(scaled).all()
    assert np.ptp(scaled) == 0


@pytest.mark.parametrize("scaling", SCALES)
def test_missing_stays_missing(scaling: str) -> None:
    scaled = SCALES[scaling].of(np.array([1.0, 2.0]))(np.array([np.nan, 1.0]))
    assert np.isnan(scaled).tolist() == [True, False]
