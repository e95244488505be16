"""How accuracy grows with the number of documents that a model learns from: order of dialogues."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import coherence_models
import coheval
from coheval.models._inputs import Sentences
from coheval.run.coherence.train import Lesson, learner, train_coherence
from coheval.tasks import task
from job import Job
from writing import code, figure, prose, table

SIZES = (125, 500, 2000)
MODELS = {"boundary": 6, "unc": 3}  # with epochs
TESTED = 400  # dialogues of the test part


def part(job: Job, corpus: str) -> Iterator[str]:
    path = job.data / corpus
    made = task("order(part=test, negatives=5)").read([path], np.random.default_rng(0))
    few = replace(made, groups=made.groups[:TESTED])
    found = {}
    for name in MODELS:
        specs = [f"coherence(model={name}(file={str(file)!r}))" for file in _trained(name, path)]
        bench = coheval.bench(few, specs)
        found[name] = [bench.accuracy(spec, "with") for spec in specs]
    drawn, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    for name, accuracies in found.items():
        values = np.array([[100 * (v or 0) for v in (a.accuracy, a.low, a.high)] for a in accuracies])
        axes.errorbar(SIZES, values[:, 0], np.abs(values[:, 1:].T - values[:, 0]), label=name, marker="o", capsize=3)
    axes.set(xscale="log", xlabel="dialogues that are learnt from", ylabel="accuracy × 100, order")
    axes.set_xticks(SIZES, list(map(str, SIZES)))
    axes.minorticks_off()
    axes.legend(frameon=False)
    yield from prose(
        f"Learning curves: models that learn order alone, from {SIZES[0]} to {SIZES[-1]:,} dialogues, on {TESTED:,} "
        "dialogues of the test part."
    )
    yield from job.show("coherence-curve", drawn, "accuracy on order by the number of dialogues")
    plt.close(drawn)
    rows = [[code(name), *(figure(a.accuracy, percent=True) for a in of_model)] for name, of_model in found.items()]
    yield from table(["model", *map(str, SIZES)], rows)


def _trained(name: str, corpus: Path) -> Iterator[Path]:
    """Its files, one for each size; trained where they are not there."""
    named = learner(name)
    ((encoder, layers),) = named.would_read().items()
    sentences = Sentences(encoder, layers, named.pooled)
    coherence_models.FOLDER.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        file = coherence_models.FOLDER / f"{name}-curve-{size}.onnx"
        if not file.exists():
            lesson = Lesson.of([corpus], ["order"], max_documents=size, max_held_out=200)
            recipe = named.recipe.changed(epochs=MODELS[name])
            train_coherence(lesson, named, file, recipe=recipe, overwrite=True, sentences=sentences, tell=print)
        yield file
