"""The named fields of JSONL and CSV data: which there are, under which names, and what they may hold.

    candidate (mt)           text, required
    references               a list of texts
    reference (ref)          a text; ref2, ref_3, reference2 … are further ones, and a blank one of several is missing
    source (src)             text
    system                   text; "system" where it is not given
    document (doc, doc_id)   text or a whole number; a line without one is a document of its own
    segment                  the number of the line within its document; without it the line is the whole document

The names in brackets are COMET's and mean the same. Other fields may stand beside these and are not looked at, unless
one looks like a misspelt name of a field that is not there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache

from coheval.data.corpus import Record
from coheval.data.references import present
from coheval.errors import DataError

FIELD_OF = {
    "candidate": "candidate",
    "mt": "candidate",
    "references": "references",
    "reference": "reference",
    "ref": "reference",
    "source": "source",
    "src": "source",
    "system": "system",
    "document": "document",
    "doc": "document",
    "doc_id": "document",
    "segment": "segment",
}
FURTHER_REFERENCE = re.compile(r"(?:ref|reference)_?(\d{1,3})")
OPTIONAL = ("source", "system", "document", "segment")


def resolve(names: Iterable[str], *, where: str) -> dict[str, str]:
    """Field -> name under which it is given; further references are fields of their own."""
    names = list(names)
    given: dict[str, str] = {}
    for name in names:
        field = _field(name)
        if field in given:
            raise DataError(f"{given[field]!r} and {name!r} are the same field", where=where, hint="keep one of them")
        if field is not None:
            given[field] = name
    _refuse_two_kinds(given, where=where)
    _refuse_misspelt(names, given, where=where)
    if "candidate" not in given:
        raise DataError(
            f"expected a 'candidate' (or 'mt'), got {_listed(names)}",
            where=where,
            hint="known: " + ", ".join(FIELD_OF),
        )
    return given


def record_of(values: Mapping[str, object], *, fields: Mapping[str, str], where: str) -> Record:
    """The record that named values make; `fields` is what `resolve` found."""
    given = {field: values[name] for field, name in fields.items()}
    for field in OPTIONAL:
        if given.get(field) is None:  # null says the same as leaving it out
            given.pop(field, None)
    return Record(
        system=name_of(given.get("system", "system"), "system", where=where),
        candidate=_text(given["candidate"], fields["candidate"], where=where),
        references=_references(given, fields, where=where),
        source=_text(given["source"], fields["source"], where=where) if "source" in given else None,
        document=document_of(given["document"], fields["document"], where=where) if "document" in given else None,
        segment=segment_of(given["segment"], where=where) if "segment" in given else None,
        where=where,
    )


@lru_cache(maxsize=1024)
def _field(name: str) -> str | None:
    if name in FIELD_OF:
        return FIELD_OF[name]
    further = FURTHER_REFERENCE.fullmatch(name)
    return f"reference {int(further[1]):03}" if further else None


@lru_cache(maxsize=1024)
def _near(name: str) -> str | None:
    return next(iter(get_close_matches(name.strip().lower(), FIELD_OF, n=1, cutoff=0.8)), None)


def _refuse_two_kinds(given: Mapping[str, str], *, where: str) -> None:
    single = [name for field, name in given.items() if field.startswith("reference") and field != "references"]
    if single and "references" in given:
        raise DataError(f"'references' and {single[0]!r} are both given", where=where, hint="keep one of them")


def _refuse_misspelt(names: Iterable[str], given: Mapping[str, str], *, where: str) -> None:
    for name in names:
        near = None if _field(name) else _near(name)
        if near and FIELD_OF[near] not in given:
            raise DataError(
                f"{name!r} is not a known field",
                where=where,
                hint=f"did you mean {near!r}? rename it, or choose a name that is less similar for a field of your own",
            )


def _references(given: Mapping[str, object], fields: Mapping[str, str], *, where: str) -> tuple[str | None, ...]:
    if "references" in given:
        texts = given["references"]
        if not isinstance(texts, list):
            raise DataError(
                f"references must be a list of texts, got {shown_value(texts)}",
                where=where,
                hint="a single one is given as 'reference'; where there is none, leave it out",
            )
        return tuple(_text(text, f"references[{index}]", where=where) for index, text in enumerate(texts))
    single = sorted(field for field in given if field.startswith("reference"))
    return present([_text(given[field], fields[field], where=where) for field in single])


def _text(value: object, name: str, *, where: str) -> str:
    if isinstance(value, str):
        return value
    hint = "a list is given as 'references'" if isinstance(value, list) else 'texts stand in quotes; an empty one is ""'
    raise DataError(f"{name} must be text, got {shown_value(value)}", where=where, hint=hint)


def name_of(value: object, field: str, *, where: str) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise DataError(
        f"{field} must be text that is not empty, got {shown_value(value)}",
        where=where,
        hint=f"leave out {field!r} or fill it",
    )


def document_of(value: object, name: str, *, where: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return name_of(value, name, where=where)


def segment_of(value: object, *, where: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise DataError(
        f"segment must be a whole number, got {shown_value(value)}",
        where=where,
        hint="number a document's lines 0, 1, 2, …",
    )


def shown_value(value: object) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return json.dumps(value, ensure_ascii=False)[:60]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in list(names)[:20]) or "nothing"
