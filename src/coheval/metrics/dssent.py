"""DS-Sent: are candidate and reference alike when each sentence also carries the later ones that it is linked to?

Zhao, Strube, Eger (2023), DiscoScore: Evaluating Text Generation with BERT and Discourse Coherence. Sentences that
share a focus (see `focus`) are linked: A_ij = 1/(j − i) for i < j, or a/(j − i) with `weighted`, a being the number of
foci that they share. A sentence's vector is the mean of its pieces' in one pass over the document; each then adds the
vectors that its links lead to, Ŝ = (A + I) S. Texts are compared by

- `mean-max-min-sum`: the cosine of their vectors [mean, max, min, sum over the rows of Ŝ],
- `greedy`: each sentence with the most similar one of the other text (F of the mean cosines, as BERTScore does),
- `optimal`: the mean cosine under optimal transport between the sentences.

Higher is better. `aggregate=False` takes S for Ŝ, the paper's ablation.

| variant | layer | rows of Ŝ | [CLS] | text | one-sentence reference |
|---|---|---|---|---|---|
| `coheval` | first | unit length | left out | as it is | as any other |
| `paper` | last | as they are | left out | as it is | as any other |
| `code` | last, or 8th | unit length | in the first sentence | lower-cased | mean cosine of the rows, counted twice |

The first layer agrees best with people on half of SummEval, the last one worst (docs/results.md).

`code` is the released program, where only the unweighted links could be reached; see `dsfocus` for how it reads and for
`attention`. Its threshold of entities is 0.5 everywhere; the paper has 0.8 for summaries, 0.5 for translations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.algo import transport
from coheval.algo.graphs import Edges
from coheval.algo.matching import best_matches, harmonic, normalise
from coheval.encoders import Encoded
from coheval.metrics import Evidence, Row, undefined
from coheval.metrics._discourse import Text
from coheval.metrics._encoded import EncodedMetric
from coheval.metrics._features import told_links

Array = NDArray[np.float64]
Alignment = Literal["mean-max-min-sum", "greedy", "optimal"]


@dataclass(frozen=True, eq=False, slots=True)
class Prepared:
    """A text's sentences after aggregation: their vectors [s, d] and these pooled [4d], all of unit length."""

    text: Text
    edges: Edges
    read: NDArray[np.intp]  # the numbers of the sentences that have vectors
    vectors: Array
    pooled: Array


@dataclass(frozen=True, kw_only=True)
class DSSent(EncodedMetric[Prepared]):
    weighted: bool = False  # whether a link counts the foci that two sentences share
    alignment: Alignment = "mean-max-min-sum"
    aggregate: bool = True  # whether sentences add what they are linked to
    threshold: float = 0.5  # for focus='entity': nouns whose vectors' cosine is above it are one entity

    libraries: ClassVar[tuple[str, ...]] = ("numpy", "POT")
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    perfect: ClassVar[float | None] = 1.0

    @property
    def usual_layer(self) -> int:
        return 1 if self.variant == "coheval" else super().usual_layer

    def prepare(self, text: Text, encoded: Encoded) -> Prepared:
        vectors, read = _sentences(text, encoded, self._layers[0], with_first=self.variant == "code")
        links = text.edges()
        edges = (links if self.weighted else links.unweighted()).discounted()
        # A sentence that the encoder did not read (it cut the text, or knows none of its signs) has no vector to add.
        rows = (edges.aggregate(vectors) if self.aggregate else vectors)[read]
        units = normalise(rows)
        return Prepared(
            text, edges, np.flatnonzero(read), units, normalise(_pooled(rows if self.variant == "paper" else units))
        )

    def compare(self, candidate: Prepared, reference: Prepared, evidence: bool) -> Row:
        for side, prepared in (("candidate", candidate), ("reference", reference)):
            if not len(prepared.vectors):
                return undefined(f"the {side} has no sentence that the encoder can read")
        if self.alignment == "optimal" and len(candidate.vectors) * len(reference.vectors) > transport.LARGEST:
            sizes = f"{len(candidate.vectors):,} and {len(reference.vectors):,}"
            return undefined(f"{sizes} sentences are too many for optimal alignment")
        told: Evidence = _explain(candidate, reference) if evidence else {}
        return Row((self._alike(candidate, reference, told),), evidence=told if evidence else None)

    def counts(self, reference: Prepared) -> int:
        """The program notes a reference of one sentence twice."""
        return 2 if self.variant == "code" and len(reference.vectors) == 1 else 1

    def _alike(self, candidate: Prepared, reference: Prepared, told: Evidence) -> float:
        if self.variant == "code" and len(reference.vectors) == 1:
            return _bounded(float(np.mean(candidate.vectors @ reference.vectors[0])))
        if self.alignment == "mean-max-min-sum":
            return _bounded(float(candidate.pooled @ reference.pooled))
        x, y = candidate.vectors, reference.vectors
        if self.alignment == "greedy":
            best_x, at_x, best_y, at_y = best_matches(x, y)
            told["matches"] = [
                *_pairs(candidate.read, reference.read[at_x], best_x),
                *_pairs(candidate.read[at_y], reference.read, best_y),
            ]
            precision, recall = float(best_x.mean()), float(best_y.mean())
            return _bounded(harmonic(precision, recall) if min(precision, recall) > 0 else min(precision, recall))
        similarity = x @ y.T
        flow = transport.plan(np.ones(len(x)), np.ones(len(y)), 1 - similarity)
        i, j = flow.nonzero()
        told["moves"] = _pairs(candidate.read[i], reference.read[j], flow[i, j])
        return _bounded(float(np.vdot(flow, similarity)))


def _sentences(text: Text, encoded: Encoded, layer: int, *, with_first: bool) -> tuple[Array, NDArray[np.bool_]]:
    """The mean of each sentence's pieces [s, d], and which sentences have any.

    With `with_first`, the special token that opens the text belongs to the first sentence.
    """
    starts = text.annotated.sentences[:, 0]
    total = np.zeros((len(starts), encoded.vectors[layer].shape[1]))
    if not len(starts):
        return total, np.zeros(0, np.bool_)
    taken = ~encoded.special
    if with_first and len(taken):
        taken[0] = True
    places = np.flatnonzero(taken)
    ends = encoded.offsets[places, 1] - 1  # a piece may begin with the blank before its sentence
    owner = np.maximum(np.searchsorted(starts, ends, side="right") - 1, 0)  # in rising order
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    count = np.bincount(owner, minlength=len(starts))
    if len(places):
        total[owner[first]] = np.add.reduceat(encoded.vectors[layer][places].astype(np.float64), first, axis=0)
    return total / np.maximum(count, 1)[:, None], count > 0


def _pooled(rows: Array) -> Array:
    """[s, d] -> [4d]; nothing for no sentence."""
    return np.concatenate([f(rows, axis=0) for f in (np.mean, np.max, np.min, np.sum)]) if len(rows) else rows[:, :0]


def _bounded(cosine: float) -> float:
    """A cosine without what rounding adds to its bounds."""
    return min(1.0, max(-1.0, cosine))


def _pairs(candidate: NDArray[np.intp], reference: NDArray[np.intp], value: Array) -> list[tuple[int, int, float]]:
    """Sentence of the candidate, sentence of the reference, similarity or mass."""
    return list(zip(candidate.tolist(), reference.tolist(), value.tolist(), strict=True))


def _explain(candidate: Prepared, reference: Prepared) -> Evidence:
    return {
        "kind": "sentences",
        "candidate": told_links(candidate.text, candidate.edges),
        "reference": told_links(reference.text, reference.edges, "reference"),
    }
