"""Linear models that weigh features: from preferences between pairs, or from ratings.

Pairwise logistic regression without bias (Joty, Guzmán, Màrquez, Nakov 2017, Discourse Structure in Machine Translation
Evaluation; the sign of their penalty is a misprint):

    minimise over w   Σ_p log(1 + exp(-w·d_p)) + λ |w|²,   d_p = u(better) - u(worse)

Ridge regression, whose penalty knows nothing of the features' units, as they are standardised to z first:

    minimise over w, a   Σ_i (y_i - a - w·z_i)² + λ |w|²

Both by Newton's method, until the gradient vanishes. With `nonnegative`, no weight falls below 0 (projected Newton:
Bertsekas 1982, Projected Newton Methods for Optimization Problems with Simple Constraints).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Derivatives = Callable[[Array], tuple[Array, Array]]  # w [m] -> gradient [m], Hessian [m, m]

_STEPS = 200  # Newton needs about ten; the limit only ends what rounding keeps from ending
_SMALL = 1e-10  # of the gradient, beside the one at the start
_ARMIJO = 1e-4  # share of the promised decrease that a step must bring
_ROUNDING = 1e-13  # relative error of a sum of many terms


def pairwise_logistic(differences: Array, *, penalty: float, nonnegative: bool = False) -> Array:
    """The weights w [m] for differences d [P, m] of the better and the worse of each pair; `penalty` > 0."""

    def value(w: Array) -> float:
        return float(np.logaddexp(0, -(differences @ w)).sum() + penalty * (w @ w))

    def derivatives(w: Array) -> tuple[Array, Array]:
        wrong = np.exp(-np.logaddexp(0, differences @ w))  # [P] probability of the pair's other order
        curvature = differences * (wrong * (1 - wrong))[:, None]
        gradient = 2 * penalty * w - differences.T @ wrong
        return gradient, differences.T @ curvature + 2 * penalty * np.eye(len(w))

    return _minimum(value, derivatives, differences.shape[1], nonnegative)


def ridge(x: Array, y: Array, *, penalty: float, nonnegative: bool = False) -> tuple[Array, float]:
    """The weights [m] of the features x [n, m] as they are, and the intercept a; `penalty` > 0.

    A feature that never changes gets the weight 0.
    """
    mean, centre = x.mean(axis=0), float(y.mean())
    spread = x.std(axis=0)
    constant = x.max(axis=0) == x.min(axis=0)  # rounding gives such a feature a little spread
    scale = np.where(constant, 1.0, spread)
    z = np.where(constant, 0.0, (x - mean) / scale)
    hessian = 2 * (z.T @ z + penalty * np.eye(x.shape[1]))
    toward = 2 * z.T @ (y - centre)

    def value(w: Array) -> float:
        return float(w @ hessian @ w / 2 - toward @ w)

    w = _minimum(value, lambda w: (hessian @ w - toward, hessian), x.shape[1], nonnegative) / scale
    return w, centre - float(mean @ w)


def _minimum(value: Callable[[Array], float], derivatives: Derivatives, size: int, nonnegative: bool) -> Array:
    """Where a strictly convex function of w [size] is smallest, from w = 0 on."""
    w = np.zeros(size)
    first = 0.0
    for _ in range(_STEPS):
        gradient, hessian = derivatives(w)
        free = (w > 0) | (gradient < 0) if nonnegative else np.ones(size, dtype=np.bool_)
        left = float(np.abs(gradient[free]).max(initial=0.0))
        first = first or left
        if left <= _SMALL * first:
            break
        step = np.zeros(size)
        step[free] = np.linalg.solve(hessian[np.ix_(free, free)], gradient[free])
        w = _along(value, w, step, gradient, nonnegative)
    return w


def _along(value: Callable[[Array], float], w: Array, step: Array, gradient: Array, nonnegative: bool) -> Array:
    """The first of w - step, w - step/2, … that brings a fair part of the decrease that the gradient promises."""
    here = value(w)
    share = 1.0
    while True:
        there = np.maximum(w - share * step, 0) if nonnegative else w - share * step
        promised = gradient @ (w - there)
        if value(there) <= here - _ARMIJO * promised + _ROUNDING * abs(here) or share < _ROUNDING:
            return there
        share /= 2


def folds(groups: NDArray[np.intp], count: int, seed: int) -> NDArray[np.intp]:
    """The fold of each row [n], of `count` or as many as there are groups; a group [n] is never split.

    Groups are shuffled, then each goes where there are fewest rows, so that folds are about equal.
    """
    names, member, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    rows = np.zeros(min(count, len(names)), dtype=np.intp)
    fold = np.zeros(len(names), dtype=np.intp)
    for group in np.random.default_rng(seed).permutation(len(names)):
        fold[group] = rows.argmin()
        rows[fold[group]] += sizes[group]
    return fold[member]
