"""Tests of significance on simulated data: false positives stay within the level, differences that exist are found.

Of 400 samples without a difference, a test at the level 0.05 rejects a binomial(400, 0.05) number: 20 on the average,
and more than 35 with a probability of 0.0006. Of 60 samples with a difference that it finds with a probability of 0.95
or more, it finds at least 50, but for a probability of 0.0003. Seeds are fixed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from coheval.algo.permutation import permutation_p, randomisation_p
from coheval.algo.resample import bootstrap_weights, interval, two_sided
from coheval.algo.significance import williams
from coheval.algo.weighted import WEIGHTED

LEVEL = 0.05
WITHOUT, MOST = 400, 35
WITH, LEAST = 60, 50
RESAMPLES = 99  # with 99 random exchanges, p ≤ 0.05 has a probability of just 0.05 or less

Metrics = Callable[[np.random.Generator, float], tuple[np.ndarray, np.ndarray, np.ndarray]]


def test_the_bounds_are_binomial() -> None:
    assert stats.binom.sf(MOST, WITHOUT, LEVEL) < 0.001
    assert stats.binom.cdf(LEAST - 1, WITH, 0.95) < 0.001


def rejections(p: Callable[[np.random.Generator], float], samples: int) -> int:
    rng = np.random.default_rng(2021)
    return sum(p(rng) <= LEVEL for _ in range(samples))


def assert_right(p: Callable[[np.random.Generator], float], *, differ: bool) -> None:
    if differ:
        assert rejections(p, WITH) >= LEAST
    else:
        assert rejections(p, WITHOUT) <= MOST


# two metrics: what is exchanged is what is independent ------------------------------------------------------------


def noise_by_entry(rng: np.random.Generator, worse: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    gold, e1, e2 = rng.normal(size=(3, 8, 12))
    return gold, gold + worse * e1, gold + e2


def noise_by_input(rng: np.random.Generator, worse: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A metric errs in the same direction on all systems' outputs for an input."""
    gold, e1, e2 = rng.normal(size=(3, 4, 50))
    all1, all2 = rng.normal(size=(2, 1, 50))
    return gold, gold + worse * (0.3 * e1 + all1), gold + 0.3 * e2 + all2


def noise_by_system(rng: np.random.Generator, worse: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A metric likes or dislikes a system whatever it says."""
    gold, e1, e2 = rng.normal(size=(3, 50, 4))
    all1, all2 = rng.normal(size=(2, 50, 1))
    return gold, gold + worse * (0.3 * e1 + all1), gold + 0.3 * e2 + all2


PERMUTATIONS = pytest.mark.parametrize(
    ("kind", "metrics"), [("both", noise_by_entry), ("inputs", noise_by_input), ("systems", noise_by_system)]
)


def permuted(kind: str, metrics: Metrics, worse: float, alternative: str) -> Callable[[np.random.Generator], float]:
    def p(rng: np.random.Generator) -> float:
        gold, x1, x2 = metrics(rng, worse)
        people = (gold - gold.mean()).ravel()

        def statistic(x: np.ndarray) -> np.ndarray:  # Pearson's correlation, but for a factor that they all share
            flat = x.reshape(len(x), -1)
            return flat @ people / flat.std(axis=1)

        return permutation_p(x1, x2, statistic, kind, RESAMPLES, rng, alternative=alternative)[1]

    return p


@PERMUTATIONS
@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
def test_metrics_that_are_equally_good(kind: str, metrics: Metrics, alternative: str) -> None:
    assert_right(permuted(kind, metrics, 1.0, alternative), differ=False)


@PERMUTATIONS
@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
def test_a_metric_that_is_better(kind: str, metrics: Metrics, alternative: str) -> None:
    assert_right(permuted(kind, metrics, 5.0, alternative), differ=True)


def test_exchanging_entries_that_are_not_independent_finds_too_much() -> None:
    """The reason why there are three of them, and why the module says which to take."""
    assert rejections(permuted("both", noise_by_system, 1.0, "two-sided"), WITHOUT) > MOST


def correlated(rng: np.random.Generator, second: float, third: float, n: int) -> np.ndarray:
    """[3, n]: normal ratings and two metrics with these correlations; the metrics' own is their product plus 0.1."""
    between = second * third + 0.1
    matrix = np.array([[1, second, third], [second, 1, between], [third, between, 1]])
    return np.linalg.cholesky(matrix) @ rng.normal(size=(3, n))


@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
@pytest.mark.parametrize(("second", "third", "differ"), [(0.5, 0.5, False), (0.9, 0.5, True)])
def test_williams(alternative: str, second: float, third: float, differ: bool) -> None:
    def p(rng: np.random.Generator) -> float:
        sample = correlated(rng, second, third, 30)
        r = np.corrcoef(sample)
        return williams(r[0, 1], r[0, 2], r[1, 2], 30, alternative=alternative)  # type: ignore[arg-type]

    assert_right(p, differ=differ)


@pytest.mark.parametrize(("worse", "differ"), [(1.0, False), (3.0, True)])
def test_paired_bootstrap_over_documents(worse: float, differ: bool) -> None:
    """Documents of three segments that share what is special about them; 80 are many enough for percentiles."""

    def p(rng: np.random.Generator) -> float:
        document = np.repeat(np.arange(80), 3)
        gold, e1, e2 = rng.normal(size=(3, 80))[:, document] + rng.normal(size=(3, 240))
        weights = bootstrap_weights(80, 199, rng)
        one, other = (WEIGHTED["pearson"](x, gold, document, weights) for x in (gold + worse * e1, gold + e2))
        return two_sided(other - one)

    assert_right(p, differ=differ)


def test_intervals_cover_what_they_are_for() -> None:
    """The true correlation of 0.5 lies outside of a 95% interval no more often than a test rejects."""

    def p(rng: np.random.Generator) -> float:
        x, y, _ = correlated(rng, 0.5, 0.5, 150)
        low, high = interval(WEIGHTED["pearson"](x, y, np.arange(150), bootstrap_weights(150, 199, rng)))
        return float(low <= 0.5 <= high)

    assert_right(p, differ=False)


# two systems ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gap", "differ"), [(0.0, False), (1.0, True)])
def test_randomisation_of_documents(gap: float, differ: bool) -> None:
    """Documents of unequal length, whose score is a ratio of sums, as that of BLEU is."""

    def p(rng: np.random.Generator) -> float:
        length = rng.integers(1, 9, size=40)
        hard, e1, e2 = rng.normal(size=(3, 40))
        rows = (np.stack([length * (hard + e), length], axis=1) for e in (e1 + gap, e2))
        return randomisation_p(*rows, lambda sums: sums[:, 0] / sums[:, 1], RESAMPLES, rng)

    assert_right(p, differ=differ)


@pytest.mark.parametrize(("worse", "differ"), [(1.0, False), (4.0, True)])
def test_randomisation_of_what_metrics_earn_on_pairs(worse: float, differ: bool) -> None:
    """Counts of pairs in right and wrong order by segment, as in DiscoTK's test."""

    def p(rng: np.random.Generator) -> float:
        gap = np.abs(rng.normal(size=(60, 5)))  # how far people put the better above the worse
        right = [(gap + spread * rng.normal(size=gap.shape) > 0).sum(axis=1) for spread in (worse, 1.0)]
        one, other = (np.stack([count, 5 - count], axis=1) for count in right)
        tau = lambda sums: (sums[:, 0] - sums[:, 1]) / sums.sum(axis=1)  # noqa: E731
        return randomisation_p(one, other, tau, RESAMPLES, rng)

    assert_right(p, differ=differ)
