"""Arrays by name in a .safetensors file that says what they are: weights of our own, and what they were made for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coheval.data.whole import write_whole
from coheval.errors import ResourceError

_FACTS = "coheval"  # one entry: several would be stored in any order, and the file's bytes would differ


def write_packed(path: Path, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, object]) -> None:
    from safetensors.numpy import save

    ordered = {name: np.ascontiguousarray(value) for name, value in sorted(arrays.items())}
    write_whole(path, save(ordered, {_FACTS: json.dumps(facts)}), what="the weights")


def read_packed(
    path: Path, expected: Mapping[str, object], *, what: str, hint: str
) -> tuple[dict[str, NDArray[np.float32]], dict[str, Any]]:
    """Arrays and facts; a file whose facts are not the expected ones, its `format` first of all, is refused."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            facts = dict(json.loads((file.metadata() or {}).get(_FACTS, "{}")))
            arrays = {name: file.get_tensor(name).astype(np.float32) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise ResourceError(f"this is no whole .safetensors file: {error}", where=str(path), hint=hint) from None
    if any(facts.get(name) != value for name, value in expected.items()):
        raise ResourceError(
            f"expected weights of {what}, {expected['format']!r}, got {facts.get('format', 'another file')!r}",
            where=str(path),
            hint=hint,
        )
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            raise ResourceError(
                f"{name!r} holds numbers that are not finite, expected weights", where=str(path), hint=hint
            )
    return arrays, facts
