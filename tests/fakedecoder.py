"""A decoder whose numbers can be worked out by hand: words are tokens, and the k-th token of a target has −k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coheval.data import Passage
from coheval.decoders import Decoded, Decoder, Pair, Refusal
from coheval.spec import state


@dataclass(frozen=True, kw_only=True)
class Counting(Decoder):
    """`<tag> before </s> … text </s> after </s>`; a text of more than `window` words is refused."""

    limit: int = 50
    asked: list[Pair] = state(list)  # every pair that was forced

    @property
    def window(self) -> int:
        return self.limit

    def context_flaw(self, sentences: int) -> str | None:
        return "it is short" if sentences >= self.limit else None

    def force(self, pairs: Sequence[Pair]) -> list[Decoded | Refusal]:
        self.asked.extend(pairs)
        return [self._one(*pair) for pair in pairs]

    def _one(self, source: Passage, target: Passage) -> Decoded | Refusal:
        for side, passage in (("source", source), ("target", target)):
            if not passage.text.split():
                return Refusal(side, "is empty")
            if len(passage.text.split()) > self.limit:
                return Refusal(side, "is too long")
        kept = target.before[-1:]  # room for one sentence
        words = [(w, "context") for sentence in kept for w in (*sentence.split(), "</s>")]
        words += [(w, "own") for w in target.text.split()] + [("</s>", "end")]
        words += [(w, "context") for sentence in target.after for w in (*sentence.split(), "</s>")]
        words = [("<tag>", "tag"), *words]
        kinds = np.array([kind for _, kind in words])
        offsets, at = [], 0
        for word, kind in words:
            start = target.text.index(word, at) if kind == "own" else 0
            at = start + len(word) if kind == "own" else at
            offsets.append((start, at) if kind == "own" else (0, 0))
        return Decoded(
            logprobs=-np.arange(1.0, len(words) + 1),
            pieces=tuple(word for word, _ in words),
            offsets=np.array(offsets, dtype=np.int32),
            tag=kinds == "tag",
            context=kinds == "context",
            end=kinds == "end",
            dropped=(max(0, len(source.before) - 1), max(0, len(target.before) - 1)),
            unknown=(source.text.split().count("?"), target.text.split().count("?")),
        )
