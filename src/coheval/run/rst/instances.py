"""What the parser learns from: documents, sentences and noisy copies of both, read once by encoder and tagger."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from coheval.annotators import Annotator
from coheval.annotators._rst.reading import Reading, read
from coheval.data.gum import GumDocument
from coheval.data.rsttree import Node, RstTree
from coheval.encoders import Encoder
from coheval.run.rst.noise import Cut, noisy

Places = NDArray[np.int64]

_TOGETHER = 64  # texts that are read together


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    gold: Gold
    reading: Reading  # vectors in half precision, to save memory
    borders: Places  # [n] of each word: 0 no EDU begins with it, 1 an EDU, 2 a sentence
    starts: Places  # the first words of the EDUs
    kinds: Places  # of the borders before each EDU and behind the last: 0 within a sentence, 1 a sentence's, 2 a line's

    @property
    def nodes(self) -> tuple[Node, ...]:
        return self.gold.nodes


@dataclass(frozen=True, slots=True)
class Gold:
    """A text, its EDUs and sentences, and the nodes of its tree."""

    cut: Cut
    nodes: tuple[Node, ...]

    def noisy(self, rng: random.Random) -> Gold:
        return replace(self, cut=noisy(self.cut, rng))


def of_document(document: GumDocument) -> Gold:
    return Gold(_cut(document.tree, (start for start, _ in document.sentences)), document.tree.nodes)


def of_sentences(document: GumDocument) -> Iterator[Gold]:
    """The sentences that are whole subtrees or single EDUs, each as if it were a document."""
    for _, tree in document.sentence_trees():
        yield Gold(_cut(tree, (0,)), tree.nodes)


def _cut(tree: RstTree, sentences: Iterable[int]) -> Cut:
    return Cut(tree.text, tree.edus, frozenset(sentences))


def instances(gold: Sequence[Gold], encoder: Encoder, words: Annotator) -> Iterator[Instance]:
    """Texts as the network sees them; those where two EDUs begin in one word are left out."""
    for start in range(0, len(gold), _TOGETHER):
        some = gold[start : start + _TOGETHER]
        texts = [one.cut.text for one in some]
        annotated = words.annotate(texts, layers=("tags", "syntax"))
        for one, reading in zip(some, read(texts, annotated, encoder), strict=True):
            found = _instance(one, replace(reading, vectors=reading.vectors.astype(np.float16)))
            if found is not None:
                yield found


def _instance(gold: Gold, reading: Reading) -> Instance | None:
    begins = reading.annotated.spans[:, 0]
    # An EDU that begins within a word begins with this word.
    starts = np.searchsorted(begins, [start for start, _ in gold.cut.edus], side="right") - 1
    if (np.diff(starts) == 0).any():
        return None
    borders = np.zeros(len(reading), np.int64)
    borders[starts] = 1
    borders[np.isin(begins, list(gold.cut.sentences))] = 2
    kinds = np.where(borders == 2, 1, 0)
    kinds[reading.line_starts()] = 2
    return Instance(gold, reading, borders, starts, np.append(kinds[starts], 2))
