"""Sentences as a language model reads them, each behind those before it in its document."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from coheval.data.groups import Variant
from coheval.models._inputs import Readings
from coheval.rankers import LanguageModel, Predicted

LIKELIHOOD = 6  # numbers that say how likely a sentence is


@dataclass(slots=True, eq=False)
class InContext(Readings):
    """A sentence is one vector, and the same one only where all before it are the same.

    It is the mean and the last of its tokens' states at each layer, side by side, and how likely its tokens are.
    """

    together: ClassVar[int] = 512

    model: LanguageModel
    layers: tuple[int, ...]

    def keys(self, document: Variant) -> Sequence[Variant]:
        """Each sentence with all before it."""
        return [document[: place + 1] for place in range(len(document))]

    def read(self, keys: Sequence[Hashable]) -> Iterator[NDArray[np.float32]]:
        beginnings = cast(Sequence[Variant], keys)
        found = self.model.predict([" ".join(beginning) for beginning in beginnings], layers=self.layers)
        for (*before, sentence), predicted in zip(beginnings, found, strict=True):
            start = sum(len(text) + 1 for text in before)
            yield self._vector(predicted, start, len(sentence))

    def _vector(self, predicted: Predicted, start: int, length: int) -> NDArray[np.float32]:
        """[1, d] of the tokens that end behind a place"""
        own = predicted.spans[:, 1] > start
        logprobs = predicted.logprobs[own]
        states = [predicted.states[layer][own] for layer in self.layers]
        pooled = [part for rows in states for part in (rows.mean(axis=0), rows[-1])]
        return np.concatenate([*pooled, _likelihood(logprobs, length)], dtype=np.float32)[None]


def _likelihood(logprobs: NDArray[np.float64], length: int) -> NDArray[np.float64]:
    """Of a sentence's tokens, which is so many characters long."""
    total, count = logprobs.sum(), len(logprobs)
    return np.array([total / count, total / length, logprobs.min(), logprobs[0], np.log(length), np.log(count)])
