"""The JSON file of a combination, read and checked.

It has the format 1: what was learnt (`members`, each with the spec and the signature that it was tuned with, its
direction, scale and weight; `intercept`), how (`method`, `scaling`, `penalty`), from what (`tuned_on`; `unit`, scores
of segments or of documents, null or left out where that is not told), how well it agreed with people on texts that were
held out (`cross_validation`), and by which coheval.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, cast, get_args

from coheval.algo.scaling import SCALES, MinMax, Rank, Scale, Standard
from coheval.errors import DataError, ResourceError
from coheval.metrics import Unit
from coheval.metrics._combined import FORMAT, Member, Model


def read_model(path: Path) -> Model:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ResourceError(
            f"the model cannot be read: {error.strerror}",
            where=str(path),
            hint="`coheval train combination RUN JUDGEMENTS -o FILE` makes one",
        ) from None
    try:
        content = json.loads(data.decode(), parse_constant=_refuse_constant)
        _require(isinstance(content, dict), f"expected an object, got {type(content).__name__}")
        _require(content.get("format") == FORMAT, f"expected format {FORMAT}, got {content.get('format')!r}")
        return _model(content, hashlib.sha256(data).hexdigest())
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        told = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        raise DataError(
            f"not the model of a combination: {told}",
            where=str(path),
            hint="write it again with `coheval train combination`",
        ) from None


def _model(content: Mapping[str, Any], sha256: str) -> Model:
    scaling = content["scaling"]
    _require(scaling in SCALES, f"scaling must be one of {', '.join(SCALES)}, got {scaling!r}")
    members = tuple(_member(entry, scaling) for entry in content["members"])
    _require(any(m.weight for m in members), "expected at least one member with a weight other than 0, got none")
    return Model(
        members=members,
        intercept=_number(content, "intercept"),
        method=str(content["method"]),
        scaling=scaling,
        penalty=None if content["penalty"] is None else _number(content, "penalty"),
        unit=_unit(content.get("unit")),
        tuned_on=dict(content["tuned_on"]),
        cross_validation=_validation(content["cross_validation"]),
        coheval=str(content["coheval"]),
        sha256=sha256,
    )


def _member(entry: Mapping[str, Any], scaling: str) -> Member:
    signature, higher_is_better = entry["signature"], entry["higher_is_better"]
    _require(isinstance(higher_is_better, bool), f"higher_is_better must be true or false, got {higher_is_better!r}")
    return Member(
        spec=str(entry["spec"]),
        higher_is_better=higher_is_better,
        scale=_scale(entry["scale"], scaling),
        weight=_number(entry, "weight"),
        signature=None if signature is None else str(signature),
    )


def _unit(value: object) -> Unit | None:
    for unit in get_args(Unit):
        if value == unit:
            return cast(Unit, unit)
    _require(value is None, f"unit must be one of {', '.join(get_args(Unit))} or null, got {value!r}")
    return None


def _validation(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What cross-validation found, or nothing; a number is None where it was undefined."""
    if not entry:
        return {}
    numbers = {"held_out": entry["held_out"], **entry["alone"]}
    found = {key: None if value is None else _finite(value, key) for key, value in numbers.items()}
    kept = {"statistic": str(entry["statistic"]), "folds": int(entry["folds"]), "held_out": found.pop("held_out")}
    return {**kept, "alone": found}


def _scale(scale: Mapping[str, Any], scaling: str) -> Scale:
    if scaling == "minmax":
        low, high = _number(scale, "low"), _number(scale, "high")
        _require(low < high, f"low must be below high, got {low} and {high}")
        return MinMax(low, high)
    if scaling == "standard":
        mean, deviation = _number(scale, "mean"), _number(scale, "deviation")
        _require(deviation > 0, f"deviation must be above 0, got {deviation}")
        return Standard(mean, deviation)
    values, ranks = (tuple(_finite(number, key) for number in scale[key]) for key in ("values", "ranks"))
    rising = len(values) > 1 and all(a < b for a, b in pairwise(values))
    _require(rising and len(values) == len(ranks), "a scale by rank needs rising values with a rank each")
    return Rank(values, ranks)


def _number(content: Mapping[str, Any], key: str) -> float:
    return _finite(content[key], key)


def _finite(value: Any, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{key} must be a finite number, got {value!r}")
    return float(value)


def _refuse_constant(text: str) -> float:
    raise ValueError(f"numbers must be finite, got {text}")


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)
