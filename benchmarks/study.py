"""Judged data sets, scored once: the texts and judgements of an adapter, and the table of all scores."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coheval.data import Corpus
from coheval.data.corpus import Record
from coheval.data.datasets import Dataset, Published, find
from coheval.data.judgements import Judgements, Rating
from coheval.run.agreement import Agreement, agree
from coheval.run.score import evaluate, named
from coheval.run.scoretable import ScoreTable

Array = NDArray[np.float64]

RESAMPLES = 1000


@dataclass(frozen=True)
class Study:
    """Scores of texts, and what people said of these."""

    table: ScoreTable
    judgements: Judgements

    def agree(self, **conditions: object) -> Agreement:
        return agree(self.table, self.judgements, resamples=RESAMPLES, **conditions)  # type: ignore[arg-type]

    def only(self, *, systems: Collection[str] | None = None, documents: Collection[str] | None = None) -> Study:
        """The same without judgements of other systems and documents: what nobody judged is left out of everything."""
        return replace(self, judgements=_only(self.judgements, systems, documents))

    def with_scores(self, scores: Mapping[str, Mapping[str, Sequence[float | None]]]) -> Study:
        """With further metrics, of which only numbers are known: by system, in the order of the table's segments."""
        more = ScoreTable.plain({name: {s: by[s] for s in self.table.systems} for name, by in scores.items()})
        columns = {name: replace(column, block=self.table.document_of) for name, column in more.columns.items()}
        return replace(self, table=replace(self.table, columns=self.table.columns | columns))

    def lower_is_better(self) -> list[str]:
        return [name for name, column in self.table.columns.items() if not column.higher_is_better]

    def scores(self, metric: str, systems: Sequence[str] | None = None) -> dict[str, list[float | None]]:
        """A metric's scores as plain numbers, by system."""
        chosen = self.table.systems if systems is None else systems
        values = self.table.columns[metric].segments
        return {system: plain(values[self.table.systems.index(system)]) for system in chosen}

    def ratings(self, aspect: str) -> dict[str, list[float | None]]:
        """People's mean ratings in the shape of `scores`."""
        means = self.judgements.means(aspect)
        return {
            system: [means.get((system, document, None)) for document, _ in self.table.units]
            for system in self.table.systems
        }


def read(folder: Path, part: str | None = None) -> Dataset:
    dataset = find(folder, part)
    if dataset is None:
        raise SystemExit(f"{folder} holds no judged set that coheval knows: is the shared data whole?")
    return dataset


def score(records: Iterable[Record], specs: Iterable[str]) -> ScoreTable:
    with Corpus.of(records) as corpus:
        return ScoreTable.of(evaluate(corpus, named(dict.fromkeys(specs))))


def study(dataset: Dataset, specs: Iterable[str]) -> Study:
    return Study(score(dataset.records(), specs), dataset.judgements())


def renamed(records: Iterable[Record], judgements: Judgements, name: Callable[[str, str], str]) -> tuple:
    """Systems called anew, by their name and document: corpus facts are fitted for each system by itself."""


def published(dataset: Dataset, table: ScoreTable) -> dict[str, dict[str, list[float | None]]]:
    """Scores that come with the set, in the order of the table's segments."""
    return {metric: _in_order(values, table) for metric, values in dataset.published().items()}


def _in_order(values: Mapping[tuple[str, str], float], table: ScoreTable) -> dict[str, list[float | None]]:
    return {system: [values.get((system, document)) for document, _ in table.units] for system in table.systems}


def _only(judgements: Judgements, systems: Collection[str] | None, documents: Collection[str] | None) -> Judgements:
    def kept(document: str | None, *names: str) -> bool:
        known = systems is None or all(name in systems for name in names)
        return known and (documents is None or document in documents)

    return replace(
        judgements,
        ratings=[r for r in judgements.ratings if kept(r.document, r.system)],
        preferences=[p for p in judgements.preferences if kept(p.document, p.better, p.worse)],
    )


def plain(values: Array) -> list[float | None]:
    return [None if np.isnan(v) else float(v) for v in values]
