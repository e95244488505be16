"""What causal language models have in common: how texts become rows of tokens, and long ones windows.

The beginning of a text is marked by a token, where the model has one for that; without, the first token has no
probability. A text that is longer than the model's window is read in windows that overlap by half: no token is left
out, and each but the first window's is predicted from at least half a window before it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coheval.rankers import Choice, LanguageModel, Predicted

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Row = list[int]  # numbers of tokens


@dataclass(frozen=True, slots=True, eq=False)
class Forced:
    """A row of t + 1 tokens: what the model says of each but the first."""

    logprobs: NDArray[np.float64]  # [t]
    states: dict[int, NDArray[np.float32]] = field(default_factory=dict)  # layer -> [t, d]


@dataclass(frozen=True, slots=True)
class Reader:
    """What makes tokens of texts, and how many of them are read at once."""

    tokenizer: Tokenizer
    begin: int | None  # the token that marks the beginning of a text
    window: int


@dataclass(frozen=True, kw_only=True)
class CausalModel(LanguageModel):
    """Subclasses say how texts become tokens, and what these are after those before them."""

    @abstractmethod
    def reader(self) -> Reader: ...

    @abstractmethod
    def forced(self, rows: Sequence[Row], layers: Sequence[int]) -> list[Forced]:
        """Rows of at most a window."""

    def ready(self, layers: Sequence[int] = ()) -> None:
        self.digest()
        for layer in layers:
            self.require(0 <= layer <= self.depth, f"layers must be from 0 to {self.depth}, got {layer}")

    def scores(self, choices: Sequence[Choice]) -> list[NDArray[np.float64]]:
        texts = list(dict.fromkeys(text for choice in choices for text in choice.texts))
        total = {text: float(found.logprobs.sum()) for text, found in zip(texts, self.predict(texts), strict=True)}
        return [np.array([total[text] for text in choice.texts]) for choice in choices]

    def predict(self, texts: Sequence[str], *, layers: Sequence[int] = ()) -> list[Predicted]:
        self.ready(layers)
        reader = self.reader()
        marks = [] if reader.begin is None else [reader.begin]
        encoded = reader.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        rows = [[*marks, *one.ids] for one in encoded]
        parts = [(n, part) for n, row in enumerate(rows) for part in windows(len(row), reader.window)]
        forced = self.forced([rows[n][start:stop] for n, (start, _, stop) in parts], layers)
        pieces: list[list[tuple[Forced, int]]] = [[] for _ in rows]
        nothing = np.empty((0, self.width if layers else 0), dtype=np.float32)
        for (n, (start, first, _)), found in zip(parts, forced, strict=True):
            pieces[n].append((found, first - 1 - start))
        return [
            Predicted(
                np.concatenate([np.empty(0), *(found.logprobs[at:] for found, at in own)]),
                np.array(one.offsets[1 - len(marks) :], dtype=np.int32).reshape(-1, 2),
                len(row) > reader.window,
                {
                    layer: np.concatenate([nothing, *(found.states[layer][at:] for found, at in own)])
                    for layer in layers
                },
            )
            for one, row, own in zip(encoded, rows, pieces, strict=True)
        ]


def windows(length: int, width: int) -> Iterator[tuple[int, int, int]]:
    """Where each window starts, the first token that it speaks for, where it stops.

    They start at the same places in texts of any length, so that what stands behind a token never changes its number.
    """
    start, first = 0, 1
    while first < length:
        stop = min(length, start + width)
        yield start, first, stop
        start, first = start + width - width // 2, stop
