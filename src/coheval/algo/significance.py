"""Tests that need no resampling, corrections for many of them, and what they say about an order of systems."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Alternative = Literal["greater", "two-sided"]
Correction = Literal["holm", "benjamini-hochberg", "none"]

_SAME = 1e-10  # correlations that are equal but for rounding


def williams(r12: float, r13: float, r23: float, n: int, *, alternative: Alternative = "greater") -> float:
    """p of Williams' (1959) test whether 1 correlates more with 2 than with 3; 1 are the ratings, 2 and 3 two metrics.

        t = (r12 − r13) √((n − 1)(1 + r23)) / √(2K (n − 1)/(n − 3) + (r12 + r13)²/4 · (1 − r23)³)
        K = 1 − r12² − r13² − r23² + 2 r12 r13 r23

    with n − 3 degrees of freedom (Steiger 1980; Graham and Baldwin 2014). NaN for n < 4 or an undefined correlation.
    It is made for Pearson's correlation of normal data; for n of some tens it keeps its level there.
    """
    from scipy.special import stdtr

    if n < 4 or math.isnan(r12 + r13 + r23):
        return float("nan")
    k = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    below = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * max(0.0, 1 - r23) ** 3
    above = (r12 - r13) * math.sqrt((n - 1) * max(0.0, 1 + r23))
    # a metric and its copy on another scale: what differs by rounding is no difference, though `below` is as small
    t = 0.0 if abs(r12 - r13) <= _SAME else above / math.sqrt(below) if below > 0 else math.copysign(math.inf, above)
    return float(stdtr(n - 3, -t)) if alternative == "greater" else float(2 * stdtr(n - 3, -abs(t)))


def sign_test(wins: int, losses: int) -> float:
    """Two-sided p that wins and losses are equally likely, exact: min(1, 2 · P(X ≤ min)) of a binomial X with ½.

    With pairs of yes and no, those that changed in either direction are wins and losses, and it is McNemar's test.
    """
    from scipy.special import bdtr

    rarer, total = min(wins, losses), wins + losses
    return min(1.0, 2 * float(bdtr(rarer, total, 0.5))) if total else 1.0


def holm(p: Array) -> Array:
    """Adjusted p that keep the chance of any false positive (Holm 1979): the i-th smallest times m − i + 1, rising.

    NaN is no test: it passes through and does not count.
    """
    p, order = _sorted(p)
    adjusted = np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1))
    return _put(p, order, adjusted)


def benjamini_hochberg(p: Array) -> Array:
    """Adjusted p that keep the share of false positives (1995): the i-th smallest times m / i, rising. NaN as above."""
    p, order = _sorted(p)
    raised = p[order] * len(order) / np.arange(1, len(order) + 1)
    return _put(p, order, np.minimum.accumulate(raised[::-1])[::-1])


def _as_they_are(p: Array) -> Array:
    return p


CORRECTIONS: dict[str, Callable[[Array], Array]] = {
    "holm": holm,
    "benjamini-hochberg": benjamini_hochberg,
    "none": _as_they_are,
}


def _sorted(p: Array) -> tuple[Array, NDArray[np.intp]]:
    order = np.argsort(p, kind="stable")  # NaN last
    return p, order[: np.count_nonzero(~np.isnan(p))]


def _put(p: Array, order: NDArray[np.intp], adjusted: Array) -> Array:
    result = np.full(p.shape, np.nan)
    result[order] = np.minimum(adjusted, 1.0)
    return result


def clusters(better: NDArray[np.bool_]) -> list[int]:
    """Cluster numbers from 1 on of entries in order, the best first; better[i, j]: i is significantly better than j.

    A new cluster begins where every entry above is significantly better than every one from there on.
    """
    numbers, number = [], 1
    for here in range(len(better)):
        if here and better[:here, here:].all():
            number += 1
        numbers.append(number)
    return numbers


def ranks(better: NDArray[np.bool_]) -> tuple[list[int], list[int]]:
    """The best and the worst rank of each entry: below those better than it, above those that it is better than."""
    best = 1 + np.count_nonzero(better, axis=0)
    worst = len(better) - np.count_nonzero(better, axis=1)
    return best.tolist(), worst.tolist()
