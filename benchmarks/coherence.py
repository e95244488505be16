"""Coherence: accuracies of models and metrics on generated tasks and on human-checked sets, beside the paper's.

The papers' models are those of `coherence_models`, which are trained first where they are not there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import coherence_curve
import coherence_models
import coheval
from coheval.data.contrastive import read_sets
from coheval.data.groups import Instances
from coheval.encoders import Encoded, Encoder
from coheval.models import model
from coheval.run.bench import outcome
from coheval.run.benchcorpus import VariantScore
from coheval.run.benchcues import cues
from coheval.run.benchfigures import Accuracy, Bench
from coheval.run.benchunits import units
from coheval.spec import state
from coheval.tasks import task
from job import Job
from study import Study, read, score
from writing import NOTHING, between, code, figure, prose, section, table

HEADING = "Coherence"
ORDER, TOPIC, CONNECTIVE, CLOZE = (
    "coherence.table2_order_accuracy",
    "coherence.table4_topic_accuracy_controlled_random",
    "coherence.table3_connective_accuracy_pdtb",
    "coherence.table5_cloze_accuracy",
)
DIALOGUES, STORIES, TEXTS, CHECKED = (
    "Coherence: dialogues",
    "Coherence: endings",
    "Coherence: written texts",
    "Coherence: human-checked sets",
)
TABLES = {ORDER: DIALOGUES, TOPIC: DIALOGUES, CLOZE: STORIES, CONNECTIVE: TEXTS}
OWN = "coherence"
PAPER = {"unc": "UNC", "cohlstm": "CohLSTM", "parseq": "ParSeq", "sentavg": "SentAvg"}
METRICS = ("entitygraph", "lc")  # without references
SLOW_GROUPS = 60  # documents of which those annotate all variants
MOST = 400  # documents of a corpus

SELF_DIALOGUE = "self_dialogue/self_dialogue.jsonl.gz"
HELLASWAG = "hellaswag/hellaswag_val.jsonl.gz"
ENDINGS = "story(part=test)"
WIKIPEDIA = "discoeval_wiki_arxiv/DC_wiki_test.txt.gz"
GUM = "gum_rst"


@dataclass(frozen=True)
class Column:
    """A task on a corpus: what it is called, and the paper's figures by model."""

    name: str
    task: str
    paper: Mapping[str, float | None]


def part(job: Job) -> Iterator[str]:
    for corpus in coherence_models.CORPORA:
        coherence_models.train(job.data, corpus)
    yield from _dialogues(job)
    yield from _stories(job)
    yield from _texts(job)
    yield from _checked(job)
    yield from _speed(job)


# ------------------------------------------------------------------------------------------------------------ dialogues


def _dialogues(job: Job) -> Iterator[str]:
    order, topic = job.paper(ORDER), job.paper(TOPIC)
    by_topic = {name: row[topic.columns.index("SelfDialogue")] for name, row in topic.rows.items()}
    columns = [
        Column("order", "order(part=test, negatives=5)", _column(order.rows, order.columns.index("SelfDialogue"))),
        Column("topic random", "topic(part=test, negatives=3)", _nth(by_topic, 1)),
        Column("topic controlled", "topic(kind=controlled, part=test, negatives=3)", _nth(by_topic, 0)),
    ]
    yield from section(
        f"## {DIALOGUES}",
        "SelfDialogue, the paper's corpus, parted 70/15/15 by dialogue; the first 400 dialogues of the test "
        f"part, up to five wrong variants of each. `coherence` is the embedded model ({code('boundary')}), one for all "
        "tables, which learnt from the "
        "training part of this corpus, and others (models/_boundary/lessons.toml). The papers' models are trained anew "
        f"({code('benchmarks/coherence_models.py')}): on {coherence_models.CORPORA['dialogue'].documents:,} dialogues "
        f"for order and {coherence_models.CORPORA['topics'].documents:,} for topics, where the paper has 16,757; all "
        "read minilm where the paper's read ELMo or GloVe.",
    )
    yield from prose(_HOW)
    corpora = {"order": "dialogue", "topic random": "topics", "topic controlled": "topics"}
    yield from _compared(job.data / SELF_DIALOGUE, columns, lambda name: corpora[name], METRICS)
    yield from _by_length(job.data / SELF_DIALOGUE, "order(part=test, negatives=5)", "dialogues, in turns")
    yield from coherence_curve.part(job, SELF_DIALOGUE)


_HOW = (
    "Accuracy × 100: the share of pairs of a right and a wrong variant in which the right one scores strictly "
    "higher, with the 95% interval over documents; where more than one in a hundred ties, the share with ties as "
    "half right stands behind it. Cues are what a classifier makes of length or of words alone, cross-validated by "
    "document on the very variants that are judged, ties as half: what it finds, a model can find without reading "
    "for coherence. The paper's figures are those of its own data and splits."
)


