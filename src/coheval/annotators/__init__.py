"""The contract of an annotator: texts in, sentences and words with tags and lemmas out.

Spans are character offsets into the text as it was given, and a word is spelled as it is there. A line end always ends
a sentence, so that a document's own segments never run together. Words, sentences and each layer depend on the text
alone: not on the texts beside it, nor on what else is asked for. What an annotator cannot give is None, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.data.rsttree import RstTree
from coheval.spec import Component

Layer = Literal["tags", "syntax", "coreference", "rst"]  # what a metric may ask for beyond words and sentences
Span = tuple[int, int]

FIELDS: dict[Layer, tuple[str, ...]] = {
    "tags": ("tags", "lemmas"),
    "syntax": ("heads", "relations"),
    "coreference": ("chains",),
    "rst": ("tree",),
}
LINE_END = re.compile("[\n\r\x85\u2028\u2029]")  # what ends a paragraph, and so a sentence, in Unicode's annex 29


@dataclass(frozen=True, slots=True, eq=False)
class Annotated:
    """A text's sentences and words. Words stand in the order of the text; sentences have at least one word each."""

    words: tuple[str, ...]
    spans: NDArray[np.int32]  # [n, 2] character spans of the words
    sentence: NDArray[np.int32]  # [n] the number of each word's sentence
    sentences: NDArray[np.int32]  # [s, 2] character spans of the sentences
    tags: tuple[str, ...] | None = None  # [n] universal parts of speech: NOUN, PROPN, VERB, …
    lemmas: tuple[str, ...] | None = None  # [n]
    heads: NDArray[np.int32] | None = None  # [n] the word of its sentence that governs each; a root governs itself
    relations: tuple[str, ...] | None = None  # [n] what each is to its head: nsubj, obj, compound, …
    chains: tuple[tuple[Span, ...], ...] | None = None  # mentions of one thing each, as character spans
    tree: RstTree | None = None  # the discourse tree over the whole text
    derived: dict[str, Any] = field(default_factory=dict, init=False, repr=False)  # what others found in it, by name

    def __len__(self) -> int:
        return len(self.words)

    def only(self, layers: Sequence[Layer]) -> Annotated:
        """The same without the layers that were not asked for: what is there must not depend on who else asked."""
        surplus = [name for layer, names in FIELDS.items() if layer not in layers for name in names]
        surplus = [name for name in surplus if getattr(self, name) is not None]
        if not surplus:
            return self
        key = f"without {' '.join(surplus)}"
        if key not in self.derived:
            nothing: dict[str, Any] = dict.fromkeys(surplus)
            self.derived[key] = replace(self, **nothing)
        narrowed: Annotated = self.derived[key]
        return narrowed


@dataclass(frozen=True, kw_only=True)
class Annotator(Component):
    group: ClassVar[str] = "annotators"

    def annotate(self, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        """Each text's words and sentences, with the given layers; an error where one cannot be had."""
        raise NotImplementedError(type(self).__name__)


def number_sentences(text: str, spans: NDArray[np.int32], group: Sequence[int]) -> NDArray[np.int32]:
    """[n] the number of each word's sentence: a new one where the group changes, and after each line end."""
    line_ends = [match.start() for match in LINE_END.finditer(text)]
    line = np.searchsorted(line_ends, spans[:, 0])
    begins = (np.diff(group, prepend=-1) != 0) | (np.diff(line, prepend=-1) != 0)
    return np.cumsum(begins, dtype=np.int32) - 1


def sentence_spans(spans: NDArray[np.int32], sentence: NDArray[np.int32]) -> NDArray[np.int32]:
    """From the beginning of each sentence's first word to the end of its last."""
    first = np.flatnonzero(np.diff(sentence, prepend=-1))
    last = np.append(first[1:], len(sentence))[: len(first)] - 1
    return np.stack([spans[first, 0], spans[last, 1]], axis=1)


def within_sentence(heads: NDArray[np.int32], sentence: NDArray[np.int32]) -> NDArray[np.int32]:
    """Heads; a word whose head stands in another sentence, which a line end cut off, is a root."""
    return np.where(sentence[heads] == sentence, heads, np.arange(len(heads), dtype=np.int32))
