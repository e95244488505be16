"""Training, development and test part of a corpus, by document, so that nothing of one is known to another.

A corpus that has parts of its own keeps them. Any other is parted by a hash of what must stay together: a document's
origin, where it has one, otherwise its text. So texts that are the same are in the same part, and which part a document
is in depends on nothing but itself: a model that learnt from one part of some files is safely tested on the other part
of others. Shares are those below, as nearly as chance has it.
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
    return [str(document.layers.get("part") or _drawn(_key(document))) for document in documents]


def _key(document: Document) -> str:
    return str(document.layers.get("origin") or document.text)


def _drawn(key: str) -> str:
    """By the first eight bytes of the hash, as a number from 0 to 1."""
    place = int.from_bytes(hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()[:8]) / 2**64
    first, second = SHARES["train"], SHARES["train"] + SHARES["dev"]
    return "train" if place < first else "dev" if place < second else "test"
