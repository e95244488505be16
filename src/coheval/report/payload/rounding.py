"""Numbers as a page shows them: six significant digits are enough for the eye and halve the file."""

from __future__ import annotations

import math
from typing import Any

_AS_THEY_ARE = frozenset({str, int, bool, type(None)})


def shown(value: float | None) -> float | None:
    """Rounded; None, NaN and what is infinite are undefined."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.6g}")


def rounded(value: Any) -> Any:
    """Plain data with every number rounded. Most of it is texts and whole numbers, so these are not called for."""
    if isinstance(value, float):
        return shown(value)
    if isinstance(value, dict):
        return {key: inner if type(inner) in _AS_THEY_ARE else rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [inner if type(inner) in _AS_THEY_ARE else rounded(inner) for inner in value]
    return value
