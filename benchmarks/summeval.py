"""SummEval: agreement with experts on summaries, beside DiscoScore's tables 1, 3-6 and 9, figures 3, 6 and 7."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

import coheval
from coheval.algo.correlation import kendall_b
from coheval.run.agreement import Agreement
from coheval.run.agreement.match import match
from coheval.run.agreement.result import MEAN
from job import Job, Paper
from study import Array, Study, read, score
from summeval_figures import figures, intervals
from summeval_specs import (
    ASPECTS,
    EXTRACTIVE,
    FEATURES,
    HALVES,
    SYSTEM_LEVEL,
    TABLE1,
    TABLE3,
    TABLE4,
    TABLE5,
    TABLE6,
    TABLE9,
    negative,
    rated,
)
from writing import ABSOLUTE, by_aspect, code, figure, listed, mean_of, prose, section, table

SYSTEMS, SUMMARIES = "SummEval, system level: Kendall with experts", "SummEval, summary level"
ABLATIONS = "SummEval: DS-Sent without aggregation, and with alignment"
ENSEMBLE, ENCODERS = "SummEval: RC together with another metric", "SummEval: other encoders"
TABLES = {
    "discoscore.table1_summeval_system_kendall_x100": SYSTEMS,
    "discoscore.table3_summary_level_kendall_x100": SUMMARIES,
    "discoscore.table4_encoders_summeval_average": ENCODERS,
    "discoscore.table5_ablation": ABLATIONS,
    "discoscore.table6_sentgraph_distance": ABLATIONS,
    "discoscore.table9_ensemble": ENSEMBLE,
}


def part(job: Job) -> Iterator[str]:
    dataset = read(job.data / "summeval")
    records = sorted(dataset.records(), key=lambda record: int(record.system[1:]))
    study = Study(score(records, [*TABLE1, *TABLE4, *TABLE5, *TABLE6, *HALVES]), dataset.judgements())
    abstractive = study.only(systems=[s for s in study.table.systems if s not in EXTRACTIVE])
    yield from _system_level(study, abstractive, job, len(records[0].references))
    yield from _all_systems(study)
    yield from _halves(abstractive)
    yield from _summary_level(abstractive, job.paper("discoscore.table3_summary_level_kendall_x100"))
    yield from _ablations(abstractive, job)
    yield from _encoders(abstractive, job.paper("discoscore.table4_encoders_summeval_average"))
    yield from _ensemble(abstractive, job.paper("discoscore.table9_ensemble"))
    values = _values_of({record.document: record.references for record in records})
    yield from _features(study, values)
    yield from figures(job, study, abstractive, values)


def _system_level(study: Study, abstractive: Study, job: Job, references: int) -> Iterator[str]:
    paper = job.paper("discoscore.table1_summeval_system_kendall_x100")
    agreement = abstractive.agree(TABLE1, **SYSTEM_LEVEL)
    systems, articles = agreement.rows[0].count, len(study.table.documents)
    yield from section(
        f"## {SYSTEMS}",
        f"{articles} articles, {references} references each, {len(study.table.systems)} systems. Kendall's tau-b × 100 "
        "between systems, by their mean score over the articles (of `bleu` too) and by that of three experts. "
        f"DiscoScore's table 1 has the {systems} abstractive systems, all but {listed(EXTRACTIVE)}, and **absolute "
        "values**, which hide whether a metric likes what people like. Figures are signed here; "
        f"{ABSOLUTE}, the mean of their absolute values, is what compares with the paper's. Settings of `dsfocus` "
        "and the layer of `dssent` were searched on half of the articles, see below; the direction of `focusfrequency` "
        "is what these data say, and nothing else was chosen on them.",
    )
    rows = [
        [*_system_line(agreement, name), row or "", _theirs(paper, row) if row else ""] for name, row in TABLE1.items()
    ]
    yield from _system_table(rows, "the paper's row", f"its {ABSOLUTE}")
    against = [f"{code(name)} {figure(agreement[name][MEAN], percent=True)}" for name in negative(agreement, TABLE1)]
    yield from prose(
        "Negative on average, so against people's ranking in the direction that the metric declares: "
        f"{listed(against)}. An interval says what other articles would do, not what other systems would do. "
        "Resampling blurs both rankings, so that it may lie below its figure."
    )
    yield from _undefined(study)
    yield from prose(
        "The same beside the paper's figures, in absolute values, as it has no others; (−) is a metric whose mean is "
        "negative in the direction that it declares."
    )
    yield from intervals(job, abstractive, agreement, paper)


def _undefined(study: Study) -> Iterator[str]:
    counts = {name: int(np.isnan(study.scores(name)).sum()) for name in study.table.columns}
    told = [f"{code(name)} {count:,}" for name, count in counts.items() if count]
    size = study.table.present.sum()
    yield from prose(f"Without a score, and left out of their system's mean, of {size:,} summaries: {listed(told)}.")


def _all_systems(study: Study) -> Iterator[str]:
    agreement = study.agree(TABLE1, **SYSTEM_LEVEL)
    yield from section(
        f"### All {agreement.rows[0].count} systems",
        "The same with the extractive systems; the paper has no such table.",
    )
    yield from _system_table([_system_line(agreement, name) for name in TABLE1])


def _halves(abstractive: Study) -> Iterator[str]:
    halves = [set(half) for half in _every_second(abstractive.table.documents)]
    searched, other = (abstractive.only(documents=half).agree(HALVES, **SYSTEM_LEVEL) for half in halves)
    yield from section(
        "### The half of the articles on which settings were searched, and the other",
        "Layers, pooling, foci and scales of `dsfocus` and the layer of `dssent` were searched on every second article "
        f"of the file, from the first on ({len(halves[0])}). No setting of `dsfocus` beat the default there "
        "by more than chance would; `mentions='bare'` is offered because it is what the released program counts. "
        "Figures for all articles were seen before that, so the other half is not quite untouched. Mean of the four "
        "aspects, abstractive systems, on these and on the other "
        f"{len(halves[1])}, with the interval there. The halves share the systems: the other half says that the "
        "ranking holds for other articles, not that other systems would be ranked as well.",
    )
    heads = ["metric", "searched half", "other half", "95% interval"]
    rows = [
        [code(name), figure(searched[name][MEAN], percent=True), *mean_of(other.row(name, MEAN), percent=True)]
        for name in HALVES
    ]
    yield from table(heads, rows, left=heads[-1:])


def _every_second(documents: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    return documents[::2], documents[1::2]


def _summary_level(abstractive: Study, paper: Paper) -> Iterator[str]:
    agreement = abstractive.agree(TABLE1, level="summary", statistic="kendall")
    taus = {name: _by_article(abstractive, name) for name in TABLE1}  # [aspects, articles]
    people = [abstractive.ratings(aspect)[rated(abstractive)] for aspect in ASPECTS]
    alike = sum(int((np.ptp(of_aspect, axis=0) == 0).sum()) for of_aspect in people)
    yield from section(
        f"## {SUMMARIES}",
        f"Kendall's tau-b × 100 between the {len(people[0])} abstractive systems' summaries of one article, averaged "
        "over articles, then over aspects (DiscoScore, table 3). A summary without a score is left out of its "
        "article's correlation. Where all summaries have the same score there is no correlation, and the article is "
        f"left out: of {people[0].shape[1] * len(ASPECTS)} pairs of article and aspect, people give all the same in "
        f"{alike}; the last column counts the pairs that the metric adds to these.",
    )

    def line(name: str) -> list[str]:
        row = TABLE3.get(name)
        theirs = [row or "", _theirs(paper, row, "SummEval") if row else ""]
        added = int(np.isnan(taus[name]).sum()) - alike
        return [code(name), *by_aspect(agreement, name, percent=True), *theirs, f"{added}"]

    heads = ["metric", *ASPECTS, "mean", "95% interval", "the paper's row", "its mean", "undefined"]
    yield from table(heads, map(line, TABLE1), left=heads[-4:-2])


def _by_article(study: Study, name: str) -> Array:
    """Kendall over the systems in every article, NaN where there is none: [aspects, articles]."""
    grids = [match(study.table, study.judgements, aspect, "document", drop=False).grids[0] for aspect in ASPECTS]
    return np.stack([kendall_b(grid.scores(study.table.columns[name]).T, grid.human.T) for grid in grids])


def _ablations(abstractive: Study, job: Job) -> Iterator[str]:
    agreement = abstractive.agree([*TABLE5, *TABLE6], **SYSTEM_LEVEL)
    yield from section(
        f"## {ABLATIONS}",
        "System level, abstractive systems. DiscoScore's table 5: sentences with or without what they are linked to. "
        "Table 6: texts compared by mean, max, min and sum over their sentences, or by aligning these.",
    )
    tables = (("5", TABLE5, "discoscore.table5_ablation"), ("6", TABLE6, "discoscore.table6_sentgraph_distance"))
    rows = [
        [*_system_line(agreement, name), number, row, _theirs(job.paper(key), row)]
        for number, rows, key in tables
        for name, row in rows.items()
    ]
    yield from _system_table(rows, "the paper's table", "its row", f"its {ABSOLUTE}")


def _encoders(abstractive: Study, paper: Paper) -> Iterator[str]:
    agreement = abstractive.agree(TABLE4, **SYSTEM_LEVEL)
    yield from section(
        f"## {ENCODERS}",
        "DiscoScore's table 4 compares BERT, BERT fine-tuned on NLI, and Conpono, none of which is here; beside them "
        "the embedded MiniLM, and GloVe, whose vectors know no context. System level, abstractive systems.",
    )
    encoders = ("BERT", "BERT-NLI", "Conpono")
    rows = [
        [*_system_line(agreement, name), *(_theirs(paper, f"{row} + {encoder}") for encoder in encoders)]
        for name, row in TABLE4.items()
    ]
    yield from _system_table(rows, *(f"the paper's {encoder}" for encoder in encoders), left=0)


def _ensemble(abstractive: Study, paper: Paper) -> Iterator[str]:
    yield from section(
        f"## {ENSEMBLE}",
        "DiscoScore's table 9 adds RC to BARTScore, here `rc` goes with `moverscore`. Scores of each metric, in its "
        "declared direction, are divided by the deviation of its abstractive systems' means, and added up; or `rc` is "
        "subtracted, as if less of it were better: the paper's absolute values do not say which was done.",
    )
    labels = [_label(signs) for signs, _ in TABLE9]
    summed = {label: _summed(abstractive, signs) for label, (signs, _) in zip(labels, TABLE9, strict=True)}
    agreement = abstractive.with_scores(summed).agree(labels, **SYSTEM_LEVEL)
    rows = [
        [label, *_system_line(agreement, label)[1:], row, _theirs(paper, row)]
        for label, (_, row) in zip(labels, TABLE9, strict=True)
    ]
    yield from _system_table(rows, "the paper's row", f"its {ABSOLUTE}")


def _label(signs: Mapping[str, int]) -> str:
    return " ".join(f"{'+' if sign > 0 else '−'} {code(name)}" for name, sign in signs.items()).removeprefix("+ ")


def _summed(study: Study, signs: Mapping[str, int]) -> dict[str, list[float | None]]:
    """Metrics added up, each in units of the deviation of its systems' means."""
    total = np.zeros(study.table.present.shape)
    for name, sign in signs.items():
        values = study.scores(name) * (1 if study.table.columns[name].higher_is_better else -1)
        total += sign * values / np.nanmean(values[rated(study)], axis=1).std()
    return {system: row.tolist() for system, row in zip(study.table.systems, total, strict=True)}


