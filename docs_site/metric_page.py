"""A metric's page: the prose of docs/metrics/NAME.md, completed by what the code and the results know."""

from __future__ import annotations

from pathlib import Path

from measured import Measured
from told import Told, linked, parameters_table, sentence

from coheval import registry
from coheval.adapters.papers import papers


def completed(name: str, prose: str, measured: Measured, docs: Path) -> str:
    title, _, rest = prose.partition("\n")
    told = Told.of("metrics", name)
    parts = [
        title,
        f"{sentence(told.summary)}",
        _facts(told),
        rest.strip(),
        _picture(name, docs),
        told.body and f"## Definition\n\n{linked(told.body)}",
        "## Parameters",
        parameters_table(told),
        told.details and f"```text\n{told.details}\n```",
        "## Agreement with people",
        _agreement(name, measured),
        "## Paper",
        _papers(name),
        "## Signature",
        _signature(name, told),
    ]
    return "\n\n".join(part for part in parts if part)


def overview(prose: str) -> str:
    """The list of all metrics, behind the prose of docs/metrics/README.md."""
    rows = [_row(name) for name in registry.names("metrics")]
    return "\n".join([prose.rstrip(), "", "| metric | | better | range | reads |", "|---|---|---|---|---|", *rows])


def _row(name: str) -> str:
    told = Told.of("metrics", name)
    better = told.facts["direction"].removesuffix(" is better")
    reads = f"{told.facts['needs']}, by {told.facts['unit']}"
    return f"| [{name}]({name}.md) | {sentence(told.summary)} | {better} | {told.facts['range']} | {reads} |"


def _facts(told: Told) -> str:
    keys, values = zip(*told.facts.items(), strict=True)
    return f"| {' | '.join(keys)} |\n|{'---|' * len(keys)}\n| {' | '.join(values)} |"


def _picture(name: str, docs: Path) -> str:
    """What the metric shows in a report, if there is a picture of it."""
    if not (docs / "figures" / "metrics" / f"{name}.png").is_file():
        return ""
    alt = f"A document's score by {name}: what it rests on in words, and marked in the texts"
    caption = "What the score of one document rests on, as a [report](../report.md) shows it."
    return f"## Evidence\n\n![{alt}](../figures/metrics/{name}.png)\n\n*{caption}*"


def _agreement(name: str, measured: Measured) -> str:
    figures = measured.of(name)
    if not figures:
        return "No agreement with people has been measured for this metric yet: there is no figure to rely on."
    rows = [f"| [{f.section}](../results.md#{f.anchor}) | {f.setting} | {f.value} |" for f in figures]
    lead = (
        "Signed: a negative figure is disagreement in the direction that the metric declares. In brackets, 95% "
        "intervals. Each section has the other settings and metrics, and says what was done."
    )
    return "\n".join([lead, "", "| measured | setting | figure |", "|---|---|---|", *rows])


def _papers(name: str) -> str:
    found = papers(registry.find("metrics", name))
    if not found:
        return "There is no paper of its own to cite; [how to cite coheval](../citing.md)."
    entries = "\n\n".join(paper.bibtex for paper in found)
    return f"```bibtex\n{entries}\n```\n\n[How to cite](../citing.md) a score, and coheval."


def _signature(name: str, told: Told) -> str:
    if not told.signature:
        return f'A parameter must be given; `coheval.metric("{name}(…)").signature` then is the signature.'
    return f"Of the default, with the versions that this site was built with:\n\n```text\n{told.signature}\n```"
