"""MoverScore: how much it costs to move the candidate's words to the reference's, in contextual embeddings.

Zhao, Peyrard, Liu, Gao, Meyer, Eger (2019), MoverScore: Text Generation Evaluating with Contextualized Embeddings and
Earth Mover Distance. Units are n-grams of pieces; a unit has a vector (idf-weighted sum of its pieces' vectors) and a
weight (sum of their idf, then scaled to one text = one); the distance is the cheapest transport between them.

`alignment` chooses between the optimal plan and the hard ones of table 5, where each unit goes to its nearest whatever
that one's weight: the candidate's units ('hard-precision'), the reference's ('hard-recall'), or the mean of both
distances ('hard-f').

Four variants, which also set `aggregation` and `idf` where those are not given:

| variant | aggregation | idf | n-gram vectors | cost | score |
|---|---|---|---|---|---|
| `coheval` | last | none | unit length | Euclidean | 1 − EMD |
| `paper` | pmeans | corpus | as summed | Euclidean | 1 − EMD |
| `v1` | pmeans | corpus | unit length | squared Euclidean | 1 − EMD |
| `v2` | last | corpus | unit length, n = 1 only | Euclidean | 1 / (1 + EMD) |

`v1` and `v2` are the two released programs; `paper` is the paper's text. `coheval` is the default: better than
the others on the embedded encoder (docs/results.md), and a score does not depend on the other texts of the call.
Differences from the programs: float64 and exact transport, so that identical texts score 1 in v2 too; texts beyond the
encoder's window are read in windows (`encoder=minilm(overflow='truncate')` cuts as the programs do). The programs score
an empty text by its specials, and give 1 (v2) or a penalty (v1) where idf leaves no weight; so do `v1` and `v2` here,
while `coheval` and `paper` call both undefined.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from coheval.algo.matching import Points, distances, squared_distances
from coheval.algo.pooling import ngrams
from coheval.algo.transport import LARGEST, plan, unequal_plan
from coheval.encoders import Encoded
from coheval.metrics import Evidence, Row, undefined
from coheval.metrics._aggregation import Aggregation
from coheval.metrics._embedding import Side, WeightedMetric, kept, lack, read_stop_words
from coheval.spec import state

Array = NDArray[np.float64]
Alignment = Literal["optimal", "hard-precision", "hard-recall", "hard-f"]

_AGGREGATIONS = {"coheval": "last", "paper": "pmeans", "v1": "pmeans", "v2": "last"}
_RANGES = {"coheval": (-1.0, 1.0), "paper": (-math.inf, 1.0), "v1": (-3.0, 1.0), "v2": (1 / 3, 1.0)}
_EPSILON = 1e-5  # v1 adds it to sums before it divides
_SHOWN = 1e-9  # flows below this mass are rounding, not evidence


@dataclass(frozen=True, eq=False, slots=True)
class Units:
    """A text's n-grams: points [k], weights [k], character offsets of their pieces [p, 2]."""

    points: Points
    weights: Array
    offsets: NDArray[np.int32]
    spread: float  # the largest distance between two of them, where the variant needs it
    flaw: str | None  # why they cannot be compared, if so


@dataclass(frozen=True, slots=True)
class Surplus:
    """What one text weighs more than the other, and the distance at which it is charged; only v1 does."""

    mass: float = 0.0
    cost: float = 0.0

    @property
    def charge(self) -> float:
        return self.mass * self.cost


