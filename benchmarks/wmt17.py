"""WMT17: segment-level agreement with direct assessment, beside MoverScore's tables 1 and 5 and figures 2 and 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from coheval.data.corpus import Record
from coheval.data.datasets import Dataset
from coheval.data.judgements import Judgements
from coheval.report import draw_agreement_by_system, draw_distributions, draw_matrix
from coheval.run.agreement import Agreement, between
from job import Job, Paper
from study import Array, Study, read, score
from writing import code, figure, listed, mean_of, prose, section, span, table

# Our spec, and the row of the paper's table 1 that it stands beside.
TABLE1 = {
    "moverscore": "WMD-1 + BERT + MNLI + PMeans",
    "moverscore(ngram=2)": "WMD-2 + BERT + MNLI + PMeans",
    "moverscore(variant='paper')": "WMD-1 + BERT + PMeans",
    "moverscore(variant='v1')": "WMD-1 + BERT + PMeans",
    "moverscore(variant='v2')": None,
    "moverscore(idf='corpus')": None,
    "moverscore(aggregation='pmeans')": None,
    "moverscore(aggregation='routing')": None,
    "moverscore(encoder=static(file='glove-6b-50d'))": "WMD-1 + W2V",
    "bertscore": "BERTScore-F1",
    "bertscore(variant='code')": "BERTScore-F1",
    "bertscore(idf='corpus')": None,
    "sentencemover": "SMD + BERT + PMeans",
    "sentencemover(encoder=static(file='glove-6b-50d'))": "SMD + W2V",
    "sbert": None,
    "prism": None,
    "prism(form='precision')": None,
    "prism(variant='code')": None,
    "bartscore": None,
    "chrf": None,
    "chrf(word_order=2)": "chrF++",
    "bleu": "SentBLEU",
    "ter": None,
    "nist": None,
    "meteor": "METEOR++",
    "rouge(kind='1')": None,
    "rouge(kind='2')": None,
    "rouge(kind='L')": None,
}
# Table 5: hard alignment against optimal transport.
TABLE5 = {
    "moverscore(alignment='hard-f')": "HMD-F1 + BERT",
    "moverscore(alignment='hard-recall')": "HMD-Recall + BERT",
    "moverscore(alignment='hard-precision')": "HMD-Prec + BERT",
    "moverscore": "WMD-unigram + BERT",
    "moverscore(ngram=2)": "WMD-bigram + BERT",
}
BETWEEN = (
    "moverscore", "bertscore", "sentencemover", "sbert", "chrf", "bleu", "ter", "nist", "meteor",
    "rouge(kind='1')", "rouge(kind='2')", "rouge(kind='L')",
)  # fmt: skip
DISTRIBUTIONS = ("bleu", "meteor", "chrf", "bertscore", "moverscore", "sbert")
ASPECT, SCALE, PEOPLE = "da", "direct assessment (z)", "people (DA)"
FIRST, LAST = "WMT17, segment level: Pearson with direct assessment", "WMT17: hard alignment against optimal transport"
TABLES = {
    "moverscore.table1_wmt17_segment_pearson": FIRST,
    "moverscore.table5_alignment_wmt17": LAST,
}


def part(job: Job) -> Iterator[str]:
    study = _scored(read(job.data / "wmt17_toen"))
    agreement = study.agree([*TABLE1, *TABLE5], level="segment", statistic="pearson")
    yield from _segments(study, agreement, job.paper("moverscore.table1_wmt17_segment_pearson"))
    yield from _alignment(study, job.paper("moverscore.table5_alignment_wmt17"))
    yield from _differences(agreement)
    yield from _figures(job, study)


def _scored(dataset: Dataset) -> Study:
    records, judgements = one_system(list(dataset.records()), dataset.judgements())
    return Study(score(records, [*TABLE1, *TABLE5]), judgements)


def one_system(records: Sequence[Record], judgements: Judgements) -> tuple[list[Record], Judgements]:
    """The texts of a pair as those of one system, which is named after it.

    Corpus facts, fitted for each system by itself, are then the pair's; of a real system there are but a few judged
    texts. Those of one source sentence are segments of one document, so that resamples draw them together.
    """
    rating = {(r.system, r.document): r for r in judgements.ratings}
    seen: Counter[str] = Counter()
    texts, ratings = [], []
    for record in records:
        document = record.document or ""
        pair, segment = judgements.groups[document], seen[document]
        texts.append(replace(record, system=pair, segment=segment))
        ratings.append(replace(rating[record.system, document], system=pair, segment=segment))
        seen[document] += 1
    return texts, replace(judgements, ratings=ratings)


def _segments(study: Study, agreement: Agreement, paper: Paper) -> Iterator[str]:
    yield from section(
        f"## {FIRST}",
        "Seven language pairs into English, 560 judged segments each (MoverScore, table 1). Text is lower-cased and "
        "tokenised, as it is in the shared file. Corpus facts (idf, the weights of NIST) are counted over the judged "
        "segments of a pair. The paper's encoder is BERT-base, for its best rows fine-tuned on MNLI, and its static "
        "vectors are word2vec; here they are the 50-dimensional GloVe. The default setting of `moverscore` was chosen "
        "among 32 on these data (docs/decisions.md); no other default was. Resamples draw source sentences.",
    )
    yield from _table(TABLE1, agreement, paper)
    undefined = {name: agreement.row(name, ASPECT).left_out for name in TABLE1}
    told = [f"{code(name)} {count}" for name, count in undefined.items() if count]
    yield from prose(f"Segments without a score, left out for that metric: {listed(told)}.")


def _alignment(study: Study, paper: Paper) -> Iterator[str]:
    yield from section(f"## {LAST}", "MoverScore, table 5, on its four pairs.")
    agreement = study.of_group(*paper.columns).agree(TABLE5, level="segment", statistic="pearson")
    yield from _table(TABLE5, agreement, paper)


def _table(rows: Mapping[str, str | None], agreement: Agreement, paper: Paper) -> Iterator[str]:
    pairs = sorted(agreement.rows[0].groups)

    def line(name: str, row: str | None) -> list[str]:
        found = agreement.row(name, ASPECT)
        each = [figure(found.groups[pair]) for pair in pairs]
        return [code(name), *each, *mean_of(found), row or "", figure(paper.mean(row, pairs)) if row else ""]

    heads = ["metric", *pairs, "mean", "95% interval", "the paper's row", "its mean"]
    yield from table(heads, (line(name, row) for name, row in rows.items()), left=heads[-3:-1])


def _differences(agreement: Agreement) -> Iterator[str]:
    yield from section(
        "## WMT17: is the difference to moverscore real?",
        "Difference of mean Pearson over the seven pairs (moverscore minus the other), paired bootstrap of source "
        "sentences.",
    )
    gaps = [(name, span(agreement, "moverscore", name, ASPECT)) for name in TABLE1 if name != "moverscore"]
    heads = ["metric", "difference", "95% interval"]
    yield from table(heads, ([code(name), *gap] for name, gap in gaps), left=heads[-1:])


def _figures(job: Job, study: Study) -> Iterator[str]:
    human = study.ratings(ASPECT)
    rated = ~np.isnan(human)
    pairs = sorted(study.table.systems)
    yield from section(
        "## WMT17: figures",
        "`moverscore` against people's judgement in each pair. Then good and bad translations of de-en by several "
        "metrics (MoverScore, figure 2): the less the two histograms overlap, the better. Then correlations of metrics "
        "with each other and with people (MoverScore, figure 3): Pearson in each pair, mean over the seven.",
    )
    yield from job.show(
        "wmt17-moverscore",
        draw_agreement_by_system(
            study.scores("moverscore")[rated],
            human[rated],
            systems=[study.table.systems[n] for n, _ in np.argwhere(rated)],
            metric="moverscore",
            aspect=SCALE,
        ),
        f"Scatter of {rated.sum():,} segments, a panel for each language pair: moverscore rises with direct assessment",
    )
    own = study.table.systems.index("de-en")
    here = rated[own]
    yield from job.show(
        "wmt17-good-bad",
        draw_distributions(
            {name: study.scores(name)[own, here] for name in DISTRIBUTIONS},
            human[own, here],
            aspect=SCALE,
            lower_is_better=study.lower_is_better(DISTRIBUTIONS),
        ),
        "Histograms of six metrics' scores for the best and the worst third of de-en segments",
    )
    names = [*BETWEEN, PEOPLE]
    yield from job.show(
        "wmt17-between",
        draw_matrix(names, np.mean([_between(study, human, pair, names) for pair in pairs], axis=0)),
        f"Matrix of Pearson correlations between {len(BETWEEN)} metrics and direct assessment",
    )


def _between(study: Study, human: Array, pair: str, names: Sequence[str]) -> Array:
    """Correlations within a pair, in the order of names."""
    own = study.table.systems.index(pair)
    here = ~np.isnan(human[own])
    scores = {name: study.scores(name)[own, here].tolist() for name in BETWEEN} | {PEOPLE: human[own, here].tolist()}
    found = between(scores, lower_is_better=study.lower_is_better(BETWEEN)).to_pandas()
    values: Array = found.loc[list(names), list(names)].to_numpy()
    return values
