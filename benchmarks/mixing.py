"""Scores of a study as a `Combiner` takes them, row by row, and combined scores put back into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from coheval.run.combine import Combiner
from study import Array, Numbers, Study


def scores_of(study: Study, members: Sequence[str]) -> Array:
    """Of every text of every system that is there, by member: [n, members]."""
    return np.stack([present(study, study.scores(name)) for name in members], axis=1)


def present(study: Study, values: Array) -> Array:
    return values[study.table.present]


def of_documents(study: Study, groups: Mapping[str, str]) -> list[str]:
    """The group of every text's document, in the order of `scores_of`."""
    units = [groups[document] for document, _ in study.table.units]
    return [units[n] for _, n in np.argwhere(study.table.present)]


def preferred(study: Study) -> tuple[list[int], list[int]]:
    """The better and the worse texts, as places in `scores_of`."""
    numbers = np.cumsum(study.table.present).reshape(study.table.present.shape) - 1
    systems = {name: n for n, name in enumerate(study.table.systems)}
    units = {unit: n for n, unit in enumerate(study.table.units)}
    preferences = study.judgements.preferences
    items = [units[p.document, p.segment or 0] for p in preferences]
    better = [int(numbers[systems[p.better], n]) for p, n in zip(preferences, items, strict=True)]
    worse = [int(numbers[systems[p.worse], n]) for p, n in zip(preferences, items, strict=True)]
    return better, worse


def uniform(study: Study, members: Sequence[str]) -> Array:
    """The mean of scores that are scaled by their least and largest in the study, oriented, in the order of rows."""
    scores = scores_of(study, members)
    lower = study.lower_is_better(members)
    return Combiner(members=list(members), method="uniform", lower_is_better=lower).fit(scores).predict(scores)


def with_combined(study: Study, combined: Mapping[str, Array]) -> Study:
    return study.with_scores({name: _spread(study, values) for name, values in combined.items()})


def _spread(study: Study, values: Array) -> Numbers:
    """Combined scores at the places of the texts that they are of."""
    places = np.full(study.table.present.shape, np.nan)
    places[study.table.present] = values
    rows = zip(study.table.systems, places, strict=True)
    return {system: [None if np.isnan(v) else float(v) for v in row] for system, row in rows}
