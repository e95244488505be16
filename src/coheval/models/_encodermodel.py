"""A trained model that reads each sentence by itself, with a frozen encoder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from coheval.encoders import Encoder
from coheval.models._file import Facts
from coheval.models._inputs import Sentences
from coheval.models._trained import TrainedModel, without_libraries
from coheval.spec import build


@dataclass(frozen=True, kw_only=True)
class EncoderModel(TrainedModel):
    encoder: Encoder | None = None  # whose vectors it reads; the one that the file names, or minilm
    variant: Literal["repaired", "original"] = "repaired"  # or with the errors of the released program

    usual_encoder: ClassVar[str] = "minilm"
    usual_layers: ClassVar[tuple[int, ...] | None] = None  # of that one; the last, as those of others
    pooled: ClassVar[bool] = False  # whether it reads one vector for each sentence, or one for each token

    def named(self) -> dict[str, object]:
        ((encoder, layers),) = self.reads().items()
        return {"encoder": encoder, "layers": layers}

    def ready(self) -> None:
        self.facts()
        for encoder, layers in self.reads().items():
            encoder.ready(layers)

    def reads(self) -> dict[Encoder, tuple[int, ...]]:
        if self.path is None:
            return self.would_read()
        facts = self.facts()
        named = self.encoder or build(Encoder, without_libraries(facts["encoder"]))
        return {named: self.layers or tuple(facts["layers"])}

    def would_read(self) -> dict[Encoder, tuple[int, ...]]:
        """What it reads if it is trained now."""
        usual = build(Encoder, self.usual_encoder)
        encoder = self.encoder or usual
        return {encoder: self.layers or (self.usual_layers if encoder == usual else None) or (encoder.depth,)}

    def readings(self, reader: Encoder | None = None) -> Sentences:
        ((encoder, layers),) = self.reads().items()
        return Sentences(reader or encoder, layers, self.pooled)

    def new_readings(self) -> Sentences:
        ((encoder, layers),) = self.would_read().items()
        encoder.ready(layers)
        return Sentences(encoder, layers, self.pooled)

    def read_by(self) -> Facts:
        ((encoder, layers),) = self.would_read().items()
        return {"variant": self.variant, "encoder": encoder.signature, "layers": list(layers)}

    def check(self, facts: Facts) -> None:
        if self.variant != facts.get("variant"):
            other = "original" if self.variant == "repaired" else "repaired"
            raise self.another("variant", facts, self.variant, f"write variant={other}")
        if self.encoder is not None:
            self.check_reader(facts, "encoder", self.encoder, self.encoder.located_by)
        super().check(facts)
