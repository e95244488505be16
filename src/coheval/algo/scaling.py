"""Scores of different metrics on one scale: by smallest and largest value, by mean and deviation, or by rank.

What is learnt from one sample [n] is applied to others as it is: `MinMax` and `Standard` do not clip values beyond the
smallest and largest of the sample, so that they still tell one text from another; `Rank` ends at its first and last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_POINTS = 1001  # of a curve of ranks; more would make a model's file long, not better


@dataclass(frozen=True)
class MinMax:
    """(x - low) / (high - low)"""

    low: float
    high: float
    middle: ClassVar[float] = 0.5  # where a scale is turned that runs the other way

    @classmethod
    def of(cls, x: Array) -> Self:
        return cls(float(x.min()), float(x.max()))

    def __call__(self, x: Array) -> Array:
        return (x - self.low) / ((self.high - self.low) or 1.0)


@dataclass(frozen=True)
class Standard:
    """(x - mean) / deviation"""

    mean: float
    deviation: float
    middle: ClassVar[float] = 0.0

    @classmethod
    def of(cls, x: Array) -> Self:
        constant = x.max() == x.min()  # rounding gives such a sample a little deviation
        return cls(float(x.mean()), 0.0 if constant else float(x.std()))

    def __call__(self, x: Array) -> Array:
        return (x - self.mean) / (self.deviation or 1.0)


@dataclass(frozen=True)
class Rank:
    """The share of the sample below x plus half the share equal to x; between values of the sample on a line."""

    values: tuple[float, ...]  # rising
    ranks: tuple[float, ...]
    middle: ClassVar[float] = 0.5

    @classmethod
    def of(cls, x: Array) -> Self:
        values, counts = np.unique(x, return_counts=True)
        ranks = (np.cumsum(counts) - counts / 2) / len(x)
        kept = np.unique(np.linspace(0, len(values) - 1, _POINTS).round().astype(np.intp))
        return cls(tuple(values[kept].tolist()), tuple(ranks[kept].tolist()))

    def __call__(self, x: Array) -> Array:
        return np.interp(x, self.values, self.ranks)


Scale = MinMax | Standard | Rank
SCALES: dict[str, type[MinMax] | type[Standard] | type[Rank]] = {"minmax": MinMax, "rank": Rank, "standard": Standard}
