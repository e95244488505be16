"""What people said of the texts: agreement of metrics with it, and the ratings themselves by document."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict
from typing import Any

from coheval.data.judgements import Judgements
from coheval.report.payload.rounding import rounded, shown
from coheval.run.agreement import Agreement
from coheval.run.scoretable import ScoreTable

Ratings = dict[str, list[list[float | None]]]  # by aspect, of systems and documents


def agreement(found: Agreement) -> dict[str, Any]:
    return {
        "told": f"{found.conditions}; {found.options.told()}",
        "notes": found.notes,
        "aspects": found.aspects,
        "rows": [rounded(asdict(row)) for row in found.rows],
    }


def ratings(judgements: Judgements, table: ScoreTable) -> Ratings:
    """Each document's mean rating by aspect, turned so that higher is better; of segments the mean."""
    return {aspect: _of(judgements, aspect, table) for aspect in judgements.aspects()}


def _of(judgements: Judgements, aspect: str, table: ScoreTable) -> list[list[float | None]]:
    found: defaultdict[tuple[str, str | None], list[float]] = defaultdict(list)
    for (system, document, _), value in judgements.means(aspect).items():
        found[system, document].append(value)
    return [[_mean(found.get((system, document))) for document in table.documents] for system in table.systems]


def _mean(values: list[float] | None) -> float | None:
    return shown(sum(values) / len(values)) if values else None
