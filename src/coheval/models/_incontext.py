"""Sentences as a language model reads them, each behind those before it in its document."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
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

    It is the mean and the last of its tokens' states at each layer, side by side, and how likely its tokens are. Blanks
    around sentences do not count. A sentence that has no token is zeros.
    """

    together: ClassVar[int] = 512

    model: LanguageModel
    layers: tuple[int, ...]

    def keys(self, document: Variant) -> Sequence[Variant]:
        """Each sentence with all before it."""
        return [document[: place + 1] for place in range(len(document))]

    def read(self, keys: Sequence[Hashable]) -> Iterator[NDArray[np.float32]]:
        """Of those that begin alike only the longest is read: a token knows nothing of those behind it."""
        wanted = cast(Sequence[Variant], keys)
        found: dict[Variant, NDArray[np.float32]] = {}
        longest = _longest(wanted)
        stripped = [[text.strip() for text in texts] for texts in longest]
        predicted = self.model.predict([" ".join(texts) for texts in stripped], layers=self.layers)
        for texts, own, one in zip(longest, stripped, predicted, strict=True):
            stops = np.cumsum([len(text) + 1 for text in own]) - 1
            for place, (text, stop) in enumerate(zip(own, stops.tolist(), strict=True)):
                found[texts[: place + 1]] = self._vector(one, stop - len(text), stop)
        yield from (found[key] for key in wanted)

    def _vector(self, predicted: Predicted, start: int, stop: int) -> NDArray[np.float32]:
        """[1, d] of the tokens that end behind the one place and not behind the other"""
        ends = predicted.spans[:, 1]
        own = (start < ends) & (ends <= stop)
        states = [predicted.states[layer][own] for layer in self.layers]
        if not own.any():
            return np.zeros((1, LIKELIHOOD + sum(2 * rows.shape[1] for rows in states)), dtype=np.float32)
        pooled = [part for rows in states for part in (rows.mean(axis=0), rows[-1])]
        return np.concatenate([*pooled, _likelihood(predicted.logprobs[own], stop - start)], dtype=np.float32)[None]


def _longest(keys: Iterable[Variant]) -> list[Variant]:
    """Without those that are the beginning of another; in order, that one would be the next."""
    return [one for one, after in pairwise([*sorted(set(keys)), ()]) if after[: len(one)] != one]


def _likelihood(logprobs: NDArray[np.float64], length: int) -> NDArray[np.float64]:
    """Of a sentence's tokens, which is so many characters long."""
    total, count = logprobs.sum(), len(logprobs)
    return np.array([total / count, total / length, logprobs.min(), logprobs[0], np.log(length), np.log(count)])
