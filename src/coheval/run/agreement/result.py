"""What `agree` gives back: how far each metric agrees with people, and whether metrics differ in that."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coheval.errors import ResourceError, UnknownName, did_you_mean
from coheval.run.agreement.conditions import Conditions, Level
from coheval.run.agreement.options import Options

if TYPE_CHECKING:
    import pandas

MEAN = "mean"  # the row over all aspects


@dataclass(frozen=True)
class Agreed:
    """One metric's agreement with people in one aspect; the mean over groups where there are several."""

    metric: str
    aspect: str
    value: float | None
    low: float | None  # of the confidence interval
    high: float | None
    count: int  # what was correlated: systems, texts or pairs
    left_out: int  # texts that people judged and the metric has no score for
    groups: dict[str, float | None]  # by language pair or domain
    rank: tuple[int, int] | None  # the best and the worst that significant differences allow
    cluster: int | None
    reason: str | None  # why there is no value


@dataclass(frozen=True)
class Difference:
    """How much more the first of two metrics agrees with people in one aspect."""

    aspect: str
    metric: str
    other: str
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    adjusted: float | None  # for all pairs of metrics of the aspect
    significant: bool
    reason: str | None = None  # why there is no p


@dataclass(frozen=True)
class Reliability:
    """How far raters agree with each other."""

    aspect: str
    raters: int
    units: int  # that at least two rated
    alpha: float | None  # Krippendorff's
    agreement: float | None  # share of pairs of ratings that are equal


@dataclass(frozen=True, eq=False)
class Agreement:
    """By metric and aspect; `notes` say what a reader of the numbers should know."""

    conditions: Conditions
    options: Options
    rows: list[Agreed]
    differences: list[Difference]
    reliability: list[Reliability]
    notes: list[str]
    resampled: dict[tuple[str, str], NDArray[np.float64]] = field(repr=False)  # [1 + R] by metric and aspect

    @property
    def aspects(self) -> list[str]:
        return list(dict.fromkeys(row.aspect for row in self.rows))

    @property
    def level(self) -> Level:
        return self.conditions.level

    @property
    def judged(self) -> list[str]:
        """The aspects without their mean, which comes last where there are several."""
        return self.aspects[:-1] if len(self.aspects) > 1 else self.aspects

    @property
    def metrics(self) -> list[str]:
        return list(dict.fromkeys(row.metric for row in self.rows))

    def __getitem__(self, metric: str) -> dict[str, float | None]:
        """A metric's values by aspect."""
        return {aspect: self.row(metric, aspect).value for aspect in self.aspects}

    def __repr__(self) -> str:
        from coheval.run.agreement.tables import text

        return text(self) + "".join(f"note: {note}\n" for note in self.notes)

    def row(self, metric: str, aspect: str) -> Agreed:
        for what, name, known in (("metric", metric, self.metrics), ("aspect", aspect, self.aspects)):
            if name not in known:
                raise UnknownName(f"no {what} is called {name!r} here", hint=did_you_mean(name, known))
        return next(row for row in self.rows if row.metric == metric and row.aspect == aspect)

    def behind(self, aspect: str) -> dict[str, Difference]:
        """How far the other metrics are behind the one that agrees most in an aspect."""
        values = {row.metric: row.value for row in self.rows if row.aspect == aspect and row.value is not None}
        best = max(values, key=values.__getitem__, default=None)
        return {d.other: d for d in self.differences if d.aspect == aspect and d.metric == best}

    def to_dict(self) -> dict[str, Any]:
        return {
            "conditions": str(self.conditions),
            "settings": asdict(self.conditions) | asdict(self.options),
            "agreement": [asdict(row) for row in self.rows],
            "differences": [asdict(row) for row in self.differences],
            "reliability": [asdict(row) for row in self.reliability],
            "notes": self.notes,
        }

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1, allow_nan=False)

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each metric and aspect."""
        try:
            import pandas
        except ImportError:
            raise ResourceError("to_pandas needs pandas, which is not installed", hint="pip install pandas") from None
        return pandas.DataFrame([asdict(row) for row in self.rows])


def number(value: float) -> float | None:
    """None where it is undefined."""
    return None if math.isnan(value) else float(value)
