"""BERTScore: each token's best cosine match on the other side; precision, recall and their harmonic mean.

Zhang, Kishore, Wu, Weinberger, Artzi (2020), BERTScore: Evaluating Text Generation with BERT.

    P = Σ_c w_c max_r cos(c, r) / Σ w_c,   R = Σ_r w_r max_c cos(c, r) / Σ w_r,   F = 2PR / (P + R)

Variant `strict` (the default) lets the text's own pieces match only each other. Variant `code` agrees with bert_score
0.3.13: specials weigh nothing but can be matched, and an empty side scores 0 where `strict` says undefined. In both,
idf 'corpus' is counted over references only and used for both sides. bert_score also lets a negative best match become
0 when its batch happens to have padding; that depends on the neighbours and is left out. Where P and R have opposite
signs the formula of F has no bounds: `strict` takes 0 there, `code` does as bert_score.

With `context` it is Doc-BERTScore (Vernikos et al. 2022): segments are read behind the sentences before them, and only
their own tokens are scored. In `strict`, as in that paper, they are matched with each other only; in `code`, as in its
program, tokens of the context weigh nothing but can be matched, and idf is counted as 1.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.algo.matching import best_matches, harmonic, normalise
from coheval.encoders import Encoded
from coheval.errors import DataError
from coheval.metrics import Evidence, Row, undefined
from coheval.metrics._embedding import Side, WeightedMetric, lack
from coheval.spec import state

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Tokens:
    """Unit vectors [n, d], weights [n] that sum to one, character spans [n, 2], or why there are none."""

    vectors: Array
    weights: Array
    spans: NDArray[np.int32]
    flaw: str | None


@dataclass(frozen=True, kw_only=True)
class BERTScore(WeightedMetric[Tokens]):
    variant: Literal["strict", "code"] = "strict"
    form: Literal["f", "precision", "recall"] = "f"
    layer: int | Literal["last"] = "last"
    references: Literal["mean", "max"] = "max"
    baseline: str | None = None  # a file as bert_score's rescale_baseline: LAYER,P,R,F

    version: ClassVar[int] = 2
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    fits_references_only: ClassVar[bool] = True
    libraries: ClassVar[tuple[str, ...]] = ("numpy",)
    several_references: ClassVar[str] = "the best, of P, R and F each by itself; references='mean' averages"

    floor: tuple[float, float, float] = state(lambda: (0.0, 0.0, 0.0))  # the baseline's P, R, F

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.baseline:  # a wrong file is told now, not after encoding
            self.settle(floor=_read_baseline(self.baseline, self.layers[0]), range=(-math.inf, 1.0))
        if self.variant == "code" and self.form == "f":
            self.settle(range=(-math.inf, math.inf))

    def files(self) -> list[str]:
        return super().files() + ([self.baseline] if self.baseline else [])

    @property
    def layers(self) -> tuple[int, ...]:
        return (self.encoder.depth if self.layer == "last" else self.layer,)

    @property
    def looks_at_neighbours(self) -> bool:
        return self.variant == "code"

    def prepare(self, encoded: Encoded, side: Side) -> Tokens:
        weights = np.where(encoded.own, self.weights(encoded, "reference"), 0.0)
        if self.variant == "code" and self.in_context:
            weights = np.sign(weights)  # the released program loses idf here
        keep = slice(None) if self.variant == "code" else encoded.own
        weights = weights[keep]
        total = weights.sum()
        return Tokens(
            normalise(encoded.vectors[self.layers[0]][keep]),
            weights / total if total > 0 else np.zeros_like(weights),
            encoded.offsets[keep],
            self._flaw(encoded, total),
        )

    def _flaw(self, encoded: Encoded, total: float) -> str | None:
        flaw = lack(encoded)
        if flaw and not (self.variant == "code" and encoded.nothing_known):  # bert_score compares unknown words
            return flaw
        return None if total > 0 else "has no piece with a weight above zero"

    def compare(self, candidate: Tokens, reference: Tokens, evidence: bool) -> Row:
        for side, tokens in (("candidate", candidate), ("reference", reference)):
            if tokens.flaw:
                reason = f"the {side} {tokens.flaw}"
                if self.variant == "strict":
                    return undefined(reason)
                told: Evidence = {"kind": "nothing", "reason": reason}
                return Row(
                    self._rescaled((0.0, 0.0, 0.0)), evidence=told if evidence else None
                )  # as bert_score answers
        best_c, at_r, best_r, at_c = best_matches(candidate.vectors, reference.vectors)
        precision = min(1.0, float(candidate.weights @ best_c))  # rounding must not make it better than perfect
        recall = min(1.0, float(reference.weights @ best_r))
        values = self._rescaled((precision, recall, self._f(precision, recall)))
        return Row(values, evidence=_explain(candidate, reference, best_c, at_r, best_r, at_c) if evidence else None)

    def combine(self, totals: tuple[float, ...], count: int) -> float:  # type: ignore[override]
        return totals[("precision", "recall", "f").index(self.form)] / count

    def _f(self, precision: float, recall: float) -> float:
        if self.variant == "strict" and precision * recall < 0:
            return 0.0
        return harmonic(precision, recall)

    def _rescaled(self, values: tuple[float, float, float]) -> tuple[float, ...]:
        return tuple((x - b) / (1 - b) for x, b in zip(values, self.floor, strict=True))


def _read_baseline(path: str, layer: int) -> tuple[float, float, float]:
    """The row of a layer from a baseline file with the columns LAYER, P, R, F."""
    try:
        with Path(path).open(encoding="utf-8", newline="") as file:
            rows = {int(r["LAYER"]): (float(r["P"]), float(r["R"]), float(r["F"])) for r in csv.DictReader(file)}
        if not all(-1 < number < 1 for number in rows[layer]):
            raise ValueError(f"expected numbers between -1 and 1 for layer {layer}, got {rows[layer]}")
        return rows[layer]
    except OSError as error:
        raise DataError(f"the baseline cannot be read: {error.strerror}", where=path, hint="check the path") from None
    except KeyError as error:
        raise DataError(
            f"the baseline has no {error}", where=path, hint=f"expected columns LAYER,P,R,F and a row for layer {layer}"
        ) from None
    except (ValueError, TypeError) as error:
        raise DataError(
            f"the baseline cannot be used: {error}", where=path, hint="it must be a table LAYER,P,R,F of numbers"
        ) from None


def _explain(
    candidate: Tokens,
    reference: Tokens,
    best_c: Array,
    at_r: NDArray[np.intp],
    best_r: Array,
    at_c: NDArray[np.intp],
) -> Evidence:
    return {
        "kind": "matches",
        "candidate": candidate.spans.tolist(),
        "reference": reference.spans.tolist(),
        "precision": _matches(candidate.weights, at_r, best_c),
        "recall": _matches(reference.weights, at_c, best_r),
    }


def _matches(weights: Array, where: NDArray[np.intp], similarity: Array) -> list[dict[str, float]]:
    return [
        {"from": int(i), "to": int(where[i]), "weight": float(weights[i]), "similarity": float(similarity[i])}
        for i in np.flatnonzero(weights)
    ]
