"""JSONL, one document a line: its sentences in a list called `sentences`, or, of a dialogue, `turns`.

    {"id": "1", "topic": "boats", "turns": ["Did the boats come in?", "They did, an hour late."]}

`id` is text or a whole number, the file's name and the line's number where it is not given. `part`, `origin`, `topic`
and `genre` may stand beside it. So the Self-dialogue Corpus is stored (Fainberg et al. 2018, Talking to Myself).
"""

from __future__ import annotations

from collections.abc import Iterator

from coheval.data.groups import LeftOut
from coheval.data.texts._source import Source, with_layers, wrong_field
from coheval.data.types import Document

_LISTS = ("sentences", "turns")
_NAMES = ("origin", "topic", "genre")
_PARTS = ("train", "dev", "test")


def fits(source: Source) -> bool:
    return any(source.first_has(name) for name in _LISTS)


def documents(source: Source) -> Iterator[Document | LeftOut]:
    for number, (values, where) in enumerate(source.objects(), start=1):
        name = next((name for name in _LISTS if name in values), _LISTS[0])
        texts = values.get(name)
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise wrong_field(name, "a list of texts", texts, where)
        id = _name(values, "id", where) or f"{source.title}:{number}"
        layers = {layer: _name(values, layer, where) for layer in _NAMES}
        yield with_layers(Document.of(id, texts), part=_part(values, where) or source.part, **layers)


def _name(values: dict[str, object], name: str, where: str) -> str | None:
    value = values.get(name)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise wrong_field(name, "text that is not blank, or a whole number", value, where)
    return value


def _part(values: dict[str, object], where: str) -> str | None:
    part = values.get("part")
    if part is not None and part not in _PARTS:
        raise wrong_field("part", " or ".join(map(repr, _PARTS)), part, where)
    return None if part is None else str(part)
