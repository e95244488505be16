"""The items of every document of a result; where the texts are gone, items without text that keep scores in place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from coheval.data import Document, Item, Key
from coheval.run.result import Result


def items_of(result: Result, documents: Sequence[str]) -> list[list[Item]]:
    if result.corpus is not None:
        return [result.corpus.document(name) for name in documents]
    places: dict[str, dict[str, list[tuple[int, Key]]]] = {name: defaultdict(list) for name in documents}
    for system, keys in result.keys_by_system.items():
        for position, key in enumerate(keys):
            places[key.document][system].append((position, key))
    return [[_without_text(system, name, own) for system, own in places[name].items()] for name in documents]


def _without_text(system: str, name: str, places: Sequence[tuple[int, Key]]) -> Item:
    return Item(
        system=system,
        candidate=Document(name, "", tuple(None for _ in places)),
        labels=tuple(key.segment or 0 for _, key in places),
        positions=tuple(position for position, _ in places),
    )
