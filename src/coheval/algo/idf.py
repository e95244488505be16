"""Inverse document frequency of pieces, as MoverScore and BERTScore count it.

    idf(t) = ln((N + 1) / (df(t) + 1)),   ln(N + 1) for a piece that no text has

N texts, df(t) of which contain t. Specials such as [CLS] are pieces too: every text has them, so they weigh nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, log
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coheval.errors import DataError


@dataclass(frozen=True)
class Idf:
    weights: Mapping[str, float]
    default: float  # of a piece that has no weight of its own

    @classmethod
    def of(cls, texts: Iterable[Iterable[str]]) -> Idf:
        counts = Counts()
        for pieces in texts:
            counts.add(pieces)
        return counts.idf()

    def __call__(self, pieces: Sequence[str]) -> NDArray[np.float64]:
        if not self.weights:
            return np.full(len(pieces), self.default)
        return np.array([self.weights.get(piece, self.default) for piece in pieces], dtype=np.float64)


class Counts:
    """Document frequencies, text by text, so that a corpus need not be held."""

    def __init__(self) -> None:
        self.texts = 0
        self.frequency: Counter[str] = Counter()

    def add(self, pieces: Iterable[str]) -> None:
        self.texts += 1
        self.frequency.update(set(pieces))

    def idf(self) -> Idf:
        weights = {t: log((self.texts + 1) / (df + 1)) for t, df in self.frequency.items()}
        return Idf(weights, log(self.texts + 1))


UNIFORM = Idf({}, 1.0)


def read(path: str) -> tuple[Idf, Idf]:
    """The tables for candidates and references from a JSON file.

    Either one table for both, `{"default": 2.9, "weights": {"the": 0.3, …}}`, or one for each,
    `{"candidates": {…}, "references": {…}}`.
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"the idf table cannot be read: {error.strerror}", where=path, hint="check the path") from None
    except ValueError as error:
        raise DataError(
            f"the idf table is not JSON: {error}", where=path, hint='write {"default": 2.9, "weights": {"the": 0.3, …}}'
        ) from None
    if isinstance(content, dict) and set(content) == {"candidates", "references"}:
        return _table(content["candidates"], path), _table(content["references"], path)
    both = _table(content, path)
    return both, both


def write(path: str, candidates: Idf, references: Idf) -> None:
    tables = {"candidates": candidates, "references": references}
    content = {name: {"default": t.default, "weights": dict(t.weights)} for name, t in tables.items()}
    Path(path).write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")


def _table(content: object, path: str) -> Idf:
    match content:
        case {"default": int() | float() as default, "weights": dict() as weights}:
            if all(isinstance(w, int | float) and isfinite(w) and w >= 0 for w in (default, *weights.values())):
                return Idf({str(k): float(v) for k, v in weights.items()}, float(default))
    raise DataError(
        'the idf table must be {"default": number, "weights": {piece: number}} with numbers of at least 0',
        where=path,
        hint="coheval.algo.idf.write makes such a file",
    )
