"""How far metrics agree with each other (figure 6 of DiscoScore, figure 3 of MoverScore), like ones side by side."""

from __future__ import annotations

import json
import typing
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.algo.clustering import cluster_numbers, cluster_order
from coheval.algo.correlation import CORRELATIONS
from coheval.errors import ResourceError, UnknownName, UsageError, did_you_mean
from coheval.run.agreement.given import Scores, table_of
from coheval.run.scoretable import Column
from coheval.run.tables import NOTHING, aligned

if TYPE_CHECKING:
    import pandas

Level = Literal["system", "document", "segment"]


@dataclass(frozen=True, eq=False)
class Between:
    """Correlations between metrics, in the order of their clusters."""

    metrics: list[str]
    values: NDArray[np.float64]  # [M, M], NaN where undefined
    clusters: list[int]  # metrics that correlate, on average, by at least `least` with each other's cluster
    statistic: str
    level: Level

    def __repr__(self) -> str:
        rows = [
            [name, f"{cluster}", *(NOTHING if np.isnan(v) else f"{v:.2f}" for v in row)]
            for name, cluster, row in zip(self.metrics, self.clusters, self.values, strict=True)
        ]
        heads = ["metric", "cluster", *(f"{n}" for n in range(1, len(self.metrics) + 1))]
        return f"{self.statistic} between metrics at {self.level} level\n\n" + aligned(
            heads, rows, [False, *(True for _ in heads[1:])]
        )

    def to_pandas(self) -> pandas.DataFrame:
        try:
            import pandas
        except ImportError:
            raise ResourceError("to_pandas needs pandas, which is not installed", hint="pip install pandas") from None
        return pandas.DataFrame(self.values, index=self.metrics, columns=self.metrics)

    def to_json(self) -> str:
        values = [[None if np.isnan(v) else float(v) for v in row] for row in self.values]
        content = {
            "statistic": self.statistic,
            "level": self.level,
            "metrics": self.metrics,
            "clusters": self.clusters,
            "values": values,
        }
        return json.dumps(content, ensure_ascii=False, indent=1)


def between(
    scores: Scores,
    *,
    metrics: Sequence[str] | None = None,
    statistic: str = "pearson",
    level: Level = "segment",
    least: float = 0.8,
    documents: Sequence[str] | None = None,
    lower_is_better: Collection[str] = (),
) -> Between:
    """Correlations between metrics over all texts, or systems, that both have scores for; signed by their directions.

    Where no segment has a score (metrics of whole documents with several segments), choose the level 'document'.
    """
    if statistic not in CORRELATIONS:
        raise UsageError(f"no statistic is called {statistic!r}", hint=did_you_mean(statistic, CORRELATIONS))
    if level not in typing.get_args(Level):
        raise UsageError(f"no level is called {level!r}", hint=did_you_mean(level, typing.get_args(Level)))
    table = table_of(scores, documents, lower_is_better)
    names = list(metrics or table.columns)
    for name in names:
        if name not in table.columns:
            raise UnknownName(f"no metric is called {name!r} here", hint=did_you_mean(name, table.columns))
    x = np.stack([_oriented(table.columns[name], level) for name in names])  # [M, n]
    values = np.stack([CORRELATIONS[statistic](x, one[None]) for one in x])
    order = cluster_order(values)
    values = values[np.ix_(order, order)]
    return Between([names[i] for i in order], values, cluster_numbers(values, least=least), statistic, level)


def _oriented(column: Column, level: Level) -> NDArray[np.float64]:
    values = {"system": column.system, "document": column.documents, "segment": column.segments}[level]
    oriented: NDArray[np.float64] = values.ravel() if column.higher_is_better else -values.ravel()
    return oriented
