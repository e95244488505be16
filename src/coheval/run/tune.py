"""A combination tuned on a run folder and people's judgements of its texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from coheval.data.judgements import Judgements
from coheval.errors import UsageError, did_you_mean
from coheval.run.agreement.grid import Grid
from coheval.run.agreement.match import match
from coheval.run.combine import Combiner
from coheval.run.sample import Array, Mask, Places
from coheval.run.scoretable import Column, ScoreTable


def train(
    table: ScoreTable,
    judgements: Judgements,
    *,
    aspect: str | None = None,
    level: Literal["segment", "document"] = "segment",
    members: Sequence[str] | None = None,
    hold_out: Literal["document", "group"] = "document",
    drop_unmatched: bool = False,
    **settings: Any,
) -> Combiner:
    """A combination of a table's metrics, fitted to judgements of one aspect (the only one, unless named).

    `members` are columns of the table, all unless given. Whole documents, or whole groups of documents such as language
    pairs, are held out in cross-validation. `settings` are parameters of `Combiner`. Preferences are used where people
    gave them, ratings otherwise.
    """
    columns = _columns(table, members)
    matched = match(table, judgements, _aspect(judgements, aspect), level, drop=drop_unmatched)
    lower = [name for name, column in columns.items() if not column.higher_is_better]
    combiner = Combiner(members=list(columns), lower_is_better=lower, **settings)
    parts = [_Part(grid, list(columns.values())) for grid in matched.grids]
    compared = any(grid.preferred for grid in matched.grids)
    if compared and combiner.method == "ridge":
        raise UsageError("people compared these texts and did not rate them", hint="use the method logistic")
    combiner.fit(
        np.concatenate([part.scores for part in parts]),
        None if compared else np.concatenate([part.ratings for part in parts]),
        pairs=_pairs(parts) if compared else None,
        items=_numbered([part.items for part in parts]),
        groups=_numbered(
            [part.documents for part in parts] if hold_out == "document" else [part.whole for part in parts]
        ),
    )
    combiner.sign({name: column.signature for name, column in columns.items()})
    return combiner


def _aspect(judgements: Judgements, aspect: str | None) -> str:
    known = judgements.aspects()
    if aspect is None and len(known) != 1:
        raise UsageError(
            f"people judged {len(known)} aspects, and none was named", hint=f"name one of {', '.join(known)}"
        )
    return known[0] if aspect is None else aspect


def _columns(table: ScoreTable, members: Sequence[str] | None) -> dict[str, Column]:
    for name in members or ():
        if name not in table.columns:
            raise UsageError(f"the run has no scores by {name!r}", hint=did_you_mean(name, table.columns))
    chosen = {name: table.columns[name] for name in (table.columns if members is None else members)}
    for name, column in chosen.items():
        if column.metric is not None and column.metric.name() == "combination":
            raise UsageError(f"{name!r} is a combination itself", hint="name the members: members=…, or --members …")
    return chosen


class _Part:
    """The judged texts of one grid, system by system."""

    def __init__(self, grid: Grid, columns: Sequence[Column]) -> None:
        kept: Mask = grid.judged[grid.level][np.ix_(grid.systems, grid.items)].ravel()
        signs = np.array([1.0 if column.higher_is_better else -1.0 for column in columns])
        turned = np.stack([grid.scores(column).ravel() for column in columns], axis=1)
        self.scores: Array = (turned * signs)[kept]  # as the metrics gave them
        self.ratings: Array = grid.human.ravel()[kept]
        self.items: Places = np.tile(np.arange(len(grid.items)), len(grid.systems))[kept]
        self.documents: Places = np.tile(grid.block, len(grid.systems))[kept]
        self.whole: Places = np.zeros(int(kept.sum()), dtype=np.intp)
        self.place = np.cumsum(kept) - 1  # of a text in the lists above
        self.preferred = grid.preferred
        self.width = len(grid.items)

    def pairs(self, start: int) -> tuple[Places, Places]:
        """Rows of the better and the worse texts, counted from `start`."""
        if self.preferred is None:
            return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)
        p = self.preferred
        better, worse = (start + self.place[side * self.width + p.item] for side in (p.better, p.worse))
        return better, worse


def _pairs(parts: Sequence[_Part]) -> tuple[Places, Places]:
    starts = np.cumsum([0, *(len(part.items) for part in parts)])
    found = [part.pairs(int(start)) for part, start in zip(parts, starts, strict=False)]
    return np.concatenate([better for better, _ in found]), np.concatenate([worse for _, worse in found])


def _numbered(codes: Sequence[Places]) -> Places:
    """Numbers that begin anew in each list, made different between them."""
    starts = np.cumsum([0, *(int(own.max(initial=-1)) + 1 for own in codes)])
    return np.concatenate([own + start for own, start in zip(codes, starts, strict=False)])
