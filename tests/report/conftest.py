"""Figures of every kind, and what can be read off a figure; small runs, and what a page holds."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import coheval
from coheval import report
from coheval.report._style import style
from coheval.run.folder import Inputs, write
from coheval.run.result import Result
from coheval.run.score import evaluate, named

LONG = "moverscore(variant='v1', ngram=2, idf='none', encoder=hf(model='some-organisation/some-very-long-name'))"


def texts(figure: Figure) -> list[str]:
    """Everything that is written on a figure."""
    return [text.get_text() for text in figure.findobj(Text) if text.get_visible() and text.get_text()]


def written(figure: Figure) -> str:
    """All of it in one line, without the ends of lines."""
    return " ".join(" ".join(texts(figure)).split())


def offsets(axes: Any) -> np.ndarray:
    """[n, 2] all points of the axes' scatters."""
    return np.concatenate([collection.get_offsets() for collection in axes.collections])


def overhang(figure: Figure) -> float:
    """By how many inches what is drawn reaches beyond the figure's edges."""
    with style():
        figure.draw_without_rendering()
        box = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    return float(max(-box.x0, -box.y0, box.x1 - width, box.y1 - height))


def _makers() -> dict[str, Callable[..., Figure]]:
    rng = np.random.default_rng(7)
    quality = rng.normal(size=60)
    noise = rng.normal(size=60)
    of_three = [f"system {i % 3}" for i in range(60)]
    correlations = np.corrcoef(rng.normal(size=(5, 40)))
    return {
        "agreement": lambda name, title: report.draw_agreement(
            quality + noise, quality, systems=of_three, metric=name, aspect=name, title=title
        ),
        "named": lambda name, title: report.draw_agreement(
            (quality + noise)[:14], quality[:14], systems=[f"{name} {i}" for i in range(14)], metric=name, title=title
        ),
        "by system": lambda name, title: report.draw_agreement_by_system(
            quality + noise, quality, systems=[f"{name} {s}" for s in of_three], metric=name, aspect=name, title=title
        ),
        "matrix": lambda name, title: report.draw_matrix([f"{i} {name}" for i in range(5)], correlations, title=title),
        "distributions": lambda name, title: report.draw_distributions(
            {name: quality + noise, name + " too": noise}, quality, aspect=name, lower_is_better=[name], title=title
        ),
        "features without ratings": lambda name, title: report.draw_features(
            np.exp(quality), np.exp(noise), feature=name, title=title
        ),
        "features": lambda name, title: report.draw_features(
            np.exp(quality), np.exp(noise), systems=of_three, ratings=quality, feature=name, aspect=name, title=title
        ),
        "intervals": lambda name, title: report.draw_intervals(
            [name, "b", "c"], [0.3, 0.5, 0.1], [0.2, 0.4, None], [0.4, 0.6, None],
            clusters=[1, 1, 2], papers=[0.35, None, None], statistic=name, title=title,
        ),
        "relations": lambda name, title: report.draw_relations(
            [name, "b", "c"], [0.5, 0.3, 0.2], {"good": [0.4, 0.3, 0.3], name: [0.1, None, 0.9]}, title=title
        ),
    }  # fmt: skip


MAKERS = _makers()


@pytest.fixture(params=list(MAKERS))
def maker(request: pytest.FixtureRequest) -> Callable[..., Figure]:
    """Draws one kind of figure, with a name for whatever has one, and a title."""
    return MAKERS[request.param]


# ----------------------------------------------------------------------------------------------------------- runs

REFERENCES = [
    "the red boat sank",
    "nobody saw it",
    "a quiet street",
    "two cats slept",
    "rain fell at night",
    "it was late",
]
CANDIDATES = {
    "first": ["the red boat sank", "nobody saw him", "a silent street", "two cats slept", "rain fell at noon", "late"],
    "second": ["a boat sank", "no one saw it", "the street", "a cat", "it rained", "it was very late"],
}
DOCUMENTS = ["sea", "sea", "town", "town", "sky", "sky"]


def scored(metrics: Sequence[str] = ("chrf", "ter"), *systems: str, evidence: bool = False) -> Result:
    """The texts above in memory, of some systems or of both."""
    chosen = {system: CANDIDATES[system] for system in systems or CANDIDATES}
    return coheval.score(chosen, REFERENCES, documents=DOCUMENTS, metrics=metrics, evidence=evidence)


def records() -> list[dict[str, Any]]:
    """The texts above, a record for each segment."""
    return [
        {"system": system, "document": document, "segment": n % 2, "candidate": text, "references": [reference]}
        for system, own in CANDIDATES.items()
        for n, (text, reference, document) in enumerate(zip(own, REFERENCES, DOCUMENTS, strict=True))
    ]


def run_folder(
    place: Path,
    metrics: Sequence[str] = ("chrf", "ter"),
    *,
    evidence: bool = False,
    lines: Sequence[dict[str, Any]] | None = None,
) -> Path:
    """A run of data.jsonl beside it, as `coheval score -o` makes it."""
    data = place / "data.jsonl"
    data.write_text("".join(json.dumps(line) + "\n" for line in lines or records()), encoding="utf-8")
    inputs = Inputs(data=str(data))
    result = evaluate(inputs.corpus(), named(metrics), evidence=evidence)
    assert result.corpus is not None
    write(place / "run", result, result.corpus, inputs, overwrite=False, evidence=evidence)
    return place / "run"


def unpacked(markup: str) -> dict[str, Any]:
    """The data blocks in a page's markup, by name, read as a browser would."""
    found = re.findall(r'<script type="application/octet-stream" id="([\w-]+)">([A-Za-z0-9+/=]*)</script>', markup)
    return {
        name: json.loads(gzip.decompress(base64.b64decode(packed)), parse_constant=_refuse) for name, packed in found
    }


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def blocks_of(made: Any) -> dict[str, list[Any]]:
    """texts and why of all documents of a report, in the order of the table."""
    found = unpacked("\n".join(made._blocks.markup))
    return {
        kind: [one for n in range(len(made._blocks.chunks)) for one in found[f"{kind}-{n}"]]
        for kind in ("texts", "why")
    }
