"""People's preferences between two systems' outputs, or ratings read as such, against a metric's scores.

Scores that differ by no more than 1e-9 of the largest among them are tied: sums of the same numbers in another order
differ by less. So it does not matter on what scale scores are, be they percentages or probabilities of long texts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coheval.algo.correlation import largest, ratio
from coheval.errors import UsageError, did_you_mean

Array = NDArray[np.float64]
Ints = NDArray[np.intp]
Mask = NDArray[np.bool_]

SAME = 1e-9  # of the largest score
TAUS = ("wmt12", "wmt13", "wmt14", "darr")

_CHUNK = 4_000_000  # pairs times resamples held at once


def tau(form: str, concordant: Array, discordant: Array, ties: Array) -> Array:
    """Kendall-like τ of counts C, D and T (the metric ties what people order), [...] each; NaN where nothing counts.

    wmt12, darr   (C − D − T) / (C + D + T)     a tie is as bad as the wrong order
    wmt13         (C − D) / (C + D)             ties are ignored
    wmt14         (C − D) / (C + D + T)         a tie earns nothing

    darr (WMT17 and later) differs from wmt12 in where the pairs come from: ratings far enough apart, `rated_pairs`.
    """
    c, d, t = concordant, discordant, ties
    if form in ("wmt12", "darr"):
        return ratio(c - d - t, c + d + t)
    if form == "wmt13":
        return ratio(c - d, c + d)
    if form == "wmt14":
        return ratio(c - d, c + d + t)
    raise UsageError(f"there is no τ of the form {form!r}", hint=did_you_mean(form, TAUS))


def rated_pairs(human: Array, *, least: float = 0.0) -> tuple[Ints, Ints, Ints]:
    """Pairs of systems whose ratings [S, N] of an item are at least so far apart: better and worse system, item.

    `least` is on the scale of the ratings. Ties and missing ratings make no pair. Sorted by item.
    """
    found = [np.empty((3, 0), dtype=np.intp)]
    same = SAME * largest(human)
    for system, ratings in enumerate(human):
        gap = ratings - human  # [S, N]
        others, items = np.nonzero((gap > same) & (gap >= least - same))
        found.append(np.stack([np.full(len(items), system), others, items]))
    better, worse, item = np.concatenate(found, axis=1)
    order = np.lexsort((worse, better, item))
    return better[order], worse[order], item[order]


def compare(better: Array, worse: Array) -> tuple[Array, Array, Array]:
    """Concordant, discordant, tie, each 0 or 1 [P], from the scores [P] of what people prefer and of the other.

    A pair with a missing score is none of them.
    """
    gap, same = better - worse, SAME * largest(better, worse)
    return (gap > same).astype(float), (gap < -same).astype(float), (np.abs(gap) <= same).astype(float)


def win_ratio(better: Ints, worse: Ints, systems: int, weights: Array | None = None) -> Array:
    """wins / (wins + losses) of each system [systems] over pairs of system numbers [P]; NaN where a system has none.

    With weights [R, P], how often each pair counts, it is [R, systems].
    """
    counts = np.ones((1, len(better))) if weights is None else weights
    wins, losses = (counts @ (side[:, None] == np.arange(systems)).astype(float) for side in (better, worse))
    found = ratio(wins, wins + losses)
    return found[0] if weights is None else found


def pairwise_accuracy(x: Array, y: Array) -> Array:
    """Kocmi et al. (2021): the share of pairs of systems that people order and the metric orders alike: [R].

    Scores x and ratings y are [R, S]. What people tie is left out; what the metric ties is wrong.
    """
    a, b = np.triu_indices(x.shape[1], 1)
    metric, people = (_unrounded(side[:, a] - side[:, b], _largest_by_row(side)) for side in (x, y))
    ordered = ~np.isnan(metric) & ~np.isnan(people) & (people != 0)
    right = ordered & (np.sign(metric) == np.sign(people))
    return ratio(right.sum(axis=1).astype(float), ordered.sum(axis=1))


def accuracy_with_ties(
    x: Array, y: Array, weights: Array | None = None, *, same: Ints | None = None
) -> tuple[Array, Array]:
    """acc-eq with tie calibration (Deutsch et al. 2023): accuracy [R] and the threshold epsilon [R] that gives it.

    Scores x and ratings y are [S, N]. In each item (column), a pair of systems is right if metric and people order it
    alike or both tie it; the metric ties what differs by no more than epsilon. An item's accuracy is the share of its
    right pairs; items without pairs do not count; weights [R, N] say how often each item counts. Epsilon is the same
    for all items: of 0 and all differences the smallest that makes the mean accuracy, under its weights, largest.
    `same` [S] says which system each row is, where a system has been drawn more than once: it makes no pair with
    itself, which would always be right.
    """
    pairs = _Pairs.of(x, y, *_pairs(len(x), same))
    weights = np.ones((1, len(pairs.counts))) if weights is None else weights
    accuracy, epsilon = np.full(len(weights), np.nan), np.full(len(weights), np.nan)
    step = max(1, _CHUNK // len(pairs.gap))
    for start in range(0, len(weights), step):
        some = slice(start, start + step)
        accuracy[some], epsilon[some] = pairs.best(weights[some].T)
    return accuracy, epsilon


@dataclass(frozen=True, eq=False, slots=True)
class _Pairs:
    """Pairs of systems that change from right to wrong or back once epsilon reaches their gap, by rising gap."""

    gap: Array  # [P] the first is 0, of no pair, so that 0 is always a threshold
    last: Mask  # [P] of those whose gaps are equal but for rounding, which are tied together
    change: Array  # [P] of the accuracy of the pair's item
    item: Ints  # [P]
    right: Array  # [N] accuracy of each item while no pair is tied, not even those with gap 0; 0 if it has no pairs
    counts: Array  # [N] 1 for items that have pairs

    @classmethod
    def of(cls, x: Array, y: Array, a: Ints, b: Ints) -> _Pairs:
        gap, people = (_unrounded(side[a] - side[b], largest(side)) for side in (x, y))  # [pairs, N]
        present = ~np.isnan(gap) & ~np.isnan(people)
        tied = present & (people == 0)
        alike = present & ~tied & (np.sign(gap) == np.sign(people))
        pairs = present.sum(axis=0)
        share = 1 / np.maximum(pairs, 1)
        where, item = np.nonzero(tied | alike)
        size = np.abs(gap[where, item])
        order = np.argsort(size, kind="stable")
        rising = np.append(0.0, size[order])
        change = np.where(tied[where, item], share[item], -share[item])
        return cls(
            rising,
            np.append(np.diff(rising) > SAME * largest(x), True),
            np.append(0.0, change[order]),
            np.append(0, item[order]),
            alike.sum(axis=0) * share,
            (pairs > 0).astype(float),
        )

    def best(self, weights: Array) -> tuple[Array, Array]:
        """The largest weighted mean accuracy and the smallest threshold that reaches it, for weights [N, R]."""
        if not self.counts.any():  # no items at all, or none with pairs
            return np.full(weights.shape[1], np.nan), np.full(weights.shape[1], np.nan)
        sums = np.cumsum(self.change[:, None] * weights[self.item], axis=0)[self.last] + self.right @ weights
        total = self.counts @ weights
        accuracy = ratio(sums, np.broadcast_to(total, sums.shape))
        top = accuracy.max(axis=0)
        at = np.argmax(accuracy >= top - 1e-12, axis=0)  # rounding must not choose between equal accuracies
        return top, np.where(total > 0, self.gap[self.last][at], np.nan)


def soft_pairwise_accuracy(
    x: Array, y: Array, *, permutations: int = 1000, rng: np.random.Generator, same: Ints | None = None
) -> float:
    """Thompson et al. (2024): 1 − mean |p_metric − p_people| over pairs of systems; NaN where no pair shares an item.

    Scores x and ratings y are [S, N]. p is that of a one-sided paired permutation test whether the first system's mean
    is higher: the share of random sign changes of the items' differences that reach the observed sum. Those that equal
    it count half, which the released program counts fully: so p of a pair and of the same pair turned round add up to
    1, and the order of the systems does not matter. All tests share the signs; an item counts for a pair where all four
    numbers are there. `same` [S] says which system each row is; a system makes no pair with itself.
    """
    present = ~np.isnan(x) & ~np.isnan(y)
    signs = np.ones((1 + permutations, x.shape[1]))  # first the data as they are
    signs[1:] = rng.choice([-1.0, 1.0], size=(permutations, x.shape[1]))
    first, second = _pairs(len(x), same)
    distances = [np.empty(0)]
    step = max(1, _CHUNK // max(signs.shape))
    for start in range(0, len(first), step):
        a, b = first[start : start + step], second[start : start + step]
        p = [_p_of_sums(_sums(side, present, a, b, signs), SAME * largest(side)) for side in (x, y)]
        distances.append(np.abs(p[0] - p[1])[(present[a] & present[b]).any(axis=1)])
    every = np.concatenate(distances)
    return float(1 - every.mean()) if len(every) else float("nan")


def _sums(x: Array, present: Mask, a: Ints, b: Ints, signs: Array) -> Array:
    """Σ ± (x_a − x_b) over the items that both systems of a pair have, for signs [K, N]: [pairs, K]."""
    if (present == present[:1]).all():  # then Σ ± x_a − Σ ± x_b: a sum for each system, not for each pair
        sums: Array = np.where(present, x, 0.0) @ signs.T
        return sums[a] - sums[b]
    differences: Array = np.where(present[a] & present[b], x[a] - x[b], 0.0) @ signs.T
    return differences


def _p_of_sums(sums: Array, same: float) -> Array:
    """The share of sums [pairs, 1 + K] that reach the first of their row; those within `same` of it count half."""
    drawn = sums[:, 1:] - sums[:, :1]
    p: Array = ((drawn > same).mean(axis=1) + (drawn >= -same).mean(axis=1)) / 2
    return p


def _pairs(systems: int, same: Ints | None) -> tuple[Ints, Ints]:
    """All pairs of rows that are different systems."""
    a, b = np.triu_indices(systems, 1)
    other = np.ones(len(a), dtype=bool) if same is None else same[a] != same[b]
    return a[other], b[other]


def _unrounded(gap: Array, size: float | Array) -> Array:
    """Differences of scores of that size; what rounding may have made is 0."""
    return np.where(np.abs(gap) <= SAME * size, 0.0, gap)


def _largest_by_row(x: Array) -> Array:
    size: Array = np.max(np.abs(x), axis=1, keepdims=True, where=np.isfinite(x), initial=0.0)
    return size
