"""Numbers as plain data. Scores and what is made of them stay as they are, as tables and `to_pandas` tell them too.
Evidence, which is most of a page, is rounded: six digits are enough for the eye."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

_AS_THEY_ARE = frozenset({str, int, bool, type(None)})


def defined(value: float | None) -> float | None:
    """None, NaN and what is infinite are undefined."""
    return None if value is None or not math.isfinite(value) else float(value)


def rounded(value: float | None) -> float | None:
    """To six significant digits, and never to fewer than six behind the point: pages show four of any number."""
    known = defined(value)
    return known if known is None else round(known, 6) if abs(known) >= 1 else float(f"{known:.6g}")


def plain(value: Any, number: Callable[[float], float | None] = defined) -> Any:
    """Plain data with every number made so. Most of it is texts and whole numbers, which are passed over fast."""
    if isinstance(value, float):
        return number(value)
    if isinstance(value, dict):
        return {key: inner if type(inner) in _AS_THEY_ARE else plain(inner, number) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [inner if type(inner) in _AS_THEY_ARE else plain(inner, number) for inner in value]
    return value
