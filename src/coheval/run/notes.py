"""What a reader of the numbers should know, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coheval.data import Key
from coheval.run.result import MetricResult, SystemScores

_TOLD = {
    "windowed": "{count:,} long texts were read in overlapping windows",
    "cut": "{count:,} long texts were CUT to the encoder's window",
    "partial": "{count:,} references lack segments of their document and are left out",
    "unknown": "{count:,} tokens are unknown to the model",
    "sourceless": "{count:,} segments have no source and are scored by their references alone",
    "blank": "{count:,} segments are blank and no sentences",
    "dropped": "{count:,} sentences of context are left out, because the window is full",
}


def notes(
    keys: Mapping[str, Sequence[Key]], results: Mapping[str, MetricResult], references: Mapping[str, str]
) -> list[str]:
    """`references` has a digest of each system's, in the order of its keys."""
    return [
        *_uneven(keys),
        *_unlike(keys, references),
        *(note for name, result in results.items() for note in _of_metric(name, result, keys)),
    ]


def _uneven(keys: Mapping[str, Sequence[Key]]) -> list[str]:
    first, *others = ({(key.document, key.segment) for key in of_system} for of_system in keys.values())
    if all(other == first for other in others):
        return []
    counts = ", ".join(f"{system} {len(of_system):,}" for system, of_system in keys.items())
    return [f"systems have different segments ({counts}): their scores are not comparable"]


def _unlike(keys: Mapping[str, Sequence[Key]], references: Mapping[str, str]) -> list[str]:
    orders = {tuple((key.document, key.segment) for key in of_system) for of_system in keys.values()}
    if len(orders) > 1 or len(set(references.values())) == 1:
        return []
    return ["systems have different references: their scores are not comparable"]


def _of_metric(name: str, result: MetricResult, keys: Mapping[str, Sequence[Key]]) -> list[str]:
    unit = result.metric.unit
    found = [
        f"{name}: {told} of {system!r} have no score and are left out of its means; the first is {first}"
        for system, scores in result.by_system.items()
        for told, first in (_segments(scores, keys[system]) if unit == "segment" else _documents(scores))
    ]
    if "documents" in result.metric.needs and not any(map(_have_neighbours, keys.values())):
        found.append(f"{name}: every document has one segment, so there is no context to read")
    return found + counted(name, result)


def _have_neighbours(keys: Sequence[Key]) -> bool:
    return len({key.document for key in keys}) < len(keys)


def counted(name: str, result: MetricResult) -> list[str]:
    """What happened to texts on their way into a metric's encoder."""
    counts = ((mark, result.counts.get(mark, 0)) for mark in _TOLD)
    return [f"{name}: " + _TOLD[mark].format(count=count) for mark, count in counts if count]


def _segments(scores: SystemScores, keys: Sequence[Key]) -> list[tuple[str, str]]:
    missing = [i for i, score in enumerate(scores.segments) if score is None]
    if not missing:
        return []
    key, reason = keys[missing[0]], scores.reasons[missing[0]]
    return [
        (
            f"{len(missing):,} of {len(scores.segments):,} segments",
            f"segment {key.segment} of document {key.document!r}: {reason}",
        )
    ]


def _documents(scores: SystemScores) -> list[tuple[str, str]]:
    if not scores.document_reasons:
        return []
    document, reason = next(iter(scores.document_reasons.items()))
    return [
        (f"{len(scores.document_reasons):,} of {len(scores.documents):,} documents", f"document {document!r}: {reason}")
    ]
