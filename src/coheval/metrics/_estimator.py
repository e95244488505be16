"""The contract of what `comet` and `cometqe` score with: a model that estimates quality from token vectors.

An estimator says which encoder and layers it reads, what it makes of each text, and what score a candidate has beside
its reference and its source. How texts are found, encoded, shared and read in context is not its business.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from coheval.data import Passage
from coheval.encoders import Encoded, Encoder
from coheval.metrics import Evidence, Row, undefined
from coheval.metrics._embedding import lack

Mask = NDArray[np.bool_]
P = TypeVar("P")  # what an estimator makes of a text before it scores


@dataclass(frozen=True, slots=True)
class Case:
    """What one score is made from; what an estimator does not need may be None."""

    candidate: Passage
    reference: Passage | None = None
    source: Passage | None = None

    def texts(self) -> Iterator[tuple[str, Passage]]:
        for side in ("candidate", "reference", "source"):
            passage = getattr(self, side)
            if passage is not None:
                yield side, passage


class Estimator(Generic[P]):
    """Subclasses bring `encoder`, `layers`, `digest`, `prepare` and `score`; one that reads otherwise, `rows`."""

    needs: frozenset[str] = frozenset({"references"})  # of "references", "source"
    reads_source: bool = False  # whether `comet` hands it the source where there is one; `cometqe` always does
    range: tuple[float, float] = (-math.inf, math.inf)
    perfect: float | None = None  # the score of a text identical to its only reference, if there is such
    libraries: tuple[str, ...] = ("numpy",)

    @property
    def encoder(self) -> Encoder:
        raise NotImplementedError(type(self).__name__)

    @property
    def layers(self) -> tuple[int, ...]:
        """The encoder's layers that it reads, for a run to share; none where it reads otherwise."""
        raise NotImplementedError(type(self).__name__)

    def context_flaw(self, sentences: int) -> str | None:
        """Why it cannot read texts with so many sentences around them, if so."""
        return self.encoder.context_flaw(sentences)

    def digest(self) -> str | None:
        """sha256 of the files that its numbers depend on."""
        raise NotImplementedError(type(self).__name__)

    def prepare(self, encoded: Encoded, keep: Mask) -> P:
        """What `score` needs of a text; `keep` [n] is True at the tokens to pool over: none of them is of the context,
        and specials are among them or not as the metric's variant says."""
        raise NotImplementedError(type(self).__name__)

    def score(self, candidate: P, reference: P | None, source: P | None) -> tuple[float, Evidence]:
        """The candidate's score and what it rests on; reference and source are there if `needs` says so."""
        raise NotImplementedError(type(self).__name__)

    def rows(self, cases: Sequence[Case], reader: Encoder, *, own_only: bool, evidence: bool) -> list[Row]:
        """A row for each case; `reader` is the encoder or a run's stand-in for it."""
        passages = list(dict.fromkeys(passage for case in cases for _, passage in case.texts()))
        encoded = reader.encode_passages(passages, layers=self.layers)
        flaws = {passage: flaw for passage, e in zip(passages, encoded, strict=True) if (flaw := lack(e))}
        prepared = {
            passage: self.prepare(e, pooled(e, own_only=own_only))
            for passage, e in zip(passages, encoded, strict=True)
            if passage not in flaws
        }
        return [
            missing(case, self.needs, flaws) or self._row({side: prepared[p] for side, p in case.texts()}, evidence)
            for case in cases
        ]

    def _row(self, sides: Mapping[str, P], evidence: bool) -> Row:
        score, why = self.score(sides["candidate"], sides.get("reference"), sides.get("source"))
        return Row((score,), evidence=why if evidence else None)


def missing(case: Case, needs: frozenset[str], flaws: Mapping[Passage, str]) -> Row | None:
    """Why there is no score, if a text is not there or there is nothing in it."""
    for need, passage in (("references", case.reference), ("source", case.source)):
        if need in needs and passage is None:
            return undefined(f"no {need.removesuffix('s')}")
    for side, passage in case.texts():
        if passage in flaws:
            return undefined(f"the {side} {flaws[passage]}")
    return None


def pooled(encoded: Encoded, *, own_only: bool) -> Mask:
    """[n] True at the tokens that are pooled over: those of the text, and the specials around it unless `own_only`."""
    return encoded.own if own_only else np.ones(len(encoded), dtype=np.bool_)
