"""One decoder for a whole run: every distinct pair is forced once and shared by systems and metrics.

Memory is bounded: the least recently used pairs go first, and are forced again should they come back. Each metric has a
view of its own, which notes what happened to the texts that this metric asked for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from coheval.decoders import Decoded, Decoder, Pair, Refusal
from coheval.spec import state

BUDGET = 2**20  # tokens kept beyond the call that needs them, about 100 bytes each


@dataclass(frozen=True, kw_only=True)
class SharedDecoder(Decoder):
    inner: Decoder
    memory: OrderedDict[Pair, Decoded | Refusal] = state(OrderedDict)
    noted: dict[str, dict[int, int]] = state(lambda: _nothing())  # by text's hash

    def view(self) -> Self:
        """The same memory, with nothing noted yet."""
        return replace(self, noted=_nothing())

    @property
    def window(self) -> int:
        return self.inner.window

    def context_flaw(self, sentences: int) -> str | None:
        return self.inner.context_flaw(sentences)

    def force(self, pairs: Sequence[Pair]) -> list[Decoded | Refusal]:
        missing = [pair for pair in dict.fromkeys(pairs) if pair not in self.memory]
        self.memory.update(zip(missing, self.inner.force(missing), strict=True))
        for pair in pairs:
            self.memory.move_to_end(pair)
        found = [self.memory[pair] for pair in pairs]
        for pair, decoded in zip(pairs, found, strict=True):
            self._note(pair, decoded)
        self._forget()
        return found

    def counts(self) -> dict[str, int]:
        """Tokens that are unknown, and sentences of context without room, over distinct texts."""
        return {mark: sum(texts.values()) for mark, texts in self.noted.items()}

    def _note(self, pair: Pair, decoded: Decoded | Refusal) -> None:
        if isinstance(decoded, Refusal):
            return
        for mark, numbers in (("unknown", decoded.unknown), ("dropped", decoded.dropped)):
            for passage, number in zip(pair, numbers, strict=True):
                if number:  # a text may stand on both sides, where specials leave unequal room
                    self.noted[mark][hash(passage)] = max(number, self.noted[mark].get(hash(passage), 0))

    def _forget(self) -> None:
        size = sum(map(_tokens, self.memory.values()))
        while size > BUDGET:
            _, oldest = self.memory.popitem(last=False)
            size -= _tokens(oldest)


def _nothing() -> dict[str, dict[int, int]]:
    return {"unknown": {}, "dropped": {}}


def _tokens(decoded: Decoded | Refusal) -> int:
    return len(decoded) if isinstance(decoded, Decoded) else 1
