"""Does document context help? Accuracies on contrastive groups, with and without it.

Three kinds of data: pronouns in GUM, whose right form only the sentences before tell (`pronouns`), probes of coherence,
and DiscEvalMT. Metrics that need a reference have one in the first alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import coheval
import pronouns
from coheval.data.contrastive import read_sets
from coheval.data.groups import Group, Instances
from coheval.data.gum import read_conllu
from coheval.run.benchcorpus import Context
from coheval.run.benchfigures import Bench, Difference
from job import Job, Paper
from writing import between, code, figure, listed, prose, section, table

HEADING = "Does document context help?"
TABLE2 = "docmetrics.table2_contrastive_accuracy"
TABLES = {TABLE2: HEADING}
SPECS = (
    "bertscore(context=2)", "bertscore(context=2, variant='code')", "bertscore(context=2, context_from='candidate')",
    "moverscore(context=2)", "sbert(context=2)", "comet(context=2)", "prism(context=2)",
    "prism(context=2, decoder=t5(separator='end'))", "chrf",
)  # fmt: skip
BY_SOURCE = ("prism(form='source')", "cometqe")  # the text before is the source
ACROSS = ("prism(form='source', context=1)", "cometqe(context=1)")  # of an English source, in French
STAND_INS = (
    "The model of `prism` is a small T5 that writes titles, that of `cometqe` compares translations and summaries with "
    "a text that says the same: stand-ins."
)
PAPER = {"anaphora": "anaphora", "lexical choice": "wsd"}  # DiscEvalMT's sets and the paper's columns
PAPER_ROWS: dict[Context, str] = {"without": "COMET-QE", "with": "Doc-COMET-QE"}


def part(job: Job) -> Iterator[str]:
    groups = pronouns.made(read_conllu(job.data / "gum_rst"))
    yield from _pronouns(groups)
    yield from _by_source(groups, read_sets(sorted((job.data / "coherence_ntunlp").glob("lingprobe_*.jsonl"))).groups)
    yield from _across(job)


# ----------------------------------------------------------------------------------------------------- with a reference


def _pronouns(groups: Sequence[Group]) -> Iterator[str]:
    found = coheval.bench(Instances.of(groups), list(SPECS))
    places = len({group.id.partition(" ")[0] for group in groups})
    documents = len({group.origin for group in groups})
    yield from section(
        f"## {HEADING}",
        f"{len(groups)} pairs of a sentence with a right and with a wrong pronoun, made from {places} pronouns in "
        f"{documents} documents of GUM, of all genres, by its gold coreference. A form of he, she or it is taken if no "
        "other mention of its entity is in the sentence and the nearest earlier one that is not a pronoun is in one of "
        f"the {pronouns.BEFORE} sentences before, has a singular noun as its only head and at most {pronouns.LONGEST} "
        "words; he and she must be persons, it neither a person nor an animal. They is left out for its agreement. "
        "Right is the sentence as it was written, wrong the same with that one pronoun changed: he and she to each "
        "other and to it, it to he and she in turn. The reference has the antecedent's words in its place. Context, "
        f"the {pronouns.BEFORE} sentences before, is the same for candidate and reference, so that "
        "`context_from='candidate'` cannot differ here. Nothing was chosen by its result, but that the embedded T5 "
        "reads context without a separator unless told: both are shown.",
    )
    yield from prose(
        "Accuracy × 100: the share of pairs whose right variant is strictly better; a tie is wrong; chance is "
        f"{figure(found.chance(), percent=True)}. Intervals are over documents, p is that of the exact sign test over "
        "the pairs that changed, which takes pairs for independent. `chrf` reads no context and is a control. The rule "
        "knows the gold pronoun, not whether the context tells it: after “the doctor”, both genders may be right "
        "for a reader, so that 100 is out of reach. And where a name stands in the reference, gender can be seen "
        "without context."
    )
    heads = ["metric", "without", "95% interval", "with", "95% interval ", "difference", "95% interval  ", "p"]
    heads += ["ties without", "ties with", "pairs"]
    rows = ([code(name), *_conditions(found, name)] for name in SPECS)
    yield from table(heads, rows, left=[head for head in heads if "interval" in head])
    yield from prose(_verdict(found))
    yield from _kinds(found)


def _conditions(found: Bench, name: str) -> list[str]:
    cells = []
    for context in PAPER_ROWS:
        own = found.accuracy(name, context)
        cells += [figure(own.accuracy, percent=True), between(own.low, own.high, percent=True)]
    gain = found.gain(name)
    ties = [str(found.accuracy(name, context).ties) for context in PAPER_ROWS]
    return [*cells, *_shown(gain), _p(gain.p), *ties, str(gain.groups)]


def _verdict(found: Bench) -> str:
    """What the intervals say, of metrics that read context."""
    gains = {name: found.gain(name) for name in SPECS if "context" in name}
    better = [code(name) for name, gain in gains.items() if gain.low is not None and gain.low > 0]
    worse = [code(name) for name, gain in gains.items() if gain.high is not None and gain.high < 0]
    open_ = [code(name) for name in gains if code(name) not in {*better, *worse}]
    return (
        f"By these intervals context helps: {listed(better)}. It harms: {listed(worse)}. It cannot be told for: "
        f"{listed(open_)}."
    )


def _kinds(found: Bench) -> Iterator[str]:
    kinds = (pronouns.GENDER, pronouns.AS_THING, pronouns.AS_PERSON)
    yield from section(
        "### By kind of change",
        "Accuracy × 100 without and with context, and the difference with its interval. A metric that likes one "
        f"pronoun better than another, whatever stands before it, is above chance in one and below in the other of "
        f"“{pronouns.AS_THING}” and “{pronouns.AS_PERSON}”.",
    )
    heads = ["metric", *(f"{kind}, {found.count(kind)} pairs" for kind in kinds)]
    rows = ([code(name), *(_change(found, name, kind) for kind in kinds)] for name in SPECS)
    yield from table(heads, rows, left=heads)
    labelled = replace(found, settings=replace(found.settings, by="label"))
    yield from prose(
        "The same by what the context tells: whether the same pronoun stands in it for the same entity, so that to "
        "copy it is enough, or not."
    )
    cues = {kind: [f"{kind}: {cue}" for cue in (pronouns.CUED, pronouns.UNCUED)] for kind in kinds}
    columns = [column for kind in kinds for column in cues[kind]]
    heads = ["metric", *(f"{column}, {labelled.count(column)}" for column in columns)]
    rows = ([code(name), *(_gain(labelled.gain(name, column)) for column in columns)] for name in SPECS)
    yield from table(heads, rows, left=heads)


def _change(found: Bench, name: str, kind: str) -> str:
    ends = [figure(found.accuracy(name, context, kind).accuracy, percent=True) for context in PAPER_ROWS]
    return f"{' → '.join(ends)} ({_gain(found.gain(name, kind))})"


def _gain(gain: Difference) -> str:
    value, ends = _shown(gain)
    return f"{value}, {ends}"


def _shown(gain: Difference) -> list[str]:
    ends = between(gain.low, gain.high, percent=True, plus=True)
    return [figure(gain.difference, percent=True, plus=True), ends]


def _p(p: float | None) -> str:
    return figure(p) if p is None or p >= 0.001 else "<0.001"


# -------------------------------------------------------------------------------------------------- without a reference


def _by_source(made: Sequence[Group], probes: Sequence[Group]) -> Iterator[str]:
    groups = [replace(group, phenomenon=f"GUM: {group.phenomenon}", references=()) for group in made]
    groups += probes
    told = [group for group in groups if group.before]
    found = _own_or_anothers(told, BY_SOURCE)
    yield from section(
        "### The text before as a source",
        f"The pairs above and {len(probes)} linguistic probes of coherence in texts of Wikipedia (INSteD, Shen et al. "
        "2021), which have no references. A candidate is scored given a source: the text before it or, as a control, "
        "the text before the next pair of the same set that is from another document, so that only what is said there "
        f"differs. {len(groups) - len(told)} pairs with nothing before them are left out. {STAND_INS} Chance "
        f"is {figure(found.chance(), percent=True)}.",
    )
    heads = ["metric", "set", "another's text", "its own", "95% interval", "difference", "95% interval ", "p", "pairs"]
    rows = (_line(found, name, kind) for name in BY_SOURCE for kind in [*found.phenomena, None])
    yield from table(heads, rows, left=["set", "95% interval", "95% interval "])


def _own_or_anothers(groups: Sequence[Group], names: Sequence[str]) -> Bench:
    """Two runs as the conditions of one: with the text before, and with that of another group."""
    own = [_given(group, group) for group in groups]
    others = [_given(group, _next(groups, n)) for n, group in enumerate(groups)]
    first, second = (coheval.bench(Instances.of(each), list(names), context="without") for each in (own, others))
    both = {
        name: {"with": first.outcomes[name]["without"], "without": second.outcomes[name]["without"]} for name in names
    }
    return replace(first, outcomes=both)


def _given(group: Group, other: Group) -> Group:
    """The scored segments as one text whose source is what stands before `other`."""
    right, *wrong = ((" ".join(v[n] for n in group.scored(v)),) for v in group.variants)
    source = " ".join(other.right[: other.before])
    return replace(group, right=right, wrong=tuple(wrong), before=0, after=0, sources=(source,))


def _next(groups: Sequence[Group], n: int) -> Group:
    """The first behind a group that is of the same set and has another text before it, round and round."""
    ring = (groups[(n + step) % len(groups)] for step in range(1, len(groups)))
    own = groups[n]
    document = own.origin or own.id
    return next(g for g in ring if g.phenomenon == own.phenomenon and (g.origin or g.id) != document)


def _line(found: Bench, name: str, kind: str | None) -> list[str]:
    other, own = (found.accuracy(name, context, kind) for context in PAPER_ROWS)
    gain = found.gain(name, kind)
    ends = between(own.low, own.high, percent=True)
    shown = [figure(other.accuracy, percent=True), figure(own.accuracy, percent=True), ends]
    return [code(name), kind or "**all**", *shown, *_shown(gain), _p(gain.p), str(gain.groups)]


# ------------------------------------------------------------------------------------------------------- another tongue


def _across(job: Job) -> Iterator[str]:
    folder = job.data / "discevalmt" / "test-sets"
    found = coheval.bench([folder / "anaphora.json", folder / "lexical-choice.json"], list(ACROSS))
    paper = job.paper(TABLE2)
    yield from section(
        "### DiscEvalMT: French after English",
        "The test sets of table 2 of Vernikos et al. (2022) that are here. Each English source has two French "
        "translations, of which the sentence before decides. **The embedded models were trained for English and do not "
        "translate**, so that this shows where they end rather than what document metrics can do; the paper's "
        "COMET-QE rests on a multilingual model of 550 million parameters. Without context a source has the same two "
        f"translations with right and wrong exchanged, so that a metric without it must be at 50. {STAND_INS}",
    )
    heads = ["metric", "set", "without", "with", "95% interval", "difference", "95% interval ", "p", "pairs"]
    rows = [_line(found, name, kind) for name in ACROSS for kind in PAPER]
    yield from table(heads, [*rows, *_published(paper)], left=["set", "95% interval", "95% interval "])


def _published(paper: Paper) -> Iterator[list[str]]:
    for kind, column in PAPER.items():
        without, with_ = (paper.value(row, column) for row in PAPER_ROWS.values())
        shown = [f"{without:.1f}", f"{with_:.1f}", "", f"{with_ - without:+.1f}", "", "", ""]
        yield ["COMET-QE and Doc-COMET-QE, published", kind, *shown]
