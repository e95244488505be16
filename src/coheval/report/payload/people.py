"""What people said of the texts: agreement of metrics with it, and the ratings themselves by document."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from coheval.data.judgements import Judgements
from coheval.report.payload.rounding import plain
from coheval.run.agreement import Agreement
from coheval.run.scoretable import ScoreTable

Ratings = dict[str, dict[str, Any]]  # by aspect: its direction, and what systems' documents were given


def agreement(found: Agreement) -> dict[str, Any]:
    tests = bool(found.differences)
    star = "\n* agrees with people significantly less than the metric that does most" if tests else ""
    return {
        "told": f"{found.conditions}; {found.options.told(tests=tests)}{star}",
        "notes": found.notes,
        "aspects": found.aspects,
        "rows": [row for aspect in found.aspects for row in _rows(found, aspect)],
    }


def _rows(found: Agreement, aspect: str) -> Iterator[dict[str, Any]]:
    """Each metric's figures, and how sure it is that it agrees less than the one that agrees most."""
    behind = found.behind(aspect)
    for row in found.rows:
        if row.aspect == aspect:
            gap = behind.get(row.metric)
            sure = {"p": gap and gap.adjusted, "significant": gap.significant if gap else False}
            yield plain(asdict(row) | sure)


def ratings(judgements: Judgements, table: ScoreTable) -> Ratings:
    """Each document's mean rating by aspect, on the raters' own scale, and its direction; of segments the mean."""
    return {
        aspect: {
            "higher_is_better": aspect not in judgements.lower_is_better,
            "ratings": _of(judgements, aspect, table),
        }
        for aspect in judgements.aspects()
    }


def _of(judgements: Judgements, aspect: str, table: ScoreTable) -> list[list[float | None]]:
    sign = -1.0 if aspect in judgements.lower_is_better else 1.0  # which `means` has turned
    found: defaultdict[tuple[str, str | None], list[float]] = defaultdict(list)
    for (system, document, _), value in judgements.means(aspect).items():
        found[system, document].append(sign * value)
    return [[_mean(found.get((system, document))) for document in table.documents] for system in table.systems]


def _mean(values: list[float] | None) -> float | None:
    return sum(values) / len(values) if values else None
