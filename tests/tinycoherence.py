"""A made-up corpus, word vectors for it, and a small boundary model that learns its order in a second or two."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np

STEPS = ("First the crew woke", "Then they mended a sail", "At noon the boat left", "A storm came", "Late they slept")
THINGS = "the a boat harbour storm night crew rope sail left came sank slept mended at last before then".split()
WORDS = sorted({word for step in STEPS for word in step.lower().split()} | set(THINGS))


def made_corpus(folder: Path, *, documents: int = 60) -> Path:
    """`texts.txt`: documents that tell their steps in the same order; `vectors.json`: random ones of all words."""
    rng, chance = np.random.default_rng(1), random.Random(2)
    vectors = {word: rng.normal(size=8).round(3).tolist() for word in WORDS}
    (folder / "vectors.json").write_text(json.dumps(vectors), encoding="utf-8")
    texts = [
        "\n".join(f"{step} {' '.join(chance.choices(THINGS, k=2))}." for step in STEPS[: chance.randint(3, len(STEPS))])
        for _ in range(documents)
    ]
    (folder / "texts.txt").write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    return folder


def encoder(folder: Path) -> str:
    return f"static(file={str(folder / 'vectors.json')!r})"


def tiny_boundary(folder: Path) -> Path:
    """A trained file, made from a corpus of its own."""
    from coheval.models.boundary import Boundary
    from coheval.run.coherence.train import Lesson, learner, train_coherence

    made_corpus(folder)
    output = folder / "boundary.onnx"
    recipe = replace(Boundary.recipe, epochs=6, rate=1e-2, batch=8, hidden=8)
    lesson = Lesson.of([folder / "texts.txt"], ["order(negatives=4)"])
    train_coherence(lesson, learner(f"boundary(encoder={encoder(folder)})"), output, recipe=recipe)
    return output
