"""What a combination is made of: members with their scales and weights."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coheval.algo.scaling import MinMax, Scale, Standard
from coheval.errors import CohevalError, DataError, SpecError, UsageError
from coheval.grammar import Spec, format_spec, parse
from coheval.metrics import Metric, Unit
from coheval.spec import build, warn_of_libraries
from coheval.version import __version__

Array = NDArray[np.float64]

FORMAT = 1  # of the file; a reader refuses others


@dataclass(frozen=True)
class Member:
    """A metric, or a column of scores, in a combination."""

    spec: str
    higher_is_better: bool
    scale: Scale
    weight: float
    signature: str | None = None  # None: scores from elsewhere

    def scaled(self, scores: Array) -> Array:
        """Scores [n] on the common scale, turned so that higher is better."""
        scaled = self.scale(scores)
        return scaled if self.higher_is_better else 2 * self.scale.middle - scaled


@dataclass(frozen=True)
class Model:
    """intercept + Σ weight · scaled score, and where that comes from."""

    members: tuple[Member, ...]
    intercept: float
    method: str
    scaling: str
    penalty: float | None = None
    unit: Unit | None = None  # of the scores that it was tuned on; None: not told
    tuned_on: Mapping[str, Any] = field(default_factory=dict)
    cross_validation: Mapping[str, Any] = field(default_factory=dict)
    coheval: str = __version__
    sha256: str | None = None  # of the file that it was read from

    @property
    def weights(self) -> Array:
        return np.array([member.weight for member in self.members])

    def scaled(self, scores: Array) -> Array:
        """Scores [n, m] on the common scale."""
        return np.column_stack([m.scaled(column) for m, column in zip(self.members, scores.T, strict=True)])

    def predict(self, scores: Array) -> Array:
        """Scores [n, m] -> [n]; NaN where a member has none."""
        # row by row, not by a matrix product: a text's score must not depend on the texts beside it
        predicted: Array = (self.scaled(scores) * self.weights).sum(axis=1) + self.intercept
        return predicted

    def weighted(self, weights: Array, intercept: float) -> Model:
        """The same members with other weights [m]."""
        members = (replace(m, weight=w) for m, w in zip(self.members, weights.tolist(), strict=True))
        return replace(self, members=tuple(members), intercept=intercept)

    def effective(self) -> Model:
        """Without the members that do not count: a text needs no score by them."""
        return replace(self, members=tuple(member for member in self.members if member.weight))

    def to_json(self) -> str:
        members = [asdict(member) for member in self.members]
        rest = {key: value for key, value in asdict(self).items() if key not in ("members", "sha256")}
        content = {"format": FORMAT, **rest, "members": members}
        return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def uniform(members: Sequence[Metric]) -> Model:
    """Members that count alike, each scaled by the range that it declares."""
    for member in members:
        if not all(map(math.isfinite, member.range)):
            raise SpecError(
                f"members must have a finite range to be scaled by, got {member.name()} "
                f"with {member.range[0]:g} to {member.range[1]:g}",
                where="combination",
                hint="leave it out, or let `coheval train combination` scale members by their scores on data",
            )
    weight = 1 / len(members)
    made = tuple(Member(_short(m), m.higher_is_better, MinMax(*m.range), weight) for m in members)
    return Model(made, 0.0, "uniform", "range")


def _short(metric: Metric) -> str:
    """The spec without what is the default anyway, for people to read."""
    try:
        usual: Metric | None = type(metric)()
    except (CohevalError, TypeError):  # a parameter is required, or a file is missing
        usual = None
    params = {name: getattr(metric, name) for name in metric.parameters()}
    changed = {name: value for name, value in params.items() if usual is None or value != getattr(usual, name)}
    return format_spec(Spec(metric.name(), params=changed))


def bounds(model: Model, metrics: Sequence[Metric]) -> tuple[float, float]:
    """The smallest and largest score that the members' ranges allow."""
    ends = [
        sorted((member.weight * member.scaled(np.array(metric.range))).tolist())
        for member, metric in zip(model.members, metrics, strict=True)
    ]
    return model.intercept + sum(low for low, _ in ends), model.intercept + sum(high for _, high in ends)


