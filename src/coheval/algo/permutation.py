"""Permutation tests: does one metric agree with people more than another, does one system score higher?

PERM-BOTH, PERM-INPUTS and PERM-SYSTEMS (Deutsch et al. 2021) exchange two metrics' scores: entry by entry, for all
systems of an input at once, or for all inputs of a system at once. They ask whether a difference would be found again
with other inputs and systems, with other inputs, or with other systems. The randomisation test (Yeh 2000) exchanges the
units of two systems, or the counts that two metrics earn on them.

Where there are no more exchanges than resamples, all are made, and p is exact. Otherwise p = (1 + k)/(1 + r), where k
of r random exchanges reach what was observed: never 0, and a valid p for any r.

Two metrics are first brought to mean 0 and deviation 1, so that what is exchanged has one scale. That makes their tests
a little too ready if few units are exchanged: on simulated metrics without a difference, they found one at the level
0.05 in 6% of all samples of 24 inputs or systems, in 5.4% of 50. What is exchanged alone must be independent: where
metrics like or dislike whole systems, PERM-BOTH found a difference in 13%, and PERM-SYSTEMS is the test to take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from coheval.algo.correlation import largest

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Kind = Literal["both", "inputs", "systems"]
Alternative = Literal["greater", "two-sided"]

KINDS: tuple[Kind, ...] = ("both", "inputs", "systems")

_CHUNK = 2_000_000  # entries exchanged at once
_BLOCK = 100  # resamples between two looks at whether to stop
_SAME = 1e-10  # of the size of statistics: differences that are equal but for rounding


def swaps(
    kind: Kind, systems: int, inputs: int, resamples: int, rng: np.random.Generator
) -> Iterator[NDArray[np.bool_]]:
    """Which entries to exchange, in blocks [r, systems, inputs]: all ways if they are few enough, else random ones."""
    shape = _shape(kind, systems, inputs)
    size = shape[0] * shape[1]
    step = max(1, min(_BLOCK, _CHUNK // max(1, systems * inputs)))
    for block in masks(size, resamples, step, rng):
        yield np.broadcast_to(block.reshape(-1, *shape), (len(block), systems, inputs))


def permutation_p(
    x1: Array,
    x2: Array,
    statistic: Callable[[Array], Array],
    kind: Kind,
    resamples: int,
    rng: np.random.Generator,
    *,
    alternative: Alternative = "greater",
    stop: tuple[float, float] | None = None,
) -> tuple[float, float]:
    """delta = statistic(x2) − statistic(x1), and p that metric 2 is better ("greater") or that they differ.

    Scores are [S, N]; an entry that either metric lacks is left out of both. `statistic` takes scores [r, S, N] and
    gives [r]; it must not change when scores are shifted and stretched, as no correlation does. An exchange where it is
    undefined counts as one that reaches delta, which can only raise p. With `stop` = (low, high), usually (0.02, 0.5),
    random exchanges end once p is outside of these, checked every hundred: quicker, but p is rougher.
    """
    missing = np.isnan(x1) | np.isnan(x2)
    x1, x2 = (_standardised(np.where(missing, np.nan, x)) for x in (x1, x2))
    delta = float(statistic(x2[None])[0] - statistic(x1[None])[0])
    if np.isnan(delta):
        return delta, float("nan")
    systems, inputs = x1.shape
    shape = _shape(kind, systems, inputs)
    exact = all_fit(shape[0] * shape[1], resamples)
    done = reached = 0
    for swap in swaps(kind, systems, inputs, resamples, rng):
        drawn = statistic(np.where(swap, x1, x2)) - statistic(np.where(swap, x2, x1))
        done, reached = done + len(drawn), reached + reaching(drawn, delta, alternative, size=1.0)
        if stop and not exact and done >= _BLOCK and not stop[0] <= reached / done <= stop[1]:
            break
    return delta, reached / done if exact else (1 + reached) / (1 + done)


def randomisation_p(
    a: Array, b: Array, score: Callable[[Array], Array], resamples: int, rng: np.random.Generator
) -> float:
    """Two-sided p that two systems, or two metrics, differ; rows a and b are [U, k], one for each unit they share.

    A score is a function of summed rows, [r, k] -> [r]; units are exchanged at random. A unit whose row has NaN on
    either side is left out; a column of ones in the rows is how a score knows how many were left.
    """
    present = ~(np.isnan(a).any(axis=1) | np.isnan(b).any(axis=1))
    a, b = a[present], b[present]
    total_a, total_b = a.sum(axis=0, keepdims=True), b.sum(axis=0, keepdims=True)
    delta = float(score(total_b)[0] - score(total_a)[0]) if len(a) else float("nan")
    if np.isnan(delta):
        return delta
    done = reached = 0
    for swap in masks(len(a), resamples, max(1, _CHUNK // len(a)), rng):
        moved = swap.astype(float) @ (b - a)  # [r, k]
        one, other = score(total_b - moved), score(total_a + moved)
        done, reached = done + len(one), reached + reaching(one - other, delta, "two-sided", size=largest(one, other))
    return reached / done if all_fit(len(a), resamples) else (1 + reached) / (1 + done)


def _shape(kind: Kind, systems: int, inputs: int) -> tuple[int, int]:
    """What is exchanged independently of each other."""
    return {"both": (systems, inputs), "inputs": (1, inputs), "systems": (systems, 1)}[kind]


def all_fit(size: int, resamples: int) -> bool:
    return size < 63 and 2**size <= resamples


def masks(size: int, resamples: int, step: int, rng: np.random.Generator) -> Iterator[Mask]:
    """All 2^size masks [r, size], or as many random ones as there are resamples, some at a time."""
    every = all_fit(size, resamples)
    total = 2**size if every else resamples
    for start in range(0, total, step):
        count = min(step, total - start)
        if every:
            numbers = np.arange(start, start + count)[:, None]
            yield (numbers >> np.arange(size) & 1).astype(bool)
        else:
            yield rng.integers(2, size=(count, size), dtype=np.uint8).view(np.bool_)


def _standardised(x: Array) -> Array:
    """Mean 0 and deviation 1 over what is there; squares of very large or small numbers would not be numbers."""
    x = x / (largest(x) or 1.0)
    present = x[~np.isnan(x)]
    deviation = present.std() if len(present) else 0.0
    return (x - present.mean()) / deviation if deviation > 0 else x


def reaching(drawn: Array, delta: float, alternative: Alternative, *, size: float) -> int:
    """How many resampled differences are at least as extreme as the observed one; undefined ones are.

    `size` is that of the statistics which differ: rounding is a share of it, not of differences, which may be nothing
    but rounding.
    """
    if alternative == "two-sided":
        drawn, delta = np.abs(drawn), abs(delta)
    return int(np.count_nonzero(~(drawn < delta - _SAME * size)))
