"""One metric at work over a corpus: its copies fitted to each system, the rows so far, and the scores of their sums.

Rows are kept as arrays of float64, so that a million segments take megabytes, not gigabytes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from coheval.data import Corpus, Item, Key
from coheval.decoders._shared import SharedDecoder
from coheval.encoders._shared import SharedEncoder
from coheval.errors import CohevalError, DataError, MetricError, TextError
from coheval.metrics import Evidence, Measurement, Metric, Row
from coheval.run.result import MetricResult, Score, SystemScores
from coheval.spec import Component

_WHOLE_DOCUMENT = "the metric scores whole documents, and this one has several segments"
_NO_SEGMENT = "none of its segments has a score"
_NO_NUMBER = "the metric gives no score for these numbers"


class Rows:
    """The rows of one system by place; NaN where there is none, and then there is a reason."""

    def __init__(self, count: int) -> None:
        self.values: NDArray[np.float64] = np.full((count, 0), np.nan)
        self.reasons: dict[int, str] = {}
        self.evidence: dict[int, Evidence] = {}

    def put(self, place: int, row: Row) -> None:
        if row.values is None:
            self.reasons[place] = row.reason or "no reason was given"
        else:
            if not self.values.shape[1]:  # the first row says how many numbers a row has
                self.values = np.full((len(self.values), len(row.values)), np.nan)
            if len(row.values) != self.values.shape[1]:
                raise ValueError(f"a row has {len(row.values)} numbers, the ones before have {self.values.shape[1]}")
            self.values[place] = row.values
        if row.evidence is not None:
            self.evidence[place] = row.evidence


class Tally:
    def __init__(
        self,
        name: str,
        metric: Metric,
        corpus: Corpus,
        shared: Mapping[Component, Component],
        *,
        evidence: bool,
        facts_from: str | None,
    ) -> None:
        self.name = name
        self.metric = metric
        self.evidence = evidence
        views = {
            model: stand_in.view()
            for model in (*metric.reads(), *metric.decodes())
            if isinstance(stand_in := shared[model], SharedEncoder | SharedDecoder)
        }
        self.models = list(views.values())
        with self._blamed("while it counted over the corpus"):
            self.working = _fitted(metric.sharing({**shared, **views}), corpus, facts_from)
        self.by_document = metric.unit == "document"
        self.places: dict[str, dict[str, int]] = {s: {} for s in corpus.systems}  # of documents, where they are units
        most = len(corpus.documents)
        sizes = {s: min(n, most) if self.by_document else n for s, n in corpus.counts.items()}
        self.rows = {s: Rows(n) for s, n in sizes.items()}
        self.partial = 0  # references that lack segments of their document, where documents are units
        self.marks: Counter[str] = Counter()  # what rows say of their texts

    def add(self, block: Sequence[Item]) -> None:
        for metric, items in self._groups(block):
            with self._blamed(f"between documents {items[0].document!r} and {items[-1].document!r}"):
                measurements = self._measured(metric, items)
                for item, measurement in zip(items, measurements, strict=True):
                    self._take(item, measurement)

    def _measured(self, metric: Metric, items: Sequence[Item]) -> list[Measurement]:
        try:
            return metric.measure(items, evidence=self.evidence)
        except TextError as error:
            where = next((place for item in items if (place := _place(error.text, item))), None)
            raise DataError(f"{self.name}: {error.message}", where=where or error.where, hint=error.hint) from error

    def result(self, keys: Mapping[str, Sequence[Key]], single: bool) -> MetricResult:
        with self._blamed("while it combined its rows"):
            scores = {system: self._scores(system, keys[system]) for system in self.rows}
        undefined = sum(s.undefined(self.metric.unit) for s in scores.values())
        counts = Counter({"undefined": undefined} | ({"partial": self.partial} if self.by_document else {}))
        for marks in (self.marks, *(model.counts() for model in self.models)):
            counts.update(marks)
        return MetricResult(self.metric, self.metric.signature, scores, single, dict(counts))

    def give_evidence(self, system: str, scores: SystemScores) -> None:
        """Put what was measured with evidence beside scores that there are already."""
        found = self.rows[system].evidence
        if not self.by_document:
            for position, evidence in found.items():
                scores.evidence[position] = evidence
            return
        for document, place in self.places[system].items():
            if place in found:
                scores.document_evidence[document] = found[place]

    @contextmanager
    def _blamed(self, when: str) -> Iterator[None]:
        """Whatever a metric raises is told as that metric's failure."""
        try:
            yield
        except (CohevalError, MemoryError):
            raise
        except Exception as error:
            raise MetricError(
                f"{self.name} failed {when}: {type(error).__name__}: {error}",
                hint="a defect of the metric: score these documents alone to find the text, and report it",
            ) from error

    def _groups(self, block: Sequence[Item]) -> list[tuple[Metric, list[Item]]]:
        """The items of each fitted copy: all at once, so that they are encoded together, where systems share one."""
        groups: dict[int, tuple[Metric, list[Item]]] = {}
        for item in block:
            working = self.working[item.system]
            groups.setdefault(id(working), (working, []))[1].append(item)
        return list(groups.values())

    def _take(self, item: Item, measurement: Measurement) -> None:
        places: Sequence[int] = item.positions
        if self.by_document:
            known = self.places[item.system]
            places = (known.setdefault(item.document, len(known)),)
            if "references" in self.metric.needs:
                self.partial += sum(not reference.whole for reference in item.references)
        for place, row in zip(places, measurement.rows, strict=True):
            if row.values is not None and not np.isfinite(row.values).all():
                raise MetricError(
                    f"{self.name} gave {row.values} for document {item.document!r}, expected finite numbers",
                    hint="a defect of its model's weights, or of the metric, which should say `undefined(reason)`",
                )
            self.rows[item.system].put(place, row)
            self.marks.update(row.marks)

    def _scores(self, system: str, keys: Sequence[Key]) -> SystemScores:
        rows = self.rows[system]
        numbers = {document: i for i, document in enumerate(dict.fromkeys(key.document for key in keys))}
        of_segment = np.array([numbers[key.document] for key in keys])  # the document of each segment
        units: Sequence[int | None] = range(len(keys))  # where each segment's own row is
        of_row = of_segment  # the document of each row
        places: Mapping[str, int] = {}  # where each document's own row is
        if self.by_document:
            places = self.places[system]
            alone = np.bincount(of_segment) == 1
            units = [places[key.document] if alone[numbers[key.document]] else None for key in keys]
            of_row = np.array([numbers[document] for document in places])
            rows.values = rows.values[: len(places)]  # a system need not have every document
        scores = self._combined(rows.values, np.arange(len(rows.values)), len(rows.values))
        segments = [None if unit is None else scores[unit] for unit in units]
        documents = dict(zip(numbers, self._combined(rows.values, of_row, len(numbers)), strict=True))
        return SystemScores(
            segments=segments,
            reasons=[_reason(rows, u) if s is None else None for u, s in zip(units, segments, strict=True)],
            rows=rows.values[np.argsort(of_row)] if self.by_document else rows.values,
            evidence=[None if unit is None else rows.evidence.get(unit) for unit in units],
            documents=documents,
            document_reasons={
                document: _reason(rows, places[document]) if self.by_document else _NO_SEGMENT
                for document, score in documents.items()
                if score is None
            },
            document_evidence={d: rows.evidence[place] for d, place in places.items() if place in rows.evidence},
            system=self._combined(rows.values, np.zeros(len(rows.values), dtype=np.intp), 1)[0],
        )

    def _combined(self, rows: NDArray[np.float64], groups: NDArray[np.intp], count: int) -> list[Score]:
        """The score of each of `count` groups of rows, of which those without numbers are left out."""
        defined = ~np.isnan(rows).any(axis=1) if rows.shape[1] else np.zeros(len(rows), dtype=np.bool_)
        sizes = np.bincount(groups[defined], minlength=count).tolist()
        totals = [np.bincount(groups[defined], weights=column, minlength=count).tolist() for column in rows[defined].T]
        return [self._score(total, size) if size else None for *total, size in zip(*totals, sizes, strict=True)]

    def _score(self, totals: Sequence[float], count: int) -> Score:
        score = self.metric.combine(totals, count)
        if score is not None and not math.isfinite(score):
            raise ValueError(f"it made {score} of the sums {totals}, expected a finite number or None")
        return score


