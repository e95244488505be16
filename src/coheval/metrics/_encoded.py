"""What DS-Focus and DS-Sent share: documents encoded in one pass, compared with each reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Generic, Literal, TypeVar

import numpy as np

from coheval.data import Item
from coheval.encoders import Encoded, Encoder
from coheval.encoders._transformer import TransformerEncoder
from coheval.encoders._unclosed import Unclosed
from coheval.metrics import Measurement, Row, undefined
from coheval.metrics._discourse import PARTIAL, DiscourseMetric, Text
from coheval.metrics._foci import Mention
from coheval.spec import build, state

Attention = Literal["ones", "legacy", "finfo"]
_KEPT = 8  # layers of the released program's encoders
P = TypeVar("P")  # what a metric makes of a text before it compares


@dataclass(frozen=True, kw_only=True)
class EncodedMetric(DiscourseMetric, Generic[P]):
    """A discourse metric over token vectors."""

    encoder: Encoder = field(default_factory=lambda: build(Encoder, "minilm"))
    layer: int | None = None  # of the encoder; None: as the variant says
    variant: Literal["coheval", "paper", "code"] = "coheval"
    attention: Attention | None = None  # of variant='code' only: 'ones', or what the program's zero mask became

    reader: Encoder | None = state()  # the encoder as the variant reads with it

    libraries: ClassVar[tuple[str, ...]] = ("numpy",)
    several_references: ClassVar[str] = "mean over the references for which it is defined"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.layer is None:
            self.settle(layer=self.usual_layer)
        self.require(
            self.attention is None or self.variant == "code", "attention is a parameter of variant='code' alone"
        )
        if self.variant == "code" and self.attention is None:
            self.settle(attention="ones")
        if self.variant == "code":
            self.settle(unshared=self.unshared | {"encoder"})  # the reader is shared, and reads with it
        made = self._reader()
        if self.reader != made and getattr(self.reader, "inner", None) != made:  # a run's stand-in may stay
            self.settle(reader=made)

    def _reader(self) -> Encoder:
        if self.variant != "code":
            return self.encoder
        if not isinstance(self.encoder, TransformerEncoder):
            self.require(False, f"variant 'code' needs an encoder with a tokenizer, got {self.encoder.name()}")
            return self.encoder
        return Unclosed(inner=self.encoder, attentive=self.attention != "finfo")

    @property
    def usual_layer(self) -> int:
        """The last one; the released program keeps no more than eight."""
        return min(_KEPT, self.encoder.depth) if self.variant == "code" else self.encoder.depth

    def reads(self) -> dict[Encoder, tuple[int, ...]]:
        return {self._used: self._layers}

    @property
    def _used(self) -> Encoder:
        return self.reader or self.encoder

    @property
    def _layers(self) -> tuple[int, ...]:
        return (self.usual_layer if self.layer is None else self.layer,)

    def prepare(self, text: Text, encoded: Encoded) -> P:
        """What `compare` needs of a text; made once for a text that several comparisons share."""
        raise NotImplementedError(type(self).__name__)

    def compare(self, candidate: P, reference: P, evidence: bool) -> Row:
        """The row of one candidate against one reference."""
        raise NotImplementedError(type(self).__name__)

    def counts(self, reference: P) -> int:
        """How often a reference counts in the mean over references."""
        return 1

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        texts = self.read(items, references=True)
        encoded = self._used.encode(list(texts), layers=self._layers)
        prepared = {t: self.prepare(text, e) for (t, text), e in zip(texts.items(), encoded, strict=True)}
        return [Measurement((self._row(item, prepared, evidence),)) for item in items]

    def _row(self, item: Item, prepared: dict[str, P], evidence: bool) -> Row:
        candidate = prepared[self.plain(item.candidate)]
        rows, counts = [], []
        for document in item.references:
            reference = prepared[self.plain(document)] if document.whole else None
            rows.append(undefined(PARTIAL) if reference is None else self.compare(candidate, reference, evidence))
            counts.append(1 if reference is None else self.counts(reference))
        return _mean(rows, counts)


def _mean(rows: Sequence[Row], counts: Sequence[int]) -> Row:
    """Over the references for which there is a score."""
    defined = [(row.values[0], n) for row, n in zip(rows, counts, strict=True) if row.values is not None]
    if not defined:
        return rows[0] if rows else undefined("no reference")
    if len(rows) == 1:
        return rows[0]
    score = sum(value * n for value, n in defined) / sum(n for _, n in defined)
    each = [row.evidence or {"kind": "undefined", "reason": row.reason} for row in rows]
    some = any(row.evidence for row in rows)
    return Row((score,), evidence={"kind": "references", "each": each} if some else None)


class Pieces:
    """Which of an encoded text's own pieces lie in spans of characters."""

    def __init__(self, encoded: Encoded) -> None:
        self.places = np.flatnonzero(~encoded.special)  # among all pieces
        self.starts, self.stops = encoded.offsets[self.places].T

    def within(self, mentions: Sequence[Mention]) -> list[tuple[int, int]]:
        """For each mention the first of the places that it covers and the first behind it."""
        spans = np.array([(m.start, m.stop) for m in mentions], dtype=np.int32).reshape(-1, 2)
        first = np.searchsorted(self.stops, spans[:, 0], side="right")
        last = np.searchsorted(self.starts, spans[:, 1], side="left")
        return list(zip(first.tolist(), last.tolist(), strict=True))
