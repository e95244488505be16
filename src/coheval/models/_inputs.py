"""What networks read: the token vectors of distinct sentences, each encoded once, and documents as numbers of these.

Variants of a document share its sentences. So a batch holds each sentence once, and a variant is a row of numbers:
twenty permutations of a dialogue cost the word-level network no more than the dialogue itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from coheval.data.groups import Variant
from coheval.encoders import Encoded, Encoder
from coheval.models._load import Load

Numbers = NDArray[np.int64]
Inputs = dict[str, NDArray[np.float32] | Numbers]  # a network's arrays by name, as its graph takes them


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Some documents: the tokens of their distinct sentences one behind another, and which sentences each has."""

    tokens: NDArray[np.float32]  # [m, d]
    counts: Numbers  # [s] tokens of each sentence, at least 1
    documents: tuple[Numbers, ...]  # [n] each: numbers of sentences, in order

    @property
    def starts(self) -> Numbers:
        """[s] The first token of each sentence."""
        return np.cumsum(self.counts) - self.counts


@dataclass(slots=True, eq=False)
class Readings:
    """Vectors of distinct sentences by number, each read once; a key tells what makes two of them the same."""

    together: ClassVar[int] = 1024  # read at once

    _numbers: dict[Hashable, int] = field(default_factory=dict, init=False)
    _tokens: list[NDArray[np.floating]] = field(default_factory=list, init=False)  # [n, d] each

    def keys(self, document: Variant) -> Sequence[Hashable]:
        """One for each sentence."""
        raise NotImplementedError(type(self).__name__)

    def read(self, keys: Sequence[Hashable]) -> Iterable[NDArray[np.floating]]:
        """[n, d] for each key"""
        raise NotImplementedError(type(self).__name__)

    @property
    def width(self) -> int:
        return int(self._tokens[0].shape[1])

    def add(self, documents: Iterable[Variant], advance: Callable[[int, int], None] | None = None) -> None:
        """Read what is new of their sentences; `advance` is told how many of how many are done."""
        keys = (key for document in documents for key in self.keys(document))
        new = list(dict.fromkeys(key for key in keys if key not in self._numbers))
        for at in range(0, len(new), self.together):
            part = new[at : at + self.together]
            for key, vectors in zip(part, self.read(part), strict=True):
                self._numbers[key] = len(self._tokens)
                self._tokens.append(vectors)
            if advance is not None:
                advance(min(at + self.together, len(new)), len(new))

    def load(self, documents: Sequence[Variant]) -> Load:
        """Of documents whose sentences were added."""
        used = {number for document in documents for number in self._of(document)}
        return Load(len(documents), len(used), max(len(self._tokens[number]) for number in used))

    def batch(self, documents: Sequence[Variant]) -> Batch:
        """Documents whose sentences were added."""
        numbers = [self._of(document) for document in documents]
        used = dict.fromkeys(number for own in numbers for number in own)
        place = {number: at for at, number in enumerate(used)}
        tokens = [self._tokens[number] for number in used]
        return Batch(
            np.concatenate(tokens, dtype=np.float32),
            np.array(list(map(len, tokens)), dtype=np.int64),
            tuple(np.array([place[number] for number in own]) for own in numbers),
        )

    def _of(self, document: Variant) -> list[int]:
        return [self._numbers[key] for key in self.keys(document)]


@dataclass(slots=True, eq=False)
class Sentences(Readings):
    """Sentences read by themselves: the same wherever they stand. Half precision, as they are what fills the memory."""

    encoder: Encoder
    layers: tuple[int, ...]
    pooled: bool = False  # whether a sentence is one vector, the mean of its tokens

    def keys(self, document: Variant) -> Sequence[str]:
        return document

    def read(self, keys: Sequence[Hashable]) -> Iterator[NDArray[np.float16]]:
        for encoded in self.encoder.encode(cast(Sequence[str], keys), layers=self.layers):
            yield _vectors(encoded, self.layers, self.pooled)


def _vectors(encoded: Encoded, layers: Sequence[int], pooled: bool) -> NDArray[np.float16]:
    """[n, d] Of the text's own tokens, layers side by side; a text without any that is known is one token of zeros."""
    rows = np.concatenate([encoded.vectors[layer][encoded.own] for layer in layers], axis=1)
    if not len(rows):
        rows = np.zeros((1, rows.shape[1]), dtype=np.float32)
    return (rows.mean(axis=0, keepdims=True) if pooled else rows).astype(np.float16)


def padded(rows: Sequence[Numbers], *, length: int | None = None) -> tuple[Numbers, Numbers]:
    """Rows as one array, zeros behind the shorter ones, and how long each is."""
    counts = np.array(list(map(len, rows)), dtype=np.int64)
    array = np.zeros((len(rows), length or int(counts.max())), dtype=np.int64)
    for row, values in zip(array, rows, strict=True):
        row[: len(values)] = values
    return array, counts


def sentence_inputs(batch: Batch) -> Inputs:
    """For networks that read each sentence by itself, and then documents as rows of sentences."""
    longest = np.arange(int(batch.counts.max()))
    places, lengths = padded(batch.documents)
    return {
        "tokens": batch.tokens,  # [m, d]
        # Behind its end a sentence repeats its last token; its count says where it ends.
        "words": batch.starts[:, None] + np.minimum(longest, batch.counts[:, None] - 1),  # [s, t] into tokens
        "word_counts": batch.counts,  # [s]
        "sentences": places,  # [v, n] into the s sentences
        "sentence_counts": lengths,  # [v]
    }