def _column(rows: Mapping[str, Sequence[float | None]], index: int) -> dict[str, float | None]:
    return {name: row[index] for name, row in rows.items()}


def _nth(pairs: Mapping[str, object], index: int) -> dict[str, float | None]:
    return {name: pair[index] if isinstance(pair, list) else None for name, pair in pairs.items()}


# -------------------------------------------------------------------------------------------------------------- endings


def _stories(job: Job) -> Iterator[str]:
    cloze = job.paper(CLOZE)
    published = _column(cloze.rows, cloze.columns.index("HellaSwag"))
    yield from section(
        f"## {STORIES}",
        "HellaSwag, the published validation items, parted 70/15/15 so that items of one video or article, and those "
        "that share a sentence, are in one part. The right one of four endings must score strictly highest: chance is "
        "25. The wrong endings were written by a language model and chosen to deceive BERT-large. The paper does not "
        "say whether its figures are of four endings or of pairs; fine-tuned on 40,000 items, the published BERT-base "
        "has 40.5 of four, LSTMs over frozen vectors 31 to 36 (Zellers et al. 2019), so that pairs, of which half are "
        "right by chance, are likelier. Both are shown.",
    )
    made = task(ENDINGS).read([job.data / HELLASWAG], np.random.default_rng(0))
    specs = {OWN: OWN, **{name: coherence_models.spec(name, "stories") for name in PAPER}}
    yield from endings_table(made, specs, {name: published.get(row) for name, row in PAPER.items()})
    yield from prose(
        f"{len(made.groups):,} items. Sentences that are read one by one, by a frozen encoder of six layers, hardly "
        "tell these endings apart; docs/decisions.md has what was tried. Our other model, `continuation`, reads them "
        "together: its figures are [below](#coherence-read-by-a-language-model)."
    )


def endings_table(made: Instances, asked: Mapping[str, str], paper: Mapping[str, float | None]) -> Iterator[str]:
    """Specs by what they are called: accuracy of groups and of pairs, with cues, beside the paper's figures."""
    specs = list(asked.values())
    groups = coheval.bench(made, specs, context="with")
    pairs = _as_pairs(groups)
    heads = ["model", "of four", "95% interval", "pairs", "95% interval ", "ties", "paper"]
    rows = []
    for name, spec in asked.items():
        four, two = groups.accuracy(spec, "with"), pairs.accuracy(spec, "with")
        shown = figure(_percent(paper.get(name)), percent=True)
        rows.append([code(name), *_figure(four), *_figure(two), str(two.ties), shown])
    for cue in groups.cues:
        four, two = groups.cue(cue), pairs.cue(cue)
        halves = [figure(one.accuracy_ties_half, percent=True) for one in (four, two)]
        rows.append([f"cue: {cue}", halves[0], "", halves[1], "", str(two.ties), NOTHING])
    rows.append(["chance", figure(groups.chance(), percent=True), "", "50.0", "", "", NOTHING])
    yield from table(heads, rows, left=[head for head in heads if "interval" in head])


def _as_pairs(found: Bench) -> Bench:
    """The same scores, each wrong variant a question of its own: nothing is read twice."""
    groups = found.instances.groups
    judged = units(groups, "pairs")
    outcomes = {}
    for spec, of_metric in found.outcomes.items():
        scores = [[VariantScore(value) for value in values] for values in of_metric["with"].scores]
        better = coheval.metric(spec).higher_is_better
        outcomes[spec] = {"with": outcome(groups, judged, scores, higher_is_better=better)}
    settings = replace(found.settings, count="pairs")
    return replace(found, units=judged, outcomes=outcomes, cues=cues(groups, judged, outcome), settings=settings)


# -------------------------------------------------------------------------------------------------------- written texts


def _texts(job: Job) -> Iterator[str]:
    order, connective, cloze, topic = (job.paper(key) for key in (ORDER, CONNECTIVE, CLOZE, TOPIC))
    by_topic = {name: row[topic.columns.index("PDTB")] for name, row in topic.rows.items()}
    columns = [
        Column("order", "order(negatives=5)", _column(order.rows, order.columns.index("PDTB"))),
        Column("topic", "topic(negatives=3)", _nth(by_topic, 1)),
        *(
            Column(
                f"connective {sense} {amount}",
                f"connective(sense={sense}, amount={amount}, negatives=3)",
                _column(connective.rows, connective.columns.index(f"{sense}-{amount}")),
            )
            for sense in ("same", "different")
            for amount in ("full", "half")
        ),
        *(
            Column(
                f"cloze {amount}",
                f"cloze(amount={amount}, negatives=3)",
                _column(cloze.rows, cloze.columns.index(f"sentence cloze {amount} (PDTB)")),
            )
            for amount in ("full", "half")
        ),
    ]
    yield from section(
        f"## {TEXTS}",
        "GUM, all 237 documents of many genres, and Wikipedia, the first 400 coherent documents of DiscoEval's DC "
        "test part, six sentences each. Neither was learnt from. The papers' models learnt from "
        f"{coherence_models.CORPORA['text'].documents:,} documents of DC's valid part, all tasks together; CohLSTM can "
        "read no document longer than those, which leaves out GUM. `coherence` learnt from these among others. The "
        "paper's figures are of the PDTB, which is not here, with a model for each task that was trained on it.",
    )
    yield from prose(_HOW)
    for name, path in (("GUM", GUM), ("Wikipedia", WIKIPEDIA)):
        yield from [f"### {name}", ""]
        yield from _compared(job.data / path, columns, lambda _: "text", METRICS)
    yield from _by_length(job.data / GUM, "order(negatives=5)", "documents of GUM, in sentences")