@dataclass(frozen=True, kw_only=True)
class MoverScore(WeightedMetric[Units]):
    variant: Literal["coheval", "paper", "v1", "v2"] = "coheval"
    ngram: int = 1
    alignment: Alignment = "optimal"
    aggregation: str | None = None  # last, layer(k), pmeans, pmeans(k, …), routing, routing(k, …)
    specials: bool = True  # [CLS] and [SEP] count as words: they stand for the whole text
    punctuation: bool = False
    subwords: bool = False  # pieces that continue a word; without them its first piece stands for it
    stop_words: str = "none"  # 'none', 'english' or a file: the words to leave out

    left_out: frozenset[str] = state()

    libraries: ClassVar[tuple[str, ...]] = ("numpy", "POT")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.aggregation is None:
            self.settle(aggregation=_AGGREGATIONS[self.variant])
        Aggregation.of(str(self.aggregation), depth=1)  # a wrong text is told now, a wrong layer when encoding
        self.settle(left_out=read_stop_words(self.stop_words))
        self.require(self.ngram >= 1, f"ngram must be at least 1, got {self.ngram}")
        self.require(self.variant != "v2" or self.ngram == 1, f"variant 'v2' has unigrams only, got ngram={self.ngram}")
        self.settle(range=_RANGES[self.variant])

    def files(self) -> list[str]:
        return super().files() + ([] if self.stop_words in ("none", "english") else [self.stop_words])

    @property
    def usual_idf(self) -> str:
        return "none" if self.variant == "coheval" else "corpus"

    @property
    def layers(self) -> tuple[int, ...]:
        return self._aggregate.layers

    @property
    def _aggregate(self) -> Aggregation:
        return Aggregation.of(str(self.aggregation), self.encoder.depth)

    def prepare(self, encoded: Encoded, side: Side) -> Units:
        positions = kept(
            encoded,
            specials=self.specials,
            punctuation=self.punctuation,
            subwords=self.subwords,
            stop_words=self.left_out,
        )
        weights = self.weights(encoded, side)[positions]
        vectors, masses = ngrams(self._aggregate(encoded, positions), weights, self.ngram)
        points = self._points(vectors, masses)
        return Units(
            points,
            masses,
            encoded.offsets[positions],
            self._spread(points),
            self._flaw(encoded, positions, masses),
        )

    def _points(self, vectors: Array, masses: Array) -> Points:
        if self.variant == "paper":
            return Points.of(vectors)
        if self.variant == "v1":
            return Points.units(vectors, 1e-6 * (masses + _EPSILON))  # it divides by the mass first
        return Points.units(vectors)

    def _spread(self, points: Points) -> float:
        count = len(points.scale)
        if self.variant != "v1" or self.alignment != "optimal" or not 0 < count**2 <= LARGEST:
            return 0.0
        return float(squared_distances(points, points).max())

    def _flaw(self, encoded: Encoded, positions: NDArray[np.intp], masses: Array) -> str | None:
        programs = self.variant in ("v1", "v2")  # they compare specials when there is nothing else
        if not len(positions) or (encoded.special[positions].all() and not programs):
            return lack(encoded) or "has nothing left after filtering"
        if masses.sum() <= 0 and not (programs and self.alignment == "optimal"):
            return "has no piece with a weight above zero"
        return None if programs else lack(encoded)

    def compare(self, candidate: Units, reference: Units, evidence: bool) -> Row:
        reason = self._undefined(candidate, reference)
        if reason:
            return undefined(reason)
        cost = self._costs(candidate, reference)
        flow, surplus = self._flow(candidate, reference, cost)
        score = self._score(float(np.vdot(flow, cost)) + surplus.charge)
        return Row((score,), evidence=_explain(candidate, reference, flow, cost, surplus) if evidence else None)

    def _undefined(self, candidate: Units, reference: Units) -> str | None:
        for side, units in (("candidate", candidate), ("reference", reference)):
            if units.flaw:
                return f"the {side} {units.flaw}"
        ours, theirs = len(candidate.weights), len(reference.weights)
        # v1 also needs the distances within each text
        if (max(ours, theirs) ** 2 if self.variant == "v1" else ours * theirs) > LARGEST:
            return (
                f"{ours:,} x {theirs:,} units are too many to align "
                f"(at most {LARGEST:,} pairs); split the text into segments"
            )
        return None

    def _costs(self, candidate: Units, reference: Units) -> Array:
        measure = squared_distances if self.variant == "v1" else distances
        return measure(candidate.points, reference.points)

    def _flow(self, candidate: Units, reference: Units, cost: Array) -> tuple[Array, Surplus]:
        """What moves where, and what is charged beside."""
        a, b = candidate.weights, reference.weights
        if self.alignment == "hard-recall":
            return _nearest(b, cost.T).T, Surplus()
        if self.alignment == "hard-precision":
            return _nearest(a, cost), Surplus()
        if self.alignment == "hard-f":
            return (_nearest(a, cost) + _nearest(b, cost.T).T) / 2, Surplus()
        if self.variant == "v1":
            return _released_flow(candidate, reference, cost)
        if a.sum() <= 0 or b.sum() <= 0:  # v2 answers a perfect score
            return np.zeros_like(cost), Surplus()
        return plan(a, b, cost), Surplus()

    def _score(self, distance: float) -> float:
        return 1 / (1 + distance) if self.variant == "v2" else 1 - distance


def _released_flow(candidate: Units, reference: Units, cost: Array) -> tuple[Array, Surplus]:
    """v1 divides by sum + epsilon, so masses differ a little, and altogether where one side weighs nothing; pyemd
    charges the difference at the largest distance between any two units of both texts."""
    a = candidate.weights / (candidate.weights.sum() + _EPSILON)
    b = reference.weights / (reference.weights.sum() + _EPSILON)
    farthest = max(float(cost.max()), candidate.spread, reference.spread)
    return unequal_plan(a, b, cost), Surplus(abs(float(a.sum() - b.sum())), farthest)


def _nearest(weights: Array, cost: Array) -> Array:
    """The plan [n, m] that moves each row to its cheapest column, whatever the column's weight: hard alignment."""
    flow = np.zeros_like(cost)
    flow[np.arange(len(cost)), cost.argmin(axis=1)] = weights / weights.sum()
    return flow


def _spans(units: Units) -> list[list[int]]:
    """From the beginning of each n-gram's first piece to the end of its last; specials have no place in the text."""
    starts, stops = units.offsets.T
    starts = np.where(stops > 0, starts, np.iinfo(np.int32).max)
    size = len(units.offsets) - len(units.weights) + 1
    first, last = sliding_window_view(starts, size).min(axis=1), sliding_window_view(stops, size).max(axis=1)
    spans: list[list[int]] = np.column_stack([np.where(last > 0, first, 0), last]).tolist()
    return spans


def _explain(candidate: Units, reference: Units, flow: Array, cost: Array, surplus: Surplus) -> Evidence:
    rows, columns = np.nonzero(flow > _SHOWN)
    return {
        "kind": "transport",
        "candidate": _spans(candidate),
        "reference": _spans(reference),
        "weights": {"candidate": float(candidate.weights.sum()), "reference": float(reference.weights.sum())},
        "surplus": {"mass": surplus.mass, "cost": surplus.cost},
        "moves": [
            {"from": int(i), "to": int(j), "mass": float(flow[i, j]), "cost": float(cost[i, j])}
            for i, j in zip(rows, columns, strict=True)
        ],
    }
