"""A combination tuned on a run folder and people's judgements of its texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from coheval.data.judgements import Judgements
from coheval.errors import DataError, UsageError, did_you_mean
from coheval.run.agreement.grid import Grid
from coheval.run.agreement.match import match
from coheval.run.agreement.told import notes
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

    `members` are columns of the table, all unless given. It learns from scores of segments or of documents, as `level`
    says, and gives scores of the same. Whole documents, or whole groups of documents such as language pairs, are held
    out in cross-validation. `settings` are parameters of `Combiner`. Preferences are used where people gave them,
    ratings otherwise.
    """
    columns = _columns(table, members)
    aspect = _aspect(judgements, aspect)
    _check_judgements(judgements, aspect, hold_out)
    matched = match(table, judgements, aspect, level, drop=drop_unmatched)
    lower = [name for name, column in columns.items() if not column.higher_is_better]
    combiner = Combiner(members=list(columns), lower_is_better=lower, **settings)
    parts = [_Part(grid, list(columns.values())) for grid in matched.grids]
    _check_level(columns, parts, level)
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
    combiner.sign({name: column.signature for name, column in columns.items()}, unit=level)
    combiner.notes_ = [*notes(judgements, {aspect: matched}), *combiner.notes_]
    return combiner


def _aspect(judgements: Judgements, aspect: str | None) -> str:
    known = judgements.aspects()
    if aspect is None and len(known) != 1:
        raise UsageError(
            f"people judged {len(known)} aspects, and none was named",
            hint=f"name one, --aspect {known[0]}; there are {', '.join(known)}",
        )
    return known[0] if aspect is None else aspect


def _check_judgements(judgements: Judgements, aspect: str, hold_out: str) -> None:
    rated = [rating.document for rating in judgements.ratings if rating.aspect == aspect]
    if rated and all(document is None for document in rated) and not judgements.preferences_of(aspect):
        raise DataError(
            f"people rated systems, not texts (aspect {aspect!r})",
            hint="weights are learnt from judgements of texts; without any, combination(members=[…]) weighs all alike",
        )
    if hold_out == "group" and not judgements.groups:
        raise UsageError("the judgements name no groups", hint="hold out documents: --hold-out document")


def _check_level(columns: Mapping[str, Column], parts: Sequence[_Part], level: str) -> None:
    """A metric of documents has a score of a segment only where that is the whole document."""
    scores = np.concatenate([part.scores for part in parts])
    scored = zip(columns.items(), scores.T, strict=True)
    without = [name for (name, column), own in scored if column.unit == "document" and np.isnan(own).all()]
    if level == "segment" and without:
        raise UsageError(
            f"{without[0]!r} measures documents, and has no score of any segment that people judged",
            hint="learn from scores of documents, --level document, or name other --members",
        )


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
        self.place = np.where(kept, np.cumsum(kept) - 1, -1)  # of a text in the lists above; -1: it is not there
        self.preferred = grid.preferred
        self.width = len(grid.items)

    def pairs(self, start: int) -> tuple[Places, Places]:
        """Rows of the better and the worse texts, counted from `start`."""
        if self.preferred is None:
            return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)
        p = self.preferred
        better, worse = (self.place[side * self.width + p.item] for side in (p.better, p.worse))
        there = (better >= 0) & (worse >= 0)
        return start + better[there], start + worse[there]


def _pairs(parts: Sequence[_Part]) -> tuple[Places, Places]:
    starts = np.cumsum([0, *(len(part.items) for part in parts)])
    found = [part.pairs(int(start)) for part, start in zip(parts, starts, strict=False)]
    return np.concatenate([better for better, _ in found]), np.concatenate([worse for _, worse in found])


def _numbered(codes: Sequence[Places]) -> Places:
    """Numbers that begin anew in each list, made different between them."""
    starts = np.cumsum([0, *(int(own.max(initial=-1)) + 1 for own in codes)])
    return np.concatenate([own + start for own, start in zip(codes, starts, strict=False)])
