"""Permutation tests against loops over all exchanges."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from coheval.algo import permutation
from coheval.algo.correlation import kendall_b, pearson
from coheval.algo.permutation import KINDS, permutation_p, randomisation_p, swaps

NAN = float("nan")
kinds = pytest.mark.parametrize("kind", KINDS)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def pooled(gold: np.ndarray):  # type: ignore[no-untyped-def]
    """Pearson's correlation over all entries [r, S, N]."""
    return lambda x: pearson(x.reshape(len(x), -1), gold.ravel())


# exchanges --------------------------------------------------------------------------------------------------------


@kinds
def test_all_exchanges_are_made_once_if_they_fit(kind: str) -> None:
    made = np.concatenate(list(swaps(kind, 2, 3, 64, rng())))
    free = {"both": 6, "inputs": 3, "systems": 2}[kind]
    assert made.shape == (2**free, 2, 3)
    assert len(np.unique(made.reshape(len(made), -1), axis=0)) == 2**free


@kinds
def test_what_is_exchanged_together(kind: str) -> None:
    made = np.concatenate(list(swaps(kind, 20, 30, 50, rng())))
    assert made.shape == (50, 20, 30)
    by_input, by_system = (made == made[:, :1]).all(), (made == made[:, :, :1]).all()
    assert (by_input, by_system) == {"both": (False, False), "inputs": (True, False), "systems": (False, True)}[kind]
    # each is a fair coin: of at least 1,000 tosses the share of heads is within 4 · √(1/4 / 1000) of a half
    assert abs(made.mean() - 0.5) < 0.064


