"""A bench: how often metrics prefer the right one of several variants, with context and without.

Every variant of a group is a document; with context all of it is read, without only its scored segments. Its score is
that of the rows of its scored segments, or the document's, as the metric's unit is. A group is right if the right
variant is strictly better than every wrong one (Vernikos et al. 2022); equal but for rounding is a tie. Where pairs are
counted, each wrong variant is a question of its own (Pishdad et al. 2020). What has no score is left out, and told.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import numpy as np

from coheval.data import Corpus
from coheval.data.contrastive.plain import group_of
from coheval.data.groups import Count, Group, Instances
from coheval.data.lines import FilePath, shown
from coheval.data.texts import tells_parts
from coheval.errors import DataError, UsageError
from coheval.grammar import Spec, format_spec
from coheval.metrics import Metric
from coheval.run.benchcorpus import Context, Source, VariantScore, records, scores, variant_name
from coheval.run.benchcues import cues
from coheval.run.benchfigures import Bench, By, Outcome, Settings
from coheval.run.benchunits import Unit, units
from coheval.run.notes import counted
from coheval.run.result import MetricResult, Result
from coheval.run.score import Progress, evaluate, named
from coheval.tasks import Task
from coheval.tasks import task as build_task
from coheval.tasks.contrastive import Contrastive

Contexts = Literal["both", "with", "without"]
Given = FilePath | Instances | Sequence[FilePath | Group | Mapping[str, object]]

_CONTEXTS: dict[Contexts, tuple[Context, ...]] = {
    "both": ("with", "without"),
    "with": ("with",),
    "without": ("without",),
}
_SAME = 1e-10  # of the size of scores: those that are equal but for rounding


def bench(
    data: Given,
    metrics: str | Metric | Sequence[str | Metric],
    *,
    task: str | Task | Sequence[str | Task] = "contrastive",
    context: Contexts = "both",
    count: Count | None = None,
    source: Source | None = None,
    by: By = "phenomenon",
    resamples: int = 1_000,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> Bench:
    """How often metrics prefer the right variant.

    `data` is a file or several, or groups: `Group`s, or dicts with the fields of a line of the JSONL format. With
    `source="context"` the text before the scored segments is their source, for sets that have none. Groups are judged
    as a whole or, with `count="pairs"`, each wrong variant by itself; as their task does it, unless told.
    """
    asked = named(metrics)
    made = [build_task(one) for one in ([task] if isinstance(task, str | Task) else task)]
    instances = instances_of(data, made, seed)
    settings = Settings(
        by=by, source=source, count=count or instances.count, resamples=resamples, confidence=confidence, seed=seed
    )
    chosen = conditions(context, instances)
    judged = units(instances.groups, settings.count)
    _check_source(source, instances.groups)
    # Facts such as IDF are those of all segments, so that nothing but what is read differs between the conditions.
    facts_from = "with" if any(metric.needs_fit for metric in asked.values()) else None
    scored = _CONTEXTS["both"] if facts_from and facts_from not in chosen else chosen
    with Corpus.of(records(instances.groups, scored, source)) as corpus:
        result = evaluate(corpus, asked, progress=progress, facts_from=facts_from)
        sha256 = corpus.sha256
    outcomes = {
        name: {condition: _scored(instances.groups, judged, condition, result[name]) for condition in chosen}
        for name in asked
    }
    return Bench(
        task=" ".join(one.signature for one in made),
        instances=instances,
        units=judged,
        cues=cues(instances.groups, judged, outcome) if instances.made else {},
        sha256=sha256,
        outcomes=outcomes,
        signatures={name: result[name].signature for name in asked},
        settings=settings,
        notes=[*_notes(instances, asked, outcomes, settings.count), *_counted(instances.groups, result, asked)],
    )


def instances_of(data: Given, tasks: Sequence[Task], seed: int) -> Instances:
    """The groups of files, or those that are given. Each task makes its own of each file, which is a corpus, unless
    files are parts of one by their names."""
    if isinstance(data, Instances):
        return data
    paths = [data] if isinstance(data, str | os.PathLike) else data
    if isinstance(paths, Mapping) or not isinstance(paths, Iterable):
        raise DataError(f"expected files or a list of groups, got {type(data).__name__}", where="data", hint=_GROUP)
    given = list(paths)
    if given and all(isinstance(one, str | os.PathLike) for one in given):
        return _read([one for one in given if isinstance(one, str | os.PathLike)], tasks, seed)
    return Instances.of(_group(one, n) for n, one in enumerate(given))


def _read(paths: Sequence[FilePath], tasks: Sequence[Task], seed: int) -> Instances:
    together = [task for task in tasks if isinstance(task, Contrastive)]  # its files are parts of one set
    corpora = [paths] if tells_parts(paths) else [[path] for path in paths]
    if len(tasks) == 1 and (together or len(corpora) == 1):
        return tasks[0].read(paths, np.random.default_rng(seed))
    if together:
        raise UsageError(
            "contrastive reads groups, and other tasks make them of texts: they share no files",
            where="task",
            hint="one bench for each",
        )
    found = {}
    for task in tasks:
        for corpus in corpora:
            key = shown(corpus[0]) if len(corpora) > 1 else "", _short(task) if len(tasks) > 1 else ""
            if key in found:
                raise UsageError(f"{', '.join(filter(None, key))} is given twice", hint="leave out the second")
            found[key] = task.read(corpus, np.random.default_rng(seed))
    return Instances.joined(found)


def _short(task: Task) -> str:
    """Its spec without what is as usual."""
    if task.required():
        return format_spec(task.spec)
    usual = type(task)()
    changed = {n: v for n, v in task.spec.params.items() if v != getattr(usual, n)}
    return format_spec(Spec(task.name(), params=changed)) if changed else task.name()


def characters(instances: Instances, context: Contexts) -> int:
    """How many of them are scored, for a progress bar."""
    return sum(len(record.candidate) for record in records(instances.groups, conditions(context, instances), None))


_GROUP = '[{"context": ["…"], "right": "…", "wrong": ["…"]}, …]'


def _group(given: object, number: int) -> Group:
    if isinstance(given, Group):
        return given
    if isinstance(given, Mapping):
        return group_of(given, number=number + 1, where=f"data[{number}]")
    raise DataError(f"expected a group or a dict, got {type(given).__name__}", where=f"data[{number}]", hint=_GROUP)


def conditions(context: object, instances: Instances) -> tuple[Context, ...]:
    """What is scored. Where groups are made and none has context, nothing would differ without."""
    for name, contexts in _CONTEXTS.items():
        if name == context:
            alone = instances.made and not any(group.has_context for group in instances.groups)
            return _CONTEXTS["with"] if alone and name == "both" else contexts
    raise UsageError(f"context must be one of {', '.join(_CONTEXTS)}, got {context!r}", hint="context='both'")


def _check_source(source: object, groups: Sequence[Group]) -> None:
    if source not in (None, "context"):
        raise UsageError(f"source must be None or 'context', got {source!r}", hint="sets bring sources of their own")
    own = next((group for group in groups if group.sources), None)
    if source == "context" and own is not None:
        raise UsageError(
            f"group {own.id!r} has a source of its own", where=own.where or None, hint="leave out source='context'"
        )


def _scored(groups: Sequence[Group], judged: Sequence[Unit], context: Context, result: MetricResult) -> Outcome:
    return outcome(groups, judged, list(scores(groups, context, result)), higher_is_better=result.higher_is_better)


def outcome(
    groups: Sequence[Group],
    judged: Sequence[Unit],
    found: Sequence[Sequence[VariantScore]],
    *,
    higher_is_better: bool = True,
) -> Outcome:
    """What the scores of all groups' variants say of what is judged."""
    verdicts = np.full(len(judged), np.nan)
    reasons: dict[str, str] = {}
    for n, unit in enumerate(judged):
        compared = [(number, found[unit.group][number]) for number in unit.variants]
        missing = ((number, score) for number, score in compared if score.value is None)
        reason = next((f"{variant_name(number)}: {score.reason}" for number, score in missing), None)
        if reason is None:
            verdicts[n] = _verdict([score.value for _, score in compared if score.value is not None], higher_is_better)
        else:
            reasons[unit.name(groups)] = reason
    return Outcome(tuple(tuple(score.value for score in of_group) for of_group in found), verdicts, reasons)


