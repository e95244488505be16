"""The contract of a decoder: pairs of texts in, the log-probability of each token of the second given the first out.

This is forced decoding: nothing is generated, the model is asked how likely it would have been to say the target, token
by token. Each text may be read among its neighbours, on both sides as

    context sentence <sep> … context sentence <sep> sentence <sep> sentence behind it … <end>

where the separator is the tokenizer's own end of text, or nothing for a model that was never shown one within a text.
Where the window is full the oldest context is left out first, and never the sentence. A sentence that alone does not
fit cannot be read in overlapping windows, since a token's probability rests on all tokens before it: it comes back as a
`Refusal`, not as a number, and not as an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.data import Passage
from coheval.spec import Component

Pair = tuple[Passage, Passage]  # source and target


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """The tokens of a target, and how likely each is after the source and the tokens before it."""

    logprobs: NDArray[np.float64]  # [t] natural logarithms
    pieces: tuple[str, ...]  # t pieces as the tokenizer writes them
    offsets: NDArray[np.int32]  # [t, 2] character spans in the target's own text; other tokens have (0, 0)
    tag: NDArray[np.bool_]  # [t] True where a token opens the whole, such as a language's tag or <s>
    context: NDArray[np.bool_]  # [t] True where a token is of the context or parts it off
    end: NDArray[np.bool_]  # [t] True for the one that closes the text: the end or, if sentences follow, a separator
    dropped: tuple[int, int] = (0, 0)  # sentences of context for which the window had no room, of source and target
    unknown: tuple[int, int] = (0, 0)  # tokens that the vocabulary does not have, of source and target

    def __len__(self) -> int:
        return len(self.pieces)

    @property
    def own(self) -> NDArray[np.bool_]:
        """[t] True where a token is of the text itself."""
        return ~(self.tag | self.context | self.end)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a pair has no probability, to be read behind the name of that side: the candidate 'is empty'."""

    side: Literal["source", "target"]
    why: str


@dataclass(frozen=True, kw_only=True)
class Decoder(Component):
    group: ClassVar[str] = "decoders"

    @property
    def window(self) -> int:
        """The most tokens, specials included, that the model reads on either side."""
        raise NotImplementedError(type(self).__name__)

    def ready(self) -> None:
        """Told here is what keeps it from working, such as a file that is missing: a run asks before it scores."""

    def context_flaw(self, sentences: int) -> str | None:
        """Why a text cannot be read with so many sentences around it, if so."""
        raise NotImplementedError(type(self).__name__)

    def force(self, pairs: Sequence[Pair]) -> list[Decoded | Refusal]:
        """Each target forced out of its source, in order."""
        raise NotImplementedError(type(self).__name__)
