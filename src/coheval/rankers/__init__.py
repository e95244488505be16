"""The contract of a ranker: how natural texts are as language, so that wrong variants are wrong in nothing else.

A choice is a place in a sentence and what could stand there. A ranker gives each candidate the logarithm of how likely
it is in this place, up to a number that all candidates of the choice share: so they can be ranked, and drawn as often
as the language would have them. A candidate that the ranker would not say there at all has the score -inf.

A ranker that counts must see sentences first (`fit`); one with weights of its own is ready as it is.

    Choice("I was tired, ", ("but", "because"), " I went on.")
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from coheval.spec import Component


@dataclass(frozen=True, slots=True)
class Choice:
    """A sentence with a place in it: before + candidate + after is the whole, blanks included."""

    before: str
    candidates: tuple[str, ...]
    after: str

    @property
    def texts(self) -> tuple[str, ...]:
        """The sentence with each candidate."""
        return tuple(self.before + candidate + self.after for candidate in self.candidates)


@dataclass(frozen=True, kw_only=True)
class Ranker(Component):
    group: ClassVar[str] = "rankers"

    def fit(self, sentences: Iterable[str]) -> Self:
        """A copy that knows the language of these sentences; one that knows its language already is itself."""
        return self

    def scores(self, choices: Sequence[Choice]) -> list[NDArray[np.float64]]:
        """For each choice a number for each candidate; the choices beside it never change it."""
        raise NotImplementedError(type(self).__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Predicted:
    """How likely each token of a text is after those before it.

    A first token that has nothing before it, not even a mark of the beginning, is not among them.
    """

    logprobs: NDArray[np.float64]  # [t] natural logarithms
    spans: NDArray[np.int32]  # [t, 2] the characters of each token
    windowed: bool  # whether the text was longer than the model's window
    states: dict[int, NDArray[np.float32]] = field(default_factory=dict)  # layer -> [t, d], of those asked for


@dataclass(frozen=True, kw_only=True)
class LanguageModel(Ranker):
    """A ranker that reads from left to right, and so gives every token of any text a probability."""

    located_by: ClassVar[tuple[str, ...]] = ()  # parameters that say where its weights lie: the digest tells which

    @property
    def depth(self) -> int:
        """The number of the last layer."""
        raise NotImplementedError(type(self).__name__)

    @property
    def width(self) -> int:
        """Of a token's states at a layer."""
        raise NotImplementedError(type(self).__name__)

    def ready(self, layers: Sequence[int] = ()) -> None:
        """Told here is what keeps it from reading texts, or giving states at these layers."""
        raise NotImplementedError(type(self).__name__)

    def predict(self, texts: Sequence[str], *, layers: Sequence[int] = ()) -> list[Predicted]:
        """Each text, however long: beyond the model's window in windows that overlap by half.

        Layer 0 is the embedding, 1 the first block.
        """
        raise NotImplementedError(type(self).__name__)
