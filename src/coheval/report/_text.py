"""Texts of figures: measured in inches, broken into lines, safe to draw."""

from __future__ import annotations

import math
import re
from functools import lru_cache

_BREAKS = re.compile(r"(?<=[\s_\-–/.,:;=|(+])|(?=\()")  # a line may end after these, and before a bracket


def wrap(text: str, inches: float, size: float, *, most: int = 8) -> str:
    """The text in lines no wider than so many inches; what has more than `most` lines ends with an ellipsis."""
    lines: list[str] = []
    for paragraph in printable(text).split("\n"):
        lines += _lines(paragraph, inches * 72, size)
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1].rstrip() + "…"]
    return "\n".join(lines)


def printable(text: str) -> str:
    """Letters that have no picture would be drawn as a box or as nothing."""
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text)


def points_wide(text: str, size: float) -> float:
    """How wide a line is in the figures' font; only inside `style()`."""
    return _em_wide(text) * size


@lru_cache(maxsize=4096)
def _em_wide(text: str) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    width, _, _ = TextToPath().get_text_width_height_descent(text, FontProperties(size=100), False)
    return float(width) / 100


def _lines(text: str, points: float, size: float) -> list[str]:
    """Pieces are put on a line while there is room."""
    lines = [""]
    for piece in _BREAKS.split(text):
        for part in _cut(piece, points, size):
            if points_wide((lines[-1] + part).rstrip(), size) <= points:
                lines[-1] += part
            else:
                lines.append(part)
    return [line.strip() for line in lines if line.strip()] or [""]


def _cut(piece: str, points: float, size: float) -> list[str]:
    """A piece in parts that fit, of at least one letter each."""
    parts = [""]
    for letter in piece:
        if parts[-1] and points_wide((parts[-1] + letter).rstrip(), size) > points:
            parts.append("")
        parts[-1] += letter
    return parts


def signed(value: float | None, digits: int = 2) -> str:
    """A number as figures show it, with a true minus; an undefined one is a word."""
    if value is None or math.isnan(value):
        return "undefined"
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def short(value: float) -> str:
    """A number of any size, in three digits."""
    return f"{value:.3g}".replace("-", "−")
