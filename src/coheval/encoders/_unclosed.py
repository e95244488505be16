"""An encoder that reads as DiscoScore's program does, for the metrics' variant 'code'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coheval.encoders import Encoded, Encoder
from coheval.encoders._transformer import TransformerEncoder


@dataclass(frozen=True, kw_only=True)
class Unclosed(Encoder):
    inner: TransformerEncoder
    attentive: bool = True

    @property
    def depth(self) -> int:
        return self.inner.depth

    def encode(self, texts: Sequence[str], *, layers: Sequence[int] | None = None) -> list[Encoded]:
        return self.inner.encode_unclosed(texts, layers=layers, attentive=self.attentive)
