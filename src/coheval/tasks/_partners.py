"""Other documents, in random order, for tasks that mix two.

Which ones a document gets depends on its own generator and on which documents there are, not on how these are ordered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from coheval.tasks._made import Text

Numbers = NDArray[np.int64]
Fits = Callable[[int, Numbers], NDArray[np.bool_]]  # a text's number and those of others -> which of them may be taken

_AT_ONCE = 64  # numbers that are drawn together


class Partners:
    """Texts, numbered in an order of their own (`texts`)."""

    def __init__(self, texts: Sequence[Text]) -> None:
        self.texts = sorted(texts, key=lambda text: hashlib.sha256(text.id.encode()).digest())
        self._number = {text.id: n for n, text in enumerate(self.texts)}

    def of(self, text: Text, rng: np.random.Generator, fits: Fits | None = None) -> Iterator[Text]:
        """Texts of other origins that fit, each once."""
        for numbers in _drawn(len(self.texts), rng):
            chosen = numbers if fits is None else numbers[fits(self._number[text.id], numbers)]
            yield from (self.texts[n] for n in chosen.tolist() if self.texts[n].origin != text.origin)


def _drawn(count: int, rng: np.random.Generator) -> Iterator[Numbers]:
    """The numbers below `count`, each once, in random order; the first few are soon there however many there are."""
    seen = np.zeros(count, dtype=np.bool_)
    known = 0
    while known < count // 2:  # drawn again and again, until half of them are known
        drawn = list(dict.fromkeys(rng.integers(count, size=_AT_ONCE).tolist()))
        new = np.array([n for n in drawn if not seen[n]], dtype=np.int64)
        seen[new] = True
        known += len(new)
        yield new
    yield rng.permutation(np.flatnonzero(~seen))
