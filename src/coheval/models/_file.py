"""A trained model's file: an ONNX graph, and beside it in the same file the facts of what it is and learnt from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from coheval.data.fields import shown_value
from coheval.encoders._session import session
from coheval.errors import ResourceError

FORMAT = "coheval coherence model 1"
KEY = "coheval"  # of the graph's metadata
SCORES = "scores"  # the graph's first output

_HINT = "`coheval train coherence CORPUS --model NAME --task TASK -o FILE.onnx` makes one"

Facts = dict[str, Any]


_KINDS = {"model": str, "encoder": str, "layers": list, "sizes": dict}  # facts that scoring needs
_TOLD = {str: "a text", list: "a list of whole numbers", dict: "an object of whole numbers", int: "a whole number"}


def read_facts(path: Path, name: str, sizes: Sequence[str] = ()) -> Facts:
    """What a file says of itself; one that holds no model of this name, or only half of one, is refused."""
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise ResourceError(f"the model cannot be read: {error.strerror}", where=str(path), hint=_HINT) from None
    return _facts(path, name, tuple(sizes), changed)


@cache
def _facts(path: Path, name: str, sizes: tuple[str, ...], changed: int) -> Facts:
    stored = session(path).get_modelmeta().custom_metadata_map.get(KEY, "{}")
    try:
        facts = dict(json.loads(stored))
    except (ValueError, TypeError):
        facts = {}
    if facts.get("format") != FORMAT:
        raise ResourceError(
            f"expected a file of {FORMAT!r}, got {facts.get('format', 'another ONNX model')!r}",
            where=str(path),
            hint=_HINT,
        )
    for key, kind in _KINDS.items():
        _check(facts, key, kind, path)
    if facts["model"] != name:
        raise ResourceError(
            f"expected a trained {name}, got a {facts['model']}",
            where=str(path),
            hint=f"write {facts['model']}(file={str(path)!r})",
        )
    for size in sizes:
        _check(facts["sizes"], size, int, path)
    return facts


def _check(values: Facts, key: str, kind: type, path: Path) -> None:
    value = values.get(key)
    members = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    if not isinstance(value, kind) or not all(isinstance(member, int) for member in members):
        got = shown_value(value) if key in values else "none"
        raise ResourceError(f"the fact {key!r} must be {_TOLD[kind]}, got {got}", where=str(path), hint=_HINT)


def graph_of(path: Path) -> Any:
    """The session that runs it."""
    return session(path)
