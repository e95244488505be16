"""How sure agreement is told: intervals, tests and corrections, checked when they are chosen."""

from __future__ import annotations

import math
import typing
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from coheval.algo.significance import CORRECTIONS
from coheval.errors import UsageError, did_you_mean
from coheval.run.agreement.differences import Test

USUAL, MOST = 1_000, 20_000  # resamples
Resample = Literal["documents", "systems", "both"]
Correction = Literal["holm", "benjamini-hochberg", "none"]


@dataclass(frozen=True, kw_only=True)
class Options:
    resample: Resample = "documents"  # what the bootstrap draws
    resamples: int | None = None  # also of permutation tests; None: 1,000, or as many as the pairs of metrics need
    confidence: float = 0.95  # of intervals; differences are significant at 1 − confidence
    test: Test = "bootstrap"  # between metrics
    one_sided: bool = False
    correction: Correction = "holm"  # over the pairs of metrics of an aspect
    absolute: bool = False
    drop_unmatched: bool = False
    seed: int = 1

    def __post_init__(self) -> None:
        for name, kind in (("resample", Resample), ("correction", Correction), ("test", Test)):
            known = typing.get_args(kind)
            if getattr(self, name) not in known:
                raise UsageError(
                    f"{name} must be one of {', '.join(known)}, got {getattr(self, name)!r}",
                    hint=did_you_mean(str(getattr(self, name)), known),
                )
        whole = isinstance(self.resamples, int) and not isinstance(self.resamples, bool)
        if self.resamples is not None and (not whole or self.resamples < 0):
            raise UsageError(f"resamples must be a whole number from 0, got {self.resamples!r}", hint="resamples=1000")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise UsageError(f"seed must be a whole number from 0, got {self.seed!r}", hint="seed=1")
        if not 0 < self.confidence < 1:
            raise UsageError(
                f"confidence must lie between 0 and 1, got {self.confidence!r}", hint="0.95 gives 95% intervals"
            )

    def for_pairs(self, pairs: int) -> Options:
        """With so many resamples that the smallest p of a paired bootstrap, corrected for the pairs, is significant."""
        if self.resamples is not None:
            return self
        needed = self.needed(pairs) if self.test == "bootstrap" else 0  # permutations take longer
        return replace(self, resamples=min(max(USUAL, needed), MOST))

    def needed(self, pairs: int) -> int:
        """Resamples that make the smallest p times the pairs significant. It is 2 / (1 + R) of a two-sided bootstrap,
        1 / (1 + R) of other tests; Williams' has none."""
        smallest = {"williams": 0, "bootstrap": 1 if self.one_sided else 2}.get(self.test, 1)
        return math.ceil(smallest * (1 if self.correction == "none" else pairs) / self.alpha)

    @property
    def alpha(self) -> float:
        return round(1 - self.confidence, 12)

    def told(self, *, tests: bool = True) -> str:
        """In a line; without `tests` where there is nothing to test, such as of a single metric."""
        sides = "one-sided" if self.one_sided else "two-sided"
        correction = {"none": "not corrected", "holm": "corrected after Holm"}.get(
            self.correction, "corrected after Benjamini and Hochberg"
        )
        what = "documents and systems" if self.resample == "both" else self.resample
        signs = "; signs dropped" if self.absolute else ""
        tested = f"; p: {self.test}, {sides}, {correction}; * p < {self.alpha:g}" if tests else ""
        intervals = f"[{100 * self.confidence:g}% intervals], {self.resamples:,} resamples of {what}, seed {self.seed}"
        return f"{intervals}{tested}{signs}"

    def corrected(self, p: NDArray[np.float64]) -> NDArray[np.float64]:
        return CORRECTIONS[self.correction](p)
