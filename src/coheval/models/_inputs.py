"""What networks read: the token vectors of distinct sentences, each encoded once, and documents as numbers of these.

Variants of a document share its sentences. So a batch holds each sentence once, and a variant is a row of numbers:
twenty permutations of a dialogue cost the word-level network no more than the dialogue itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from coheval.data.groups import Variant
from coheval.encoders import Encoded, Encoder
from coheval.models._load import Load

Numbers = NDArray[np.int64]
Inputs = dict[str, NDArray[np.float32] | Numbers]  # a network's arrays by name, as its graph takes them

_TEXTS = 1024  # encoded at once


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
class Sentences:
    """Distinct sentences by number. Vectors are kept in half precision: they are what fills the memory."""

    encoder: Encoder
    layers: tuple[int, ...]
    pooled: bool = False  # whether a sentence is one vector, the mean of its tokens
    _numbers: dict[str, int] = field(default_factory=dict)
    _tokens: list[NDArray[np.float16]] = field(default_factory=list)  # [n, d] each

    @property
    def width(self) -> int:
        return int(self._tokens[0].shape[1])

    def add(self, documents: Iterable[Variant], advance: Callable[[int, int], None] | None = None) -> None:
        """Encode what is new of their sentences; `advance` is told how many of how many are done."""
        new = list(dict.fromkeys(text for document in documents for text in document if text not in self._numbers))
        for at in range(0, len(new), _TEXTS):
            texts = new[at : at + _TEXTS]
            for text, encoded in zip(texts, self.encoder.encode(texts, layers=self.layers), strict=True):
                self._numbers[text] = len(self._tokens)
                self._tokens.append(_vectors(encoded, self.layers, self.pooled))
            if advance is not None:
                advance(min(at + _TEXTS, len(new)), len(new))

    def load(self, documents: Sequence[Variant]) -> Load:
        """Of documents whose sentences were added."""
        used = {self._numbers[text] for document in documents for text in document}
        return Load(len(documents), len(used), max(len(self._tokens[number]) for number in used))

    def batch(self, documents: Sequence[Variant]) -> Batch:
        """Documents whose sentences were added."""
        used = dict.fromkeys(self._numbers[text] for document in documents for text in document)
        place = {number: at for at, number in enumerate(used)}
        tokens = [self._tokens[number] for number in used]
        return Batch(
            np.concatenate(tokens, dtype=np.float32),
            np.array(list(map(len, tokens)), dtype=np.int64),
            tuple(np.array([place[self._numbers[text]] for text in document]) for document in documents),
        )


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
