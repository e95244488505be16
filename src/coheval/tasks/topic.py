"""Topic: a document, and one half of it joined with the other half of another document.

    random      any other document
    controlled  one that is about something else: its topics have little in common with this one's

Which half is replaced is random for each wrong variant; of an odd number of sentences the second half has one more. The
other document is of the same part and of another origin. Pishdad, Fancellu, Zhang, Fazly (2020), How Coherent Are
Neural Models of Coherence?

Topics are found by latent Dirichlet allocation over the words that tell a document from others: of each document's
words, those of the largest TF-IDF, a share `words` of them,

    TF-IDF = n_dw · log(D / D_w),   D_w of D documents have the word

and what two documents have in common is Σ_k min(θ_k, θ'_k), which is 1 for the same proportions and 0 if they share no
topic. The paper gives numbers of topics and shares of words (30 and 50% for dialogues), but not below which overlap two
documents differ: here it is a parameter. Words are runs of letters, lower-case, in two documents or more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from coheval.algo.lda import proportions, topics
from coheval.tasks import Group, LeftOut, Variant
from coheval.tasks._made import MadeTask, Text, own_rng
from coheval.tasks._partners import Fits, Numbers, Partners

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


@dataclass(frozen=True, kw_only=True)
class Topic(MadeTask):
    kind: Literal["random", "controlled"] = "random"  # any other document, or one of other topics
    topics: int = 30  # of latent Dirichlet allocation, for controlled
    words: float = 0.5  # share of each document's words that topics are found in, for controlled
    overlap: float = 0.1  # of two documents' topics, at most, for controlled

    least: ClassVar[int] = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.topics >= 2, f"topics must be at least 2, got {self.topics}")
        self.require(0 < self.words <= 1, f"words must be above 0 and at most 1, got {self.words}")
        self.require(0 <= self.overlap <= 1, f"overlap must be from 0 to 1, got {self.overlap}")

    def groups(self, texts: Sequence[Text], rng: np.random.Generator) -> Iterator[Group | LeftOut]:
        root = int(rng.integers(2**63))
        partners = Partners(texts)
        differ = self._differ(partners.texts, rng) if self.kind == "controlled" else None
        for text in texts:
            own = own_rng(root, text.id)
            found: dict[Variant, None] = {}
            for other in partners.of(text, own, differ):
                variant = _mixed(text.sentences, other.sentences, keeps_first=bool(own.integers(2)))
                if variant != text.sentences:
                    found[variant] = None
                if len(found) == self.negatives:
                    break
            if found:
                yield self.grouped(text, found, label=self.kind)
            else:
                yield LeftOut(text.id, self._alone())

    def _alone(self) -> str:
        if self.kind == "random":
            return "no other document can be joined with it"
        return f"no other document's topics overlap with its own by {self.overlap} or less"

    def _differ(self, texts: Sequence[Text], rng: np.random.Generator) -> Fits:
        counts = selected([" ".join(text.sentences) for text in texts], self.words)
        shares = proportions(counts, topics(counts, self.topics, rng))  # [D, K]

        def differ(one: int, others: Numbers) -> NDArray[np.bool_]:
            fitting: NDArray[np.bool_] = np.minimum(shares[one], shares[others]).sum(axis=1) <= self.overlap
            return fitting

        return differ


def _mixed(own: Variant, other: Variant, *, keeps_first: bool) -> Variant:
    first, second = (own, other) if keeps_first else (other, own)
    return (*first[: len(first) // 2], *second[len(second) // 2 :])


def selected(texts: Sequence[str], share: float) -> sp.csr_array:
    """Counts [D, V] of each text's words of the largest TF-IDF, at least one; of equal ones the first by alphabet."""
    counted = [Counter(_WORD.findall(text.lower())) for text in texts]
    having = Counter(word for counts in counted for word in counts)
    vocabulary = {word: n for n, word in enumerate(sorted(w for w, documents in having.items() if documents > 1))}
    rarity = {word: np.log(len(texts) / having[word]) for word in vocabulary}
    columns: list[int] = []
    values: list[int] = []
    starts = [0]
    for counts in counted:
        known = sorted((word for word in counts if word in vocabulary), key=lambda w: (-counts[w] * rarity[w], w))
        kept = known[: max(1, round(share * len(known)))]
        columns += [vocabulary[word] for word in kept]
        values += [counts[word] for word in kept]
        starts.append(len(columns))
    data: NDArray[np.float64] = np.array(values, dtype=np.float64)
    return sp.csr_array((data, columns, starts), shape=(len(texts), max(1, len(vocabulary))))
