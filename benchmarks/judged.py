"""SummEval's summaries with people's opinion of them, and how scores agree with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import coheval
from coheval.run import MetricResult, Result
from correlation import SAME, Array, kendall, weights

ASPECTS = ("coherence", "consistency", "fluency", "relevance")
EXTRACTIVE = ("M0", "M1", "M2", "M5")  # the paper looks at the other systems, the abstractive ones


@dataclass(frozen=True)
class Judged:
    """Summaries and what people think of them."""

    documents: list[str]  # in the order of the file
    candidates: dict[str, list[str]]  # by system, in the order of the documents
    references: list[list[str]]
    people: Array  # [aspects, systems, documents]

    @classmethod
    def read(cls, folder: Path) -> Judged:
        documents = _lines(folder / "summeval_docs.jsonl")
        found = {(line["system"], line["doc_id"]): line for line in _lines(folder / "summeval_systems.jsonl")}
        ids = [line["doc_id"] for line in documents]
        systems = sorted({system for system, _ in found}, key=lambda name: int(name[1:]))
        return cls(
            ids,
            {s: [found[s, d]["hyp"] for d in ids] for s in systems},
            [line["refs"] for line in documents],
            np.array([[[found[s, d]["human"][a] for d in ids] for s in systems] for a in ASPECTS]),
        )

    def score(self, metrics: Iterable[str]) -> Result:
        return coheval.score(self.candidates, self.references, documents=self.documents, metrics=list(metrics))

    def score_references(self, metrics: Iterable[str]) -> Result:
        """All references, each as if it were a candidate, with metrics that need none."""
        texts = [text for references in self.references for text in references]
        documents = [str(number) for number in range(len(texts))]
        return coheval.score(texts, documents=documents, metrics=list(metrics))

    def oriented(self, result: MetricResult) -> Array:
        """The score of every summary, higher is better, NaN where undefined: [systems, documents]."""
        scores = [[result.by_system[s].documents[d] for d in self.documents] for s in self.candidates]
        return np.array(scores, dtype=float) * (1 if result.higher_is_better else -1)

    def halves(self) -> tuple[list[int], list[int]]:
        """Every second document, the first among them, on which settings were searched; and the others."""
        places = list(range(len(self.documents)))
        return places[::2], places[1::2]

    def view(
        self, scores: Mapping[str, Array], *, extractive: bool = False, documents: Sequence[int] | None = None
    ) -> View:
        systems = [i for i, name in enumerate(self.candidates) if extractive or name not in EXTRACTIVE]
        chosen = np.ix_(systems, range(len(self.documents)) if documents is None else documents)
        people = np.stack([values[chosen] for values in self.people])
        return View(people, {name: values[chosen] for name, values in scores.items()})


@dataclass(frozen=True)
class View:
    """Some systems over some documents. A system's score is the mean over its documents that have one."""

    people: Array  # [aspects, systems, documents]
    scores: Mapping[str, Array]  # [systems, documents], oriented, NaN where undefined

    @cached_property
    def _weights(self) -> Array:
        return weights(self.people.shape[2])  # the same resamples for every system and metric

    @cached_property
    def _judged(self) -> list[Array]:
        return [means(values, self._weights) for values in self.people]

    def agreement(self, metrics: Mapping[str, int]) -> Array:
        """Kendall × 100 by aspect, of the data and of resamples: [1 + resamples, aspects].

        Of several metrics, each with a sign: of the sum of their system scores, brought to mean 0 and deviation 1.
        """
        each = [sign * standard(means(self.scores[name], self._weights)) for name, sign in metrics.items()]
        scores = np.sum(each, axis=0)
        return np.stack([100 * kendall(scores, judged) for judged in self._judged], axis=1)

    def by_document(self, name: str) -> Array:
        """Kendall × 100 over the systems, in every document by aspect [documents, aspects]; NaN where undefined."""
        return np.stack([100 * kendall(self.scores[name].T, values.T) for values in self.people], axis=1)


def means(values: Array, weights: Array) -> Array:
    """The weighted means over places where there is a value: [systems, documents] -> [resamples, systems]."""
    defined = ~np.isnan(values)
    total: Array = weights @ np.where(defined, values, 0).T
    count = weights @ defined.T
    mean: Array = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return mean


def standard(values: Array) -> Array:
    """Each row with mean 0 and deviation 1; a row of equal values stays one."""
    centred = values - np.nanmean(values, axis=1, keepdims=True)
    deviation = np.nanstd(values, axis=1, keepdims=True)
    scaled: Array = np.divide(centred, deviation, out=centred, where=deviation > SAME)
    return scaled


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