# --------------------------------------------------------------------------------------------------- human-checked sets


def checked_sets(job: Job) -> dict[str, Instances]:
    folder = job.data / "coherence_ntunlp"
    sets = {
        "intrusion": read_sets([folder / "INSteD_intrusion_test_wikipedia.jsonl"]),
        "LMvLM": read_sets([folder / "LMvLM.jsonl"]),
        "probes": read_sets(sorted(folder.glob("lingprobe_*.jsonl"))),
    }
    return {name: replace(one, made=True) for name, one in sets.items()}


def _checked(job: Job) -> Iterator[str]:
    sets = checked_sets(job)
    yield from section(
        f"## {CHECKED}",
        "Sets that no model here has learnt from: one sentence of a Wikipedia text replaced by one of a near text "
        "(INSteD; Shen et al. 2021), two continuations of a story by language models of which people preferred one "
        "(LMvLM; Jwalapuram et al. 2022), and eight probes in which a word or phrase of a text is changed (Shen et al. "
        "2021). Documents of the training corpora that share a sentence with the first are left out of training.",
    )
    yield from prose(_HOW)
    specs = [OWN, *(coherence_models.spec(name, "text") for name in PAPER), *METRICS]
    names = [OWN, *PAPER, *METRICS]
    found = {name: coheval.bench(one, specs, context="with") for name, one in sets.items()}
    heads = ["model or metric", *(f"{name} | 95% interval" for name in sets)]
    rows = []
    for spec, shown in zip(specs, names, strict=True):
        cells = [" | ".join(_figure(bench.accuracy(spec, "with"))) for bench in found.values()]
        rows.append([code(shown), *cells])
    for cue in ("length", "words"):
        halves = [figure(bench.cue(cue).accuracy_ties_half, percent=True) for bench in found.values()]
        rows.append([f"cue: {cue}", *(f"{half} | " for half in halves)])
    rows.append(["pairs", *(f"{bench.count():,} | " for bench in found.values())])
    flat = [cell for head in heads for cell in head.split(" | ")]
    flat = [f"{head}{' ' * n}" if head.startswith("95%") else head for n, head in enumerate(flat)]
    lines = [[cell for part in row for cell in part.split(" | ")] for row in rows]
    yield from table(flat, lines, left=[head for head in flat if "interval" in head])
    yield from _probes(found["probes"], specs, names)
    yield from _ratings(job)