def metrics_of(model: Model, where: str, *, warn: bool) -> tuple[Metric, ...]:
    """The members' metrics, as they were when the model was tuned; refused if they are not the same here.

    With `warn`, other versions of their libraries are told.
    """
    libraries: set[tuple[str, str]] = set()
    made = tuple(_metric(member, libraries, where) for member in model.members)
    if warn:
        warn_of_libraries("combination", where, _versions(libraries))
    return made


def _metric(member: Member, libraries: set[tuple[str, str]], where: str) -> Metric:
    if member.signature is None:
        raise DataError(
            f"the member {member.spec!r} is no metric but a column of scores, which only Combiner.predict can use",
            where=where,
            hint="train it on a run folder of coheval",
        )
    try:
        spec = parse(member.signature)
        if spec.name == "combination":  # a file could name itself
            raise SpecError("a combination cannot be a member of a model", hint="name its members instead")
        return build(Metric, _without_libraries(spec, libraries))
    except UsageError as error:
        raise SpecError(
            f"the member {member.spec!r} is not what the model was tuned with: {error.message}",
            where=where,
            hint="use what it was tuned with, or tune it again with `coheval train combination`",
        ) from None


def _without_libraries(value: Any, found: set[tuple[str, str]]) -> Any:
    """A signature without its libraries, which are put into `found`: they are told once, not for each member."""
    if isinstance(value, tuple):
        return tuple(_without_libraries(v, found) for v in value)
    if not isinstance(value, Spec):
        return value
    libraries = value.params.get("libraries", {})
    if isinstance(libraries, Mapping):
        found.update((str(name), str(version)) for name, version in libraries.items())
    kept = {key: _without_libraries(v, found) for key, v in value.params.items() if key != "libraries"}
    return replace(value, params=kept)


def _versions(libraries: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The version of each library, or all of them where members were scored with different ones."""
    found: dict[str, list[str]] = {}
    for name, version in sorted(libraries):
        found.setdefault(name, []).append(version)
    return {name: " and ".join(versions) for name, versions in found.items()}


# --------------------------------------------------------------------------------------------------------- in words


def described(model: Model) -> list[str]:
    """A table of members, and where the weights come from."""
    alone = model.cross_validation.get("alone", {})
    cells = [("member", "better", "scale", "weight", "alone" if alone else "")]
    cells += [
        (
            member.spec,
            "higher" if member.higher_is_better else "lower",
            _ends(member.scale),
            f"{member.weight:.4g}",
            _shown(alone.get(member.spec)) if alone else "",
        )
        for member in model.members
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
    penalty = "" if model.penalty is None else f", penalty {model.penalty:g}"
    of = "" if model.unit is None else f", scores of {model.unit}s"
    lines += ["", f"method: {model.method}, scaling by {model.scaling}{penalty}, intercept {model.intercept:.4g}{of}"]
    if model.tuned_on:
        lines.append(f"made by coheval {model.coheval}")
        lines.append("tuned on: " + ", ".join(f"{key} {value}" for key, value in model.tuned_on.items()))
    if model.cross_validation:
        lines.append(told(model.cross_validation))
    return lines


def told(validation: Mapping[str, Any]) -> str:
    """What cross-validation found."""
    held_out = f"{_shown(validation['held_out'])} on held-out texts (mean of {validation['folds']} folds)"
    alone = {spec: value for spec, value in validation["alone"].items() if value is not None}
    best = max(alone, key=lambda spec: float(alone[spec]), default=None)
    other = "" if best is None else f"; {_shown(alone[best])} by its best member alone, {best}"
    return f"{validation['statistic']}: {held_out}{other}"


def _ends(scale: Scale) -> str:
    if isinstance(scale, Standard):
        return f"{scale.mean:.4g} ± {scale.deviation:.4g}"
    low, high = (scale.low, scale.high) if isinstance(scale, MinMax) else (scale.values[0], scale.values[-1])
    return f"{low:.4g} to {high:.4g}"


def _shown(number: float | None) -> str:
    return "undefined" if number is None else f"{number:.4f}"
