"""WMT19: pairs of translations of which people found one better, beside DiscoTK's tables 2 and 3."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from coheval.data.corpus import Record
from coheval.data.datasets import Dataset
from coheval.data.judgements import Judgements
from coheval.run.agreement import Agreement
from job import Job
from study import Study, read, score
from writing import code, figure, mean_of, section, span, table

# Our spec, and the row of DiscoTK's tables that it stands beside.
ROWS = {"bleu": "BLEU", "nist": "NIST", "rouge(kind='L')": "ROUGE", "ter": "TER"}
SPECS = (
    *ROWS, "chrf", "chrf(word_order=2)", "meteor", "rouge(kind='1')", "sbert", "sentencemover", "bertscore",
    "moverscore", "moverscore(ngram=2)",
)  # fmt: skip
ASPECT, BASE = "darr", "moverscore"
SEGMENTS = "WMT19, segment level: τ on better and worse translations"
SYSTEMS = "WMT19, system level: Spearman with wins"
TABLES: Mapping[str, str] = {}  # DiscoTK's are with its trees, in discotk.py


def part(job: Job, specs: Sequence[str] = SPECS) -> Iterator[str]:
    """Any specs will do, such as combinations."""
    study = scored(read(job.data / "wmt19_darr_pairs"), specs)
    yield from _segments(study, job)
    yield from _systems(study, job)


def scored(dataset: Dataset, specs: Sequence[str]) -> Study:
    records, judgements = by_pair(dataset.records(), dataset.judgements())
    return Study(score(records, specs), judgements)


def by_pair(records: Iterable[Record], judgements: Judgements) -> tuple[list[Record], Judgements]:
    """Systems named after their language pair too: online-B takes part in several, and corpus facts are a system's."""

    def name(system: str, document: str | None) -> str:
        return f"{judgements.groups[document or '']}/{system}"

    preferences = [
        replace(p, better=name(p.better, p.document), worse=name(p.worse, p.document)) for p in judgements.preferences
    ]
    texts = [replace(record, system=name(record.system, record.document)) for record in records]
    return texts, replace(judgements, preferences=preferences)


def _segments(study: Study, job: Job) -> Iterator[str]:
    hard = study.agree(level="segment", statistic="darr")
    mild = study.agree(level="segment", statistic="wmt14")
    pairs = sorted({*study.judgements.groups.values()})
    yield from section(
        f"## {SEGMENTS}",
        f"{len(study.judgements.preferences):,} pairs of translations of one segment, of which people rated one at "
        f"least 25 of 100 points higher, in {len(pairs)} language pairs. A tie of the metric counts against it (the "
        "form of WMT12, and of WMT19 itself); the column wmt14 has the form in which it counts 0. DiscoTK's table 3 is "
        "of WMT12, whose rankings are not here: other languages, other systems, other ways to choose pairs. Its "
        "figures can be compared with each other, not with ours; which ROUGE it took is not in the table. The last "
        f"columns say how far `{BASE}` is ahead.",
    )
    ahead = f"{BASE} ahead by"
    heads = ["metric", *pairs, "mean", "95% interval", "wmt14", "DiscoTK's row", "its τ", ahead, "interval"]
    lines = (_segment_line(hard, mild, name, pairs, job) for name in hard.metrics)
    yield from table(heads, lines, left=["95% interval", "DiscoTK's row", "interval"])


def _segment_line(hard: Agreement, mild: Agreement, name: str, pairs: Sequence[str], job: Job) -> list[str]:
    found, row = hard.row(name, ASPECT), ROWS.get(name)
    paper = job.paper("discotk.table3_wmt12_segment_tau")
    return [
        code(name),
        *(figure(found.groups[pair]) for pair in pairs),
        *mean_of(found),
        figure(mild[name][ASPECT]),
        *([row, figure(paper.value(row, "alone"))] if row else ["", ""]),
        *(span(hard, BASE, name, ASPECT) if name != BASE and BASE in hard.metrics else ["", ""]),
    ]


def _systems(study: Study, job: Job) -> Iterator[str]:
    agreement = study.agree(level="system", statistic="spearman")
    pairs = sorted({*study.judgements.groups.values()})
    paper = job.paper("discotk.table2_wmt12_system_spearman")
    yield from section(
        f"## {SYSTEMS}",
        "Systems by the share of comparisons that they win, and by the metric's score of all their translations that "
        "were compared (BLEU's, NIST's and TER's of the whole). DiscoTK's table 2 is of WMT12.",
    )

    def line(name: str) -> list[str]:
        found, row = agreement.row(name, ASPECT), ROWS.get(name)
        theirs = [row, figure(paper.value(row, "alone"))] if row else ["", ""]
        return [code(name), *(figure(found.groups[pair]) for pair in pairs), *mean_of(found), *theirs]

    heads = ["metric", *pairs, "mean", "95% interval", "DiscoTK's row", "its Spearman"]
    yield from table(heads, map(line, agreement.metrics), left=heads[-3:-1])
