"""Do systems differ? Every metric of a run, over the documents that all systems have."""

from __future__ import annotations

import math
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from coheval.algo.resample import bootstrap_weights
from coheval.algo.significance import Correction
from coheval.errors import DataError, UnknownName, UsageError, did_you_mean
from coheval.run.comparison import Comparison, Settings, Test
from coheval.run.paired import ONE_DOCUMENT, Contest, compared, pairs_of
from coheval.run.plain import Values
from coheval.run.result import Result
from coheval.run.scoretable import Array, Column, Mask, Places, ScoreTable

_FEW = 10  # documents, below which a bootstrap is no longer trusted without a word
_AT_ONCE = 20_000_000  # weights held in memory
_USUAL = 1_000  # resamples
_TOLD = 5  # pairs of systems named one by one in notes

T = TypeVar("T")
Data = Result | str | Path | ScoreTable | Values


def compare(
    data: Data,
    *,
    metrics: str | Sequence[str] | None = None,
    systems: Sequence[str] | None = None,
    baseline: str | None = None,
    test: Test = "randomisation",
    correction: Correction = "holm",
    confidence: float = 0.95,
    resamples: int | None = None,
    seed: int = 1,
    documents: Sequence[str] | None = None,
    lower_is_better: Collection[str] = (),
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Compare systems two by two, by each metric.

    `data` is a result of `score`, a run folder, or plain numbers: {metric: {system: [a number for each segment]}}, for
    which `documents` says the document of each, and `lower_is_better` names metrics. `metrics` and `systems` choose
    some; `baseline` is the one system that all others are compared with. Both tests are made; `test` decides what is
    significant, after the `correction` over the pairs of a metric. A pair is compared over the units that both systems
    have scores for. `resamples` is 1,000, or more where the correction
    of many pairs needs it.
    """
    table = _table(data, documents, lower_is_better)
    columns = _chosen(table.columns, [metrics] if isinstance(metrics, str) else metrics, "metric")
    places = [table.systems.index(name) for name in _chosen(dict.fromkeys(table.systems), systems, "system")]
    names = [table.systems[place] for place in places]
    if not columns:
        raise UsageError("no metric was asked for", hint=f"the run has {', '.join(table.columns) or 'none'}")
    if len(names) < 2:
        raise DataError(
            f"there is nothing to compare: expected two systems or more, got {', '.join(names) or 'none'}",
            hint="score several systems together: coheval score -c a.txt b.txt -r ref.txt -o runs/a",
        )
    settings = _settings(test, correction, confidence, resamples, seed, baseline, names)
    shared, notes = _shared_documents(table, places)
    contests = _contests(columns, places, names, shared, settings)
    return Comparison(
        metrics={name: compared(contest, settings, progress) for name, contest in contests.items()},
        settings=settings,
        documents=len(shared),
        notes=[*table.notes, *notes, *_about_tests(len(shared), len(names), settings), *_undefined(contests)],
    )


def pair_count(systems: int, baseline: str | None) -> int:
    return systems * (systems - 1) // 2 if baseline is None else systems - 1


def _table(data: Data, documents: Sequence[str] | None, lower_is_better: Collection[str]) -> ScoreTable:
    if isinstance(data, Mapping) and not isinstance(data, Result):
        return ScoreTable.plain(data, documents, lower_is_better)
    if documents is not None or lower_is_better:
        raise UsageError("documents and lower_is_better go with plain numbers; a run brings its own", hint="drop them")
    if isinstance(data, Result):
        return ScoreTable.of(data)
    if isinstance(data, str | Path):
        return ScoreTable.read(data)
    if isinstance(data, ScoreTable):
        return data
    raise UsageError(
        f"expected a result, a run folder or {{metric: {{system: [numbers]}}}}, got {type(data).__name__}",
        hint="coheval.compare(coheval.score({'a': […], 'b': […]}, …))",
    )


def _chosen(known: Mapping[str, T], asked: Iterable[str] | None, what: str) -> dict[str, T]:
    """Those asked for, in that order, or all."""
    if asked is None:
        return dict(known)
    for name in asked:
        if name not in known:
            raise UnknownName(f"the run has no {what} {name!r}", hint=did_you_mean(name, known))
    return {name: known[name] for name in asked}


def _settings(
    test: Test,
    correction: Correction,
    confidence: float,
    resamples: int | None,
    seed: int,
    baseline: str | None,
    systems: Sequence[str],
) -> Settings:
    for name, value, kind in (("test", test, Test), ("correction", correction, Correction)):
        if value not in typing.get_args(kind):
            raise UnknownName(f"no {name} is called {value!r}", hint=f"one of {', '.join(typing.get_args(kind))}")
    if baseline is not None and baseline not in systems:
        raise UnknownName(f"no system is called {baseline!r}", hint=did_you_mean(baseline, systems))
    if not 0 < confidence < 1:
        raise UsageError(f"confidence must lie between 0 and 1, got {confidence}", hint="0.95 gives 95 % intervals")
    for name, number, least in (("resamples", resamples, 1), ("seed", seed, 0)):
        if number is not None and not (isinstance(number, int) and number >= least):
            raise UsageError(f"{name} must be a whole number from {least} on, got {number}", hint=f"{name}=1000")
    if resamples is None:
        needed = 2 * pair_count(len(systems), baseline) / (1 - confidence) if correction != "none" else 0
        resamples = max(_USUAL, math.ceil(needed / _USUAL) * _USUAL)
    return Settings(
        test=test, correction=correction, confidence=confidence, resamples=resamples, seed=seed, baseline=baseline
    )


def _shared_documents(table: ScoreTable, places: Sequence[int]) -> tuple[Places, list[str]]:
    """The documents of which all systems have the same segments, and a word about the others."""
    present = table.present[places]  # [S, N]
    known = np.any(present, axis=0)
    anyone = _documents_with(table, known)
    lacking = np.array([_documents_with(table, ~own & known) for own in present])  # [S, D]
    shared = np.flatnonzero(anyone & ~lacking.any(axis=0))
    if not len(shared):
        raise DataError(
            "there is nothing to compare: the systems have no document in common, segment by segment",
            hint="score the same documents with every system, or choose systems that share some",
        )
    left_out = int(anyone.sum()) - len(shared)
    if not left_out:
        return shared, []
    who = ", ".join(f"{table.systems[p]} {own.sum():,}" for p, own in zip(places, lacking, strict=True) if own.any())
    return shared, [
        f"{left_out:,} of {anyone.sum():,} documents are left out, as not every system has all of their segments "
        f"(missing: {who}); figures are over the other {len(shared):,}"
    ]


def _documents_with(table: ScoreTable, chosen: Mask) -> Mask:
    return np.bincount(table.document_of[chosen], minlength=len(table.documents)) > 0


def _contests(
    columns: Mapping[str, Column], places: Sequence[int], names: Sequence[str], shared: Places, settings: Settings
) -> dict[str, Contest]:
    pairs = pairs_of(range(len(names)), names, settings.baseline)
    views = {name: _views(column, places, shared, pairs) for name, column in columns.items()}
    drawn: dict[str, list[Array]] = {name: [] for name in columns}
    rng = np.random.default_rng([settings.seed, 0])
    step = max(1, _AT_ONCE // len(shared))
    for start in range(0, settings.resamples, step):
        weights = bootstrap_weights(len(shared), min(step, settings.resamples - start), rng)
        for name, column in columns.items():
            drawn[name].append(column.weighed(weights[min(start, 1) :], views[name][1]))  # the first row only once
    found = {}
    for name, column in columns.items():
        beside, totals = views[name]
        documents = column.documents[places][:, shared]
        documents = np.concatenate([documents, column.combined(totals[len(places) :])])
        found[name] = Contest(names, column, beside, totals, documents, np.concatenate(drawn[name]))
    return found


def _views(
    column: Column, places: Sequence[int], shared: Places, pairs: Iterable[tuple[int, int]]
) -> tuple[dict[tuple[int, int], tuple[int, int]], Array]:
    """Documents' sums [V, D, k + 1] of systems, and of systems with only what another one has too; which are whose."""
    rows = column.rows[places]
    has = ~np.isnan(rows).any(axis=2) & np.isin(column.block, shared)  # [S, U]
    totals = list(column.totals()[places][:, shared])
    known = {(system, own.tobytes()): system for system, own in enumerate(has)}
    beside: dict[tuple[int, int], tuple[int, int]] = {}
    for pair in pairs:
        both = has[pair[0]] & has[pair[1]]
        for system in pair:
            if (system, both.tobytes()) not in known:
                known[system, both.tobytes()] = len(totals)
                common = np.where(both[:, None], rows[system], np.nan)[None]
                totals.append(replace(column, rows=common).totals()[0, shared])
        a, b = (known[system, both.tobytes()] for system in pair)
        if (a, b) != pair:
            beside[pair], beside[pair[::-1]] = (a, b), (b, a)
    return beside, np.stack(totals)


def _about_tests(documents: int, systems: int, settings: Settings) -> list[str]:
    if documents == 1:
        return [f"{ONE_DOCUMENT}: no intervals, no p-values; documents are what is resampled"]
    notes = []
    if documents < _FEW:
        notes.append(f"only {documents} documents: intervals and p-values of the bootstrap are too small with so few")
    pairs = pair_count(systems, settings.baseline)
    smallest = _smallest_p(documents, settings) * (pairs if settings.correction == "holm" else 1)
    if smallest >= settings.alpha:
        notes.append(
            f"nothing can be significant at {settings.alpha:g}: {settings.test} over {documents:,} documents with "
            f"{settings.resamples:,} resamples gives no p below {_smallest_p(documents, settings):.3g}"
            + (
                f", and Holm's correction raises it for {pairs:,} pairs"
                if smallest > _smallest_p(documents, settings)
                else ""
            )
        )
    return notes


def _smallest_p(documents: int, settings: Settings) -> float:
    if settings.test == "bootstrap":
        return 2 / (1 + settings.resamples)
    return max(0.5 ** (documents - 1), 1 / (1 + settings.resamples))


def _undefined(contests: Mapping[str, Contest]) -> list[str]:
    """A run has told already which texts have no score; plain numbers have not."""
    kinds = (_missing_numbers, _missing_resamples, _fewer_units)
    return [note for name, contest in contests.items() for kind in kinds for note in kind(name, contest)]


def _missing_numbers(name: str, contest: Contest) -> list[str]:
    if contest.column.metric is not None:
        return []
    defined = contest.totals[: len(contest.systems), :, -1].sum(axis=1)  # [S]
    size = contest.column.segments.shape[1]
    return [
        f"{name}: {size - count:,.0f} of {size:,} numbers of {system!r} are missing and are left out of its means"
        for system, count in zip(contest.systems, defined, strict=True)
        if count < size
    ]


def _missing_resamples(name: str, contest: Contest) -> list[str]:
    scores = contest.resampled[:, : len(contest.systems)]
    missing = np.isnan(scores).sum(axis=0)  # [S]
    return [
        f"{name}: {count:,} resamples hold no text of {system!r} with a score and are left out of its intervals"
        for system, count, score in zip(contest.systems, missing, scores[0], strict=True)
        if count and not math.isnan(score)
    ]


def _fewer_units(name: str, contest: Contest) -> list[str]:
    """Pairs whose difference is not that of the scores that are shown."""
    shared = {(a, b): contest.units(a, b) for a, b in contest.beside if a < b}
    shared = {pair: units for pair, units in shared.items() if units}
    if len(shared) > _TOLD:
        least, most = min(shared.values()), max(shared.values())
        return [
            f"{name}: the differences of {len(shared):,} pairs are over the units that both have scores for, "
            f"{least:,} to {most:,}"
        ]
    return [
        f"{name}: the difference of {contest.systems[a]!r} and {contest.systems[b]!r} is over the {units:,} units that "
        "both have scores for"
        for (a, b), units in shared.items()
    ]
