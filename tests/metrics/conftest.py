"""Word vectors on the unit circle, where distances and similarities can be worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

import coheval

ANGLES = {"north": 0, "east": 90, "south": 180, "northish": 10, "eastish": 100}  # in degrees


@pytest.fixture
def compass(tmp_path: Path) -> str:
    """The parameter that makes a metric use these vectors."""
    lines = [f"{word} {math.sin(math.radians(a))!r} {math.cos(math.radians(a))!r}" for word, a in ANGLES.items()]
    path = tmp_path / "compass.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"encoder=static(file={str(path)!r})"


@pytest.fixture
def score() -> Callable[..., float | None]:
    """The score that a spec gives a candidate against one or more references."""

    def one(spec: str, candidate: str, *references: str) -> float | None:
        return coheval.score([candidate], [list(references)], metrics=[spec])[spec].segments[0]

    return one
