"""Scores and judgements as users have them: results, run folders, files, plain lists and dicts."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from coheval.data.judgements import Judgements, Rating
from coheval.errors import DataError, UsageError
from coheval.run.result import Result
from coheval.run.scoretable import ScoreTable

Numbers = Sequence[float | None]
Scores = Result | ScoreTable | str | os.PathLike[str] | Mapping[str, Numbers] | Mapping[str, Mapping[str, Numbers]]
Opinions = Judgements | str | os.PathLike[str] | Numbers | Mapping[str, Numbers] | Mapping[str, Mapping[str, Numbers]]
_SYSTEM, _ASPECT = "system", "human"
_SHAPE = "a list of numbers, {system: [numbers]}, or {aspect: {system: [numbers]}}"


def table_of(scores: Scores, documents: Sequence[str] | None, lower_is_better: Collection[str]) -> ScoreTable:
    """The table of a result, of a run folder, or of plain numbers by metric (and system)."""
    if (documents is not None or lower_is_better) and not _is_plain(scores):
        raise UsageError(
            "documents and lower_is_better go with plain numbers; a result or a run knows both", hint="drop them"
        )
    if isinstance(scores, ScoreTable):
        return scores
    if isinstance(scores, Result):
        return ScoreTable.of(scores)
    if isinstance(scores, str | os.PathLike):
        return ScoreTable.read(Path(scores))
    if not isinstance(scores, Mapping):
        raise DataError(
            f"scores must be a result, a run folder or a dict, got {type(scores).__name__}",
            hint="write {metric: [numbers]} or {metric: {system: [numbers]}}",
        )
    by_system: dict[str, Any] = {m: v if isinstance(v, Mapping) else {_SYSTEM: v} for m, v in scores.items()}
    return ScoreTable.plain(by_system, documents, lower_is_better)


def _is_plain(scores: object) -> bool:
    return isinstance(scores, Mapping) and not isinstance(scores, Result)


def judgements_of(opinions: Opinions, table: ScoreTable) -> Judgements:
    """Judgements as they are, of a file, or of plain numbers in the order of the table's segments."""
    if isinstance(opinions, Judgements):
        return opinions
    if isinstance(opinions, str | os.PathLike):
        from coheval.data.judged import read_judgements

        return read_judgements(opinions)
    ratings = []
    for aspect, by_system in _nested(opinions).items():
        for system, values in by_system.items():
            ratings += _ratings(aspect, system, values, table)
    return Judgements(ratings=ratings)


def _nested(opinions: object) -> Mapping[str, Mapping[str, Numbers]]:
    opinions = opinions.tolist() if isinstance(opinions, np.ndarray) else opinions
    if isinstance(opinions, Mapping) and opinions:
        if all(isinstance(value, Mapping) for value in opinions.values()):
            return opinions
        return {_ASPECT: opinions}
    if isinstance(opinions, Sequence) and opinions:
        return {_ASPECT: {_SYSTEM: opinions}}
    raise DataError(f"judgements must be numbers, a file or Judgements, got {opinions!r:.60}", hint=f"write {_SHAPE}")


def _ratings(aspect: str, system: str, values: object, table: ScoreTable) -> list[Rating]:
    values = values.tolist() if isinstance(values, np.ndarray) else values
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) != len(table.units):
        got = f"{len(values):,}" if isinstance(values, Sequence) and not isinstance(values, str) else f"{values!r:.60}"
        raise DataError(
            f"expected a list of {len(table.units):,} ratings, as many as scores, got {got}",
            where=f"{aspect!r} of {system!r}",
            hint=f"write {_SHAPE}; None stands for a missing rating",
        )
    found = []
    for (document, segment), value in zip(table.units, values, strict=True):
        if value is not None and (isinstance(value, bool) or not isinstance(value, Real)):
            raise DataError(
                f"expected a number or None, got {value!r:.60}",
                where=f"{aspect!r} of {system!r}, document {document!r}",
                hint=f"write {_SHAPE}",
            )
        if value is not None:
            found.append(Rating(system, document, segment, aspect, float(value)))
    return found
