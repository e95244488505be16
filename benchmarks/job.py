"""What every section of docs/results.md is given: the shared data, the papers' tables, and a place for figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coheval.report import save

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES = "figures"  # the folder beside the page


@dataclass(frozen=True)
class Paper:
    """A table of a paper."""

    columns: list[str]
    rows: dict[str, list[float | None]]

    def value(self, row: str | None, column: str) -> float | None:
        return None if row is None else self.rows[row][self.columns.index(column)]

    def mean(self, row: str | None, columns: list[str]) -> float | None:
        """Of the columns that are compared; papers' own averages are rounded twice."""
        values = [self.value(row, column) for column in columns]
        return None if None in values else sum(values) / len(values)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Job:
    data: Path  # a folder for each data set
    tables: Mapping[str, Any]  # paper_tables.json
    out: Path  # the folder of the page

    def paper(self, key: str) -> Paper:
        return Paper(self.tables[key]["columns"], self.tables[key]["rows"])

    def show(self, name: str, figure: Figure, alt: str) -> Iterator[str]:
        """Save a figure, and say where it is."""
        save(figure, self.out / FIGURES / f"{name}.svg")
        yield f"![{alt}]({FIGURES}/{name}.svg)"
        yield ""
