"""What `comet` and `cometqe` share: the estimator that a model is, and the cases it scores, in context or without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NoReturn

from coheval.data import Item
from coheval.encoders import Encoder
from coheval.errors import SpecError
from coheval.metrics import Measurement, Row
from coheval.metrics._context import ContextMetric
from coheval.metrics._estimator import Case, Estimator
from coheval.spec import state

EMBEDDED = "embedded"
TRAINED = ".safetensors"  # what `coheval train comet` writes


@dataclass(frozen=True, kw_only=True)
class EstimatedMetric(ContextMetric):
    """A metric whose scores an estimator gives."""

    model: str = EMBEDDED  # 'embedded', a file of `coheval train comet`, or the folder of a COMET checkpoint
    backbone: str | None = None  # the folder of the checkpoint's encoder, for its configuration and tokenizer
    variant: Literal["strict", "code"] = "strict"  # in context: pool over the sentence; 'code': and over both specials

    estimator: Estimator[object] | None = state()
    reader: Encoder | None = state()  # the estimator's encoder, or a run's stand-in for it

    referenceless: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.settle(estimator=self._made())
        used = self.used
        more = self.needs - type(self).needs  # what context needs
        self.settle(needs=used.needs | more, range=used.range, perfect=used.perfect, libraries=used.libraries)
        if self.reader != used.encoder and getattr(self.reader, "inner", None) != used.encoder:
            self.settle(reader=used.encoder)  # a run's stand-in may stay
        flaw = used.context_flaw(self.context + self.after) if self.in_context else None
        self.require(flaw is None, f"the encoder cannot read context: {flaw}")

    @property
    def used(self) -> Estimator[object]:
        if self.estimator is None:
            raise ValueError("the constructor makes the estimator")
        return self.estimator

    def _made(self) -> Estimator[object]:
        if self.model != EMBEDDED and not self.model.endswith(TRAINED):
            from coheval.metrics._cometcheckpoint import checkpoint

            return checkpoint(self.model, self.backbone, referenceless=self.referenceless, refuse=self._refuse)
        from coheval.metrics._cometembedded import embedded

        self.require(self.backbone is None, "backbone belongs to a checkpoint; other models have their own encoder")
        made: Estimator[Any] = embedded(
            None if self.model == EMBEDDED else self.model, referenceless=self.referenceless
        )
        return made

    def _refuse(self, reason: str, other: str) -> NoReturn:
        """A checkpoint that is for the other metric."""
        raise SpecError(
            f"the checkpoint {reason}", where=type(self).name(), hint=f"use {other}(model={self.model!r}) for it"
        )

    def digest(self) -> str | None:
        return self.used.digest()

    def reads(self) -> dict[Encoder, tuple[int, ...]]:
        layers = self.used.layers
        return {self.used.encoder: layers} if layers else {}

    def cases(self, item: Item, index: int) -> list[Case]:
        """What a segment's scores are made from, one for each reference."""
        raise NotImplementedError(type(self).__name__)

    def merged(self, rows: Sequence[Row]) -> Row:
        """A segment's row from those of its cases."""
        raise NotImplementedError(type(self).__name__)

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        cases = [[self.cases(item, i) for i in range(len(item))] for item in items]
        found = iter(
            self.used.rows(
                [case for of_item in cases for of_segment in of_item for case in of_segment],
                self.reader or self.used.encoder,
                own_only=self.in_context and self.variant == "strict",
                evidence=evidence,
            )
        )
        return [
            Measurement(tuple(self.merged([next(found) for _ in of_segment]) for of_segment in of_item))
            for of_item in cases
        ]
