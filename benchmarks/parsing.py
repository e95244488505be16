"""The discourse parser on GUM: segmentation, trees of sentences and of documents, beside its aims and another parser.

python benchmarks/results.py --only parsing
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from coheval.algo.parseval import LEVELS, Counts
from coheval.annotators.rst import Rst
from coheval.data.gum import PERMISSIVE, GumDocument, read_gum
from coheval.run.rst.evaluation import Figures, Measured, Tables, measure
from coheval.run.rst.instances import Instance, instances, of_document, of_sentences
from job import Job
from study import RESAMPLES
from writing import between, code, figure, prose, section, table

TABLES: dict[str, str] = {}  # of the papers: none is about this corpus

BARS = {"borders": (91.0,), "sentence": (86.5, 73.0, None, 61.0), "end to end": (58.0, 44.0, 36.0, 35.0)}
OTHER = (67.4, 56.2, 49.6, 48.7)  # end to end on GUM, classes of GUM, by a parser on an encoder twenty times larger


def part(job: Job) -> Iterator[str]:
    documents = [d for d in read_gum(job.data / "gum_rst") if d.split == "test"]
    parser = Rst()
    whole = list(instances([of_document(d) for d in documents], parser.encoder, parser.words))
    sentences = [s for d in documents for s in of_sentences(d) if s.nodes]
    single = list(instances(sentences, parser.encoder, parser.words))
    found = measure(parser.trained(), whole, single)
    yield from _head(documents, whole, single, parser)
    yield from _borders(found)
    yield from _trees(found)
    yield from _genres(documents, found)


def _head(
    documents: Sequence[GumDocument], whole: Sequence[Instance], single: Sequence[Instance], parser: Rst
) -> Iterator[str]:
    left_out = len(documents) - len(whole)
    yield from section(
        "## Discourse parser on GUM",
        f"`rst` on the {len(documents)} test documents of GUM, of all genres, which took no part in training or in any "
        f"choice; {left_out} of them left out. Trees of sentences: {len(single):,} of more than one EDU that are "
        "subtrees of their document. F1 in percent after the original Parseval, micro-averaged; intervals resample "
        "documents, or sentences. The last two rows are the aims, and a parser that fine-tunes an encoder about twenty "
        f"times larger on all genres. Signature: {code(parser.signature)}.",
    )


def _borders(found: Figures) -> Iterator[str]:
    rows = []
    for name, of in (("all", lambda d: d.borders), ("within sentences", lambda d: d.within_sentences)):
        counts = found.borders()[name]
        low, high = _interval([of(d) for d in found.documents])
        shown = [figure(value, percent=True) for value in (counts.precision, counts.recall, counts.f1)]
        rows.append([name, *shown, between(low, high, percent=True)])
    yield from table(["beginnings of EDUs, from raw text", "precision", "recall", "F1", "95% interval"], rows)
    yield from prose(f"The aim is an F1 of {BARS['borders'][0]:g} for all.")


def _trees(found: Figures) -> Iterator[str]:
    rows = [_row(name, counts, _source(found, name)) for name, counts in found.trees().items()]
    for name, bars in BARS.items():
        if name != "borders":
            rows.append([f"*aim: {name}*", *("–" if bar is None else f"{bar:.1f}" for bar in bars)])
    rows.append(["*other parser: end to end, classes of GUM*", *(f"{value:.1f}" for value in OTHER)])
    yield from table(["trees", *LEVELS], rows)


def _source(found: Figures, name: str) -> list[Tables]:
    return list(found.sentences) if name.startswith("sentence") else [d.trees for d in found.documents]


def _row(name: str, counts: dict[str, Counts], source: Sequence[Tables]) -> list[str]:
    cells = [name]
    for level in LEVELS:
        ends = _interval([tables[name][level] for tables in source])
        cells.append(f"{figure(counts[level].f1, percent=True)} ({between(*ends, percent=True)})")
    return cells


def _interval(counts: Sequence[Counts]) -> tuple[float, float]:
    """Of F1, by a percentile bootstrap."""
    each = np.array([(2 * c.matched, c.gold + c.predicted) for c in counts], float)
    picked = np.random.default_rng(1).multinomial(len(each), np.full(len(each), 1 / len(each)), RESAMPLES) @ each
    low, high = np.quantile(picked[:, 0] / picked[:, 1], (0.025, 0.975))
    return float(low), float(high)


def _genres(documents: Sequence[GumDocument], found: Figures) -> Iterator[str]:
    """Genres that the shipped weights were trained on, and those that they were not."""
    if len(documents) != len(found.documents):
        return
    seen = [(d.genre in PERMISSIVE, measured) for d, measured in zip(documents, found.documents, strict=True)]
    rows = []
    for name, wanted in (("genres of the training data", True), ("other genres", False)):
        own = [measured for known, measured in seen if known == wanted]
        rows.append([name, str(len(own)), *_short(own)])
    yield from table(["documents, end to end", "", "beginnings", *LEVELS], rows)


def _short(measured: Sequence[Measured]) -> list[str]:
    figures = Figures(measured, [])
    parts = [figures.borders()["all"], *figures.trees()["end to end"].values()]
    return [figure(counts.f1, percent=True) for counts in parts]
