"""Figures of SummEval: table 1 beside the paper's, and DiscoScore's figures 3, 6 and 7."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from coheval.report import draw_agreement, draw_features, draw_intervals, draw_matrix
from coheval.run.agreement import Agreed, Agreement, between
from coheval.run.agreement.result import MEAN
from job import Job, Paper
from study import Array, Study
from summeval_specs import ASPECTS, BETWEEN, BEYOND, FEATURES, SYSTEM_LEVEL, TABLE1, negative, rated
from writing import code, prose, section


def intervals(job: Job, abstractive: Study, signed: Agreement, paper: Paper) -> Iterator[str]:
    """Absolute values, since the paper has no others; the first of our specs for each of its rows."""
    first = {row: name for name, row in reversed(TABLE1.items()) if row}
    names = [name for name, row in TABLE1.items() if row and first[row] == name]
    agreement = abstractive.agree(names, absolute=True, **SYSTEM_LEVEL)
    rows = [agreement.row(name, MEAN) for name in names]
    against = negative(signed, names)
    yield from job.show(
        "summeval-table1",
        draw_intervals(
            [f"{name} (−)" if name in against else name for name in names],
            *([None if end is None else 100 * end for end in ends] for ends in zip(*map(_ends, rows), strict=True)),
            papers=[paper.value(TABLE1[name], "average") for name in names],
            statistic="mean |Kendall τ| × 100",
        ),
        f"Chart of {len(names)} metrics, best first: our mean absolute Kendall with its interval beside the paper's",
    )


def figures(job: Job, study: Study, abstractive: Study, references: Mapping[str, Array]) -> Iterator[str]:
    yield from section(
        "## SummEval: figures",
        "Abstractive systems by `dsfocus` and by coherence. Then correlations of metrics with each other and with "
        "people (DiscoScore, figure 6): Kendall between the means of these systems. Then a feature of every summary "
        "against the mean of its references (DiscoScore, figures 3 and 7); how far apart the two are is what "
        "`form='discriminativeness'` measures in the tables above.",
    )
    yield from _scatter(job, abstractive)
    yield from _matrix(job, abstractive)
    for name in FEATURES:
        yield from _feature(job, study, name, references[name])


def _scatter(job: Job, abstractive: Study) -> Iterator[str]:
    rows = rated(abstractive)
    agreement = abstractive.agree(["dsfocus"], aspects=["coherence"], **SYSTEM_LEVEL)
    drawn = draw_agreement(
        np.nanmean(abstractive.scores("dsfocus")[rows], axis=1),
        abstractive.ratings("coherence")[rows].mean(axis=1),
        systems=[abstractive.table.systems[n] for n in rows],
        metric="dsfocus",
        aspect="coherence",
        higher_is_better=False,
        statistics={"Kendall τ": agreement["dsfocus"]["coherence"]},
    )
    alt = f"{len(rows)} abstractive systems by their mean dsfocus and their mean coherence"
    yield from job.show("summeval-dsfocus", drawn, alt)


def _matrix(job: Job, abstractive: Study) -> Iterator[str]:
    """Of systems' means; people are among the metrics."""
    rows = rated(abstractive)
    columns = {name: abstractive.scores(name) for name in BETWEEN} | {a: abstractive.ratings(a) for a in ASPECTS}
    scores = {
        name: {abstractive.table.systems[n]: values[n].tolist() for n in rows} for name, values in columns.items()
    }
    lower = abstractive.lower_is_better(BETWEEN)
    found = between(scores, level="system", statistic="kendall", lower_is_better=lower)
    drawn = draw_matrix(found.metrics, found.values, order=range(len(found.metrics)), statistic="Kendall τ")
    alt = f"Matrix of Kendall correlations between {len(BETWEEN)} metrics and four ratings, over {len(rows)} systems"
    yield from job.show("summeval-between", drawn, alt)


def _feature(job: Job, study: Study, name: str, references: Array) -> Iterator[str]:
    values, coherence = study.scores(name).ravel(), study.ratings("coherence").ravel()
    means = np.tile(_means(references), len(study.table.systems))
    near = ~(values > BEYOND)  # a handful of summaries that repeat themselves would press all others into a corner
    drawn = draw_features(values[near], means[near], ratings=coherence[near], feature=name, aspect="coherence")
    for points in drawn.axes[0].collections:
        points.set_rasterized(True)  # as shapes they would take 300 kB
    beyond = int((~near).sum())
    alt = f"{name} of each summary against the mean of its references, lighter where people find it more coherent"
    yield from job.show(f"summeval-{name}", drawn, f"{alt}; {beyond} above {BEYOND} not shown" if beyond else alt)
    if beyond:
        yield from prose(f"Not shown: {beyond} summaries whose {code(name)} is above {BEYOND}.")


def _means(values: Array) -> Array:
    """Of each row, over what is there; NaN where nothing is."""
    found = np.full(len(values), np.nan)
    some = ~np.isnan(values).all(axis=1)
    found[some] = np.nanmean(values[some], axis=1)
    return found


def _ends(row: Agreed) -> tuple[float | None, float | None, float | None]:
    return row.value, row.low, row.high
