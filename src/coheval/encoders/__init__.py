"""The contract of an encoder: texts in, a vector for each token and layer out.

Encoders never cut a text without being told to: a text longer than the encoder's window is read in overlapping
windows, each token taken from the window where it has most context (`overflow='window'`), refused (`'error'`) or cut
(`'truncate'`), and what was done is noted on the result.

Encoders that see context also read passages: the sentences before, the text, and the sentences behind it, each parted
from the next by the tokenizer's own separator. Where the window is full the oldest context is left out first, and
never the text; `overflow='error'` refuses instead. What comes back are the text's tokens and the specials around the
whole; those of the neighbours, too, where the passage asks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.data import Passage
from coheval.errors import SpecError
from coheval.spec import Component

Overflow = Literal["window", "error", "truncate"]


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """A text's tokens, specials included, and their vectors at each layer that was asked for."""

    vectors: dict[int, NDArray[np.float32]]  # layer -> [n, d]; layer 0 is the embedding, 1 the first block
    pieces: tuple[str, ...]  # n pieces as the tokenizer writes them
    offsets: NDArray[np.int32]  # [n, 2] character spans; specials have (0, 0)
    special: NDArray[np.bool_]  # [n] True where a token stands for no text, such as [CLS]
    continues: NDArray[np.bool_]  # [n] True where a piece goes on with the word of the one before it
    overflow: Literal["", "windowed", "cut"] = ""
    unknown: int = 0  # tokens the encoder does not know: left out, or all read as one and the same
    nothing_known: bool = False  # True where the text has tokens and none of them is known
    context: NDArray[np.bool_] | None = None  # [n] True where a token is of the context or parts it off
    dropped: int = 0  # sentences of context for which the window had no room

    def __len__(self) -> int:
        return len(self.pieces)

    @property
    def own(self) -> NDArray[np.bool_]:
        """[n] True where a token is of the text itself: neither special nor context."""
        return ~self.special if self.context is None else ~(self.special | self.context)

    def without_context(self) -> Encoded:
        if self.context is None:
            return self
        keep = ~self.context
        return replace(
            self,
            vectors={layer: vectors[keep] for layer, vectors in self.vectors.items()},
            pieces=tuple(compress(self.pieces, keep)),
            offsets=self.offsets[keep],
            special=self.special[keep],
            continues=self.continues[keep],
            context=None,
        )


@dataclass(frozen=True, kw_only=True)
class Encoder(Component):
    group: ClassVar[str] = "encoders"
    located_by: ClassVar[tuple[str, ...]] = ()  # parameters that say where its weights lie: the digest tells which

    @property
    def depth(self) -> int:
        """The number of the last layer."""
        raise NotImplementedError(type(self).__name__)

    def ready(self, layers: Sequence[int]) -> None:
        """Told here is what keeps it from working, such as a file that is missing: a run asks before it scores."""

    def tokenize(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """The pieces of each text, specials included, as `encode` will have them, without any vectors."""
        raise NotImplementedError(type(self).__name__)

    def encode(self, texts: Sequence[str], *, layers: Sequence[int] | None = None) -> list[Encoded]:
        """Each text's vectors at the given layers (the last one if none are given)."""
        raise NotImplementedError(type(self).__name__)

    def context_flaw(self, sentences: int) -> str | None:
        """Why a text cannot be read with so many sentences around it, if so."""
        return f"{type(self).name()} sees no context"

    def encode_passages(self, passages: Sequence[Passage], *, layers: Sequence[int] | None = None) -> list[Encoded]:
        """As `encode`, each text among its neighbours; where the tokens of these are asked for, they are marked."""
        raise SpecError(
            f"{type(self).name()} sees no context", where=type(self).name(), hint="use a transformer, such as minilm"
        )
