"""A judged data set, scored once: its texts and judgements, and a table of all scores."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coheval.data import Corpus
from coheval.data.corpus import Record
from coheval.data.datasets import Dataset, find
from coheval.data.judgements import Judgements
from coheval.run.agreement import Agreement, agree
from coheval.run.score import evaluate, named
from coheval.run.scoretable import ScoreTable

Array = NDArray[np.float64]
Numbers = dict[str, list[float | None]]  # by system, in the order of the table's segments

RESAMPLES = 1000


@dataclass(frozen=True)
class Study:
    """Scores of texts, and what people said of these."""

    table: ScoreTable
    judgements: Judgements

    def agree(self, metrics: Iterable[str] | None = None, **conditions: Any) -> Agreement:
        chosen = None if metrics is None else list(dict.fromkeys(metrics))
        return agree(self.table, self.judgements, metrics=chosen, resamples=RESAMPLES, **conditions)

    def only(self, *, systems: Collection[str] | None = None, documents: Collection[str] | None = None) -> Study:
        """Without judgements of other systems and documents: `agree` leaves out what nobody judged."""
        return replace(self, judgements=_only(self.judgements, systems, documents))

    def of_group(self, *groups: str) -> Study:
        """Some of the language pairs, or domains."""
        return self.only(documents={d for d, group in self.judgements.groups.items() if group in groups})

    def with_scores(self, scores: Mapping[str, Numbers]) -> Study:
        """With metrics of which only numbers are known."""
        ordered = {metric: {system: by[system] for system in self.table.systems} for metric, by in scores.items()}
        more = ScoreTable.plain(ordered, [document for document, _ in self.table.units])
        return replace(self, table=replace(self.table, columns=self.table.columns | more.columns))

    def scores(self, metric: str) -> Array:
        """As the metric gives them, not oriented: [systems, segments]."""
        return self.table.columns[metric].segments

    def numbers(self, metric: str) -> Numbers:
        return {
            system: [None if np.isnan(v) else float(v) for v in row]
            for system, row in zip(self.table.systems, self.scores(metric), strict=True)
        }

    def ratings(self, aspect: str) -> Array:
        """The mean over people, NaN where nobody rated: [systems, segments]."""
        means = self.judgements.means(aspect)
        return np.array(
            [
                [means.get((s, d, n), means.get((s, d, None), np.nan)) for d, n in self.table.units]
                for s in self.table.systems
            ]
        )

    def lower_is_better(self, metrics: Iterable[str]) -> list[str]:
        return [name for name in metrics if not self.table.columns[name].higher_is_better]


def read(folder: Path, part: str | None = None) -> Dataset:
    dataset = find(folder, part)
    if dataset is None:
        raise SystemExit(f"{folder} holds no judged set that coheval knows: is the shared data whole?")
    return dataset


def score(records: Iterable[Record], specs: Iterable[str]) -> ScoreTable:
    with Corpus.of(records) as corpus:
        return ScoreTable.of(evaluate(corpus, named(dict.fromkeys(specs))))


def lists(records: Iterable[Record], documents: int) -> dict[str, Any]:
    """Candidates by system, and the references, of the first documents, as `coheval.score` takes them."""
    found = list(records)
    chosen = list(dict.fromkeys(record.document for record in found))[:documents]
    candidates = {(record.system, record.document): record.candidate for record in found}
    references = {record.document: list(record.references) for record in found}
    systems = dict.fromkeys(record.system for record in found)
    return {
        "candidates": {system: [candidates[system, document] for document in chosen] for system in systems},
        "references": [references[document] for document in chosen],
    }


def published(dataset: Dataset, table: ScoreTable) -> dict[str, Numbers]:
    """The scores that come with a set."""
    return {
        metric: {s: [values.get((s, document)) for document, _ in table.units] for s in table.systems}
        for metric, values in dataset.published().items()
    }


def _only(judgements: Judgements, systems: Collection[str] | None, documents: Collection[str] | None) -> Judgements:
    def kept(document: str | None, names: Sequence[str]) -> bool:
        known = systems is None or all(name in systems for name in names)
        return known and (documents is None or document in documents)

    return replace(
        judgements,
        ratings=[r for r in judgements.ratings if kept(r.document, [r.system])],
        preferences=[p for p in judgements.preferences if kept(p.document, [p.better, p.worse])],
    )
