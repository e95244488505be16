"""SummEval: agreement with experts on summaries, beside DiscoScore's tables 1, 3, 5, 6 and 9."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from coheval.run import Result
from correlation import Array, interval, weights
from judged import ASPECTS, EXTRACTIVE, Judged, View, means

# Our spec, and the row of the paper's table 1 that it stands beside.
TABLE1 = {
    "dsfocus": "DS-FOCUS (NN)",
    "dsfocus(mentions='bare')": "DS-FOCUS (NN)",
    "dsfocus(focus='head')": None,
    "dsfocus(form='f')": None,
    "dsfocus(focus='entity')": "DS-FOCUS (Entity)",
    "dsfocus(variant='paper')": "DS-FOCUS (NN)",
    "dsfocus(variant='code')": "DS-FOCUS (NN)",
    "dssent": "DS-SENT-U (NN)",
    "dssent(focus='entity')": "DS-SENT-U (Entity)",
    "dssent(weighted=True)": "DS-SENT-W (NN)",
    "dssent(weighted=True, focus='entity')": "DS-SENT-W (Entity)",
    "dssent(variant='code')": "DS-SENT-U (NN)",
    "rc": "RC",
    "rc(variant='paper')": "RC",
    "rc(variant='code')": "RC",
    "lc": "LC",
    "lc(variant='paper')": "LC",
    "lc(variant='code')": "LC",
    "entitygraph": "Entity Graph",
    "entitygraph(variant='code')": "Entity Graph",
    "lexicalgraph": "Lexical Graph",
    "lexicalgraph(variant='code')": "Lexical Graph",
    "lexicalchain": "Lexical Chain",
    "lexicalchain(variant='code')": "Lexical Chain",
    "focusfrequency": None,
    "focusfrequency(form='discriminativeness')": None,
    "connectivity": None,
    "connectivity(form='discriminativeness')": None,
    "moverscore": "MoverScore",
    "bertscore": "BERTScore",
    "sbert": "SBERT",
    "rouge(kind='1')": "ROUGE-1",
    "rouge(kind='L')": "ROUGE-L",
    "chrf": None,
    "bleu": None,
    "meteor": None,
}
TABLE3 = {"dsfocus": "DS-FOCUS (NN)", "dssent": "DS-SENT-U (NN)"}
TABLE5 = {"dssent": "DS-SENT-U (NN)", "dssent(aggregate=False)": "without sentence aggregation"}
TABLE6 = {
    "dssent": "mean-max-min-sum",
    "dssent(alignment='greedy')": "greedy align",
    "dssent(alignment='optimal')": "optimal align",
}
# Table 9: which metrics are added up, with which sign, and the paper's row.
TABLE9 = (
    ({"rc": 1}, "RC"),
    ({"moverscore": 1}, "BARTScore (max)"),
    ({"moverscore": 1, "rc": 1}, "BARTScore (max) + RC"),
    ({"moverscore": 1, "rc": -1}, "BARTScore (max) + RC"),
    ({"dsfocus": 1}, "DS-FOCUS (NN)"),
)
HALVES = (
    "dsfocus", "dsfocus(mentions='bare')", "dssent", "dssent(layer=6)", "rc", "lc", "entitygraph", "lexicalgraph",
    "lexicalchain", "moverscore", "bertscore", "sbert", "chrf",
)  # fmt: skip
FEATURES = ("focusfrequency", "connectivity")
ABSOLUTE = "mean \\|τ\\|"


def part(folder: Path, paper: Mapping[str, Any]) -> Iterator[str]:
    judged = Judged.read(folder)
    result = judged.score(dict.fromkeys([*TABLE1, *TABLE5, *TABLE6, *HALVES]))
    scores = {name: judged.oriented(result[name]) for name in result}
    abstractive = judged.view(scores)
    yield from _system_level(judged, abstractive, paper["discoscore.table1_summeval_system_kendall_x100"])
    yield from _undefined(scores)
    yield from _all_systems(judged.view(scores, extractive=True))
    yield from _halves(judged, scores)
    yield from _summary_level(abstractive, paper["discoscore.table3_summary_level_kendall_x100"])
    yield from _ablations(abstractive, paper)
    yield from _ensemble(abstractive, paper["discoscore.table9_ensemble"])
    yield from _features(judged, result, judged.score_references(FEATURES))


def _system_level(judged: Judged, view: View, table: Mapping[str, Any]) -> Iterator[str]:
    _, systems, documents = view.people.shape
    yield from _section(
        "## SummEval, system level: Kendall with experts",
        f"{documents} articles, {len(judged.references[0])} references each, {len(judged.candidates)} systems. "
        "Kendall's tau-b × 100 between systems, by their mean score over the articles (of `bleu` too) and by that of "
        f"three experts. DiscoScore's table 1 has the {systems} abstractive systems, all but {', '.join(EXTRACTIVE)}, "
        "and **absolute values**, which hide whether a metric likes what people like. Figures are signed here; "
        f"{ABSOLUTE}, the mean of their absolute values, is what compares with the paper's. Settings of `dsfocus` "
        "and the layer of `dssent` were searched on half of the articles, see below; the direction of `focusfrequency` "
        "is what these data say, and nothing else was chosen on them.",
    )
    yield from _header("the paper's row", f"its {ABSOLUTE}")
    for name, row in TABLE1.items():
        yield _line(f"`{name}`", view.agreement({name: 1}), row or "", _theirs(table, row))
    yield ""
    found = {name: view.agreement({name: 1})[0].mean() for name in TABLE1}
    against = [f"`{name}` {_figure(tau)}" for name, tau in found.items() if tau < 0]
    yield from _prose(
        "Negative on average, so against people's ranking in the direction that the metric declares: "
        f"{_listed(against)}. An interval says what other articles would do, not what other systems would do. "
        "Resampling blurs both rankings, so that it may lie below its figure."
    )


def _undefined(scores: Mapping[str, Array]) -> Iterator[str]:
    counts = {name: int(np.isnan(values).sum()) for name, values in scores.items()}
    told = [f"`{name}` {count:,}" for name, count in counts.items() if count]
    size = next(iter(scores.values())).size
    yield from _prose(f"Without a score, and left out of their system's mean, of {size:,} summaries: {_listed(told)}.")


def _all_systems(view: View) -> Iterator[str]:
    yield from _section(
        f"### All {view.people.shape[1]} systems", "The same with the extractive systems; the paper has no such table."
    )
    yield from _header()
    for name in TABLE1:
        yield _line(f"`{name}`", view.agreement({name: 1}))
    yield ""


def _halves(judged: Judged, scores: Mapping[str, Array]) -> Iterator[str]:
    searched, other = (judged.view(scores, documents=half) for half in judged.halves())
    yield from _section(
        "### The half of the articles on which settings were searched, and the other",
        "Layers, pooling, foci and scales of `dsfocus` and the layer of `dssent` were searched on every second article "
        f"of the file, from the first on ({searched.people.shape[2]}). No setting of `dsfocus` beat the default there "
        "by more than chance would; `mentions='bare'` is offered because it is what the released program counts. "
        "Figures for all articles were seen before that, so the other half is not quite untouched. Mean of the four "
        "aspects, abstractive systems, on these and on the other "
        f"{other.people.shape[2]}, with the interval there. The halves share the systems: the other half says that the "
        "ranking holds for other articles, not that other systems would be ranked as well.",
    )
    yield "| metric | searched half | other half | 95% interval |"
    yield "|---|---:|---:|---|"
    for name in HALVES:
        here, there = (view.agreement({name: 1}).mean(axis=1) for view in (searched, other))
        yield f"| `{name}` | {_figure(here[0])} | **{_figure(there[0])}** | {_between(there)} |"
    yield ""


def _summary_level(view: View, table: Mapping[str, Any]) -> Iterator[str]:
    _, systems, documents = view.people.shape
    alike = int((np.ptp(view.people, axis=1) == 0).sum())
    yield from _section(
        "## SummEval, summary level",
        f"Kendall's tau-b × 100 between the {systems} abstractive systems' summaries of one article, averaged over "
        "articles, then over aspects (DiscoScore, table 3). A summary without a score is left out of its article's "
        "correlation. Where all summaries have the same score there is no correlation, and the article is left out: "
        f"of {documents * len(ASPECTS)} pairs of article and aspect, people give all the same in {alike}; the last "
        "column counts the pairs that the metric adds to these.",
    )
    yield "| metric | " + " | ".join(ASPECTS) + " | mean | 95% interval | the paper's row | its mean | undefined |"
    yield "|---|" + "---:|" * (len(ASPECTS) + 1) + "---|---|---:|---:|"
    for name in TABLE1:
        taus, row = view.by_document(name), TABLE3.get(name)
        more = [row or "", _theirs(table, row, "SummEval"), str(int(np.isnan(taus).sum()) - alike)]
        yield _line(f"`{name}`", means(taus.T, weights(documents)), *more, absolute=False)
    yield ""


def _ablations(view: View, paper: Mapping[str, Any]) -> Iterator[str]:
    yield from _section(
        "## SummEval: DS-Sent without aggregation, and with alignment",
        "System level, abstractive systems. DiscoScore's table 5: sentences with or without what they are linked to. "
        "Table 6: texts compared by mean, max, min and sum over their sentences, or by aligning these.",
    )
    yield from _header("the paper's table", "its row", f"its {ABSOLUTE}")
    for number, rows, key in (("5", TABLE5, "table5_ablation"), ("6", TABLE6, "table6_sentgraph_distance")):
        for name, row in rows.items():
            yield _line(f"`{name}`", view.agreement({name: 1}), number, row, _theirs(paper[f"discoscore.{key}"], row))
    yield ""


def _ensemble(view: View, table: Mapping[str, Any]) -> Iterator[str]:
    yield from _section(
        "## SummEval: RC together with another metric",
        "DiscoScore's table 9 adds RC to BARTScore, here `rc` goes with `moverscore`. System scores of each metric, in "
        "its declared direction, are brought to mean 0 and deviation 1 over the abstractive systems, and added up; or "
        "`rc` is subtracted, as if less of it were better: the paper's absolute values do not say which was done.",
    )
    yield from _header("the paper's row", f"its {ABSOLUTE}")
    for added, row in TABLE9:
        label = " ".join(f"{'+' if sign > 0 else '−'} `{name}`" for name, sign in added.items())
        yield _line(label.removeprefix("+ "), view.agreement(added), row, _theirs(table, row))
    yield ""


def _features(judged: Judged, result: Result, references: Result) -> Iterator[str]:
    """Mean values of the references, as if they were candidates, and of the systems, best first."""
    opinion = dict(zip(judged.candidates, judged.people[ASPECTS.index("coherence")].mean(axis=1), strict=True))
    yield from _section(
        "## SummEval: discourse features of candidates and references",
        "Mean values as they are, not oriented; systems by their coherence in people's eyes. "
        "`form='discriminativeness'`, in the tables above, is how far a candidate's value is from its references'.",
    )
    yield "| texts | people's coherence | " + " | ".join(f"`{name}`" for name in FEATURES) + " |"
    yield "|---|---:|" + "---:|" * len(FEATURES)
    yield "| references | | " + " | ".join(f"{references[name].system:.3f}" for name in FEATURES) + " |"
    for system in sorted(opinion, key=lambda s: -opinion[s]):
        label = f"{system}, extractive" if system in EXTRACTIVE else system
        values = [f"{result[name].by_system[system].system:.3f}" for name in FEATURES]
        yield f"| {label} | {opinion[system]:.2f} | " + " | ".join(values) + " |"


def _section(title: str, text: str) -> Iterator[str]:
    yield title
    yield ""
    yield from _prose(text)


def _prose(text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, 118, break_long_words=False, break_on_hyphens=False)
    yield ""


def _header(*more: str) -> Iterator[str]:
    """Of a table of `_line`s; of the further columns the last one has figures."""
    yield "| metric | " + " | ".join([*ASPECTS, "mean", "95% interval", ABSOLUTE, *more]) + " |"
    yield "|---|" + "---:|" * (len(ASPECTS) + 1) + "---|---:|" + "---|" * (len(more) - 1) + "---:|" * bool(more)


def _line(label: str, taus: Array, *more: str, absolute: bool = True) -> str:
    mean = taus.mean(axis=1)
    cells = [label, *map(_figure, taus[0]), f"**{_figure(mean[0])}**", _between(mean)]
    cells += [_figure(np.abs(taus[0]).mean())] if absolute else []
    return "| " + " | ".join([*cells, *more]) + " |"


def _theirs(table: Mapping[str, Any], row: str | None, column: str = "average") -> str:
    return _figure(table["rows"][row][table["columns"].index(column)]) if row else ""


def _figure(value: float) -> str:
    return f"{value:.1f}"


def _between(resampled: Array) -> str:
    low, high = interval(resampled)
    return f"{_figure(low)} to {_figure(high)}"


def _listed(found: Sequence[str]) -> str:
    return ", ".join(found) or "none"
