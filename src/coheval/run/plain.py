"""A table of scores from plain numbers, for those whose scores were made elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from coheval.errors import DataError, UnknownName, did_you_mean
from coheval.run.scoretable import Array, Column, Places, ScoreTable

Values = Mapping[str, Mapping[str, Sequence[float | None]]]  # by metric and system; None is an undefined one
_SHAPE = "write {metric: {system: [numbers]}}, a number or None for each segment, for every system as many"


def plain_table(
    values: Values, documents: Sequence[str] | None = None, lower_is_better: Collection[str] = ()
) -> ScoreTable:
    tables = {name: _numbers(name, by_system) for name, by_system in _mapping(values, "the scores").items()}
    _check_alike(tables)
    for name in lower_is_better:
        if name not in tables:
            raise UnknownName(f"lower_is_better: no metric is called {name!r}", hint=did_you_mean(name, tables))
    systems = next(iter(tables.values()))
    size = len(next(iter(systems.values())))
    names = [str(n) for n in range(1, size + 1)] if documents is None else [str(document) for document in documents]
    if len(names) != size:
        raise DataError(
            f"expected a document for each of the {size:,} numbers, got {len(names):,}",
            where="documents",
            hint="position n of every list must belong to the same segment",
        )
    numbers = {document: n for n, document in enumerate(dict.fromkeys(names))}
    block = np.array([numbers[document] for document in names], dtype=np.intp)
    return ScoreTable(
        systems=list(systems),
        units=_units(names),
        documents=list(numbers),
        document_of=block,
        present=np.ones((len(systems), size), dtype=np.bool_),
        columns={
            name: _column(
                np.array([by_system[system] for system in systems]), block, len(numbers), name not in lower_is_better
            )
            for name, by_system in tables.items()
        },
    )


def _units(documents: Sequence[str]) -> list[tuple[str, int]]:
    seen: dict[str, int] = {}
    units = []
    for document in documents:
        units.append((document, seen.get(document, 0)))
        seen[document] = units[-1][1] + 1
    return units


def _column(scores: Array, block: Places, documents: int, higher_is_better: bool) -> Column:
    rows = scores[:, :, None]
    nothing = np.full((len(scores), documents), np.nan)
    column = Column(None, higher_is_better, "segment", scores, nothing, nothing[:, 0], rows, block)
    totals = column.totals()
    return replace(column, documents=column.combined(totals), system=column.combined(totals.sum(axis=1)))


def _numbers(name: str, by_system: object) -> dict[str, Array]:
    return {system: _array(v, f"{name!r} of {system!r}") for system, v in _mapping(by_system, repr(name)).items()}


def _array(values: object, where: str) -> Array:
    try:
        numbers = np.array(values, dtype=np.float64)  # None becomes NaN
    except (TypeError, ValueError):
        raise DataError(f"expected a list of numbers, got {values!r:.60}", where=where, hint=_SHAPE) from None
    if numbers.ndim != 1 or not len(numbers) or np.isinf(numbers).any():
        raise DataError(f"expected a list of finite numbers, got {values!r:.60}", where=where, hint=_SHAPE)
    return numbers


def _mapping(value: object, where: str) -> dict[str, object]:
    if not isinstance(value, Mapping) or not value:
        raise DataError(f"expected a dict, got {value!r:.60}", where=where, hint=_SHAPE)
    return {str(key): inner for key, inner in value.items()}


def _check_alike(tables: Mapping[str, Mapping[str, Array]]) -> None:
    """Every metric has the same systems, and every system as many numbers."""
    first, systems = next(iter(tables.items()))
    size = len(next(iter(systems.values())))
    for name, by_system in tables.items():
        if by_system.keys() != systems.keys():
            raise DataError(
                f"expected the systems {', '.join(systems)} as of {first!r}, got {', '.join(by_system)}",
                where=repr(name),
                hint="give every metric's numbers for the same systems; None stands for a missing one",
            )
        for system, numbers in by_system.items():
            if len(numbers) != size:
                raise DataError(
                    f"expected {size:,} numbers as of the first system, got {len(numbers):,}",
                    where=f"{name!r} of {system!r}",
                    hint="position n of every list must belong to the same segment; None stands for a missing one",
                )
