"""Scoring: every metric over every item of a corpus, block by block, with encoders shared between metrics."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from threadpoolctl import threadpool_limits

from coheval.data import Corpus, Item, Key
from coheval.data.lists import from_lists
from coheval.encoders import Encoder
from coheval.encoders._shared import Shared
from coheval.errors import CohevalError, DataError, MetricError, UsageError
from coheval.grammar import format_spec
from coheval.metrics import Measurement, Metric, undefined
from coheval.metrics import metric as build_metric
from coheval.run.result import MetricResult, Result, SystemScores

Progress = Callable[[int], None]  # is told how many characters of candidates are done


def score(
    candidates: Sequence[str] | Mapping[str, Sequence[str]],
    references: Sequence[str] | Sequence[Sequence[str]] | None = None,
    sources: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    metrics: str | Metric | Sequence[str | Metric] = ("moverscore",),
    system: str = "system",
    *,
    evidence: bool = False,
) -> Result:
    """Score candidates with any number of metrics.

    `candidates` is a list of texts, or a dict of such lists by system; the other lists run parallel to them.
    `references` has one text each, or a list of texts each. `documents` has a document id for each line: consecutive
    lines of one document are its segments. With `evidence`, results say what each score rests on.
    """
    asked = named(metrics)
    records = from_lists(candidates, references=references, sources=sources, documents=documents, system=system)
    return evaluate(Corpus.of(records), asked, evidence=evidence, single=not isinstance(candidates, Mapping))


def named(metrics: str | Metric | Sequence[str | Metric]) -> dict[str, Metric]:
    """The metrics asked for, by the text they were asked for with."""
    asked = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    if not asked:
        raise UsageError("no metric was asked for", hint="`coheval list` shows them")
    return {(format_spec(m) if isinstance(m, Metric) else m): build_metric(m) for m in asked}


def evaluate(
    corpus: Corpus,
    metrics: Mapping[str, Metric],
    *,
    evidence: bool = False,
    single: bool = False,
    progress: Progress | None = None,
) -> Result:
    for name, metric in metrics.items():
        _check_needs(name, metric, corpus)
    shared = _share_encoders(metrics.values())
    tallies = {name: _Tally(name, metric, corpus, shared, evidence) for name, metric in metrics.items()}
    keys: dict[str, list[Key]] = {s: [Key(s, "")] * n for s, n in corpus.counts.items()}
    # The matrices of one comparison are small: several threads for them cost more than they give, up to 100 times on a
    # busy machine. Encoders have threads of their own.
    with threadpool_limits(limits=1, user_api="blas"):
        for block in corpus.blocks():
            for item in block:
                for i, position in enumerate(item.positions):
                    keys[item.system][position] = item.key(i)
            for tally in tallies.values():
                tally.add(block)
            if progress:
                progress(sum(len(item.candidate.text) for item in block))
    results = {name: tally.result(single) for name, tally in tallies.items()}
    return Result(results, keys, _notes(corpus, results))


def _check_needs(name: str, metric: Metric, corpus: Corpus) -> None:
    for need, missing in (("references", corpus.without_references), ("source", corpus.without_source)):
        if need in metric.needs and missing is not None:
            what = "a reference" if need == "references" else "a source"
            raise DataError(
                f"{name} needs {what} for every segment, and this one has none",
                where=missing,
                hint=f"give {need}, or leave {name} out; `coheval info NAME` says what a metric needs",
            )


def _share_encoders(metrics: Iterable[Metric]) -> dict[Encoder, Shared]:
    """One shared encoder for each distinct one, asked for the layers of all its metrics."""
    layers: dict[Encoder, set[int]] = {}
    for metric in metrics:
        for encoder, wanted in metric.reads().items():
            layers.setdefault(encoder, set()).update(wanted)
    return {encoder: Shared(inner=encoder, wanted=tuple(sorted(wanted))) for encoder, wanted in layers.items()}


@dataclass(slots=True)
class _Sum:
    """Added rows."""

    totals: tuple[float, ...] = ()
    count: int = 0

    def add(self, values: tuple[float, ...]) -> None:
        self.totals = tuple(map(operator.add, self.totals, values)) if self.count else values
        self.count += 1


class _Tally:
    """One metric at work: its copies fitted to each system, the rows so far, and what they add up to."""

    def __init__(
        self, name: str, metric: Metric, corpus: Corpus, shared: Mapping[Encoder, Shared], evidence: bool
    ) -> None:
        self.name = name
        self.metric = metric
        self.evidence = evidence
        self.encoders = [shared[encoder] for encoder in metric.reads()]
        working = metric.sharing(shared)
        # A copy for each system: what a system's corpus says must not depend on which others are in the call.
        self.working = {s: working.fit(corpus.items(s)) if metric.needs_fit else working for s in corpus.systems}
        self.rows = {s: [_NOT_YET] * n for s, n in corpus.counts.items()}
        self.documents: dict[str, dict[str, _Sum]] = {s: {} for s in corpus.systems}
        self.systems = {s: _Sum() for s in corpus.systems}

    def add(self, block: Sequence[Item]) -> None:
        for metric, items in self._groups(block):
            try:
                measurements = metric.measure(items, evidence=self.evidence)
            except (CohevalError, MemoryError):
                raise
            except Exception as error:
                raise MetricError(
                    f"{self.name} failed between documents {items[0].document!r} and {items[-1].document!r}: "
                    f"{type(error).__name__}: {error}",
                    hint="this is a defect of the metric; please report it with the text that shows it",
                ) from error
            for item, measurement in zip(items, measurements, strict=True):
                self._take(item, measurement)

    def _groups(self, block: Sequence[Item]) -> list[tuple[Metric, Sequence[Item]]]:
        """All items at once, so that they are encoded together, unless the metric was fitted to each system."""
        if not self.metric.needs_fit:
            return [(self.working[block[0].system], block)]
        by_system: dict[str, list[Item]] = {}
        for item in block:
            by_system.setdefault(item.system, []).append(item)
        return [(self.working[system], items) for system, items in by_system.items()]

    def _take(self, item: Item, measurement: Measurement) -> None:
        total = self.documents[item.system].setdefault(item.document, _Sum())
        for row in measurement.rows:
            if row.values is not None:
                if not all(map(math.isfinite, row.values)):
                    raise MetricError(f"{self.name} gave {row.values} for document {item.document!r}, not numbers")
                total.add(row.values)
                self.systems[item.system].add(row.values)
        rows = measurement.rows
        if self.metric.unit == "document" and len(item) > 1:
            rows = (_WHOLE_DOCUMENT,) * len(item)
        for position, row in zip(item.positions, rows, strict=True):
            self.rows[item.system][position] = row

    def result(self, single: bool) -> MetricResult:
        scores = {system: self._scores(system) for system in self.rows}
        counts = Counter({"undefined": sum(s.undefined for s in scores.values())})
        for encoder in self.encoders:
            counts.update(encoder.counts())
        return MetricResult(self.metric, self.metric.signature, scores, single, dict(counts))

    def _scores(self, system: str) -> SystemScores:
        rows = self.rows[system]
        return SystemScores(
            segments=[None if row.values is None else self.metric.combine(row.values, 1) for row in rows],
            reasons=[row.reason for row in rows],
            rows=[row.values for row in rows],
            evidence=[row.evidence for row in rows],
            documents={document: self._combined(total) for document, total in self.documents[system].items()},
            system=self._combined(self.systems[system]),
        )

    def _combined(self, total: _Sum) -> float | None:
        return self.metric.combine(total.totals, total.count) if total.count else None


_NOT_YET = undefined("not scored")
_WHOLE_DOCUMENT = undefined("the metric scores whole documents, and this one has several segments")


def _notes(corpus: Corpus, results: Mapping[str, MetricResult]) -> list[str]:
    notes = []
    if len(set(corpus.counts.values())) > 1:
        counts = ", ".join(f"{system} {count:,}" for system, count in corpus.counts.items())
        notes.append(f"systems have different numbers of segments ({counts}): their scores are not comparable")
    total = sum(corpus.counts.values())
    for name, result in results.items():
        for mark, count in result.counts.items():
            if count:
                notes.append(f"{name}: " + _TOLD[mark].format(count=count, total=total, reason=result.first_reason))
    return notes


_TOLD = {
    "undefined": "{count:,} of {total:,} segments have no score and are left out of its means (first: {reason})",
    "windowed": "{count:,} long texts were read in overlapping windows",
    "cut": "{count:,} long texts were CUT to the encoder's window",
    "unknown": "{count:,} tokens have no vector and were left out",
}
