"""Texts and explanations of documents, packed by neighbours, so that a page reads only what it shows.

texts-N   a list by document: references, source, and by system the candidate, its segments' numbers and, where they are
          not those of the first system, its own references and its own source, which is null where it has none
why-N     a list by document: by system, what `Explanation.to_dict` calls metrics
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from coheval.data import Item
from coheval.report.assets import block
from coheval.report.explanation import Told, evidence_of, explanations, text_of
from coheval.report.payload.rounding import plain, rounded
from coheval.run.result import Result

Plain = dict[str, Any]

ROOM = 400_000_000  # characters of evidence in a report, which compress to about a tenth
_BLOCK = 1_000_000  # characters of one block


@dataclass(frozen=True)
class Blocks:
    markup: list[str]
    chunks: list[tuple[int, int]]  # the first document of each, and the one behind its last
    lengths: list[int]  # characters of the longest candidate, by document
    explained: list[int]  # numbers of the documents with evidence
    left_out: int  # documents whose evidence there was no room for


def pack(items: Sequence[Sequence[Item]], result: Result, interest: Sequence[int], room: int = ROOM) -> Blocks:
    """`items` are those of each document; `interest` has the documents' numbers, the most telling first: where there
    is no room for all, their evidence stays."""
    sizes = [_evidence_size(result, own) for own in items]
    kept, left_out = _fitting(sizes, interest, room)
    texts = [_length(own) for own in items]
    chunks = list(_chunks([text + size * (n in kept) for n, (text, size) in enumerate(zip(texts, sizes, strict=True))]))
    markup = []
    for number, (start, stop) in enumerate(chunks):
        markup.append(block(f"texts-{number}", [_texts(own) for own in items[start:stop]]))
        markup.append(block(f"why-{number}", [_why(result, items[n], n in kept) for n in range(start, stop)]))
    return Blocks(
        markup=markup,
        chunks=chunks,
        lengths=[max((len(item.candidate.text) for item in own), default=0) for own in items],
        explained=[n for n, size in enumerate(sizes) if size and n in kept],
        left_out=left_out,
    )


def _fitting(sizes: Sequence[int], interest: Sequence[int], room: int) -> tuple[set[int], int]:
    """The documents whose evidence fits, and how many do not."""
    kept: set[int] = set()
    for number in interest:
        if sizes[number] <= room:
            kept.add(number)
            room -= sizes[number]
    return kept, len(sizes) - len(kept)


def _chunks(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Neighbours of about one block's size together; a large document stands alone."""
    start = size = 0
    for number, own in enumerate(sizes):
        if number > start and size + own > _BLOCK:
            yield start, number
            start = number
            size = 0
        size += own
    if sizes:
        yield start, len(sizes)


def _evidence_size(result: Result, items: Sequence[Item]) -> int:
    """Characters of JSON of what there is of a document's evidence."""
    return sum(
        len(json.dumps(evidence)) for item in items for one in result.values() for _, evidence in evidence_of(one, item)
    )


def _length(items: Sequence[Item]) -> int:
    return sum(len(document.text) for item in items for document in (item.candidate, *item.references))


def _texts(items: Sequence[Item]) -> Plain:
    """What systems share once: references and source are the first system's, and others' where they differ."""
    first = items[0]
    return {
        "references": _references(first),
        "source": _source(first),
        "candidates": {item.system: text_of(item.candidate) for item in items},
        "labels": {item.system: list(item.labels) for item in items},
        "own_references": {item.system: _references(item) for item in items if item.references != first.references},
        "own_sources": {item.system: _source(item) for item in items if item.source != first.source},
    }


def _references(item: Item) -> list[Plain]:
    return [text_of(reference) for reference in item.references]


def _source(item: Item) -> Plain | None:
    return None if item.source is None else text_of(item.source)


def _why(result: Result, items: Sequence[Item], with_evidence: bool) -> Plain:
    found: Plain = {}
    for explanation in explanations(result, items, parts=with_evidence):
        found[explanation.item.system] = [_told(told) for told in explanation.metrics]
    return found


def _told(told: Told) -> Plain:
    """Scores as they are; evidence, which is long, rounded."""
    whole = told.to_dict()
    parts = whole.pop("parts")
    content: Plain = plain(whole)
    return content | {"parts": plain(parts, rounded)}
