"""CohLSTM: how similar neighbouring sentences are in their two closest words, and how that changes along the text.

One LSTM reads all words of a document, carrying its state from sentence to sentence. Of neighbouring sentences the two
most similar states are averaged; the similarities of these averages along the text, one number for each step, go
through a small convolutional network (Mesgar & Strube 2018, the head that uses the coherence vector alone).

The last layer reads a fixed number of sentences: that of the longest training document, at least 5. Shorter documents
are padded with zeros; a longer one has no score. The released program trains without dropout after its first
evaluation, as `variant='original'` does, and takes token numbers for masks in its test, which vectors do not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from coheval.data.groups import Variant
from coheval.models._encodermodel import EncoderModel
from coheval.models._file import Facts
from coheval.models._inputs import Batch, Inputs, Numbers, padded
from coheval.models._load import VECTOR, Load
from coheval.models._recipe import Recipe

if TYPE_CHECKING:
    from coheval.models._networks.network import Network

LEAST = 5  # sentences for which the convolution and the pooling leave one number


@dataclass(frozen=True, kw_only=True)
class CohLSTM(EncoderModel):
    recipe: ClassVar[Recipe] = Recipe(hidden=100, epsilon=1e-6)
    size_names: ClassVar[tuple[str, ...]] = ("width", "hidden", "sentences")

    def sizes(self, width: int, hidden: int, documents: Sequence[Variant]) -> Facts:
        return {"width": width, "hidden": hidden, "sentences": max([LEAST, *map(len, documents)])}

    def unfit(self, document: Variant, sizes: Facts) -> str | None:
        if len(document) > sizes["sentences"]:
            return f"the model reads {sizes['sentences']} sentences, the document has {len(document)}"
        return super().unfit(document, sizes)

    def places(self, load: Load, sizes: Facts) -> int:
        """Each word has a state, and a number for each word of the next sentence; documents are padded alike."""
        numbers = load.documents * sizes["sentences"] * load.longest * (sizes["hidden"] + load.longest)
        return int(numbers) // VECTOR

    def arrange(self, batch: Batch, sizes: Facts) -> Inputs:
        return carried_inputs(batch, sizes["sentences"])

    def network(self, sizes: Facts) -> Network:
        from coheval.models._networks.cohlstm import CohLSTMNetwork

        return CohLSTMNetwork(sizes["width"], sizes["hidden"], sizes["sentences"], original=self.variant == "original")


def carried_inputs(batch: Batch, length: int) -> Inputs:
    """All words of a document as one run, broken where a sentence is empty, and where in the runs each sentence is.

    A sentence that is scored is never empty (`Batch.counts`); the released program breaks runs, and is compared with.
    """
    starts = batch.starts
    runs: list[Numbers] = []
    found: list[list[tuple[int, int, int]]] = []  # of each document: run, first word in it, words
    for document in batch.documents:
        parts: list[Numbers] = []
        of_sentences: list[tuple[int, int, int]] = []
        read = 0
        for sentence in document:
            count = int(batch.counts[sentence])
            if not count and parts:
                runs.append(np.concatenate(parts))
                parts, read = [], 0
            of_sentences.append((len(runs), read, count))
            parts += [np.arange(starts[sentence], starts[sentence] + count)] if count else []
            read += count
        if parts:
            runs.append(np.concatenate(parts))
        found.append(of_sentences)
    words, _ = padded(runs)
    return {"tokens": batch.tokens, "words": words, "places": _places(found, words.shape[1], length)}


def _places(found: Sequence[Sequence[tuple[int, int, int]]], longest: int, length: int) -> Numbers:
    """[v, n, t] into the states of all runs, each with a zero behind its `longest` ones, which stands for no word."""
    widest = max(count for sentences in found for _, _, count in sentences)
    places = np.full((len(found), length, widest), longest, dtype=np.int64)
    for row, sentences in zip(places, found, strict=True):
        for place, (run, first, count) in zip(row, sentences, strict=False):
            place[:count] = run * (longest + 1) + first + np.arange(count)
    return places
