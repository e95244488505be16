"""A document of a result explained: its texts, every score, what each score rests on and what moved it, in words.

`explanations` makes what the report draws, the service answers and a notebook shows; `to_dict` is its JSON form:

    system, document, candidate, references, source   texts with their segments as spans of characters
    labels                                            the segments' numbers
    metrics                                           for each: scores and reasons of the document and its segments, and
                                                      `parts`: words and evidence of a segment, or of the whole (null)

Evidence of a part with a segment counts characters in that segment, of one without in the document. Its n-th reference
is that of the document whose number is the n-th of the part's `references`: a segment need not have them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coheval.data import Document, Item
from coheval.errors import DataError
from coheval.metrics import Evidence
from coheval.report.words import words
from coheval.run.result import MetricResult, Result, Score

Plain = dict[str, object]


@dataclass(frozen=True)
class Part:
    """What a score of one segment rests on, or of the whole document (segment None)."""

    segment: int | None  # its place among the document's segments
    references: list[int]  # those of the document, by number, that evidence counts
    words: list[str]
    evidence: Evidence

    def to_dict(self) -> Plain:
        return {
            "segment": self.segment,
            "references": self.references,
            "words": self.words,
            "evidence": self.evidence,
        }


@dataclass(frozen=True)
class Told:
    """One metric's scores of a document."""

    metric: str
    unit: str
    score: Score
    reason: str | None
    segments: list[Score]
    reasons: list[str | None]
    parts: list[Part]

    def to_dict(self) -> Plain:
        return {
            "metric": self.metric,
            "unit": self.unit,
            "score": self.score,
            "reason": self.reason,
            "segments": self.segments,
            "reasons": self.reasons,
            "parts": [part.to_dict() for part in self.parts],
        }


@dataclass(frozen=True)
class Explanation:
    """One system's document."""

    item: Item
    metrics: list[Told]

    def to_dict(self) -> Plain:
        item = self.item
        return {
            "system": item.system,
            "document": item.document,
            "candidate": text_of(item.candidate),
            "references": [text_of(reference) for reference in item.references],
            "source": item.source and text_of(item.source),
            "labels": list(item.labels),
            "metrics": [told.to_dict() for told in self.metrics],
        }

    def begin(self, place: int | None) -> str:
        """How a line about a segment begins, where there are several; its number is the one that it has everywhere."""
        return "" if place is None or len(self.item.labels) == 1 else f"segment {self.item.labels[place]}: "


def explanations(result: Result, items: Sequence[Item], *, parts: bool = True) -> list[Explanation]:
    """One for each item, which must be of the result's corpus; without `parts` scores and reasons alone."""
    return [Explanation(item, [_told(spec, one, item, parts) for spec, one in result.items()]) for item in items]


def text_of(document: Document) -> Plain:
    return {"text": document.text, "segments": [span and list(span) for span in document.segments]}


def _told(spec: str, one: MetricResult, item: Item, parts: bool) -> Told:
    scores = one.by_system[item.system]
    return Told(
        metric=spec,
        unit=one.metric.unit,
        score=scores.documents[item.document],
        reason=scores.document_reasons.get(item.document),
        segments=[scores.segments[position] for position in item.positions],
        reasons=[scores.reasons[position] for position in item.positions],
        parts=[_part(spec, item, place, evidence) for place, evidence in evidence_of(one, item)] if parts else [],
    )


def evidence_of(one: MetricResult, item: Item) -> Iterator[tuple[int | None, Evidence]]:
    """What there is of it, by the place of the segment, or of the whole document (None)."""
    scores = one.by_system[item.system]
    if one.metric.unit == "document":
        if item.document in scores.document_evidence:
            yield None, scores.document_evidence[item.document]
        return
    for place, position in enumerate(item.positions):
        evidence = scores.evidence[position]
        if evidence is not None:
            yield place, evidence


def _part(spec: str, item: Item, place: int | None, evidence: Evidence) -> Part:
    try:
        return _worded(item, place, evidence)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:  # of a file, or of a plugin
        raise DataError(
            f"{spec} has evidence that this coheval does not write ({type(error).__name__}: {error})",
            where=f"system {item.system!r}, document {item.document!r}",
            hint="explain=0 leaves evidence out; coheval score --evidence makes it again",
        ) from error


def _worded(item: Item, place: int | None, evidence: Evidence) -> Part:
    """Metrics count the references that a segment has; those of trees count all."""
    candidate = item.candidate.text if place is None else item.candidate_text(place)
    references = [reference.text if place is None else reference[place] for reference in item.references]
    all_count = evidence["kind"] == "trees"
    numbers = [n for n, text in enumerate(references) if all_count or text is not None]
    told = words(evidence, candidate, [references[n] or "" for n in numbers], numbers)
    return Part(place, numbers, told, evidence)