def _probes(found: Bench, specs: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    yield from prose("The probes one by one, accuracy × 100:")
    heads = ["probe", "pairs", *map(code, names)]
    rows = [
        [probe, str(found.count(probe)), *(_value(found.accuracy(spec, "with", probe)) for spec in specs)]
        for probe in found.phenomena
    ]
    yield from table(heads, rows)


def _ratings(job: Job) -> Iterator[str]:
    """Summaries, which nothing was learnt from."""
    dataset = read(job.data / "summeval")
    specs = [OWN, *METRICS]
    study = Study(score(dataset.records(), specs), dataset.judgements())
    found = [
        study.agree(level="system", statistic="kendall", of_means=True),
        study.agree(level="summary", statistic="kendall"),
    ]
    yield from prose(
        "Ratings of SummEval, which are of other things: summaries are short, and nothing like them was learnt from. "
        "Kendall's τ of the metric with people's mean rating of coherence, over the 16 systems, and over summaries of "
        "the same article, with the 95% interval over articles:"
    )
    heads = ["metric", "system", "95% interval", "summary", "95% interval "]
    rows = []
    for name in specs:
        cells = [agreement.row(name, "coherence") for agreement in found]
        shown = [text for cell in cells for text in (figure(cell.value), between(cell.low, cell.high))]
        rows.append([code(name), *shown])
    yield from table(heads, rows, left=[head for head in heads if "interval" in head])


# ---------------------------------------------------------------------------------------------------------------- speed


def _speed(job: Job) -> Iterator[str]:
    """CPU time: of one core, or of all together."""
    made = task("order(part=test, negatives=1)").read([job.data / SELF_DIALOGUE], np.random.default_rng(0))
    sentences = [text for group in made.groups for text in group.right]
    read = {size: _seconds(tuple(sentences[:size])) for size in (1_000, 10_000)}
    yield from section(
        "### Speed",
        f"One document of 10,000 turns is scored in {read[10_000][1]:.1f} s of CPU after encoding, "
        f"{10_000 / read[10_000][1]:,.0f} sentences a second; of 1,000, {1_000 / read[1_000][1]:,.0f} a second: it is "
        f"read in windows. Encoding takes {read[10_000][0]:.0f} s of CPU more.",
    )


def _seconds(document: tuple[str, ...]) -> tuple[float, float]:
    """CPU for encoding, and for all that comes behind it."""
    own = model("boundary")
    ((encoder, layers),) = own.reads().items()
    begun = time.process_time()
    memory = dict(zip(document, encoder.encode(document, layers=layers), strict=True))
    encoded = time.process_time()
    own.score([document], reader=Remembering(memory=memory))
    return encoded - begun, time.process_time() - encoded


@dataclass(frozen=True, kw_only=True)
class Remembering(Encoder):
    """Texts that were read before."""

    memory: dict[str, Encoded] = state(dict)

    def encode(self, texts: Sequence[str], *, layers: Sequence[int] | None = None) -> list[Encoded]:
        return [self.memory[text] for text in texts]


# --------------------------------------------------------------------------------------------------------------- tables


def _compared(
    path: Path, columns: Sequence[Column], trained_on: Callable[[str], str], metrics: Sequence[str]
) -> Iterator[str]:
    """A row of figures for each task, and one of the paper's below it."""
    heads = ["task", "", code(OWN), *map(code, PAPER), *map(code, metrics), "cue: length", "cue: words", "pairs"]
    rows = []
    facts = []
    for column in columns:
        made = _made(path, column.task)
        specs = [OWN, *(coherence_models.spec(name, trained_on(column.name)) for name in PAPER)]
        found = coheval.bench(made, specs, context="with")
        few = coheval.bench(replace(made, groups=made.groups[:SLOW_GROUPS]), list(metrics), context="with")
        cells = [shares(found.accuracy(spec, "with")) for spec in specs]
        cells += [shares(few.accuracy(metric, "with")) for metric in metrics]
        cells += [figure(found.cue(cue).accuracy_ties_half, percent=True) for cue in ("length", "words")]
        rows.append([column.name, "here", *cells, f"{found.count():,}"])
        published = [figure(_percent(column.paper.get(PAPER[name])), percent=True) for name in PAPER]
        rows.append(["", "paper", NOTHING, *published, *[NOTHING] * (len(metrics) + 2), ""])
        facts += [f"{column.name}: {fact}" for fact in made.facts]
    yield from table(heads, rows, left=[""])
    if metrics:
        yield from prose(f"{', '.join(map(code, metrics))}: of the first {SLOW_GROUPS} documents.")
    for fact in facts:
        yield from prose(f"{fact[0].upper()}{fact[1:]}.")


def _made(path: Path, spec: str) -> Instances:
    """The groups of the first documents that make one."""
    made = task(spec).read([path], np.random.default_rng(0))
    return replace(made, groups=made.groups[:MOST])


def shares(one: Accuracy) -> str:
    """Accuracy and interval; where there are many ties, the accuracy with ties as half, too."""
    if one.accuracy is None:
        return NOTHING
    bounds = "" if one.low is None else f" ({between(one.low, one.high, percent=True)})"
    shown = f"{figure(one.accuracy, percent=True)}{bounds}"
    total = one.right + one.ties + one.wrong
    many = one.ties > total / 100
    return f"{shown}, ties half {figure(one.accuracy_ties_half, percent=True)}" if many else shown


def _by_length(path: Path, spec: str, what: str) -> Iterator[str]:
    found = coheval.bench(_made(path, spec), OWN, by="length")
    cells = [(name, found.accuracy(OWN, "with", name)) for name in found.phenomena]
    yield from prose(f"{code(OWN)} by length of {what}, {code(spec)}:")
    heads = ["length", "accuracy", "95% interval", "pairs"]
    rows = [[name, *_figure(one), f"{found.count(name):,}"] for name, one in cells]
    yield from table(heads, rows, left=["95% interval"])


def _figure(one: Accuracy) -> list[str]:
    return [figure(one.accuracy, percent=True), between(one.low, one.high, percent=True)]


def _value(one: Accuracy) -> str:
    return figure(one.accuracy, percent=True)


def _percent(value: float | None) -> float | None:
    return None if value is None else value / 100
