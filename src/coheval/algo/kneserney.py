"""How likely words follow one another: trigrams with interpolated Kneser-Ney smoothing, over numbers for words.

    p3(w | u v) = max(c(uvw) - D3, 0) / c(uv·)  +  D3 N(uv·) / c(uv·)  p2(w | v)
    p2(w | v)   = max(n(vw) - D2, 0) / n(v·)    +  D2 N(v·) / n(v·)    p1(w)
    p1(w)       = max(n(w) - D1, 0) / n(·)      +  D1 N(·) / n(·)      1/V

c counts trigrams. n(vw) is the number of different words seen before vw, n(w) before w. N is how many different words
were seen behind; · sums over them. Behind a context that was never seen, the shorter one decides alone. Each discount
is D = n1 / (n1 + 2 n2), n1 and n2 being how many of that order were counted once and twice, and 1/2 where there are
none. V is the size of the vocabulary, the word for all unknown ones and the end of a sentence included, so that the
probabilities behind any context sum to 1. Chen, Goodman 1998, "An Empirical Study of Smoothing Techniques".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.int64]

BEGIN = 0  # stands twice before each sentence, and is never predicted
BITS = 21  # of a word's number, so that three fit into one key
MOST = 2**BITS


@dataclass(frozen=True, eq=False)
class _Counts:
    """How often each key was counted, and what was counted behind each context."""

    keys: Words  # [k] sorted
    counts: Words  # [k]
    contexts: Words  # [c] sorted: keys without their last word
    totals: Words  # [c] the sum of counts behind
    kinds: Words  # [c] how many different words behind
    discount: float

    @classmethod
    def of(cls, keys: Words, counts: Words) -> _Counts:
        contexts, first = np.unique(keys >> BITS, return_index=True)
        kinds = np.diff(np.append(first, len(keys)))
        once, twice = int((counts == 1).sum()), int((counts == 2).sum())
        discount = once / (once + 2 * twice) if once and twice else 0.5
        return cls(keys, counts, contexts, np.add.reduceat(counts, first), kinds, discount)

    def interpolated(self, keys: Words, shorter: NDArray[np.float64]) -> NDArray[np.float64]:
        """[n] probabilities of keys' last words; `shorter` are those behind the shorter contexts."""
        count = _found(self.keys, self.counts, keys)
        total = _found(self.contexts, self.totals, keys >> BITS)
        kinds = _found(self.contexts, self.kinds, keys >> BITS)
        own = np.maximum(count - self.discount, 0.0) + self.discount * kinds * shorter
        return np.where(total > 0, own / np.maximum(total, 1), shorter)


@dataclass(frozen=True, eq=False)
class KneserNey:
    trigrams: _Counts
    bigrams: _Counts
    words: _Counts
    vocabulary: int  # words that can be predicted

    @classmethod
    def of(cls, sentences: Words, vocabulary: int) -> KneserNey:
        """From sentences one behind the other, each with BEGIN twice before it and its end behind it.

        Words that can be predicted are numbered from 1 to `vocabulary`.
        """
        u, v, w = sentences[:-2], sentences[1:-1], sentences[2:]
        keys, counts = np.unique(trigram(u, v, w)[w != BEGIN], return_counts=True)
        pairs, before = np.unique(keys & (MOST * MOST - 1), return_counts=True)
        single, kinds = np.unique(pairs & (MOST - 1), return_counts=True)
        return cls(_Counts.of(keys, counts), _Counts.of(pairs, before), _Counts.of(single, kinds), vocabulary)

    def probabilities(self, u: Words, v: Words, w: Words) -> NDArray[np.float64]:
        """[n] p3(w | u v)."""
        one = self.words.interpolated(w, np.full(len(w), 1 / self.vocabulary))
        two = self.bigrams.interpolated(pair(v, w), one)
        return self.trigrams.interpolated(trigram(u, v, w), two)

    def seen(self, v: Words, w: Words) -> NDArray[np.bool_]:
        """[n] whether w was seen behind v."""
        return _found(self.bigrams.keys, self.bigrams.counts, pair(v, w)) > 0


def pair(v: Words, w: Words) -> Words:
    return (v << BITS) | w


def trigram(u: Words, v: Words, w: Words) -> Words:
    return (pair(u, v) << BITS) | w


def _found(keys: Words, values: Words, wanted: Words) -> Words:
    """[n] the value of each wanted key, 0 where there is none."""
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, values[places], 0)
