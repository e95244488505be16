"""REALSumm: which facts of the reference summaries have; our scores beside those that were published with the set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from coheval.run.agreement import Agreed, agree
from job import Job
from study import Numbers, Study, published, read, score
from writing import code, figure, interval, section, table

# Our spec, and the published scores of the same metric.
ROWS = {
    "rouge(kind='1')": "rouge_1_f_score",
    "rouge(kind='1', stem=True)": "rouge_1_f_score",
    "rouge(kind='2')": "rouge_2_f_score",
    "rouge(kind='2', stem=True)": "rouge_2_f_score",
    "rouge(kind='L', stem=True)": "rouge_l_f_score",
    "rouge(kind='Lsum')": "rouge_l_f_score",
    "rouge(kind='Lsum', stem=True)": "rouge_l_f_score",
    "rouge(kind='1', form='recall')": "rouge_1_recall",
    "rouge(kind='2', form='recall')": "rouge_2_recall",
    "rouge(kind='Lsum', form='recall')": "rouge_l_recall",
    "bertscore": "bert_f_score",
    "bertscore(form='recall')": "bert_recall_score",
    "moverscore": "mover_score",
    "moverscore(variant='v1')": "mover_score",
    "moverscore(variant='v1', stop_words='english')": "mover_score",
    "sbert": None,
    "chrf": None,
    "meteor": None,
    "bleu": None,
    "dsfocus": None,
    "dssent": None,
}
PUBLISHED = (*dict.fromkeys(row for row in ROWS.values() if row), "js-2")
PARTS = {"abs": "abstractive", "ext": "extractive"}
ASPECT = "litepyramid_recall"
TABLES: dict[str, str] = {}


def part(job: Job) -> Iterator[str]:
    dataset = read(job.data / "realsumm")
    scores = score(dataset.records(), ROWS)
    theirs = {name: values for name, values in published(dataset, scores).items() if name in PUBLISHED}
    study = Study(scores, dataset.judgements()).with_scores(theirs)
    systems = {name: {r.system for r in read(job.data / "realsumm", name).judgements().ratings} for name in PARTS}
    yield from _people(study, theirs, systems)
    yield from _alike(study, theirs)


def _people(study: Study, theirs: Mapping[str, Numbers], systems: Mapping[str, set[str]]) -> Iterator[str]:
    sizes = " and ".join(f"{len(own)} {PARTS[name]}" for name, own in systems.items())
    yield from section(
        "## REALSumm: Kendall with the facts of the reference",
        f"{len(study.table.documents)} articles, {sizes} systems (one of them is both), one reference each. People say "
        "which facts of the reference a summary has (LitePyramid recall). Kendall's tau-b between systems by their "
        "means, and between the summaries of an article, averaged over articles. Published scores come with the set. "
        "No table of the papers is of these data.",
    )
    found: dict[str, list[Agreed]] = {name: [] for name in (*ROWS, *PUBLISHED)}
    for own in systems.values():
        for level in ({"level": "system", "of_means": True}, {"level": "summary"}):
            agreement = study.only(systems=own).agree(statistic="kendall", **level)
            for name in found:
                found[name].append(agreement.row(name, ASPECT))
    heads = ["metric"]
    for kind in PARTS.values():
        heads += [f"{kind}: systems", "95% interval", "summaries", "interval"]
    yield from table(
        heads,
        ([f"{name}, published" if name in theirs else code(name), *_cells(rows)] for name, rows in found.items()),
        left=["95% interval", "interval"],
    )


def _cells(rows: list[Agreed]) -> list[str]:
    return [cell for row in rows for cell in (figure(row.value), interval(row))]


def _alike(study: Study, theirs: Mapping[str, Numbers]) -> Iterator[str]:
    yield from section(
        "## REALSumm: our scores and the published ones",
        f"Pearson over the {int(study.table.present.sum()):,} summaries, all systems together, and the means. The "
        "published ROUGE is nearest to ours with stems; the published MoverScore and BERTScore rest on other encoders.",
    )
    rows = []
    for name, other in ROWS.items():
        if other is not None:
            row = _beside(study, name, theirs[other])
            means = [float(np.nanmean(study.scores(m))) for m in (name, other)]
            rows.append([code(name), other, f"**{figure(row.value)}**", interval(row), *map(figure, means)])
    heads = ["metric", "published", "Pearson", "95% interval", "our mean", "theirs"]
    yield from table(heads, rows, left=["published", "95% interval"])


def _beside(study: Study, metric: str, other: Numbers) -> Agreed:
    """How far a metric agrees with other scores of the same summaries."""
    return agree(study.table, other, metrics=[metric], level="segment", statistic="pearson").rows[0]
