"""What comparing systems gives back: for each metric, figures of systems and of pairs of them."""

from __future__ import annotations

import json
import typing
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from coheval.algo.significance import Correction
from coheval.errors import ResourceError, UnknownName, did_you_mean
from coheval.run.result import Score, UnknownResult

if TYPE_CHECKING:
    import pandas

Test = Literal["randomisation", "bootstrap"]
Table = Literal["systems", "pairs"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How systems were compared."""

    test: Test  # whose p says which differences are significant
    correction: Correction  # over the pairs of one metric
    confidence: float  # of intervals; differences are significant at 1 − confidence
    resamples: int
    seed: int
    baseline: str | None  # what the others are compared with; None: everything with everything

    @property
    def alpha(self) -> float:
        return round(1 - self.confidence, 12)


@dataclass(frozen=True, kw_only=True)
class SystemFigures:
    """One system under one metric; an undefined figure is None, and then `reason` says why."""

    system: str
    score: Score  # over the documents that are compared
    low: Score  # its interval
    high: Score
    difference: Score  # from the best system, or from the baseline, over the units that both have scores for
    p: Score  # of the difference, corrected
    significant: bool | None
    cluster: int | None  # 1 is best; this and ranks are None where there is a baseline, as not all pairs are tested
    best_rank: int | None  # below every system that is significantly better
    worst_rank: int | None  # above every system that is significantly worse
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class PairFigures:
    """Two systems under one metric: the one with the better score first, or any system and the baseline.

    Everything is over the units that both have scores for, so the difference may be another than that of their scores.
    """

    first: str
    second: str
    difference: Score  # first − second, as the metric counts
    low: Score  # its interval
    high: Score
    bootstrap_p: Score  # corrected
    randomisation_p: Score
    bootstrap_p_alone: Score  # before the correction
    randomisation_p_alone: Score
    significant: bool | None
    effect: Score  # Cohen's d of the differences of documents: their mean / their standard deviation
    won: Score  # share of documents on which the first is better
    tied: Score
    lost: Score
    documents: int  # that have a score of both
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class MetricComparison:
    signature: str | None  # None: plain numbers
    higher_is_better: bool
    systems: list[SystemFigures]  # the best first
    pairs: list[PairFigures]


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(Mapping[str, MetricComparison]):
    """Comparisons by metric, all over the same documents and the same resamples of them."""

    metrics: dict[str, MetricComparison]
    settings: Settings
    documents: int
    notes: list[str]  # what a reader of the numbers should know

    def __getitem__(self, metric: str) -> MetricComparison:
        if metric not in self.metrics:
            raise UnknownResult(f"no comparison by {metric!r}", hint=did_you_mean(metric, self.metrics))
        return self.metrics[metric]

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def __repr__(self) -> str:
        from coheval.run.comparetables import text

        return "\n".join([text(self, None), *(f"note: {note}" for note in self.notes)])

    def rows(self, table: Table) -> list[dict[str, Any]]:
        """The figures of systems, or of pairs, as records."""
        if table not in typing.get_args(Table):
            raise UnknownName(f"no table is called {table!r}", hint=f"one of {', '.join(typing.get_args(Table))}")
        return [
            {"metric": name} | asdict(figures) for name, one in self.metrics.items() for figures in getattr(one, table)
        ]

    def to_pandas(self, table: Table = "systems") -> pandas.DataFrame:
        """A row for each metric and system, or pair of systems."""
        try:
            import pandas
        except ImportError:
            raise ResourceError("to_pandas needs pandas, which is not installed", hint="pip install pandas") from None
        return pandas.DataFrame(self.rows(table))

    def to_json(self) -> str:
        content = {
            "settings": asdict(self.settings) | {"documents": self.documents},
            "metrics": {name: asdict(one) for name, one in self.metrics.items()},
            "notes": self.notes,
        }
        return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)
