"""What comparing the discourse of texts with that of references gives back."""

from __future__ import annotations

import json
import math
import typing
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.algo.distributions import SMOOTHING
from coheval.algo.resample import interval, two_sided
from coheval.errors import ResourceError, UnknownName, did_you_mean

if TYPE_CHECKING:
    import pandas

Table = Literal["groups", "relations"]

LOWER_IS_BETTER = {"kl": True, "relation_f1": False, "nuclearity_f1": False, "edu_f1": False, "depth_rmse": True}
_REASONS = {"kl": "no relations in the references or in the group"}


@dataclass(frozen=True)
class Figure:
    """A number with its interval; None is an undefined one, and then `reason` says why, as it does without interval."""

    value: float | None
    low: float | None
    high: float | None
    p: float | None = None  # of a difference: paired bootstrap, two-sided
    reason: str | None = None


@dataclass(frozen=True)
class RelationFigures:
    """One relation in one group, or in the references."""

    relation: str
    group: str | None  # None: the references
    count: int
    share: float | None  # of all relations there
    f1: float | None  # None where neither side has it, and of references


@dataclass(frozen=True, repr=False, eq=False)
class Discourse:
    """Measures by group, all over the same texts and the same resamples of them."""

    resampled: dict[str, dict[str, NDArray[np.float64]]]  # by group and measure: the data as they are, then resamples
    relations: list[RelationFigures]
    texts: int
    resamples: int
    confidence: float
    seed: int
    signature: str  # of the parser

    def __repr__(self) -> str:
        from coheval.run.discoursetables import text

        return text(self, None)

    @property
    def groups(self) -> list[str]:
        return list(self.resampled)

    def figure(self, measure: str, group: str) -> Figure:
        return self._figure(self._of(measure, group), measure)

    def difference(self, measure: str, first: str, second: str) -> Figure:
        """Of two groups, first − second."""
        gap = self._of(measure, first) - self._of(measure, second)
        figure = self._figure(gap, measure)
        return figure if figure.low is None else replace(figure, p=_none(two_sided(gap)))

    def shares(self, group: str | None = None) -> dict[str, float | None]:
        """Each relation's share of a group's relations, or of the references'; those frequent there come first."""
        if group is not None and group not in self.resampled:
            raise UnknownName(f"no group is called {group!r}", hint=did_you_mean(group, self.resampled))
        return {row.relation: row.share for row in self.relations if row.group == group}

    def rows(self, table: Table) -> list[dict[str, Any]]:
        """A record for each group with all measures, or for each relation of the references and of each group."""
        if table not in typing.get_args(Table):
            raise UnknownName(f"no table is called {table!r}", hint=f"one of {', '.join(typing.get_args(Table))}")
        if table == "relations":
            return [asdict(row) for row in self.relations]
        return [{"group": group, "texts": self.texts} | dict(self._measures(group)) for group in self.groups]

    def to_pandas(self, table: Table = "groups") -> pandas.DataFrame:
        try:
            import pandas
        except ImportError:
            raise ResourceError("to_pandas needs pandas, which is not installed", hint="pip install pandas") from None
        return pandas.DataFrame(self.rows(table))

    def to_json(self) -> str:
        settings = {"texts": self.texts, "resamples": self.resamples, "confidence": self.confidence, "seed": self.seed}
        content = {
            "settings": settings | {"smoothing": SMOOTHING, "parser": self.signature},
            "groups": {g: {m: asdict(self.figure(m, g)) for m in LOWER_IS_BETTER} for g in self.groups},
            "relations": self.rows("relations"),
        }
        return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)

    def _measures(self, group: str) -> Iterator[tuple[str, float | None]]:
        for measure in LOWER_IS_BETTER:
            figure = self.figure(measure, group)
            yield measure, figure.value
            yield f"{measure}_low", figure.low
            yield f"{measure}_high", figure.high

    def _of(self, measure: str, group: str) -> NDArray[np.float64]:
        for name, known, what in ((group, self.resampled, "group"), (measure, LOWER_IS_BETTER, "measure")):
            if name not in known:
                raise UnknownName(f"no {what} is called {name!r}", hint=did_you_mean(name, known))
        return self.resampled[group][measure]

    def _figure(self, resampled: NDArray[np.float64], measure: str) -> Figure:
        if math.isnan(resampled[0]):
            return Figure(None, None, None, reason=_REASONS.get(measure, "no such labels in any text"))
        lost = int(np.isnan(resampled).sum())
        if lost:  # what is left of the resamples would be too sure
            reason = f"no interval: undefined in {lost:,} of {len(resampled) - 1:,} resamples"
            return Figure(float(resampled[0]), None, None, reason=reason)
        low, high = interval(resampled, self.confidence) if self.texts > 1 else (math.nan, math.nan)
        return Figure(float(resampled[0]), _none(low), _none(high))


def _none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