def _verdict(values: Sequence[float], higher_is_better: bool) -> float:
    """1 if the first is strictly better than all others, 0.5 if it ties with the best of them, otherwise 0."""
    right, *wrong = values if higher_is_better else [-value for value in values]
    best = max(wrong)
    if abs(right - best) <= _SAME * max(abs(right), abs(best)):
        return 0.5
    return float(right > best)


def _counted(groups: Sequence[Group], result: Result, names: Iterable[str]) -> Iterator[str]:
    """What happened to texts; segments of a context are read by themselves as well, though no verdict rests on them."""
    too = "; segments of the context are counted, too" if any(group.has_context for group in groups) else ""
    return (note + too for name in names for note in counted(name, result[name]))


def _notes(
    instances: Instances, metrics: Mapping[str, Metric], outcomes: Mapping[str, Mapping[Context, Outcome]], count: Count
) -> Iterator[str]:
    yield from instances.notes()
    groups = instances.groups
    alone = sum(not group.has_context for group in groups)
    if alone and any(len(of_metric) == 2 for of_metric in outcomes.values()):
        yield f"{alone:,} of {len(groups):,} groups have no context: they are the same with and without"
    sourceless = sum(not any(map(str.strip, group.context_of(group.sources))) for group in groups if group.has_context)
    for name, metric in metrics.items():
        if sourceless and getattr(metric, "context_from", None) == "source":
            yield f"{name}: the context of {sourceless:,} of {len(groups):,} groups has no source to be read instead"
    for name, of_metric in outcomes.items():
        for context, outcome in of_metric.items():
            if outcome.reasons:
                id, reason = next(iter(outcome.reasons.items()))
                told = f"{len(outcome.reasons):,} of {len(outcome.verdicts):,} {count} have no score and are left out"
                yield f"{name} {context} context: {told}; the first is {id!r}, {reason}"
