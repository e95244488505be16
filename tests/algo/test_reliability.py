"""Agreement of raters, against coincidence matrices and loops over pairs."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.algo import reliability
from coheval.algo.reliability import SCALES, krippendorff_alpha, pairwise_agreement
from coheval.errors import UsageError

NAN = float("nan")
seeds = st.integers(0, 2**32 - 1)

# four raters and twelve units, the worked example of Krippendorff's "Computing Krippendorff's Alpha-Reliability" (2011)
EXAMPLE = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)


@pytest.mark.parametrize(
    ("metric", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_of_the_published_example(metric: str, expected: float) -> None:
    assert krippendorff_alpha(EXAMPLE, metric) == pytest.approx(expected, abs=0.0005)


def by_coincidences(ratings: np.ndarray, metric: str) -> float:
    """alpha from the matrix of coincidences of values, with ordinal differences by counting the values between."""
    units = [unit[~np.isnan(unit)] for unit in ratings.T]
    units = [unit for unit in units if len(unit) > 1]
    values = sorted(set(itertools.chain.from_iterable(units)))
    coincidences = np.zeros((len(values), len(values)))
    for unit in units:
        for a, b in itertools.permutations(unit, 2):
            coincidences[values.index(a), values.index(b)] += 1 / (len(unit) - 1)
    counts = coincidences.sum(axis=1)

    def difference(i: int, j: int) -> float:
        if metric == "nominal":
            return float(i != j)
        if metric == "interval":
            return (values[i] - values[j]) ** 2
        if metric == "ratio":
            return ((values[i] - values[j]) / (values[i] + values[j])) ** 2 if i != j else 0.0
        low, high = min(i, j), max(i, j)
        return (counts[low : high + 1].sum() - (counts[low] + counts[high]) / 2) ** 2

    delta = np.array([[difference(i, j) for j in range(len(values))] for i in range(len(values))])
    expected = (counts[:, None] * counts * delta).sum() if values else 0.0
    if expected == 0:
        return NAN
    return float(1 - (counts.sum() - 1) * (coincidences * delta).sum() / expected)


@pytest.mark.parametrize("metric", SCALES)
@given(seed=seeds, raters=st.integers(0, 4), units=st.integers(0, 6), levels=st.integers(1, 4))
def test_alpha_equals_coincidences(metric: str, seed: int, raters: int, units: int, levels: int) -> None:
    rng = np.random.default_rng(seed)
    ratings = rng.integers(0, levels, size=(raters, units)).astype(float)
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    expected = by_coincidences(ratings, metric)
    for chunk in (1, 10**6):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reliability, "_CHUNK", chunk)
            assert krippendorff_alpha(ratings, metric) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_alpha_by_hand() -> None:
    # two raters, units (1, 1), (1, 2): D_o = (0 + 0 + 1 + 1)/4; of 12 ordered pairs of 1 1 1 2 six differ: D_e = 1/2
    assert krippendorff_alpha(np.array([[1.0, 1.0], [1.0, 2.0]])) == pytest.approx(0.0)
    assert krippendorff_alpha(np.array([[1.0, 2.0], [1.0, 2.0]])) == pytest.approx(1.0)


def test_an_unknown_scale_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean 'ordinal'"):
        krippendorff_alpha(EXAMPLE, "ordinary")


@given(seed=seeds, raters=st.integers(0, 4), units=st.integers(0, 5))
def test_pairwise_agreement_equals_a_loop(seed: int, raters: int, units: int) -> None:
    rng = np.random.default_rng(seed)
    ratings = rng.integers(0, 3, size=(raters, units)).astype(float)
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    pairs = [
        (a, b) for unit in ratings.T for a, b in itertools.combinations(unit, 2) if not (math.isnan(a) or math.isnan(b))
    ]
    expected = np.mean([a == b for a, b in pairs]) if pairs else NAN
    assert pairwise_agreement(ratings) == pytest.approx(expected, nan_ok=True)
