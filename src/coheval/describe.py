"""A component in words: docstring, parameters, and what a metric declares of itself."""

from __future__ import annotations

import inspect
import re
import sys
from dataclasses import MISSING, Field, fields
from typing import Any

from coheval.errors import CohevalError
from coheval.grammar import format_spec
from coheval.metrics import Metric
from coheval.spec import Component, allowed


def describe(cls: type[Component], made: Component | None = None) -> str:
    """All about a class; direction, range, needs and signature are those of `made`, or of the default."""
    parts = [cls.name(), "", _doc(cls), "", "parameters"]
    parts += [_parameter(cls, f) for f in fields(cls) if f.name in cls.parameters()] or ["  none"]
    shown = made or _default(cls)
    if issubclass(cls, Metric):
        parts += ["", *_nature(shown if isinstance(shown, Metric) else cls)]
    if shown and (details := shown.details()):
        parts += ["", *details]
    return "\n".join([*parts, "", _signature(cls, shown, "" if made else " of the default")])


def _default(cls: type[Component]) -> Component | None:
    try:
        return cls()
    except (CohevalError, TypeError):  # a parameter is required, or a package is missing
        return None


def _doc(cls: type[Component]) -> str:
    return (sys.modules[cls.__module__].__doc__ or cls.__doc__ or "").strip()


def _parameter(cls: type[Component], field: Field[Any]) -> str:
    default = field.default_factory() if field.default_factory is not MISSING else field.default
    shown = "required" if default is MISSING else f"default {format_spec(default)}"
    comment = _comment(cls, field.name)
    return f"  {field.name}: {allowed(cls, field.name)}; {shown}" + (f"\n      {comment}" if comment else "")


def _comment(cls: type[Component], name: str) -> str:
    """What stands behind the `#` where the field is defined: its explanation, kept in one place."""
    for owner in cls.__mro__:
        if name in inspect.get_annotations(owner):
            found = re.search(rf"^ +{name}: [^#\n]*# (.+)$", inspect.getsource(owner), re.MULTILINE)
            return found[1] if found else ""
    return ""


def _nature(metric: Metric | type[Metric]) -> list[str]:
    low, high = metric.range
    return [
        f"direction: {'higher' if metric.higher_is_better else 'lower'} is better",
        f"range: {low:g} to {high:g}",
        f"unit: {metric.unit}",
        f"needs: {', '.join(sorted(metric.needs)) or 'nothing but the candidate'}",
        f"several references: {metric.several_references or 'not used'}",
    ]


def _signature(cls: type[Component], made: Component | None, whose: str) -> str:
    try:
        return f"signature{whose}: {made.signature}" if made else f"version: {cls.version}"
    except CohevalError:  # a file that it names is missing
        return f"version: {cls.version}"
