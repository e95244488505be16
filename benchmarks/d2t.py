"""Data to text: utterances of dialogue systems, beside MoverScore's table 3."""

from __future__ import annotations

from collections.abc import Iterator

from coheval.run.agreement import Agreement
from job import Job, Paper
from study import Study, published, read, score
from writing import by_aspect, code, figure, prose, section, table

# Our spec, and the row of the paper's table 3 that it stands beside.
TABLE3 = {
    "moverscore": "WMD-1 + BERT + MNLI + PMeans",
    "moverscore(ngram=2)": None,
    "moverscore(references='max')": None,
    "moverscore(variant='v1')": "WMD-1 + BERT + PMeans",
    "moverscore(variant='paper')": "WMD-1 + BERT + PMeans",
    "bertscore": "BERTScore-F1",
    "bertscore(variant='code')": "BERTScore-F1",
    "sbert": None,
    "meteor": "METEOR",
    "meteor(variant='1.5')": "METEOR",
    "bleu(max_ngram_order=1)": "BLEU-1",
    "bleu": None,
    "chrf": None,
    "rouge(kind='L')": None,
}
PUBLISHED = {"Bleu_1": "BLEU-1", "METEOR": "METEOR", "ROUGE_L": None, "CIDEr": None}  # those that come with the set
PARTS = {"bagel": "BAGEL", "sfhot": "SFHOTEL"}
SHORT = {"informativeness": "inf", "naturalness": "nat", "quality": "qual"}  # the aspects as the paper has them
HEADING = "Data to text: Spearman with informativeness, naturalness and quality"
TABLES = {"moverscore.table3_d2t_spearman": HEADING}


def part(job: Job) -> Iterator[str]:
    paper = job.paper("moverscore.table3_d2t_spearman")
    yield from section(
        f"## {HEADING}",
        "Utterances for a meaning, each with several references, rated by three people, whose median counts "
        "(MoverScore, table 3). Spearman over all utterances; a resample draws meanings. Of several references, "
        "`moverscore` and `sbert` take the mean, BLEU pools them, the others take the best; how the paper treats them "
        "is not in its table. Published scores are those of Novikova et al. 2017, which come with the set; the paper's "
        "BLEU-1 and METEOR are these again. For SFHOTEL they seem to be of texts with placeholders for names and "
        "addresses: an utterance that shares 13 of its 16 words with its reference has a Bleu_1 of .33.",
    )
    for name in PARTS:
        yield from _part(job, name, paper)


def _part(job: Job, name: str, paper: Paper) -> Iterator[str]:
    dataset = read(job.data / "d2t_bagel_sf", name)
    scores = score(dataset.records(), TABLE3)
    theirs = {metric: values for metric, values in published(dataset, scores).items() if metric in PUBLISHED}
    study = Study(scores, dataset.judgements()).with_scores(theirs)
    agreement = study.agree(level="document", statistic="spearman")
    aspects = agreement.judged
    count = agreement.row("moverscore", aspects[0]).count
    yield from section(f"### {PARTS[name]}", f"{count} utterances of {len(scores.systems)} systems.")
    rows = [[code(spec), *_cells(agreement, spec, row, name, paper)] for spec, row in TABLE3.items()]
    rows += [[f"{m}, published", *_cells(agreement, m, row, name, paper)] for m, row in PUBLISHED.items()]
    more = ["the paper's row", *(f"its {SHORT[aspect]}" for aspect in aspects)]
    heads = ["metric", *aspects, "mean", "95% interval", *more]
    yield from table(heads, rows, left=["95% interval", "the paper's row"])
    undefined = [f"{code(m)} {r.left_out}" for m in TABLE3 if (r := agreement.row(m, aspects[0])).left_out]
    if undefined:
        yield from prose(f"Without a score, and left out: {', '.join(undefined)}.")


def _cells(agreement: Agreement, metric: str, row: str | None, part: str, paper: Paper) -> list[str]:
    columns = [f"{PARTS[part]} {SHORT[aspect]}" for aspect in agreement.judged]
    theirs = [row, *(figure(paper.value(row, column)) for column in columns)] if row else [""] * (1 + len(columns))
    return [*by_aspect(agreement, metric), *theirs]
