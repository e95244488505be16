"""How sure agreement is told: intervals, tests and corrections, checked when they are chosen."""

from __future__ import annotations

import typing
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from coheval.algo.significance import CORRECTIONS
from coheval.errors import UsageError, did_you_mean
from coheval.run.agreement.differences import Test

Resample = Literal["documents", "systems", "both"]
Correction = Literal["holm", "benjamini-hochberg", "none"]


@dataclass(frozen=True, kw_only=True)
class Options:
    resample: Resample = "documents"  # what the bootstrap draws
    resamples: int = 1000  # also of permutation tests
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
        if isinstance(self.resamples, bool) or not isinstance(self.resamples, int) or self.resamples < 0:
            raise UsageError(f"resamples must be a whole number from 0, got {self.resamples!r}", hint="resamples=1000")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise UsageError(f"seed must be a whole number from 0, got {self.seed!r}", hint="seed=1")
        if not 0 < self.confidence < 1:
            raise UsageError(
                f"confidence must lie between 0 and 1, got {self.confidence!r}", hint="0.95 gives 95% intervals"
            )

    @property
    def alpha(self) -> float:
        return round(1 - self.confidence, 12)

    def told(self) -> str:
        """In a line."""
        sides = "one-sided" if self.one_sided else "two-sided"
        correction = {"none": "not corrected", "holm": "corrected after Holm"}.get(
            self.correction, "corrected after Benjamini and Hochberg"
        )
        what = "documents and systems" if self.resample == "both" else self.resample
        signs = "; signs dropped" if self.absolute else ""
        return (
            f"[{100 * self.confidence:g}% intervals], {self.resamples:,} resamples of {what}, seed {self.seed}; "
            f"p: {self.test}, {sides}, {correction}; * p < {self.alpha:g}{signs}"
        )

    def corrected(self, p: NDArray[np.float64]) -> NDArray[np.float64]:
        return CORRECTIONS[self.correction](p)
