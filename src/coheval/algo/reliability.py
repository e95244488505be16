"""How far raters agree with each other: ratings are [raters, units], NaN where a rater did not rate a unit.

Krippendorff's (2011) alpha = 1 − D_o / D_e. D_o is the mean difference δ² between two ratings of one unit, where a unit
with m ratings counts m times; D_e is the mean over all pairs of ratings, of whatever units. Units with fewer than two
ratings say nothing and are left out. δ² by the scale:

    nominal     1 if the values differ
    ordinal     squared difference of the values' mid-ranks among all ratings
    interval    (c − k)²
    ratio       ((c − k) / (c + k))²
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from coheval.algo.correlation import ranks
from coheval.errors import UsageError, did_you_mean

Array = NDArray[np.float64]

_CHUNK = 4_000_000  # pairs of values held at once


def _nominal(a: Array, b: Array) -> Array:
    unequal: Array = (a != b).astype(float)
    return unequal


def _interval(a: Array, b: Array) -> Array:
    squares: Array = (a - b) ** 2
    return squares


def _ratio(a: Array, b: Array) -> Array:
    total = np.where(a + b == 0, 1.0, a + b)  # 0 and 0 do not differ
    squares: Array = ((a - b) / total) ** 2
    return squares


_DIFFERENCES: dict[str, Callable[[Array, Array], Array]] = {
    "nominal": _nominal,
    "ordinal": _interval,  # of ranks
    "interval": _interval,
    "ratio": _ratio,
}
SCALES = tuple(_DIFFERENCES)


def krippendorff_alpha(ratings: Array, metric: str = "interval") -> float:
    """NaN where no unit has two ratings, or all ratings are the same."""
    if metric not in SCALES:
        raise UsageError(f"there is no scale {metric!r}", hint=did_you_mean(metric, SCALES))
    rated = _by_unit(ratings)
    if metric == "ordinal":
        rated = ranks(rated.reshape(1, -1)).reshape(rated.shape)
    difference = _DIFFERENCES[metric]
    values = rated[~np.isnan(rated)]
    expected = _expected(values, difference)
    return 1 - _observed(rated, difference) / len(values) / expected if expected > 0 else float("nan")


def pairwise_agreement(ratings: Array) -> float:
    """The share of pairs of ratings of one unit that are equal; NaN where no unit has two."""
    rated = _by_unit(ratings)
    equal = pairs = 0
    for first in range(rated.shape[1]):
        there = ~np.isnan(rated[:, first + 1 :]) & ~np.isnan(rated[:, first, None])
        equal += int(np.count_nonzero(there & (rated[:, first + 1 :] == rated[:, first, None])))
        pairs += int(np.count_nonzero(there))
    return equal / pairs if pairs else float("nan")


def _by_unit(ratings: Array) -> Array:
    """Each unit's ratings side by side [units, most ratings of a unit], NaN after them; only units with two or more."""
    rated = np.sort(ratings.T, axis=1)  # NaN last; who gave a rating does not matter
    counts = np.count_nonzero(~np.isnan(rated), axis=1)
    return rated[counts > 1, : counts.max(initial=0)]


def _observed(rated: Array, difference: Callable[[Array, Array], Array]) -> float:
    """Σ over units of Σ δ² over ordered pairs / (ratings − 1)."""
    counts = np.count_nonzero(~np.isnan(rated), axis=1)
    total = 0.0
    for first in range(rated.shape[1] - 1):
        here, rest = rated[:, first, None], rated[:, first + 1 :]
        there = ~np.isnan(rest)  # ratings come first, so `here` is there too
        total += float((2 * np.where(there, difference(here, rest), 0.0) / (counts - 1)[:, None]).sum())
    return total


def _expected(values: Array, difference: Callable[[Array, Array], Array]) -> float:
    """The mean δ² over ordered pairs of ratings; 0 without any."""
    distinct, counts = np.unique(values, return_counts=True)
    step = max(1, _CHUNK // max(1, len(distinct)))
    total = 0.0
    for start in range(0, len(distinct), step):
        some = slice(start, start + step)
        total += float(counts[some] @ difference(distinct[some, None], distinct) @ counts)
    return total / max(1, len(values) * (len(values) - 1))