def _values_of(references: Mapping[str | None, Sequence[str | None]]) -> dict[str, Array]:
    """The features of references, each as if it were a candidate: a row for each article [articles, references]."""
    texts = [text for own in references.values() for text in own if text is not None]
    result = coheval.score(texts, documents=[f"{n}" for n in range(len(texts))], metrics=list(FEATURES))
    return {name: np.array(result[name].segments, dtype=float).reshape(len(references), -1) for name in FEATURES}


def _features(study: Study, references: Mapping[str, Array]) -> Iterator[str]:
    """Mean values of the references, as if they were candidates, and of the systems, best first."""
    opinion = dict(zip(study.table.systems, study.ratings("coherence").mean(axis=1), strict=True))
    yield from section(
        "## SummEval: discourse features of candidates and references",
        "Mean values as they are, not oriented; systems by their coherence in people's eyes. "
        "`form='discriminativeness'`, in the tables above, is how far a candidate's value is from its references'.",
    )
    rows = [["references", "", *(figure(float(np.nanmean(references[name]))) for name in FEATURES)]]
    for system in sorted(opinion, key=lambda s: -opinion[s]):
        own = study.table.systems.index(system)
        label = f"{system}, extractive" if system in EXTRACTIVE else system
        rows.append(
            [label, f"{opinion[system]:.2f}", *(figure(float(study.table.columns[f].system[own])) for f in FEATURES)]
        )
    yield from table(["texts", "people's coherence", *map(code, FEATURES)], rows)


def _system_table(rows: Sequence[Sequence[str]], *more: str, left: int | None = None) -> Iterator[str]:
    """Of `_system_line`s; of the further columns the last one has figures, unless `left` says how many have none."""
    texts = more[: len(more) - 1 if left is None else left]
    heads = ["metric", *ASPECTS, "mean", "95% interval", ABSOLUTE, *more]
    yield from table(heads, rows, left=["95% interval", *texts])


def _system_line(agreement: Agreement, name: str) -> list[str]:
    each = [agreement.row(name, aspect).value for aspect in ASPECTS]
    absolute = float(np.mean(np.abs(each))) if None not in each else None  # type: ignore[arg-type]
    return [code(name), *by_aspect(agreement, name, percent=True), figure(absolute, percent=True)]


def _theirs(paper: Paper, row: str, column: str = "average") -> str:
    value = paper.value(row, column)
    return figure(None if value is None else value / 100, percent=True)
