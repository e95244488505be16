"""Training, development and test part of a corpus, by document, so that nothing of one is known to another.

A corpus that has parts of its own keeps them. Any other is parted by a hash of what must stay together: a document's
origin, where it has one, otherwise its text. So texts that are the same are in the same part, and which part a document
is in depends on neither the order of the files nor chance.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal

from coheval.data.types import Document
from coheval.errors import DataError

Part = Literal["all", "train", "dev", "test"]

SHARES: dict[str, float] = {"train": 0.70, "dev": 0.15, "test": 0.15}  # as Pishdad et al. 2020 part theirs


def of_part(documents: Sequence[Document], part: Part) -> list[Document]:
    """The documents of a part, in order."""
    if part == "all":
        return list(documents)
    names = parts(documents)
    chosen = [document for document, name in zip(documents, names, strict=True) if name == part]
    if not chosen:
        raise DataError(
            f"expected documents of the part {part!r}, got none of {len(documents):,}",
            hint="take part=all, or more documents",
        )
    return chosen


def parts(documents: Sequence[Document]) -> list[str]:
    """The part that each document is in."""
    own = [document.layers.get("part") for document in documents]
    keys = [_key(document) for document, name in zip(documents, own, strict=True) if name is None]
    ordered = sorted(set(keys), key=_hash)
    drawn = {key: _drawn((place + 0.5) / len(ordered)) for place, key in enumerate(ordered)}
    rest = iter(keys)
    return [drawn[next(rest)] if name is None else str(name) for name in own]


def _key(document: Document) -> str:
    return str(document.layers.get("origin") or document.text)


def _hash(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def _drawn(place: float) -> str:
    """The part of a place between 0 and 1."""
    for name, share in SHARES.items():
        place -= share
        if place < 0:
            return name
    return name
