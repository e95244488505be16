"""A learned metric: any model of transformers that gives a pair of texts a number, such as BLEURT. Needs `torch`.

Sellam, Das, Parikh (2020), BLEURT: Learning Robust Metrics for Text Generation. The model is a sequence classifier with
a single label; the pair is read as one sequence, in the order and parted as it was in training, and the score is the
label's logit. In context both texts are read among their neighbours, parted by the tokenizer's separator. A pair beyond
the model's window loses its context first, the oldest sentences before the others, and is undefined if that is not
enough: it is never cut.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from coheval.data import Item, Passage, weights
from coheval.encoders import Encoder
from coheval.encoders._hub import model_files, model_folder
from coheval.encoders._joined import Joint, context_flaw, flaws
from coheval.encoders._pairs import pair_model
from coheval.metrics import Evidence, Measurement, Row, undefined
from coheval.metrics._context import ContextMetric
from coheval.metrics._references import Rule, over_references

Pair = tuple[Passage, Passage]


@dataclass(frozen=True, kw_only=True)
class Learned(ContextMetric):
    model: str  # a folder, or a name on the hub
    order: Literal["reference-candidate", "candidate-reference"] = "reference-candidate"  # in which the model reads
    against: Literal["reference", "source"] = "reference"  # what the candidate is read beside, in the reference's place
    references: Rule = "mean"

    range: ClassVar[tuple[float, float]] = (-math.inf, math.inf)
    perfect: ClassVar[float | None] = None
    libraries: ClassVar[tuple[str, ...]] = ("numpy", "torch", "transformers", "tokenizers")
    several_references: ClassVar[str] = "mean of the references' scores; references='max' takes the best"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.against == "source":
            self.without_references()
        if self.in_context:
            model = pair_model(self.model)
            flaw = context_flaw(model.tokenizer, model.window, self.context + self.after)
            self.require(flaw is None, f"the model cannot read context: {flaw}")

    def digest(self) -> str:
        return weights.digest(*model_files(model_folder(self.model, who="learned")))

    def reads(self) -> dict[Encoder, tuple[int, ...]]:
        pair_model(self.model)  # one that cannot be loaded is told before anything is scored
        return {}

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        pairs = [[self._pairs(item, i) for i in range(len(item))] for item in items]
        distinct = list(dict.fromkeys(p for of_item in pairs for of_segment in of_item for p in of_segment))
        rows = dict(zip(distinct, self._rows(distinct, evidence), strict=True))
        return [
            Measurement(tuple(self._merged([rows[pair] for pair in of_segment]) for of_segment in of_item))
            for of_item in pairs
        ]

    def _pairs(self, item: Item, index: int) -> list[Pair]:
        """The segment's candidate beside each reference, or its source."""
        if self.against == "source":
            source = self.source_passage(item, index)
            return [] if source is None else [(self.candidate_passage(item, index, None), source)]
        return [
            (self.candidate_passage(item, index, reference), self.reference_passage(item, index, reference))
            for reference in item.references
            if reference[index] is not None
        ]

    def _merged(self, rows: Sequence[Row]) -> Row:
        return over_references(rows, self.references) if rows else undefined(f"no {self.against}")

    def _rows(self, pairs: Sequence[Pair], evidence: bool) -> list[Row]:
        model = pair_model(self.model)
        flawed = flaws(model.tokenizer, (passage for pair in pairs for passage in pair))
        joint = model.join([pair if self.order == "candidate-reference" else pair[::-1] for pair in pairs])
        scores = iter(model.scores([one for one in joint if one is not None]))
        too_long = undefined(f"the two texts are longer than the {model.window} tokens the model reads")
        rows = [too_long if one is None else _row(next(scores), one, evidence) for one in joint]
        return [self._flaw(pair, flawed) or row for pair, row in zip(pairs, rows, strict=True)]

    def _flaw(self, pair: Pair, flawed: Mapping[Passage, str]) -> Row | None:
        for side, passage in zip(("candidate", self.against), pair, strict=True):
            if passage in flawed:
                return undefined(f"the {side} {flawed[passage]}")
        return None


def _row(score: float, joint: Joint, evidence: bool) -> Row:
    why: Evidence = {"kind": "estimate", "score": score, "dropped": joint.marks["dropped"]}
    return Row((score,), evidence=why if evidence else None, marks=joint.marks)
