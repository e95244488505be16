"""Under which conditions agreement with people is measured, and which of them go together.

level      system    a score and a rating for each system
           document, segment    a score and a rating for each text
           summary   documents, averaged by item
average    pooled    one correlation over all texts of all systems
           item      a correlation over the systems for each item, then their mean
           system    a correlation over the items for each system, then their mean
statistic  pearson, spearman, kendall (b), kendall-c
           wmt12, wmt13, wmt14, darr    forms of τ over pairs of texts of one item: a tie of the metric counts −1,
                     nothing, 0 or −1; darr takes pairs of ratings that are at least 25 apart
           accuracy  share of pairs of systems that are ordered as people order them (Kocmi et al. 2021)
           acc-eq    the same within items, with ties, which are calibrated (Deutsch et al. 2023)
           spa       soft pairwise accuracy: how near p-values between systems are to people's (Thompson et al. 2024)
"""

from __future__ import annotations

import typing
from dataclasses import dataclass
from typing import Literal

from coheval.algo.pairs import TAUS
from coheval.errors import UsageError, did_you_mean

Level = Literal["system", "document", "segment", "summary"]
Average = Literal["pooled", "item", "system"]
Statistic = Literal[
    "pearson", "spearman", "kendall", "kendall-c", "wmt12", "wmt13", "wmt14", "darr", "accuracy", "acc-eq", "spa"
]
DARR = 25.0  # points of a scale of 100


@dataclass(frozen=True)
class Conditions:
    """What is computed; its text names it."""

    level: Level = "system"
    statistic: Statistic = "kendall"
    average: Average | None = None  # None: what the level and the statistic imply
    of_means: bool = False  # a system's score is the mean of its texts', whatever its metric makes of their sum
    least: float | None = None  # how far apart two ratings must be to count as a preference; None: any, 25 for darr

    def __post_init__(self) -> None:
        for name, kind in (("level", Level), ("average", Average | None), ("statistic", Statistic)):
            _check_known(name, getattr(self, name), typing.get_args(kind) if name != "average" else _averages())
        if self.level == "summary":
            self._settle(level="document", average=self.average or "item")
        by_item = self.statistic == "acc-eq" and self.level != "system"
        self._settle(average=self.average or ("item" if by_item else "pooled"))
        self._check()
        self._settle(least=self.least if self.least is not None else (DARR if self.statistic == "darr" else 0.0))

    def _settle(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _check(self) -> None:
        of_systems, statistic = self.level == "system", self.statistic
        refused = {
            f"{statistic} compares texts of one item: choose the level segment or document": (
                of_systems and statistic in (*TAUS, "acc-eq")
            ),
            "at system level there is nothing to average over": of_systems and self.average != "pooled",
            "means of texts' scores are those of systems: choose the level system": self.of_means and not of_systems,
            "spa compares systems: choose the level system": statistic == "spa" and not of_systems,
            "accuracy compares systems: choose the level system, or average by item": (
                statistic == "accuracy" and not of_systems and self.average != "item"
            ),
            f"{statistic} pools the pairs of all items": self.by_pairs and self.average != "pooled",
            "acc-eq is averaged by item": statistic == "acc-eq" and self.average != "item",
        }
        if self.least is not None and not self.by_pairs:
            raise UsageError(
                f"{self}: how far apart ratings are has a meaning for preferences only", hint="drop it, or choose darr"
            )
        for why, is_so in refused.items():
            if is_so:
                raise UsageError(f"{self} cannot be had", hint=why)

    def __str__(self) -> str:
        average = {"pooled": "", "item": ", by item", "system": ", by system"}[self.average or "pooled"]
        means = " of mean scores" if self.of_means and self.level == "system" else ""
        return f"{self.statistic} at {self.level} level{average}{means}"

    @property
    def by_pairs(self) -> bool:
        return self.statistic in TAUS


def _averages() -> tuple[object, ...]:
    return (None, *typing.get_args(Average))


def _check_known(name: str, value: object, known: tuple[object, ...]) -> None:
    if value not in known:
        names = [str(k) for k in known if k is not None]
        raise UsageError(f"no {name} is called {value!r}", hint=did_you_mean(str(value), names))
