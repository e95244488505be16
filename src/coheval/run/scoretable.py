"""All scores of a run as arrays: systems × segments, systems × documents, and the additive rows behind them.

What looks at a run as a whole (comparing systems, agreement with people) starts here. NaN is an undefined score, or a
text that a system does not have; `present` says which.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from coheval.data import Key
from coheval.errors import DataError, MetricError
from coheval.metrics import Metric, Unit
from coheval.run.result import MetricResult, Result

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Column:
    """One metric's scores. U rows: one for each segment or for each document, as `unit` says."""

    metric: Metric | None  # None: plain numbers, of which a system's score is the mean
    higher_is_better: bool
    unit: Unit
    segments: Array  # [S, N]
    documents: Array  # [S, D]
    system: Array  # [S]
    rows: Array  # [S, U, k], NaN where there is none
    block: Places  # [U], the document of each row
    signature: str | None = None

    def totals(self) -> Array:
        """Each document's rows summed, and after them how many there are: [S, D, k + 1]."""
        defined = ~np.isnan(self.rows).any(axis=2, keepdims=True)
        numbers = np.concatenate([np.where(defined, self.rows, 0.0), defined.astype(np.float64)], axis=2)
        size = self.documents.shape[1]
        summed = [[np.bincount(self.block, weights=c, minlength=size) for c in of_system.T] for of_system in numbers]
        return np.array(summed, dtype=np.float64).transpose(0, 2, 1)

    def combined(self, totals: Array) -> Array:
        """Scores of sums whose last number is how many rows they sum: [..., k + 1] -> [...]."""
        sums = totals.reshape(-1, totals.shape[-1])
        if self.metric is None or type(self.metric).combine is Metric.combine:
            mean: Array = np.divide(sums[:, 0], sums[:, -1], out=np.full(len(sums), np.nan), where=sums[:, -1] > 0)
            return mean.reshape(totals.shape[:-1])
        scores = np.array([_score(self.metric, total, int(count)) for *total, count in sums.tolist()])
        return scores.reshape(totals.shape[:-1])

    def resampled(self, weights: Array) -> Array:
        """Scores of systems if each document counted so often: [R, D] -> [R, S]; NaN where nothing is defined."""
        return self.weighed(weights, self.totals())

    def weighed(self, weights: Array, totals: Array) -> Array:
        """The same of documents' sums: [R, D] and [S, D, k + 1] -> [R, S]."""
        return self.combined(np.tensordot(weights, totals, axes=(1, 1)))


def _score(metric: Metric, totals: Sequence[float], count: int) -> float:
    if not count:
        return math.nan
    try:
        score = metric.combine(totals, count)
    except Exception as error:
        raise MetricError(
            f"{metric.name()} cannot combine the rows {totals}: {type(error).__name__}: {error}",
            hint="a defect of the metric, or rows that another version of it made: score again",
        ) from error
    return math.nan if score is None else score


@dataclass(frozen=True, eq=False)
class ScoreTable:
    systems: list[str]
    units: list[tuple[str, int]]  # document and segment, of all systems, in input order
    documents: list[str]
    document_of: Places  # [N], the document of each unit
    present: Mask  # [S, N], whether a system has this segment at all
    columns: dict[str, Column]
    notes: list[str] = field(default_factory=list)  # what the run had to say

    @classmethod
    def of(cls, result: Result) -> Self:
        keys = [result.keys_by_system[system] for system in result.systems]
        units = {unit: n for n, unit in enumerate(dict.fromkeys(_unit(key) for of_system in keys for key in of_system))}
        documents = {document: n for n, document in enumerate(dict.fromkeys(document for document, _ in units))}
        places = [np.array([units[_unit(key)] for key in of_system], dtype=np.intp) for of_system in keys]
        present = np.zeros((len(keys), len(units)), dtype=np.bool_)
        for system, own in enumerate(places):
            present[system, own] = True
        block = np.array([documents[document] for document, _ in units], dtype=np.intp)
        columns = {name: _column(r, places, documents, block) for name, r in result.metrics.items()}
        return cls(result.systems, list(units), list(documents), block, present, columns, result.notes)

    @classmethod
    def read(cls, folder: str | Path) -> Self:
        """The table of a run folder. Metrics are rebuilt without their weights: only their formulas are needed."""
        from coheval.run.stored import read_run

        table = cls.of(read_run(folder))
        table.check_sums(str(folder))
        return table

    def check_sums(self, where: str) -> None:
        """Refuse rows that do not give the scores beside them: they are not the ones that were written."""
        for name, column in self.columns.items():
            _check_sums(name, column, self, where)

    @staticmethod
    def plain(
        values: Mapping[str, Mapping[str, Sequence[float | None]]],
        documents: Sequence[str] | None = None,
        lower_is_better: Collection[str] = (),
    ) -> ScoreTable:
        """The table of plain numbers, by metric and system; `documents` has the document of each, or each is its own.

        A system's score is the mean of its numbers; None is an undefined one.
        """
        from coheval.run.plain import plain_table

        return plain_table(values, documents, lower_is_better)


def _unit(key: Key) -> tuple[str, int]:
    return key.document, key.segment or 0


def _column(result: MetricResult, places: Sequence[Places], documents: Mapping[str, int], block: Places) -> Column:
    scores = list(result.by_system.values())
    unit = result.metric.unit
    of_documents = [np.array([documents[d] for d in s.documents], dtype=np.intp) for s in scores]
    by_unit = places if unit == "segment" else of_documents
    width = max(1, *(s.rows.shape[1] for s in scores))  # a system without any defined row has rows of no numbers
    size = len(block) if unit == "segment" else len(documents)
    rows = np.full((len(scores), size, width), np.nan)
    for n, (own, s) in enumerate(zip(by_unit, scores, strict=True)):
        if s.rows.shape[1]:
            rows[n, own] = s.rows
    return Column(
        metric=result.metric,
        higher_is_better=result.higher_is_better,
        unit=unit,
        segments=_spread(places, [s.segments for s in scores], len(block)),
        documents=_spread(of_documents, [list(s.documents.values()) for s in scores], len(documents)),
        system=np.array([s.system for s in scores], dtype=np.float64),
        rows=rows,
        block=block if unit == "segment" else np.arange(len(documents)),
        signature=result.signature,
    )


def _spread(places: Sequence[Places], values: Sequence[Sequence[float | None]], size: int) -> Array:
    table = np.full((len(places), size), np.nan)
    for n, (own, of_system) in enumerate(zip(places, values, strict=True)):
        table[n, own] = np.array(of_system, dtype=np.float64)  # None becomes NaN
    return table


def _check_sums(name: str, column: Column, table: ScoreTable, where: str) -> None:
    found = column.resampled(np.ones((1, len(table.documents))))[0]
    for system, score, again in zip(table.systems, column.system, found, strict=True):
        if not np.isclose(score, again, rtol=1e-9, atol=1e-9, equal_nan=True):
            raise DataError(
                f"the rows of {system!r} give {again:.6g} for {name}, expected {score:.6g} as the manifest says",
                where=where,
                hint="files of the run folder were changed: make it again with coheval score",
            )
