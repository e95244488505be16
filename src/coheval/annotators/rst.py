"""Discourse trees of English texts, after Rhetorical Structure Theory: a parser that comes with its weights.

A text is cut into elementary discourse units (EDUs), about a clause each; neighbours are joined two by two, with one of
the two or both as nucleus and one of 18 relations, until a tree stands over the whole text. A small network reads each
word (`encoder`, layers 1, 2, 4 and 6; tags and syntax of `words`), says where EDUs and sentences begin, and scores all
binary trees over the EDUs at once; the tree is the one whose spans, nuclearities and relations are expected to be right
most often. A node's probability is that of its span with its nuclearity and relation.

The tree of a whole document and that of a single sentence come from the same network, which was trained on both, and on
noisy copies such as bad translations are. A line end always ends a sentence. In texts of more than 240 EDUs, some 2,000
words, blocks that end with a line or sentence are parsed first and joined then. Nothing is cut.

Trained by `coheval train rst` on GUM (Zeldes 2017, "The GUM corpus: creating multilayer resources in the classroom"),
permissively licensed genres; rst.md, the model card beside the weights, has genres, recipe and scores. Words, sentences
and other layers are those of `words`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from coheval.annotators import Annotated, Annotator, Layer
from coheval.annotators._rst.decoding import decode
from coheval.annotators._rst.network import Words
from coheval.annotators._rst.reading import Reading, read
from coheval.annotators._rst.weights import EMBEDDED, Trained, load
from coheval.data.batches import batches
from coheval.data.rsttree import Node, RstTree
from coheval.data.weights import digest
from coheval.encoders import Encoder
from coheval.errors import ResourceError
from coheval.spec import build

Places = NDArray[np.int64]

_TOGETHER = 30_000  # characters of several texts that the network reads together


@dataclass(frozen=True, kw_only=True)
class Rst(Annotator):
    model: str = "embedded"  # or a .safetensors file made by `coheval train rst`
    encoder: Encoder = field(default_factory=lambda: build(Encoder, "minilm"))  # the one it was trained with
    words: Annotator = field(default_factory=lambda: build(Annotator, "spacy"))  # with tags and English syntax

    libraries: ClassVar[tuple[str, ...]] = ("numpy",)

    def digest(self) -> str:
        return digest(self._path())

    def annotate(self, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        if "rst" not in layers:
            return self.words.annotate(texts, layers=layers)
        wanted = [layer for layer in layers if layer != "rst"]
        trained = self.trained()
        found: list[Annotated] = []
        for batch in batches(texts, _TOGETHER):
            annotated = self.words.annotate(batch, layers=tuple(dict.fromkeys([*wanted, "tags", "syntax"])))
            readings = list(read(batch, annotated, self.encoder))
            trees = trees_of(trained, batch, readings)
            found += [replace(a.only(wanted), tree=tree) for a, tree in zip(annotated, trees, strict=True)]
        return found

    def _path(self) -> Path:
        return EMBEDDED if self.model == "embedded" else Path(self.model)

    def trained(self) -> Trained:
        trained = load(self._path())
        if trained.encoder != self.encoder.digest():
            raise ResourceError(
                f"the parser was trained with another encoder than {self.encoder.name()}: its weights have the "
                f"sha256 {trained.encoder[:16]}…, got {str(self.encoder.digest())[:16]}…",
                where="annotator rst",
                hint="leave encoder out: the weights know no other",
            )
        return trained


def trees_of(trained: Trained, texts: Sequence[str], readings: Sequence[Reading]) -> Iterator[RstTree]:
    """The tree of each text."""
    with threadpool_limits(limits=1, user_api="blas"):  # the matrices are small: threads would wait for each other
        words = trained.network.words([reading for reading in readings if len(reading)]) if any(readings) else None
        place = 0
        for text, reading in zip(texts, readings, strict=True):
            if words is None or not len(reading):
                yield RstTree(text, (), ())
                continue
            own = slice(place, place := place + len(reading))
            yield tree_of(trained, text, reading, Words(words.inputs[:, own], words.states[:, own], words.borders[own]))


def tree_of(trained: Trained, text: str, reading: Reading, words: Words) -> RstTree:
    """The tree of a text of which the network has read the words."""
    starts, kinds = borders(words.borders, reading.line_starts())
    spans = reading.annotated.spans
    stops = spans[np.append(starts[1:], len(reading)) - 1, 1]
    edus = tuple(zip(spans[starts, 0].tolist(), stops.tolist(), strict=True))
    nodes = parse(trained, words, starts, kinds)
    return RstTree(text, edus, tuple(nodes))


def parse(trained: Trained, words: Words, starts: Places, kinds: Places) -> list[Node]:
    """The nodes of the tree over EDUs that begin with the words `starts`."""
    if len(starts) == 1:
        return []
    units = trained.network.units(words, starts, kinds)
    return decode(trained.network, units, trained.labels)


def borders(chances: NDArray[np.float32], lines: Places) -> tuple[Places, Places]:
    """The first words of EDUs, and what ends before each and behind the last: 0 nothing, 1 a sentence, 2 a line."""
    begins = chances[:, 0] < 0.5
    begins[lines] = True
    kinds = np.where(chances[:, 2] > chances[:, 1], 1, 0)
    kinds[lines] = 2
    starts = np.flatnonzero(begins)
    return starts, np.append(kinds[starts], 2)