@kinds
def test_blocks_are_bounded(kind: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(permutation, "_CHUNK", 40)
        sizes = [len(block) for block in swaps(kind, 4, 5, 7, rng())]
    assert sizes == [2, 2, 2, 1]


# two metrics ------------------------------------------------------------------------------------------------------


def test_perm_both_equals_the_golden(shared: Path) -> None:
    golden = json.loads((shared / "golden" / "tree_kernel_and_stats.json").read_text())["perm_both_exact"]
    x1, x2, gold = (np.array([golden[key]]) for key in ("metric1", "metric2", "gold"))
    delta, p = permutation_p(x1, x2, pooled(gold), "both", 1000, rng())
    assert delta == pytest.approx(golden["delta"], abs=1e-12)
    assert p == golden["exact_p_metric2_better"]


def exchanged(kind: str, x1: np.ndarray, x2: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    systems, inputs = x1.shape
    free = {"both": (systems, inputs), "inputs": (1, inputs), "systems": (systems, 1)}[kind]
    found = []
    for choice in itertools.product([False, True], repeat=free[0] * free[1]):
        swap = np.zeros(x1.shape, dtype=bool) | np.array(choice).reshape(free)
        found.append((np.where(swap, x2, x1), np.where(swap, x1, x2)))
    return found


@kinds
@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
@pytest.mark.parametrize("seed", range(3))
def test_exact_p_equals_a_loop_over_all_exchanges(kind: str, alternative: str, seed: int) -> None:
    gold, x1, x2 = rng(seed).normal(size=(3, 2, 4))
    x2 += gold
    z1, z2 = stats.zscore(x1, axis=None), stats.zscore(x2, axis=None)

    def difference(one: np.ndarray, other: np.ndarray) -> float:
        return float(stats.pearsonr(other.ravel(), gold.ravel())[0] - stats.pearsonr(one.ravel(), gold.ravel())[0])

    observed = difference(z1, z2)
    drawn = np.array([difference(*pair) for pair in exchanged(kind, z1, z2)])
    extreme = drawn >= observed - 1e-12 if alternative == "greater" else np.abs(drawn) >= abs(observed) - 1e-12
    delta, p = permutation_p(x1, x2, pooled(gold), kind, 256, rng(), alternative=alternative)
    assert delta == pytest.approx(observed, abs=1e-12)
    assert p == extreme.mean()


@kinds
def test_random_exchanges_come_near_the_exact_p(kind: str) -> None:
    gold, x1, x2 = rng(3).normal(size=(3, 3, 4))
    _, exact = permutation_p(x1, x2, pooled(gold), kind, 4096, rng())
    systems = {"both": 4000, "inputs": 15, "systems": 7}[kind]  # fewer than all exchanges, so that they are drawn
    found = [
        permutation_p(x1, x2, pooled(gold), kind, systems, rng(seed))[1] for seed in range(1 if kind == "both" else 400)
    ]
    draws = systems * len(found)
    # (1 + k)/(1 + r) has the mean (1 + r p)/(1 + r); the standard error over all draws is at most √(1/4 / draws)
    expected = (1 + systems * exact) / (1 + systems)
    assert np.mean(found) == pytest.approx(expected, abs=4 * math.sqrt(0.25 / draws))


def test_p_is_never_0() -> None:
    gold = rng().normal(size=(4, 30))
    delta, p = permutation_p(rng(1).normal(size=gold.shape), gold, pooled(gold), "both", 99, rng())
    assert delta > 0.8
    assert p == 1 / 100


def test_equal_metrics_do_not_differ() -> None:
    gold, x = rng().normal(size=(2, 4, 30))
    assert permutation_p(x, 3 * x + 1, pooled(gold), "both", 99, rng()) == (pytest.approx(0.0, abs=1e-12), 1.0)


def test_an_entry_that_one_metric_lacks_counts_for_neither() -> None:
    gold, x1, x2 = rng(4).normal(size=(3, 1, 7))
    full = permutation_p(x1[:, 1:], x2[:, 1:], pooled(gold[:, 1:]), "both", 64, rng())
    for a, b in ((0, 1), (1, 0)):
        holes = [x1.copy(), x2.copy()]
        holes[a][0, 0], holes[b][0, 0] = np.nan, 1e6
        assert permutation_p(*holes, pooled(gold), "both", 128, rng()) == pytest.approx(full, abs=1e-12)


def test_undefined_stays_undefined() -> None:
    gold, x = rng().normal(size=(2, 2, 3))
    for broken in (np.full((2, 3), 0.1), np.full((2, 3), np.nan)):
        assert np.isnan(permutation_p(broken, x, pooled(gold), "both", 64, rng())).all()


def test_an_exchange_without_a_statistic_counts_against() -> None:
    # Two entries: after one of two exchanges both metrics are constant for Kendall. Values after scaling: ±1.
    gold, x1, x2 = np.array([[1.0, 2.0]]), np.array([[5.0, 3.0]]), np.array([[3.0, 5.0]])
    delta, p = permutation_p(x1, x2, lambda x: kendall_b(x[:, 0], gold), "both", 4, rng())
    assert delta == 2.0
    assert p == 3 / 4  # as it is, and two where it is undefined; exchanging both entries gives −2


def test_stopping_early() -> None:
    gold = rng().normal(size=(4, 30))
    calls = []

    def counted(x: np.ndarray) -> np.ndarray:
        calls.append(len(x))
        return pooled(gold)(x)

    x = rng(1).normal(size=gold.shape)
    _, p = permutation_p(x, gold, counted, "both", 10_000, rng(), stop=(0.02, 0.5))
    assert p == 1 / 101  # after a hundred, none of which came near
    assert sum(calls) == 2 + 200
    _, p = permutation_p(gold, x, counted, "both", 10_000, rng(), stop=(0.02, 0.5))
    assert p == 1.0


# two systems ------------------------------------------------------------------------------------------------------


def ratio(sums: np.ndarray) -> np.ndarray:
    return sums[:, 0] / sums[:, 1]


@given(seed=st.integers(0, 2**32 - 1), units=st.integers(1, 7))
def test_exact_randomisation_equals_a_loop(seed: int, units: int) -> None:
    a, b = rng(seed).integers(1, 5, size=(2, units, 2)).astype(float)

    def difference(one: np.ndarray, other: np.ndarray) -> float:
        return float(one[:, 0].sum() / one[:, 1].sum() - other[:, 0].sum() / other[:, 1].sum())

    drawn = []
    for choice in itertools.product([False, True], repeat=units):
        swap = np.array(choice)[:, None]
        drawn.append(abs(difference(np.where(swap, b, a), np.where(swap, a, b))))
    expected = np.mean(np.array(drawn) >= abs(difference(a, b)) - 1e-12)
    assert randomisation_p(a, b, ratio, 128, rng()) == expected


def test_randomisation_of_a_mean_equals_scipy() -> None:
    a, b = rng(5).normal(size=(2, 10))
    oracle = stats.permutation_test(
        (a - b,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
    )
    rows = (np.stack([side, np.ones(10)], axis=1) for side in (a, b))
    assert randomisation_p(*rows, ratio, 1024, rng()) == pytest.approx(oracle.pvalue, abs=1e-12)


def test_random_randomisation_comes_near_the_exact_p() -> None:
    a, b = rng(6).normal(size=(2, 12, 1)) + np.array([0.4, 0.0]).reshape(2, 1, 1)
    exact = randomisation_p(a, b, lambda s: s[:, 0], 4096, rng())
    assert 0 < exact < 0.5
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(permutation, "_CHUNK", 1000)
        found = randomisation_p(a, b, lambda s: s[:, 0], 4000, rng())
    assert found == pytest.approx(exact, abs=4 * math.sqrt(0.25 / 4000))


def test_units_that_one_side_lacks_are_left_out() -> None:
    a, b = rng(7).integers(1, 5, size=(2, 6, 2)).astype(float)
    expected = randomisation_p(a[2:], b[2:], ratio, 64, rng())
    a[0, 0], b[1] = np.nan, np.nan
    assert randomisation_p(a, b, ratio, 64, rng()) == expected


@pytest.mark.parametrize("rows", [np.empty((0, 2)), np.full((3, 2), np.nan)])
def test_nothing_to_exchange(rows: np.ndarray) -> None:
    assert math.isnan(randomisation_p(rows, rows, ratio, 64, rng()))


def test_equal_systems_do_not_differ() -> None:
    rows = rng(8).integers(1, 5, size=(30, 2)).astype(float)
    assert randomisation_p(rows, rows, ratio, 99, rng()) == 1.0


# scale ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1e-14, 1e-200, 1e300])
@pytest.mark.parametrize("seed", range(5))
def test_randomisation_does_not_depend_on_the_scale(scale: float, seed: int) -> None:
    """Whole numbers: many exchanges reach the observed difference exactly, but for the rounding of the scale."""
    a, b = rng(seed).integers(1, 5, size=(2, 8)).astype(float)
    rows = [np.stack([side, np.ones(8)], axis=1) for side in (a, b)]
    scaled = [side * [scale, 1.0] for side in rows]
    sums = [abs(np.dot(signs, a - b)) for signs in itertools.product([1, -1], repeat=8)]
    assert randomisation_p(*scaled, ratio, 256, rng()) == np.mean(np.array(sums) >= abs((a - b).sum()))
    assert randomisation_p(*scaled, ratio, 200, rng()) == randomisation_p(*rows, ratio, 200, rng())


def test_systems_that_differ_by_rounding_alone_do_not_differ() -> None:
    a = np.stack([np.full(8, 0.1 + 0.2), np.ones(8)], axis=1)
    b = np.stack([np.full(8, 0.3), np.ones(8)], axis=1)
    assert a[0, 0] != b[0, 0]
    for scale in (1e-14, 1.0, 1e300):
        assert randomisation_p(a * [scale, 1], b * [scale, 1], ratio, 256, rng()) == 1.0


@kinds
@pytest.mark.parametrize("scale", [1e-14, 1e-200, 1e300])
def test_permutations_do_not_depend_on_the_scale(kind: str, scale: float) -> None:
    gold, x1, x2 = rng(9).normal(size=(3, 2, 4))
    expected = permutation_p(x1, x2, pooled(gold), kind, 256, rng())
    assert permutation_p(x1 * scale, x2, pooled(gold), kind, 256, rng()) == pytest.approx(expected, abs=1e-12)
