"""Names for lists of metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from coheval.errors import CohevalError
from coheval.metrics import metric
from coheval.registry import names

T = TypeVar("T")


def party() -> list[str]:
    """DiscoTK-party (Joty et al. 2017) over all metrics that exist: those that run without parameters and need nothing
    but references, in the order of `coheval list`."""
    return [name for name in names("metrics") if name != "combination" and _runs(name)]


def _runs(name: str) -> bool:
    try:
        made = metric(name)
        return made.needs <= {"references"} and bool(made.signature)  # which looks for the files that it needs
    except CohevalError:  # a parameter is required, or a package is missing
        return False


RECIPES: dict[str, Callable[[], list[str]]] = {"discotk-party": party}


def expanded(specs: Iterable[T]) -> list[T | str]:
    """Specs or metrics, with the specs of a recipe in the place of its name."""
    found: list[T | str] = []
    for spec in specs:
        found += RECIPES[spec]() if isinstance(spec, str) and spec in RECIPES else [spec]
    return found
