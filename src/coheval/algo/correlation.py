"""Correlation of two lists of numbers, many at once: every row is a sample of its own.

x and y are [R, n], or broadcast to that; places where either is NaN are left out of their row. The result is [R], NaN
where it is undefined: fewer than two places, or a side with nothing but ties. Values are tied if they are equal, so
whoever compares sums that were added up in different orders rounds them first.

    pearson      cov(x, y) / √(var x · var y)
    spearman     Pearson's correlation of the ranks, ties sharing the mean of theirs
    kendall b    (C − D) / √(U_x · U_y)             C, D: pairs in the same and in opposite order, U: pairs not tied
    kendall c    (C − D) / (n² · (m − 1) / (2m))    m: distinct values of the side that has fewer
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Correlation = Callable[[Array, Array], Array]

_SHORT = 64  # rows up to this length are compared pair by pair, all at once; longer ones by sorting, one at a time
_CHUNK = 4_000_000  # pairs of places held at once


def pearson(x: Array, y: Array) -> Array:
    x, y = paired(x, y)
    x, y = _centred(x), _centred(y)
    product = np.einsum("rn,rn->r", x, y)
    spread = np.sqrt(np.einsum("rn,rn->r", x, x) * np.einsum("rn,rn->r", y, y))
    return np.clip(ratio(product, spread), -1.0, 1.0)


def spearman(x: Array, y: Array) -> Array:
    x, y = paired(x, y)
    return pearson(ranks(x), ranks(y))


def kendall_b(x: Array, y: Array) -> Array:
    return _kendall(*paired(x, y), "b")


def kendall_c(x: Array, y: Array) -> Array:
    return _kendall(*paired(x, y), "c")


CORRELATIONS: dict[str, Correlation] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall_b,
    "kendall-c": kendall_c,
}


def why_undefined(x: Array, y: Array) -> str | None:
    """The reason why one sample, scores x [n] and ratings y [n], has no correlation; None if it has one."""
    present = ~(np.isnan(x) | np.isnan(y))
    x, y = x[present], y[present]
    if len(x) < 2:
        return "there is only one pair of values" if len(x) else "there are no pairs of values"
    alike = [name for name, values in (("scores", x), ("ratings", y)) if (values == values[0]).all()]
    return " and ".join(f"all {name}" for name in alike) + " are the same" if alike else None


def paired(x: Array, y: Array) -> tuple[Array, Array]:
    """Both as [R, n], NaN in both where either is."""
    x, y = np.broadcast_arrays(np.atleast_2d(x), np.atleast_2d(y))
    missing = np.isnan(x) | np.isnan(y)
    return np.where(missing, np.nan, x), np.where(missing, np.nan, y)


def ranks(x: Array) -> Array:
    """1 for the smallest of each row of [R, n]; ties share the mean of their ranks, NaN stays NaN."""
    order = np.argsort(x, axis=1, kind="stable")  # NaN last
    new = _new(np.take_along_axis(x, order, axis=1))
    place = np.arange(x.shape[1])
    first = np.maximum.accumulate(np.where(new, place, 0), axis=1)  # of the places tied with each
    ends = np.concatenate([new[:, 1:], np.ones((len(x), min(1, x.shape[1])), dtype=bool)], axis=1)
    last = np.minimum.accumulate(np.where(ends, place, x.shape[1])[:, ::-1], axis=1)[:, ::-1]
    found = np.empty(x.shape)
    np.put_along_axis(found, order, (first + last) / 2 + 1, axis=1)
    found[np.isnan(x)] = np.nan
    return found


def ratio(above: Array, below: NDArray[np.floating] | NDArray[np.integer]) -> Array:
    """above / below, NaN where below is 0 or either is undefined."""
    result: Array = np.divide(above, below, out=np.full(np.shape(above), np.nan), where=below > 0)
    return result


def largest(*values: Array) -> float:
    """The largest size of a number among arrays of any shape, not counting NaN and infinity; 0 without any.

    What rounding can do is a share of it.
    """
    return max(float(np.max(np.abs(x), where=np.isfinite(x), initial=0.0)) for x in values)


def _new(ordered: Array) -> NDArray[np.bool_]:
    """Where each row of [R, n] has another value than in the place before."""
    new = np.ones(ordered.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    return new


def _centred(x: Array) -> Array:
    """Rows minus their mean, in units of their largest deviation; missing places and rows of ties become 0."""
    present = ~np.isnan(x)
    filled = np.where(present, x, 0.0)
    with np.errstate(invalid="ignore"):  # infinite values have no mean
        mean = filled.sum(axis=1, keepdims=True) / np.maximum(present.sum(axis=1, keepdims=True), 1)
        filled = np.where(present, filled - mean, 0.0)
    # the mean of equal numbers may differ from them by rounding, so equality is asked of the numbers
    alike = np.max(x, axis=1, where=present, initial=-np.inf) <= np.min(x, axis=1, where=present, initial=np.inf)
    filled[alike] = 0.0
    largest = np.max(np.abs(filled), axis=1, keepdims=True, initial=0.0)
    with np.errstate(invalid="ignore"):
        scaled: Array = filled / np.where(largest > 0, largest, 1.0)
    return scaled


def _kendall(x: Array, y: Array, form: Literal["b", "c"]) -> Array:
    if x.shape[1] > _SHORT:
        return np.array([_by_sorting(*row, form) for row in zip(x, y, strict=True)])
    step = max(1, _CHUNK // max(1, x.shape[1] ** 2))
    parts = [slice(start, start + step) for start in range(0, len(x), step)]
    return np.concatenate([_by_pairs(x[part], y[part], form) for part in parts] or [np.empty(0)])


def _by_sorting(x: Array, y: Array, form: Literal["b", "c"]) -> float:
    """One row in O(n log n)."""
    from scipy.stats import kendalltau

    present = ~np.isnan(x)
    x, y = x[present], y[present]
    if len(x) <= max(_SHORT, 2):  # of two places, scipy's p divides by 0
        return float(_by_pairs(x[None], y[None], form)[0])
    # the exact p, which nobody asked for, would cost more than tau
    return float(kendalltau(x, y, variant=form, method="asymptotic").statistic)


def _by_pairs(x: Array, y: Array, form: Literal["b", "c"]) -> Array:
    one, other = _order(x), _order(y)
    surplus = np.einsum("rp,rp->r", one, other, dtype=float)  # C − D
    untied_x, untied_y = (np.count_nonzero(side, axis=1).astype(float) for side in (one, other))
    if form == "b":
        return np.clip(ratio(surplus, np.sqrt(untied_x) * np.sqrt(untied_y)), -1.0, 1.0)
    classes = np.minimum(_distinct(x), _distinct(y))
    places = np.count_nonzero(~np.isnan(x), axis=1)
    return ratio(2.0 * surplus * classes, places**2 * (classes - 1.0))


def _order(x: Array) -> NDArray[np.int8]:
    """For every pair of places 1, -1, or 0 where they are tied or missing: [R, pairs]."""
    a, b = np.triu_indices(x.shape[1], 1)
    left, right = x[:, a], x[:, b]
    return (left > right).view(np.int8) - (left < right).view(np.int8)


def _distinct(x: Array) -> Array:
    """How many different values each row has, NaN not counted."""
    ordered = np.sort(x, axis=1)
    distinct: Array = np.count_nonzero(_new(ordered) & ~np.isnan(ordered), axis=1).astype(float)
    return distinct
