"""Combination: a weighted sum of other metrics' scores, tuned on people's judgements or uniform.

    score = intercept + Σ_k weight_k · scaled_k(score of member k)

After DiscoTK-party (Joty, Guzmán, Màrquez, Nakov 2017, Discourse Structure in Machine Translation Evaluation). Every
member is scaled and turned so that higher is better; the scale is stored with the weights, so that a score does not
depend on the texts beside it. Scales by `minmax` and `standard` are not clipped: a score beyond those that were seen in
training counts for what it is.

`combination` alone is the model that comes with coheval. `combination(model='model.json')` is one that `coheval train
combination` or `Combiner.save` wrote; its digest is in the signature, and it is refused where a member's version or
weights are not those that it was tuned with. `combination(members=[chrf, bertscore])` is the mean of its members, each
scaled to 0-1 by the range that it declares.

The unit is the document if it is that of any member, or if the model was tuned on scores of documents; then a member
that measures segments counts with its score of the document. There is no score where a member has none.

Members of the model that comes with coheval overlap, and some of its weights are negative: single weights mean little,
and a text that is identical to its reference is not bound to have the highest score.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from coheval.annotators import Annotator, Layer
from coheval.data import Item
from coheval.decoders import Decoder
from coheval.encoders import Encoder
from coheval.errors import ResourceError
from coheval.metrics import Evidence, Measurement, Metric, Row, Unit, undefined
from coheval.metrics._combined import Array, Model, bounds, described, metrics_of, uniform
from coheval.metrics._modelfile import read_model
from coheval.metrics._references import marks_of
from coheval.spec import Component, state

SHIPPED = Path(__file__).with_suffix(".json")

Score = float | str  # or why there is none


@dataclass(frozen=True, kw_only=True)
class Combination(Metric):
    model: str = ""  # a file that `coheval train combination` wrote; '' is the model that comes with coheval
    members: tuple[Metric, ...] = ()  # instead of a model: metrics that count alike, each scaled by its range

    weighing: Model = state()  # members' scales and weights
    parts: tuple[Metric, ...] = state(
        tuple
    )  # the members at work; none: made by `run.stored` to read rows, not to measure

    several_references: ClassVar[str] = "as each member does"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(not (self.model and self.members), "model and members exclude each other, got both")
        if self.weighing is None:
            self._load()
        fitting = [part for part in self.parts if part.needs_fit]
        units = {self.weighing.unit, *(part.unit for part in self.parts)}
        unit: Unit = "document" if "document" in units else "segment"
        self.settle(
            unit=unit,
            needs=frozenset().union(*(part.needs for part in self.parts)),
            range=bounds(self.weighing, self.parts) if self.parts else (-math.inf, math.inf),
            perfect=self._perfect(),
            fits_references_only=bool(fitting) and all(part.fits_references_only for part in fitting),
            libraries=() if self.members else tuple(sorted(_libraries(self.parts))),  # members' signatures have theirs
        )

    def _load(self) -> None:
        if self.members:
            self.settle(weighing=uniform(self.members), parts=self.members)
            return
        if not self.model and not SHIPPED.exists():
            raise ResourceError(
                "no tuned model comes with this version of coheval",
                where="combination",
                hint="name one, combination(model='model.json'), or members, combination(members=[chrf, bertscore])",
            )
        read = read_model(Path(self.model) if self.model else SHIPPED).effective()
        self.settle(weighing=read, parts=metrics_of(read, self.model or "combination", warn=bool(self.model)))

    def _perfect(self) -> float | None:
        perfect = [part.perfect for part in self.parts]
        if not self.parts or any(score is None or not math.isfinite(score) for score in perfect):
            return None
        return float(self.weighing.predict(np.array([perfect], dtype=np.float64))[0])

    def digest(self) -> str | None:
        return self.weighing.sha256

    def details(self) -> list[str]:
        return described(self.weighing)

    # ------------------------------------------------------------------------------- what members need of a run

    def reads(self) -> dict[Encoder, tuple[int, ...]]:
        found: dict[Encoder, set[int]] = {}
        for part in self.parts:
            for encoder, layers in part.reads().items():
                found.setdefault(encoder, set()).update(layers)
        return {encoder: tuple(sorted(layers)) for encoder, layers in found.items()}

    def consults(self) -> dict[Annotator, tuple[Layer, ...]]:
        found: dict[Annotator, set[Layer]] = {}
        for part in self.parts:
            for annotator, layers in part.consults().items():
                found.setdefault(annotator, set()).update(layers)
        return {annotator: tuple(sorted(layers)) for annotator, layers in found.items()}

    def decodes(self) -> tuple[Decoder, ...]:
        return tuple(dict.fromkeys(decoder for part in self.parts for decoder in part.decodes()))

    def sharing(self, shared: Mapping[Component, Component]) -> Self:
        return replace(self, parts=tuple(part.sharing(shared) for part in self.parts))

    @property
    def needs_fit(self) -> bool:
        return any(part.needs_fit for part in self.parts)

    def fit(self, items: Iterable[Item]) -> Self:
        several = sum(part.needs_fit for part in self.parts) > 1
        seen = list(items) if several else items  # they can be gone through once
        return replace(self, parts=tuple(part.fit(seen) if part.needs_fit else part for part in self.parts))

    # ------------------------------------------------------------------------------------------------ measuring

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        if not self.parts:
            raise ResourceError(
                "this combination was read from a run folder, without its model, and cannot measure",
                where="combination",
                hint="build it anew: coheval.metric(\"combination(model='model.json')\")",
            )
        by_part = [self._measured(part, items) for part in self.parts]  # [members][items][units]
        units = [list(zip(*of_item, strict=True)) for of_item in zip(*by_part, strict=True)]  # [items][units][members]
        rows = iter(self._rows([unit for of_item in units for unit in of_item], evidence))
        return [Measurement(tuple(next(rows) for _ in of_item)) for of_item in units]

    def _measured(self, part: Metric, items: Sequence[Item]) -> list[list[Sequence[Row]]]:
        """A member's rows of each unit of each item."""
        summed = part.unit != self.unit
        return [[measured.rows] if summed else [[row] for row in measured.rows] for measured in part.measure(items)]

    def _rows(self, measured: Sequence[Sequence[Sequence[Row]]], evidence: bool) -> list[Row]:
        units = [[_total(part, rows) for part, rows in zip(self.parts, unit, strict=True)] for unit in measured]
        marks = [marks_of(row for rows in unit for row in rows) for unit in measured]
        scores = np.array([[np.nan if isinstance(s, str) else s for s in unit] for unit in units], dtype=np.float64)
        scores = scores.reshape(len(units), len(self.parts))
        totals = self.weighing.predict(scores).tolist()
        scaled = self.weighing.scaled(scores)
        return [
            self._undefined(unit)
            or Row((total,), evidence=self._explain(own, on_scale) if evidence else None, marks=its_marks)
            for unit, total, own, on_scale, its_marks in zip(units, totals, scores, scaled, marks, strict=True)
        ]

    def _undefined(self, unit: Sequence[Score]) -> Row | None:
        for member, score in zip(self.weighing.members, unit, strict=True):
            if isinstance(score, str):
                return undefined(f"{member.spec} has no score: {score}")
        return None

    def _explain(self, scores: Array, scaled: Array) -> Evidence:
        return {
            "kind": "contributions",
            "intercept": self.weighing.intercept,
            "members": [
                {
                    "metric": member.spec,
                    "score": float(score),
                    "scaled": float(on_scale),
                    "weight": member.weight,
                    "contribution": member.weight * float(on_scale),
                }
                for member, score, on_scale in zip(self.weighing.members, scores, scaled, strict=True)
            ],
        }


def _total(part: Metric, rows: Sequence[Row]) -> Score:
    """A member's score of the sum of some rows, of which those without numbers are left out."""
    defined = [row.values for row in rows if row.values is not None]
    if not defined:
        return rows[0].reason or "no reason was given"
    score = part.combine([sum(column) for column in zip(*defined, strict=True)], len(defined))
    return "it gives none for these numbers" if score is None else score


def _libraries(value: object) -> set[str]:
    """Of a component, its parameters that are components, and so on."""
    if isinstance(value, tuple):
        return set().union(*map(_libraries, value))
    if not isinstance(value, Component):
        return set()
    return set(value.libraries).union(*(_libraries(getattr(value, name)) for name in value.parameters()))
