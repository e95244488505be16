"""Tuned combinations of metrics, on texts that they were not tuned on: the one that comes with coheval, and others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from coheval.metrics.combination import SHIPPED
from coheval.run.agreement import Agreement
from coheval.run.agreement.result import MEAN
from coheval.run.combine import Combiner
from job import Job
from mixing import of_documents, preferred, present, scores_of, uniform, with_combined
from study import Study, read, score
from tuning import MEMBERS, combiner_of_ratings
from wmt19 import scored as scored_wmt19
from writing import by_aspect, code, figure, mean_of, section, span, table

TABLES: Mapping[str, str] = {}
SHOWN = ("moverscore(ngram=2)", "moverscore", "bertscore(layer=6, form='precision')", "chrf(lowercase=True)")
SHIPPED_NAME, UNIFORM = "combination", "uniform combination"
HELD_OUT = "tuned, the text's language pair held out"
DOCUMENT_OUT = "tuned on SummEval, the text's article held out"


def part(job: Job) -> Iterator[str]:
    yield from section(
        "## Combinations of metrics",
        f"{len(MEMBERS)} settings of five embedded metrics, listed by `coheval info combination`, are weighted by "
        "ridge regression on ratings or by pairwise logistic regression on preferences (DiscoTK). No text is scored by "
        "a model that was tuned on its language pair, data set or article. The last columns say how far a combination "
        "is ahead of its best member there, which was chosen with the figures in view; the interval is that of a "
        "paired bootstrap over documents.",
    )
    yield from _wmt17(job)
    yield from _wmt19(job)
    yield from _summeval(job)


def _wmt17(job: Job) -> Iterator[str]:
    dataset = read(job.data / "wmt17_toen")
    study = Study(score(dataset.records(), MEMBERS), dataset.judgements())
    ((aspect,), groups) = study.judgements.aspects(), study.judgements.groups
    combiner = combiner_of_ratings(len(set(groups.values())))
    combiner.fit(scores_of(study, MEMBERS), present(study, study.ratings(aspect)), groups=of_documents(study, groups))
    more = {HELD_OUT: combiner.held_out_, UNIFORM: uniform(study, MEMBERS)}
    agreement = with_combined(study, more).agree(level="segment", statistic="pearson")
    yield from section(
        "### WMT17: whole language pairs held out",
        "Pearson with direct assessment, as in MoverScore's table 1. In every fold, scales and weights come from the "
        "six other pairs; members and penalty were chosen with all seven in view.",
    )
    yield from _by_group(agreement, [HELD_OUT, UNIFORM])


def _wmt19(job: Job) -> Iterator[str]:
    study = scored_wmt19(read(job.data / "wmt19_darr_pairs"), MEMBERS)
    groups = study.judgements.groups
    pairs = Combiner(members=list(MEMBERS), method="logistic", scaling="minmax", folds=len(set(groups.values())))
    pairs.fit(scores_of(study, MEMBERS), pairs=preferred(study), groups=of_documents(study, groups))
    more = {
        SHIPPED_NAME: Combiner.load(SHIPPED).predict(scores_of(study, MEMBERS)),
        HELD_OUT: pairs.held_out_,
        UNIFORM: uniform(study, MEMBERS),
    }
    agreement = with_combined(study, more).agree(level="segment", statistic="darr")
    yield from section(
        "### WMT19: another data set",
        "τ on better and worse translations; ties count against a metric. `combination` is the one that comes with "
        "coheval, with weights from WMT17; its penalty, one number, was taken with a look at this table. The other is "
        "tuned on the two other language pairs of WMT19.",
    )
    yield from _by_group(agreement, [SHIPPED_NAME, HELD_OUT, UNIFORM])


def _summeval(job: Job) -> Iterator[str]:
    dataset = read(job.data / "summeval")
    study = Study(score(dataset.records(), MEMBERS), dataset.judgements())
    documents = of_documents(study, {document: document for document in study.table.documents})
    overall = np.mean([study.ratings(aspect) for aspect in study.judgements.aspects()], axis=0)
    ours = Combiner(members=list(MEMBERS), method="logistic", scaling="minmax", folds=10)
    ours.fit(scores_of(study, MEMBERS), present(study, overall), groups=documents)
    more = {
        SHIPPED_NAME: Combiner.load(SHIPPED).predict(scores_of(study, MEMBERS)),
        DOCUMENT_OUT: ours.held_out_,
        UNIFORM: uniform(study, MEMBERS),
    }
    agreement = with_combined(study, more).agree(level="summary", statistic="kendall")
    yield from section(
        "### SummEval: articles held out",
        "Kendall × 100 within articles, all 16 systems, 11 references. `combination`, tuned on translations of "
        "sentences, has never seen a summary; the other is tuned on the mean of the four aspects, ten folds of whole "
        "articles.",
    )
    best = _best(agreement, MEAN)
    names = [SHIPPED_NAME, DOCUMENT_OUT, UNIFORM, *_members(best)]
    heads = ["metric", *agreement.judged, "mean", "95% interval", f"ahead of {code(best)}", "interval"]
    rows = [
        [_label(name), *by_aspect(agreement, name, percent=True), *_ahead(agreement, name, best, MEAN, percent=True)]
        for name in names
    ]
    yield from table(heads, rows, left=["95% interval", "interval"])


def _by_group(agreement: Agreement, combined: Sequence[str]) -> Iterator[str]:
    """A line for each combination, for the best member and a few others."""
    (aspect,) = agreement.aspects
    best = _best(agreement, aspect)
    groups = sorted(agreement.row(best, aspect).groups)
    heads = ["metric", *groups, "mean", "95% interval", f"ahead of {code(best)}", "interval"]
    rows = []
    for name in [*combined, *_members(best)]:
        row = agreement.row(name, aspect)
        each = [figure(row.groups[group]) for group in groups]
        rows.append([_label(name), *each, *mean_of(row), *_ahead(agreement, name, best, aspect)])
    yield from table(heads, rows, left=["95% interval", "interval"])


def _best(agreement: Agreement, aspect: str) -> str:
    return max(MEMBERS, key=lambda name: agreement[name][aspect] or -1.0)


def _members(best: str) -> list[str]:
    return [best, *(name for name in SHOWN if name != best)]


def _label(name: str) -> str:
    return code(name) if name in MEMBERS or name == SHIPPED_NAME else name


def _ahead(agreement: Agreement, name: str, best: str, aspect: str, *, percent: bool = False) -> list[str]:
    return span(agreement, name, best, aspect, percent=percent) if name not in MEMBERS else ["", ""]
