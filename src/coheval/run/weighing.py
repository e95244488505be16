"""How members of a combination get their weights, and how well these hold on texts that they were not learnt from.

Everything that is learnt, scales included, is learnt anew without the texts that are held out, whole groups (documents,
language pairs) at a time. The penalty is the one with the smallest loss on held-out groups: log-loss of pairs, squared
error of ratings. Scores of held-out texts come from models whose penalty was chosen inside the fold, so that the choice
does not flatter them.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from coheval.algo.linear import pairwise_logistic, ridge
from coheval.algo.scaling import SCALES
from coheval.errors import UsageError, did_you_mean
from coheval.metrics._combined import Member, Model
from coheval.run.sample import STATISTICS, Array, Mask, Sample

Method = Literal["uniform", "logistic", "ridge"]
Scaling = Literal["minmax", "rank", "standard"]


@dataclass(frozen=True)
class Learner:
    """The settings of a fit."""

    members: tuple[str, ...]
    higher_is_better: tuple[bool, ...]
    method: Method
    scaling: Scaling
    penalties: tuple[float, ...]
    folds: int
    seed: int
    nonnegative: bool

    def __post_init__(self) -> None:
        _check_choice("method", self.method, get_args(Method))
        _check_choice("scaling", self.scaling, get_args(Scaling))
        _check_whole("folds", self.folds, 2, "5 is usual")
        _check_whole("seed", self.seed, 0, "any number will do")
        if not self.penalties or not all(_positive(penalty) for penalty in self.penalties):
            raise UsageError(
                f"penalties of Combiner must be numbers above 0, got {list(self.penalties)!r}",
                hint="without a penalty, members that say the same have no definite weights",
            )

    def learn(self, sample: Sample) -> Model:
        return self._weigh(sample, self._choose(sample))

    def held_out(self, sample: Sample) -> Array:
        """The score of each text [n] by a model that was learnt without its group; NaN where there is but one."""
        predicted = np.full(len(sample.scores), np.nan)
        parts = sample.folds(self.folds, self.seed)
        for part in parts if len(parts) > 1 else []:
            predicted[part] = self.learn(sample.only(~part)).predict(sample.scores[part])
        return predicted

    def validated(self, sample: Sample, held_out: Array) -> dict[str, Any]:
        """Agreement with people on held-out texts, beside that of each member alone."""
        if sample.judged_by == "nobody":
            return {}
        parts = sample.folds(self.folds, self.seed)
        turned = sample.scores * np.where(self.higher_is_better, 1.0, -1.0)  # as they are: no scale was learnt for them
        return {
            "statistic": STATISTICS[sample.judged_by],
            "folds": len(parts),
            "held_out": _agreement(sample, parts, held_out),
            "alone": {
                member: _agreement(sample, parts, scores) for member, scores in zip(self.members, turned.T, strict=True)
            },
        }

    def _choose(self, sample: Sample) -> float | None:
        """The penalty with the smallest loss on held-out groups; the largest where only one group is left."""
        if self.method == "uniform":
            return None
        parts = sample.folds(self.folds, self.seed)
        if len(self.penalties) == 1 or len(parts) < 2:
            return max(self.penalties)
        losses = [sum(self._loss(sample, part, penalty) for part in parts) for penalty in self.penalties]
        return self.penalties[int(np.argmin(losses))]

    def _loss(self, sample: Sample, part: Mask, penalty: float) -> float:
        """Of the part that is held out."""
        model, held = self._weigh(sample.only(~part), penalty), sample.only(part)
        predicted = model.predict(held.scores)
        if self.method == "ridge":
            return float(((predicted - held.ratings) ** 2).sum())
        better, worse = predicted[held.pairs]
        return float(np.logaddexp(0, worse - better).sum())

    def _weigh(self, sample: Sample, penalty: float | None) -> Model:
        scales = [SCALES[self.scaling].of(column) for column in sample.scores.T]
        named = zip(self.members, self.higher_is_better, scales, strict=True)
        equal = tuple(Member(name, higher, scale, 1 / len(scales)) for name, higher, scale in named)
        model = Model(equal, 0.0, self.method, self.scaling, penalty)
        return model if penalty is None else model.weighted(*self._fit(model.scaled(sample.scores), sample, penalty))

    def _fit(self, scaled: Array, sample: Sample, penalty: float) -> tuple[Array, float]:
        if self.method == "ridge":
            return ridge(scaled, sample.ratings, penalty=penalty, nonnegative=self.nonnegative)
        better, worse = scaled[sample.pairs]
        return pairwise_logistic(better - worse, penalty=penalty, nonnegative=self.nonnegative), 0.0


def _agreement(sample: Sample, parts: Sequence[Mask], scores: Array) -> float | None:
    """Mean over folds, as scores of different models are not on one scale; folds without any are left out."""
    found = [sample.only(part).agreement(scores[part]) for part in parts]
    defined = [value for value in found if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else None


def _check_choice(name: str, value: object, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise UsageError(
            f"{name} of Combiner must be one of {', '.join(allowed)}, got {value!r}",
            hint=did_you_mean(str(value), allowed),
        )


def _check_whole(name: str, value: object, least: int, hint: str) -> None:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < least:
        raise UsageError(f"{name} of Combiner must be a whole number, at least {least}, got {value!r}", hint=hint)


def _positive(value: object) -> bool:
    number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    return number and 0 < float(value) < math.inf  # type: ignore[arg-type]  # a Real is what float() takes
