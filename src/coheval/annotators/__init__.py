"""The contract of an annotator: texts in, sentences and words with tags and lemmas out.

Spans are character offsets into the text as it was given. A line end always ends a sentence, so that a document's own
segments never run together. What an annotator cannot give is None, never a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.spec import Component

Layer = Literal["tags", "syntax", "coreference"]  # what a metric may ask for beyond words and sentences
Span = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Annotated:
    """A text's sentences and words. Words stand in the order of the text; sentences have at least one word each."""

    words: tuple[str, ...]
    spans: NDArray[np.int32]  # [n, 2] character spans of the words
    sentence: NDArray[np.int32]  # [n] the number of each word's sentence
    sentences: NDArray[np.int32]  # [s, 2] character spans of the sentences
    tags: tuple[str, ...] | None = None  # [n] universal parts of speech: NOUN, PROPN, VERB, …
    lemmas: tuple[str, ...] | None = None  # [n]
    heads: NDArray[np.int32] | None = None  # [n] the word that governs each; a root governs itself
    relations: tuple[str, ...] | None = None  # [n] what each is to its head: nsubj, obj, compound, …
    chains: tuple[tuple[Span, ...], ...] | None = None  # mentions of one thing each, as character spans

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True, kw_only=True)
class Annotator(Component):
    group: ClassVar[str] = "annotators"

    def annotate(self, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        """Each text's words and sentences, with the given layers; an error where one cannot be had."""
        raise NotImplementedError(type(self).__name__)


def sentence_spans(spans: NDArray[np.int32], sentence: NDArray[np.int32]) -> NDArray[np.int32]:
    """From the beginning of each sentence's first word to the end of its last."""
    first = np.flatnonzero(np.diff(sentence, prepend=-1))
    last = np.append(first[1:], len(sentence))[: len(first)] - 1
    return np.stack([spans[first, 0], spans[last, 1]], axis=1)