def _fitted(metric: Metric, corpus: Corpus, facts_from: str | None) -> dict[str, Metric]:
    """A copy for each system, as what a system's corpus says must not depend on which others are in the call; systems
    with the same references share one where only references count, and all if one of them is to give the facts."""
    if not metric.needs_fit:
        return dict.fromkeys(corpus.systems, metric)
    if facts_from is not None:
        return dict.fromkeys(corpus.systems, metric.fit(corpus.items(facts_from)))
    made: dict[str, Metric] = {}
    facts = {s: corpus.references_sha256(s) if metric.fits_references_only else s for s in corpus.systems}
    for system, fact in facts.items():
        if fact not in made:
            made[fact] = metric.fit(corpus.items(system))
    return {system: made[fact] for system, fact in facts.items()}


def _place(text: str, item: Item) -> str | None:
    """Where a text stands in an item, if it does."""
    sides = {"candidate": item.candidate, "source": item.source}
    for side, document in (*sides.items(), *(("reference", reference) for reference in item.references)):
        if document is not None:
            segment = next((f", segment {item.key(i).segment}" for i, its in enumerate(document) if its == text), None)
            if segment or document.text == text:
                return f"{side} of {item.system!r}, document {item.document!r}{segment or ''}"
    return None


def _reason(rows: Rows, unit: int | None) -> str:
    return _WHOLE_DOCUMENT if unit is None else rows.reasons.get(unit, _NO_NUMBER)
