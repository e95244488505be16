"""Discourse trees: do they help to tell good translations from bad ones? Beside tables 2, 3 and 6 of DiscoTK."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import discotk_groups
from discotk_combined import HEADINGS, TABLE2, TABLE3, Comparison, combined, shown
from discotk_sets import BASES, EVERY, LOWER, TREES, VARIANTS, WORDS, Measured, Sets, View, ablations, scored, settings
from job import Job, Paper
from writing import code, figure, interval, listed, mean_of, prose, section, table

ABLATION = "Discourse trees: what of them helps"
TABLE6 = "discotk.table6_ablation_wmt11_13_system"
TABLES = {TABLE2: HEADINGS["WMT17 systems"], TABLE3: HEADINGS["WMT19 segments"], TABLE6: ABLATION}
ROWS = {"dr": "DR", "drlex": "DR-LEX", "bleu": "BLEU", "ter": "TER"}  # of DiscoTK's tables 2 and 3
ALONE = (*VARIANTS, WORDS, *BASES)


def part(job: Job) -> Iterator[str]:
    sets = scored(job)
    comparisons = list(combined(sets, job))
    yield from _answer(sets, comparisons)
    yield from _settings(sets)
    yield from _segments(sets, job.paper(TABLE3))
    yield from _systems(sets, job.paper(TABLE2))
    yield from _ablation(sets, job.paper(TABLE6))
    for comparison in comparisons:
        yield from shown(comparison)
    yield from discotk_groups.part(job, sets)


def _answer(sets: Sets, comparisons: Sequence[Comparison]) -> Iterator[str]:
    yield from section(
        "## Discourse trees: does discourse help?",
        "`dr` compares the discourse trees of candidate and reference, `drlex` trees with words (DiscoTK). "
        f"*Words* is {code(WORDS)}: the kernel of `drlex` on a text's words without its tree, so that what trees bring "
        "is the difference to it. How many of the combinations below, each of a metric with `dr`, `drlex` or both, are "
        "better than the metric alone, worse, or neither (p < 0.05); and of those with `drlex`, beside the metric with "
        "*words*:",
    )
    heads = ["combinations", "better than alone", "worse", "neither", "better than + words", "worse", "neither"]
    yield from table(heads, ([c.plan.name, *c.counts(c.alone), *c.counts(c.over_words)] for c in comparisons))
    yield from prose(
        "WMT17's texts are lower-cased and tokenised, and there are no others; escapes such as `&quot;` are undone. "
        f"WMT19's are as they were written. What lower-casing costs, on {LOWER} of WMT19 (τ in the form wmt14): "
        f"{listed(_lowercased(sets))}. WMT17's systems are scored by every {EVERY}th line of their outputs. "
        f"Signatures: {listed(_signatures(sets))}."
    )


def _lowercased(sets: Sets) -> Iterator[str]:
    lower, written = (View(study, "wmt14").of(TREES) for study in (sets.lower, sets.wmt19.of_group(LOWER)))
    for name in TREES:
        now, before = (f"{figure(found.value(name))} ({interval(found.row(name))})" for found in (lower, written))
        yield f"{code(name)} has {now} instead of {before}"


def _signatures(sets: Sets) -> Iterator[str]:
    for name in TREES:
        yield code(sets.wmt17.table.columns[name].signature or name)


# ---------------------------------------------------------------------------------------------------------- settings


def _settings(sets: Sets) -> Iterator[str]:
    yield from section(
        "## Discourse trees: settings",
        "Decay and normalisation, which the papers leave open. The default is chosen by WMT17 alone, the mean Pearson "
        "over its seven pairs, so that figures of WMT17 below favour trees; WMT19 (τ in the form wmt14: a tie is 0) "
        "is the check.",
    )
    check = View(sets.wmt19, "wmt14")
    for name in TREES:
        yield from _of_settings(name, sets.segments17.of(settings(name)), check.of(settings(name)))


def _of_settings(name: str, wmt17: Measured, wmt19: Measured) -> Iterator[str]:
    heads = ["setting", "WMT17", "95% interval", "ahead of the default", "its interval"]
    heads += ["WMT19", "interval there", "ahead there", "interval of that"]

    def line(spec: str) -> list[str]:
        label = f"{code(spec)}, the default" if spec == name else code(spec)
        return [label, *_with_gap(wmt17, spec, name), *_with_gap(wmt19, spec, name)]

    names = wmt17.agreement.metrics
    yield from table(heads, map(line, names), left=[head for head in heads if "interval" in head])
    best = (f"{where}: {code(found.best(names))}" for where, found in (("WMT17", wmt17), ("WMT19", wmt19)))
    yield from prose(f"Best on {listed(best)}.")


def _with_gap(found: Measured, spec: str, other: str) -> list[str]:
    return [*mean_of(found.row(spec)), *found.ahead(spec, other)]


# ------------------------------------------------------------------------------------------------------------- alone


def _segments(sets: Sets, paper: Paper) -> Iterator[str]:
    wmt17, wmt19 = sets.segments17.of(ALONE), sets.segments19.of(ALONE)
    mild = View(sets.wmt19, "wmt14").of(ALONE)
    pairs = sorted(wmt17.row("dr").groups)
    yield from section(
        "## Discourse trees alone: segments",
        "Pearson in each pair of WMT17; τ on WMT19, where a tie counts against the metric, and in the form wmt14, in "
        "which it counts 0: `dr` has many. `dr` is the variant *nolex*; `lexe`, `lex1` and `lex1.1` are "
        "reconstructions. DiscoTK's τ is of WMT12 and can be compared with its like only.",
    )
    heads = ["metric", *pairs, "mean", "95% interval", "WMT19", "interval there", "wmt14", "DiscoTK's τ"]

    def line(name: str) -> list[str]:
        each = [figure(wmt17.row(name).groups[pair]) for pair in pairs]
        theirs = _theirs(paper, name, "alone")
        there = [*mean_of(wmt19.row(name)), figure(mild.value(name))]
        return [code(name), *each, *mean_of(wmt17.row(name)), *there, theirs]

    yield from table(heads, map(line, ALONE), left=["95% interval", "interval there"])


def _systems(sets: Sets, paper: Paper) -> Iterator[str]:
    pearson, spearman = (sets.systems17(statistic).of(ALONE) for statistic in ("pearson", "spearman"))
    pairs = sorted(pearson.row("dr").groups)
    yield from section(
        "## Discourse trees alone: systems",
        f"WMT17's {len(sets.systems.table.systems)} systems, Pearson of their scores with direct assessment in each "
        "pair, and Spearman. DiscoTK's table 2 is of WMT12.",
    )
    heads = ["metric", *pairs, "mean", "95% interval", "Spearman", "its interval", "DiscoTK's Spearman"]

    def line(name: str) -> list[str]:
        each = [figure(pearson.row(name).groups[pair]) for pair in pairs]
        found = [*mean_of(pearson.row(name)), *mean_of(spearman.row(name))]
        return [code(name), *each, *found, _theirs(paper, name, "alone")]

    yield from table(heads, map(line, ALONE), left=["95% interval", "its interval"])


def _theirs(paper: Paper, name: str, column: str) -> str:
    return figure(paper.value(ROWS[name], column)) if name in ROWS else ""


# ---------------------------------------------------------------------------------------------------------- ablation


def _ablation(sets: Sets, paper: Paper) -> Iterator[str]:
    yield from section(
        f"## {ABLATION}",
        "Without labels of relations, of nuclearity, of both, and without the tree (DiscoTK, table 6, of DR-LEX on "
        "WMT11–13). Systems of WMT17; then segments.",
    )
    spearman, pearson = (sets.systems17(statistic) for statistic in ("spearman", "pearson"))
    theirs = {"Spearman": "spearman", "Pearson": "pearson"}
    yield from _ablated({"Spearman": spearman, "Pearson": pearson}, theirs, paper)
    yield from _ablated({"WMT17": sets.segments17, "WMT19": sets.segments19}, {}, paper)


def _ablated(views: dict[str, View], theirs: dict[str, str], paper: Paper) -> Iterator[str]:
    heads = ["metric"]
    for name in views:
        heads += [name, f"interval, {name}", f"full ahead, {name}", f"interval of that, {name}"]
    heads += [f"DiscoTK's {name}" for name in theirs]
    rows = []
    for tree in reversed(TREES):
        specs = ablations(tree)
        found = [view.of(specs) for view in views.values()]
        for spec in specs:
            ours = [cell for one in found for cell in (*mean_of(one.row(spec)), *one.ahead(tree, spec))]
            beside = [figure(paper.value(_row(spec), column)) if tree == "drlex" else "" for column in theirs.values()]
            rows.append([code(spec), *ours, *beside])
    yield from table(heads, rows, left=[head for head in heads if "interval" in head])


def _row(spec: str) -> str:
    """The row of DiscoTK's table 6."""
    condition = spec.partition("'")[2].partition("'")[0] or "full"
    return {"no_nuc_no_rel": "no_nuc & no_rel"}.get(condition, condition)
