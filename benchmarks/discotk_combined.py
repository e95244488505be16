"""Metrics with discourse trees and without: uniform and tuned combinations, and whether they are better."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from coheval.algo.significance import holm
from coheval.run.combine import Combiner
from discotk_sets import BASES, WORDS, Measured, Sets, View
from job import Job
from mixing import of_documents, preferred, present, scores_of, uniform, with_combined
from study import RESAMPLES, Array, Study
from writing import Gap, code, figure, gap, mean_of, section, table

ADDED = {"dr": ("dr",), "drlex": ("drlex",), "dr + drlex": ("dr", "drlex"), "words": (WORDS,)}
OVER_WORDS = ("drlex", "dr + drlex")  # additions that have words, too
HEADINGS = {
    name: f"Discourse trees beside other metrics: {name}"
    for name in ("WMT17 segments", "WMT17 systems", "WMT19 segments")
}
TABLE2, TABLE3 = "discotk.table2_wmt12_system_spearman", "discotk.table3_wmt12_segment_tau"
ROWS, COLUMNS = {"bleu": "BLEU", "ter": "TER"}, {"dr": "+DR", "drlex": "+DR-LEX"}  # of these tables
ALPHA = 0.05

Key = tuple[str, str]  # a base and what is added
Gaps = dict[Key, Gap]


@dataclass(frozen=True)
class Plan:
    name: str
    title: str  # with the heading of HEADINGS where there is one
    about: str
    view: Callable[[Sets], View]
    combine: Callable[[Study, Sequence[str]], Array]
    theirs: tuple[str, str] | None = None  # DiscoTK's table, and how its columns begin


@dataclass(frozen=True)
class Comparison:
    """Every base with every addition, beside the base alone and the base with words."""

    plan: Plan
    measured: Mapping[str, Measured]  # by base
    alone: Gaps  # p is corrected over all of them
    over_words: Gaps
    theirs: Mapping[Key, float | None]  # DiscoTK's differences

    def counts(self, gaps: Gaps) -> list[str]:
        """Combinations with trees that are better, worse and neither."""
        found = [own for (_, added), own in gaps.items() if added != "words"]
        told = [own.value or 0.0 for own in found if own.p is not None and own.p < ALPHA]
        better, worse = sum(value > 0 for value in told), sum(value < 0 for value in told)
        return [str(count) for count in (better, worse, len(found) - better - worse)]


def by_ratings(study: Study, members: Sequence[str]) -> Array:
    """Of each text, by weights from other language pairs."""
    (aspect,), groups = study.judgements.aspects(), study.judgements.groups
    combiner = Combiner(
        members=list(members),
        method="ridge",
        scaling="standard",
        folds=len(set(groups.values())),
        lower_is_better=study.lower_is_better(members),
    )
    ratings = present(study, study.ratings(aspect))
    return combiner.fit(scores_of(study, members), ratings, groups=of_documents(study, groups)).held_out_


def by_pairs(study: Study, members: Sequence[str]) -> Array:
    groups = study.judgements.groups
    combiner = Combiner(
        members=list(members),
        method="logistic",
        folds=len(set(groups.values())),
        lower_is_better=study.lower_is_better(members),
    )
    found = combiner.fit(scores_of(study, members), pairs=preferred(study), groups=of_documents(study, groups))
    return found.held_out_


PLANS = (
    Plan(
        "WMT17 segments, uniform",
        f"## {HEADINGS['WMT17 segments']}",
        "Mean Pearson over the pairs. Each metric is scaled by its least and largest score in the set, and the mean is "
        "taken (DiscoTK's untuned form). Differences by paired bootstrap; p is corrected after Holm over the column, "
        f"and with {RESAMPLES:,} resamples not below {2 * len(ADDED) * len(BASES) / (1 + RESAMPLES):.3f}.",
        lambda sets: sets.segments17,
        uniform,
    ),
    Plan(
        "WMT17 segments, tuned",
        "### WMT17 segments, tuned",
        "Ridge regression of direct assessment; scales and weights come from the six other pairs.",
        lambda sets: sets.segments17,
        by_ratings,
    ),
    Plan(
        "WMT17 systems, uniform",
        f"## {HEADINGS['WMT17 systems']}",
        "Mean Spearman over the pairs. A system's score is the mean of its texts', also of BLEU and TER. DiscoTK's "
        "differences are of its table 2, WMT12.",
        lambda sets: sets.systems17("spearman", of_means=True),
        uniform,
        (TABLE2, ""),
    ),
    Plan(
        "WMT19 segments, uniform",
        f"## {HEADINGS['WMT19 segments']}",
        "Mean τ over the pairs; a tie counts against a metric. DiscoTK's differences are of its table 3, WMT12.",
        lambda sets: sets.segments19,
        uniform,
        (TABLE3, "untuned "),
    ),
    Plan(
        "WMT19 segments, tuned",
        "### WMT19 segments, tuned",
        "Logistic regression on better and worse translations (DiscoTK's tuned form); weights come from the two other "
        "pairs.",
        lambda sets: sets.segments19,
        by_pairs,
        (TABLE3, "tuned "),
    ),
)


def combined(sets: Sets, job: Job) -> Iterator[Comparison]:
    for plan in PLANS:
        measured = {base: _measured(plan.view(sets), base, plan.combine) for base in BASES}
        alone = {(base, added): _gap(measured[base], base, added, base) for base in BASES for added in ADDED}
        words = {
            (base, added): _gap(measured[base], base, added, named(base, "words"))
            for base in BASES
            for added in OVER_WORDS
        }
        yield Comparison(plan, measured, corrected(alone), corrected(words), _theirs(plan, job))


def named(base: str, added: str) -> str:
    return f"{base} + {added}"


def _measured(view: View, base: str, combine: Callable[[Study, Sequence[str]], Array]) -> Measured:
    more = {named(base, added): combine(view.study, [base, *members]) for added, members in ADDED.items()}
    return replace(view, study=with_combined(view.study, more)).of([base, *more])


def _gap(measured: Measured, base: str, added: str, other: str) -> Gap:
    return gap(measured.agreement, named(base, added), other, measured.aspect)


def corrected(gaps: Gaps) -> Gaps:
    """With p after Holm."""
    found = holm(np.array([np.nan if own.p is None else own.p for own in gaps.values()]))
    numbers = [None if np.isnan(p) else float(p) for p in found]
    return {key: own._replace(p=p) for (key, own), p in zip(gaps.items(), numbers, strict=True)}


def _theirs(plan: Plan, job: Job) -> dict[Key, float | None]:
    if plan.theirs is None:
        return {}
    paper, beginning = job.paper(plan.theirs[0]), plan.theirs[1]
    found = {}
    for base, row in ROWS.items():
        for added, column in COLUMNS.items():
            ends = paper.value(row, f"{beginning}{column}"), paper.value(row, "alone")
            found[base, added] = None if None in ends else ends[0] - ends[1]  # type: ignore[operator]
    return found


# -------------------------------------------------------------------------------------------------------------- shown


def shown(comparison: Comparison) -> Iterator[str]:
    yield from section(comparison.plan.title, comparison.plan.about)
    heads = ["metric", "mean", "95% interval", "ahead of it alone", "interval", "p"]
    heads += ["ahead of + words", "interval of that", "p of that", "DiscoTK's difference"]
    rows = [line for base in BASES for line in _lines(comparison, base)]
    width = len(heads) if comparison.theirs else len(heads) - 1
    yield from table(
        heads[:width], (line[:width] for line in rows), left=["95% interval", "interval", "interval of that"]
    )


def _lines(comparison: Comparison, base: str) -> Iterator[list[str]]:
    measured = comparison.measured[base]
    yield [code(base), *mean_of(measured.row(base)), *[""] * 7]
    for added in ADDED:
        key = base, added
        theirs = comparison.theirs.get(key)
        yield [
            f"{code(base)} + {' + '.join(_label(part) for part in added.split(' + '))}",
            *mean_of(measured.row(named(base, added))),
            *_told(comparison.alone[key]),
            *(_told(comparison.over_words[key]) if key in comparison.over_words else [""] * 3),
            "" if theirs is None else figure(theirs, plus=True),
        ]


def _label(part: str) -> str:
    return "words" if part == "words" else code(part)


def _told(own: Gap) -> list[str]:
    return [*own.shown(), figure(own.p)]
