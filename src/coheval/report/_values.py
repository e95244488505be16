"""Values that come in: checked, made arrays, missing ones found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from coheval.errors import DataError

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Values: TypeAlias = Sequence[float | None] | NDArray[np.floating]


def numbers(values: Values, what: str) -> Array:
    """[n] floats; None and infinities become NaN, as neither can be drawn."""
    try:
        array = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{what} must be numbers or None", hint="give one number for each point") from None
    if array.ndim != 1:
        raise DataError(f"{what} must be one row of numbers, got shape {array.shape}", hint="flatten them first")
    array[~np.isfinite(array)] = np.nan
    return array


def same_length(sides: Mapping[str, Sequence[object] | Array]) -> None:
    """Refuses sides that cannot belong to the same points."""
    if len({len(side) for side in sides.values()}) > 1:
        told = ", ".join(f"{len(side)} {name}" for name, side in sides.items())
        raise DataError(f"each point needs one of each, got {told}", hint="give them in the same order and number")


def enough(count: int, least: int, what: str) -> None:
    if count < least:
        raise DataError(
            f"a figure needs at least {least} {what}, got {count}",
            hint="leave this figure out, or give more data; missing values do not count",
        )


def left_out(count: int, total: int, things: str, why: str) -> list[str]:
    """The note about missing values, if there are any."""
    return [f"{count} of {total} {things} left out: {why}."] if count else []
