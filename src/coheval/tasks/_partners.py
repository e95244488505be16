"""Other documents, in random order, for tasks that mix two.

Which ones a document gets depends on its own generator and on which documents there are, not on how these are ordered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np

from coheval.tasks._made import Text

_AT_ONCE = 64  # numbers that are drawn together


class Partners:
    def __init__(self, texts: Sequence[Text]) -> None:
        self.texts = sorted(texts, key=lambda text: hashlib.sha256(text.id.encode()).digest())

    def of(self, text: Text, rng: np.random.Generator) -> Iterator[Text]:
        """Texts of other origins, each once."""
        return (self.texts[n] for n in _drawn(len(self.texts), rng) if self.texts[n].origin != text.origin)


def _drawn(count: int, rng: np.random.Generator) -> Iterator[int]:
    """The numbers below `count`, each once, in random order; the first few are soon there however many there are."""
    seen: set[int] = set()
    while len(seen) < count // 2:  # drawn again and again, until half of them are known
        for n in rng.integers(count, size=_AT_ONCE).tolist():
            if n not in seen:
                seen.add(n)
                yield n
    yield from rng.permutation(sorted(set(range(count)) - seen)).tolist()
