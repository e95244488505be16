"""One encoder for a whole run: every distinct text is encoded once and shared by systems, references and metrics.

The layers that all metrics of the run need are asked for together. Memory is bounded: the least recently used texts go
first, and are encoded again should they come back.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from coheval.encoders import Encoded, Encoder
from coheval.spec import state

BUDGET = 512 * 2**20  # bytes of vectors kept beyond the call that needs them


@dataclass(frozen=True, kw_only=True)
class SharedEncoder(Encoder):
    inner: Encoder
    wanted: tuple[int, ...]
    memory: OrderedDict[str, Encoded] = state(OrderedDict)
    noted: dict[str, dict[int, int]] = state(lambda: {"windowed": {}, "cut": {}, "unknown": {}})  # by text's hash

    @property
    def depth(self) -> int:
        return self.inner.depth

    def tokenize(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        return self.inner.tokenize(texts)

    def encode(self, texts: Sequence[str], *, layers: Sequence[int] | None = None) -> list[Encoded]:
        if not set(self.wanted).issuperset(layers or (self.depth,)):  # not foreseen, so not shared
            return self.inner.encode(texts, layers=layers)
        missing = [text for text in dict.fromkeys(texts) if text not in self.memory]
        for text, encoded in zip(missing, self.inner.encode(missing, layers=self.wanted), strict=True):
            self.memory[text] = encoded
            self._note(text, encoded)
        for text in texts:
            self.memory.move_to_end(text)
        found = [self.memory[text] for text in texts]
        self._forget()
        return found

    def counts(self) -> dict[str, int]:
        """Distinct texts that were windowed or cut, and tokens of distinct texts that have no vector."""
        return {mark: sum(texts.values()) for mark, texts in self.noted.items()}

    def _note(self, text: str, encoded: Encoded) -> None:
        if encoded.overflow:
            self.noted[encoded.overflow][hash(text)] = 1
        if encoded.unknown:
            self.noted["unknown"][hash(text)] = encoded.unknown

    def _forget(self) -> None:
        size = sum(_bytes(encoded) for encoded in self.memory.values())
        while size > BUDGET:
            _, oldest = self.memory.popitem(last=False)
            size -= _bytes(oldest)


def _bytes(encoded: Encoded) -> int:
    return sum(vectors.nbytes for vectors in encoded.vectors.values())
