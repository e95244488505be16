"""Yeh's randomisation test for pairs of several systems, with the same exchanges of units for all of them.

What is exchanged is summed once for each system, not for each pair: mask · (b − a) = mask · b − mask · a. And a pair's
p does not depend on what else is compared: it is that of `permutation.randomisation_p` with the same random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from coheval.algo.correlation import largest
from coheval.algo.permutation import all_fit, masks, reaching

Array = NDArray[np.float64]

_CHUNK = 2_000_000  # entries of masks held at once


def randomisation_of_pairs(
    rows: Array,
    pairs: Iterable[tuple[int, int]],
    score: Callable[[Array], Array],
    resamples: int,
    rng: np.random.Generator,
) -> Iterator[float]:
    """Two-sided p of each pair of systems, one by one; rows are [S, U, k], without NaN.

    What only one of a pair has must be in neither's rows, or it would be exchanged with nothing: who compares systems
    that lack different texts gives the rows that two share as rows of further systems. A score is a function of summed
    rows, [r, k] -> [r]. NaN where it is undefined for the rows as they are.
    """
    units = rows.shape[1]
    step = max(1, _CHUNK // units)
    moved = np.concatenate(
        [np.tensordot(swap.astype(np.float64), rows, axes=(1, 1)) for swap in masks(units, resamples, step, rng)]
    )  # [r, S, k]
    totals = rows.sum(axis=1)
    kept = totals - moved
    for a, b in pairs:
        delta = float(np.subtract(*score(totals[[a, b]])))
        one, other = score(kept[:, a] + moved[:, b]), score(kept[:, b] + moved[:, a])
        reached = reaching(one - other, delta, "two-sided", size=largest(one, other))
        p = reached / len(one) if all_fit(units, resamples) else (1 + reached) / (1 + len(one))
        yield float("nan") if np.isnan(delta) else p
