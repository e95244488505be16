"""Texts a few at a time: many together are faster than one by one, but all together might not fit into memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def batches(texts: Sequence[str], characters: int) -> Iterator[list[str]]:
    """Neighbours that have at most so many characters together; a longer text is alone."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and size + len(text) > characters:
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch
