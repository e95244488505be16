"""Groups of variants as a corpus, and the scores of variants from the rows of its segments.

A condition, with or without context, is a system, and a variant is a document of it: so one run scores everything,
encodes each text once, and counts corpus facts such as IDF over all variants alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from coheval.data import Record
from coheval.data.groups import Group
from coheval.metrics import Metric
from coheval.run.result import MetricResult, Score, SystemScores

Context = Literal["with", "without"]
Source = Literal["context"]


@dataclass(frozen=True, slots=True)
class VariantScore:
    value: Score
    reason: str | None = None  # why there is none


def records(groups: Sequence[Group], contexts: Sequence[Context], source: Source | None) -> Iterator[Record]:
    """A record for each segment of each variant, under each condition."""
    for group in groups:
        for context in contexts:
            for number in range(len(group.variants)):
                yield from _variant(group, number, context, source)


def variant_name(number: int) -> str:
    return f"wrong {number}" if number else "right"


def scores(groups: Sequence[Group], context: Context, result: MetricResult) -> Iterator[list[VariantScore]]:
    """The score of each variant of each group under one condition."""
    of_condition = result.by_system[context]
    first = 0  # segments stand in the order of `records`
    for group in groups:
        found = []
        for number, variant in enumerate(group.variants):
            shown = _shown(group, number, context)
            if result.metric.unit == "document":
                found.append(_of_document(of_condition, _document(group, number)))
            else:
                places = [first + n for n, index in enumerate(shown) if index in group.scored(variant)]
                found.append(_of_segments(result.metric, of_condition, places))
            first += len(shown)
        yield found


def _variant(group: Group, number: int, context: Context, source: Source | None) -> Iterator[Record]:
    variant = group.variants[number]
    sources = _from_context(group, number) if source == "context" else group.sources
    for n, index in enumerate(_shown(group, number, context)):
        yield Record(
            system=context,
            candidate=variant[index],
            references=group.references[index] if group.references else (),
            source=sources[index] if sources else None,
            document=_document(group, number),
            segment=n,
            where=": ".join(filter(None, [group.where, f"group {group.id!r}"])),
        )


def _shown(group: Group, number: int, context: Context) -> range:
    """The segments that a condition has."""
    variant = group.variants[number]
    return range(len(variant)) if context == "with" else group.scored(variant)


def _document(group: Group, number: int) -> str:
    return f"{group.id}/{variant_name(number)}"


def _from_context(group: Group, number: int) -> tuple[str, ...]:
    """What stands before the scored segments, as their source; the context itself has none."""
    variant = group.variants[number]
    text = " ".join(variant[: group.before])
    return tuple(text if index in group.scored(variant) else "" for index in range(len(variant)))


def _of_document(of_condition: SystemScores, document: str) -> VariantScore:
    return VariantScore(of_condition.documents[document], of_condition.document_reasons.get(document))


def _of_segments(metric: Metric, of_condition: SystemScores, places: Sequence[int]) -> VariantScore:
    """Of all scored segments, or none: variants that lack different ones could not be compared."""
    missing = next((place for place in places if of_condition.segments[place] is None), None)
    if missing is not None:
        return VariantScore(None, of_condition.reasons[missing])
    totals = np.sum(of_condition.rows[list(places)], axis=0)
    value = metric.combine(totals.tolist(), len(places))
    return VariantScore(value, "the metric gives no score for these numbers" if value is None else None)
