"""Intrusion: a document, and the same document with one sentence of another in place of one of its own.

    random  any other document
    near    one of the ten that have most words in common with this one, by the cosine of their TF-IDF

Shen, Mistica, Salehi, Li, Baldwin, Qi (2021), Evaluating Document Coherence Modeling, ask which sentence of a document
is an intruder; their intruders are of near documents, and never the first sentence. So they are here, at a random place
from the second on. The other document is of the same part and of another origin.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from coheval.tasks import Group, LeftOut, Variant
from coheval.tasks._made import MadeTask, Text, own_rng
from coheval.tasks._partners import Fits, Numbers, Partners

NEAR = 10  # documents

_WORD = re.compile(r"[^\W\d_]+")
_AT_ONCE = 500  # documents that are compared with all others together
_TRIES = 20  # for each wrong variant that is asked for


@dataclass(frozen=True, kw_only=True)
class Intrusion(MadeTask):
    kind: Literal["random", "near"] = "random"  # any other document, or one that has words in common

    def groups(self, texts: Sequence[Text], rng: np.random.Generator) -> Iterator[Group | LeftOut]:
        root = int(rng.integers(2**63))
        partners = Partners(texts)
        fits = _nearest(partners.texts) if self.kind == "near" else None
        for text in texts:
            wrong = self._wrong(text, partners, fits, own_rng(root, text.id))
            if wrong:
                yield self.grouped(text, wrong, label=self.kind)
            else:
                which = "near" if self.kind == "near" else "other"
                yield LeftOut(text.id, f"no {which} document has another sentence")

    def _wrong(self, text: Text, partners: Partners, fits: Fits | None, rng: np.random.Generator) -> list[Variant]:
        own = set(text.sentences)
        found: dict[Variant, None] = {}
        others = list(islice(partners.of(text, rng, fits), self.negatives))
        for _ in range(_TRIES * self.negatives if others else 0):
            other = others[int(rng.integers(len(others)))]
            intruder = other.sentences[int(rng.integers(1, len(other.sentences)))]
            place = int(rng.integers(1, len(text.sentences)))
            if intruder not in own:
                found[(*text.sentences[:place], intruder, *text.sentences[place + 1 :])] = None
            if len(found) == self.negatives:
                break
        return list(found)


def _nearest(texts: Sequence[Text]) -> Fits:
    """Which texts of other origins are among the nearest of a text, none that shares no word."""
    numbers = {origin: n for n, origin in enumerate(dict.fromkeys(text.origin for text in texts))}
    origins = np.array([numbers[text.origin] for text in texts])
    vectors = _vectors([" ".join(text.sentences) for text in texts])
    near: list[Numbers] = []
    for at in range(0, len(texts), _AT_ONCE):
        common = (vectors[at : at + _AT_ONCE] @ vectors.T).toarray()
        common[origins[at : at + _AT_ONCE, None] == origins] = 0
        for row in common:
            best = np.argsort(-row, kind="stable")[:NEAR]
            near.append(best[row[best] > 0])

    def fits(one: int, others: Numbers) -> NDArray[np.bool_]:
        return np.isin(others, near[one])

    return fits


def _vectors(texts: Sequence[str]) -> sp.csr_array:
    """[D, V] TF-IDF of words in two texts or more, of length 1."""
    counted = [Counter(_WORD.findall(text.lower())) for text in texts]
    having = Counter(word for counts in counted for word in counts)
    vocabulary = {word: n for n, word in enumerate(sorted(w for w, texts_of in having.items() if texts_of > 1))}
    places = [(row, w, n) for row, counts in enumerate(counted) for w, n in counts.items() if w in vocabulary]
    values = np.array([n * np.log(len(texts) / having[w]) for _, w, n in places], dtype=np.float64)
    rows, columns = [row for row, _, _ in places], [vocabulary[w] for _, w, _ in places]
    found = sp.csr_array((values, (rows, columns)), shape=(len(texts), max(1, len(vocabulary))))
    lengths = np.sqrt(np.asarray(found.multiply(found).sum(axis=1)).ravel())
    return sp.csr_array(sp.diags_array(1 / np.where(lengths > 0, lengths, 1)) @ found)
