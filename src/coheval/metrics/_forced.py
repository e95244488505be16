"""What metrics over forced decoding share: which text is forced out of which, several references, evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.data import Item
from coheval.decoders import Decoded, Decoder, Pair, Refusal
from coheval.metrics import Evidence, Measurement, Row, undefined
from coheval.metrics._context import ContextMetric
from coheval.metrics._references import over_references
from coheval.spec import build

Text = Literal["candidate", "reference", "source"]
Direction = tuple[Text, Text]  # what is given, and what is forced out of it
Forced = dict[Pair, Decoded | Refusal]
Mask = NDArray[np.bool_]

_DIRECTIONS: dict[str, tuple[Direction, ...]] = {
    "f": (("reference", "candidate"), ("candidate", "reference")),
    "precision": (("reference", "candidate"),),
    "recall": (("candidate", "reference"),),
    "source": (("source", "candidate"),),
}


@dataclass(frozen=True, kw_only=True)
class ForcedMetric(ContextMetric):
    """Scores a candidate by how likely it is given each reference, and each reference given it."""

    decoder: Decoder = field(default_factory=lambda: build(Decoder, "t5"))
    form: Literal["f", "precision", "recall", "source"] = "f"  # 'source': the candidate given the source alone
    references: Literal["mean", "max"] = "mean"

    range: ClassVar[tuple[float, float]] = (-np.inf, 0.0)
    perfect: ClassVar[float | None] = None
    libraries: ClassVar[tuple[str, ...]] = ("numpy",)
    several_references: ClassVar[str] = "mean of the references' scores; references='max' takes the best"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form == "source":
            self.without_references()
        flaw = self.decoder.context_flaw(self.context + self.after) if self.in_context else None
        self.require(flaw is None, f"the decoder cannot read context: {flaw}")

    def decodes(self) -> tuple[Decoder, ...]:
        return (self.decoder,)

    def scored(self, decoded: Decoded) -> Mask:
        """[t] True at the tokens the mean of whose log-probabilities is the score."""
        raise NotImplementedError(type(self).__name__)

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        pairs = [[list(self._pairs(item, i)) for i in range(len(item))] for item in items]
        distinct = list(
            dict.fromkeys(p for segments in pairs for segment in segments for both in segment for p in both)
        )
        forced: Forced = dict(zip(distinct, self.decoder.force(distinct), strict=True))
        return [Measurement(tuple(self._row(segment, forced, evidence) for segment in segments)) for segments in pairs]

    def _pairs(self, item: Item, index: int) -> Iterator[tuple[Pair, ...]]:
        """The pairs of each direction, for each reference that the segment has, or for the source."""
        if self.form == "source":
            source = self.source_passage(item, index)
            if source is not None:
                yield ((source, self.candidate_passage(item, index, None)),)
            return
        for reference in item.references:
            if reference[index] is not None:
                passages = {
                    "candidate": self.candidate_passage(item, index, reference),
                    "reference": self.reference_passage(item, index, reference),
                }
                yield tuple((passages[given], passages[of]) for given, of in self._directions)

    @property
    def _directions(self) -> tuple[Direction, ...]:
        return _DIRECTIONS[self.form]

    def _row(self, segment: Sequence[tuple[Pair, ...]], forced: Forced, evidence: bool) -> Row:
        if self.form == "source" and not segment:
            return undefined("no source")
        return over_references([self._both([forced[p] for p in pairs], evidence) for pairs in segment], self.references)

    def _both(self, found: Sequence[Decoded | Refusal], evidence: bool) -> Row:
        """The mean of the directions; each must have a score."""
        means = []
        told: Evidence = {"kind": "logprobs"}
        for decoded, (given, of) in zip(found, self._directions, strict=True):
            if isinstance(decoded, Refusal):
                return undefined(f"the {of if decoded.side == 'target' else given} {decoded.why}")
            scored = self.scored(decoded)
            means.append(float(decoded.logprobs[scored].mean()))
            told[of] = {"given": given} | _explain(decoded, scored)
        return Row((sum(means) / len(means),), evidence=told if evidence else None)


def closed(decoded: Decoded) -> Mask:
    """The text's own tokens and the one that closes it."""
    return decoded.own | decoded.end


def _explain(decoded: Decoded, scored: Mask) -> Evidence:
    """The tokens that are averaged; those that are no part of the text have the span (0, 0)."""
    return {
        "pieces": [piece for piece, counts in zip(decoded.pieces, scored, strict=True) if counts],
        "spans": decoded.offsets[scored].tolist(),
        "logprobs": decoded.logprobs[scored].tolist(),
    }
