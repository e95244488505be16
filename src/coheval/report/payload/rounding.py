"""Numbers as a page shows them: six significant digits are enough for the eye and halve the file."""

from __future__ import annotations

import math
from typing import Any


def shown(value: float | None) -> float | None:
    """Rounded; None and NaN are undefined."""
    return None if value is None or math.isnan(value) else float(f"{value:.6g}")


def rounded(value: Any) -> Any:
    """Plain data with every number rounded."""
    if isinstance(value, float):
        return shown(value)
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    return [rounded(inner) for inner in value] if isinstance(value, list | tuple) else value
