"""One encoder for a whole run: every distinct text is encoded once and shared by systems, references and metrics.

The layers that all metrics of the run need are asked for together. Memory is bounded: the least recently used texts go
first, and are encoded again should they come back. Each metric has a view of its own, which notes what happened to the
texts that this metric asked for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from coheval.data import Passage
from coheval.encoders import Encoded, Encoder
from coheval.spec import state

BUDGET = 512 * 2**20  # bytes of vectors kept beyond the call that needs them


@dataclass(frozen=True, kw_only=True)
class SharedEncoder(Encoder):
    inner: Encoder
    wanted: tuple[int, ...]
    memory: OrderedDict[str | Passage, Encoded] = state(OrderedDict)
    noted: dict[str, dict[int, int]] = state(lambda: _nothing())  # by text's hash

    def view(self) -> Self:
        """The same memory, with nothing noted yet."""
        return replace(self, noted=_nothing())

    @property
    def depth(self) -> int:
        return self.inner.depth

    def tokenize(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        return self.inner.tokenize(texts)

    def encode(self, texts: Sequence[str], *, layers: Sequence[int] | None = None) -> list[Encoded]:
        if not self._foreseen(layers):
            return self.inner.encode(texts, layers=layers)
        missing = [text for text in dict.fromkeys(texts) if text not in self.memory]
        self._keep(missing, self.inner.encode(missing, layers=self.wanted))
        return self._recall(texts)

    def context_flaw(self, sentences: int) -> str | None:
        return self.inner.context_flaw(sentences)

    def encode_passages(self, passages: Sequence[Passage], *, layers: Sequence[int] | None = None) -> list[Encoded]:
        if not self._foreseen(layers):
            return self.inner.encode_passages(passages, layers=layers)
        keys = [passage.text if passage.alone else passage for passage in passages]  # shared with plain texts
        missing = {key: p for key, p in zip(keys, passages, strict=True) if key not in self.memory}
        self._keep(missing, self.inner.encode_passages(list(missing.values()), layers=self.wanted))
        return self._recall(keys)

    def _foreseen(self, layers: Sequence[int] | None) -> bool:
        """Whether these layers are among those that are shared."""
        return set(self.wanted).issuperset(layers or (self.depth,))

    def _keep(self, texts: Iterable[str | Passage], found: Iterable[Encoded]) -> None:
        self.memory.update(zip(texts, found, strict=True))

    def _recall(self, texts: Sequence[str | Passage]) -> list[Encoded]:
        for text in texts:
            self.memory.move_to_end(text)
        found = [self.memory[text] for text in texts]
        for text, encoded in zip(texts, found, strict=True):
            self._note(text, encoded)
        self._forget()
        return found

    def counts(self) -> dict[str, int]:
        """Distinct texts that were windowed or cut; tokens without a vector, and sentences of context without room."""
        return {mark: sum(texts.values()) for mark, texts in self.noted.items()}

    def _note(self, text: str | Passage, encoded: Encoded) -> None:
        if encoded.overflow:
            self.noted[encoded.overflow][hash(text)] = 1
        if encoded.unknown:
            self.noted["unknown"][hash(text)] = encoded.unknown
        if encoded.dropped:
            self.noted["dropped"][hash(text)] = encoded.dropped

    def _forget(self) -> None:
        size = sum(_bytes(encoded) for encoded in self.memory.values())
        while size > BUDGET:
            _, oldest = self.memory.popitem(last=False)
            size -= _bytes(oldest)


def _nothing() -> dict[str, dict[int, int]]:
    return {mark: {} for mark in ("windowed", "cut", "unknown", "dropped")}


def _bytes(encoded: Encoded) -> int:
    return sum(vectors.nbytes for vectors in encoded.vectors.values())
