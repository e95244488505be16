"""Williams' test, corrections for many tests, clusters and ranks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from coheval.algo.significance import CORRECTIONS, benjamini_hochberg, clusters, holm, ranks, williams

NAN = float("nan")
correlations = st.floats(-0.95, 0.95)
probabilities = st.lists(st.floats(0, 1) | st.just(NAN), max_size=8)


def by_determinant(r12: float, r13: float, r23: float, n: int) -> float:
    """t as Steiger (1980, eq. 7) has it: with the determinant of the matrix of correlations and the mean of two."""
    matrix = np.array([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])
    below = 2 * (n - 1) / (n - 3) * np.linalg.det(matrix) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    return float((r12 - r13) * np.sqrt((n - 1) * (1 + r23) / below))


def test_williams_by_hand() -> None:
    # n = 103, correlations .4, .5, .1: K = 1 − .16 − .25 − .01 + .04 = .62;
    # below = 2 · .62 · 1.02 + .2025 · .729 = 1.41242; t = −.1 · √(102 · 1.1) / √1.41242 = −0.8913
    assert by_determinant(0.4, 0.5, 0.1, 103) == pytest.approx(-0.8913, abs=1e-4)
    assert williams(0.4, 0.5, 0.1, 103, alternative="two-sided") == pytest.approx(2 * stats.t.sf(0.8913, 100), abs=1e-4)


@given(r12=correlations, r13=correlations, r23=correlations, n=st.integers(4, 200))
def test_williams_equals_the_determinant_form(r12: float, r13: float, r23: float, n: int) -> None:
    matrix = np.array([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])
    if np.linalg.eigvalsh(matrix)[0] < 1e-3:
        return  # three variables cannot have these correlations, or hardly
    t = by_determinant(r12, r13, r23, n)
    assert williams(r12, r13, r23, n) == pytest.approx(stats.t.sf(t, n - 3), abs=1e-9)
    assert williams(r12, r13, r23, n, alternative="two-sided") == pytest.approx(2 * stats.t.sf(abs(t), n - 3), abs=1e-9)


@pytest.mark.parametrize(("r12", "r13", "r23", "n"), [(0.5, 0.4, 0.3, 3), (NAN, 0.4, 0.3, 9), (0.5, 0.4, NAN, 9)])
def test_williams_undefined(r12: float, r13: float, r23: float, n: int) -> None:
    assert math.isnan(williams(r12, r13, r23, n))


def test_metrics_that_are_one_do_not_differ() -> None:
    assert williams(0.5, 0.5, 1.0, 20) == 0.5
    assert williams(0.5, 0.5, 1.0, 20, alternative="two-sided") == 1.0
    assert williams(0.0, 0.0, -1.0, 20, alternative="two-sided") == 1.0


@pytest.mark.parametrize("seed", range(5))
def test_a_metric_on_another_scale_does_not_differ(seed: int) -> None:
    y, x = np.random.default_rng(seed).normal(size=(2, 30))
    for copy in (3 * x + 1, x / 7 - 100, 1e-9 * x):
        r12, r13, r23 = (float(np.corrcoef(*pair)[0, 1]) for pair in ((y, x), (y, copy), (x, copy)))
        assert williams(r12, r13, r23, 30) == 0.5
        assert williams(r12, r13, r23, 30, alternative="two-sided") == 1.0
    assert williams(0.5, 0.5 - 1e-14, 1.0, 30, alternative="two-sided") == 1.0


def test_corrections_by_name() -> None:
    p = np.array([0.01, NAN, 0.03])  # Holm: 2 · .01, .03; Benjamini-Hochberg: .01 · 2/1, .03 · 2/2
    expected = {"holm": [0.02, NAN, 0.03], "benjamini-hochberg": [0.02, NAN, 0.03], "none": [0.01, NAN, 0.03]}
    assert CORRECTIONS.keys() == expected.keys()
    for name, correct in CORRECTIONS.items():
        assert correct(p) == pytest.approx(expected[name], nan_ok=True)


def test_corrections_by_hand() -> None:
    # sorted .005 .01 .03 .04. Holm: 4 · .005, 3 · .01, 2 · .03, then .04 raised to .06
    p = np.array([0.01, 0.04, NAN, 0.03, 0.005])
    assert holm(p) == pytest.approx([0.03, 0.06, NAN, 0.06, 0.02], nan_ok=True)
    # Benjamini-Hochberg: .04 · 4/4, .03 · 4/3, .01 · 4/2, .005 · 4/1
    assert benjamini_hochberg(p) == pytest.approx([0.02, 0.04, NAN, 0.04, 0.02], nan_ok=True)


@given(probabilities)
def test_benjamini_hochberg_equals_scipy(values: list[float]) -> None:
    p = np.array(values)
    there = ~np.isnan(p)
    expected = np.full(len(p), np.nan)
    if there.any():
        expected[there] = stats.false_discovery_control(p[there])
    assert benjamini_hochberg(p) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(probabilities, st.floats(0.001, 0.999))
def test_holm_rejects_what_its_steps_reject(values: list[float], level: float) -> None:
    p = np.array(values)
    rejected = np.zeros(len(p), dtype=bool)
    left = sorted((value, place) for place, value in enumerate(values) if not math.isnan(value))
    while left and left[0][0] * len(left) <= level:  # the smallest against level / number left, until one fails
        rejected[left.pop(0)[1]] = True
    assert ((holm(p) <= level) == rejected).all()


def matrix(text: str) -> np.ndarray:
    return np.array([[cell == ">" for cell in row] for row in text.split()])


@pytest.mark.parametrize(
    ("better", "expected"),
    [
        ("", []),
        (".", [1]),
        (".> ..", [1, 2]),
        (".. ..", [1, 1]),
        (".>> ..> ...", [1, 2, 3]),
        (".>> ... ...", [1, 2, 2]),
        ("..> ..> ...", [1, 1, 2]),
        ("..> ... ...", [1, 1, 1]),  # the first beats the third, but the second does not
        (".>>> ..>. .... ....", [1, 2, 2, 2]),
    ],
)
def test_clusters_by_hand(better: str, expected: list[int]) -> None:
    assert clusters(matrix(better) if better else np.empty((0, 0), dtype=bool)) == expected


def test_ranks_by_hand() -> None:
    # the first beats the last two, the second beats nobody, the third beats the last
    best, worst = ranks(matrix("..>> .... ...> ...."))
    assert best == [1, 1, 2, 3]
    assert worst == [2, 4, 3, 4]
    assert ranks(np.empty((0, 0), dtype=bool)) == ([], [])


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_clusters_never_part_those_that_may_be_equal(seed: int, size: int) -> None:
    better = np.triu(np.random.default_rng(seed).random((size, size)) < 0.7, 1)
    found = clusters(better)
    for i in range(size):
        for j in range(i + 1, size):
            assert better[i, j] or found[i] == found[j]
