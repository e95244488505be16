"""Divergence, overlap and error, against scipy, counters and sums written out."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy

from coheval.algo.distributions import SMOOTHING, kl_divergence, overlap_f1, rmse, shares

COUNTS = st.integers(1, 5).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, 4), min_size=size, max_size=size), min_size=2, max_size=8)
)


def array(values: object) -> np.ndarray:
    return np.array(values, dtype=np.float64)


def test_shares() -> None:
    np.testing.assert_allclose(shares(array([[1, 3], [0, 0]])), [[0.25, 0.75], [np.nan, np.nan]])
    np.testing.assert_allclose(shares(array([1, 3]), 0.5), [0.3, 0.7])  # 1.5 and 3.5 of 5


def test_divergence_by_hand() -> None:
    # P: 1.5, 1.5, 0.5 of 3.5; Q: 0.5, 0.5, 2.5 of 3.5
    expected = 2 * 3 / 7 * math.log(3) + 1 / 7 * math.log(1 / 5)
    assert SMOOTHING == 0.5
    assert kl_divergence(array([1, 1, 0]), array([0, 0, 2])) == pytest.approx(expected)


@given(COUNTS, st.sampled_from([0.01, 0.5, 1.0]))
def test_divergence_is_that_of_scipy(counts: list[list[int]], smoothing: float) -> None:
    p, q = array(counts[0]), array(counts[1])
    found = float(kl_divergence(p, q, smoothing))
    if p.sum() == 0 or q.sum() == 0:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(float(entropy(p + smoothing, q + smoothing)), abs=1e-12)
        assert found >= 0
        assert kl_divergence(p, p, smoothing) == 0


@given(COUNTS)
def test_overlap_is_that_of_counters(counts: list[list[int]]) -> None:
    half = len(counts) // 2
    candidates, references = counts[:half], counts[half : 2 * half]
    weights = array([[1] * half, range(half), [0] * half])
    for found, times in zip(overlap_f1(array(candidates), array(references), weights), weights, strict=True):
        both = total = 0.0
        for c, r, often in zip(candidates, references, times, strict=True):
            one, other = Counter(dict(enumerate(c))), Counter(dict(enumerate(r)))
            both += often * (one & other).total()
            total += often * (one.total() + other.total())
        assert found == pytest.approx(2 * both / total) if total else math.isnan(found)


def test_error_by_hand() -> None:
    found = rmse(array([1, 4, 2]), array([1, 2, 3]), array([[1, 1, 1], [0, 2, 1], [0, 0, 0]]))
    # (0 + 4 + 1) / 3; (2 · 4 + 1) / 3; nothing
    np.testing.assert_allclose(found, [math.sqrt(5 / 3), math.sqrt(3), np.nan])


def test_no_labels_at_all() -> None:
    nothing = np.zeros((2, 0))
    assert np.isnan(kl_divergence(nothing, nothing)).all()
    assert np.isnan(overlap_f1(nothing, nothing, np.ones((3, 2)))).all()
