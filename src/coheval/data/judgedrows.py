"""Rows of a judgement file: what a row is of, under which names it says so, and what was found in all of them.

    system (system_id, model_id)    text; "system" where it is not given
    document (doc, doc_id)          text or a whole number; `id` where none of these is there; without any, the
                                    judgement is of the system as a whole
    segment                         a whole number; without it the judgement is of the whole document
    aspect, rater (annotator)       text or a whole number
    group                           text: the language pair or domain of the document, which must be named

These are the names of `fields`, and those of judged sets. Texts and other fields may stand beside them and are not
looked at, unless one looks like a misspelt name of a field that is not there.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache

from coheval.data.fields import document_of, name_of, segment_of, shown_value
from coheval.data.judgements import Preference, Rating
from coheval.errors import DataError

KEY_OF = {
    "system": "system",
    "system_id": "system",
    "model_id": "system",
    "document": "document",
    "doc": "document",
    "doc_id": "document",
    "segment": "segment",
    "aspect": "aspect",
    "rater": "rater",
    "annotator": "rater",
    "group": "group",
}
PREFERENCE = "preference"  # the aspect of a preference that names none
ROW_ID = "id"  # the document's name in SummEval, a row's number elsewhere: only where nothing else names a document


@dataclass(frozen=True, slots=True)
class Place:
    """What the judgements of a row are of, and whose they are."""

    system: str
    document: str | None
    segment: int | None
    aspect: str | None
    rater: str | None
    group: str | None
    where: str


@dataclass(slots=True)
class Found:
    """What was read so far."""

    ratings: list[Rating] = field(default_factory=list)
    preferences: list[Preference] = field(default_factory=list)
    groups: dict[str, str] = field(default_factory=dict)
    missing: Counter[str] = field(default_factory=Counter)  # by aspect

    def rate(self, place: Place, aspect: str, value: float | None, *, rater: str | None = None) -> None:
        if value is None:
            self.missing[aspect] += 1
            return
        self._remember_group(place)
        rater = place.rater if rater is None else rater
        unit = (place.system, place.document, place.segment)
        self.ratings.append(Rating(*unit, aspect, value, rater, place.where))

    def prefer(self, place: Place, better: str, worse: str, *, tie: bool) -> None:
        if place.document is None:
            raise DataError(
                "a preference needs a document, got none",
                where=place.where,
                hint="say of which document the two texts are: 'document', with 'segment' for a part of it",
            )
        self._remember_group(place)
        unit = (place.document, place.segment)
        aspect = place.aspect or PREFERENCE
        self.preferences.append(Preference(better, worse, *unit, aspect, place.rater, tie, place.where))

    def _remember_group(self, place: Place) -> None:
        if place.group is None or place.document is None:
            return
        known = self.groups.setdefault(place.document, place.group)
        if known != place.group:
            raise DataError(
                f"document {place.document!r} is of group {place.group!r} here and of {known!r} before",
                where=place.where,
                hint="give the two documents different names",
            )


def place_of(values: Mapping[str, object], *, where: str) -> Place:
    """What a row says it is of; null says the same as leaving a field out."""
    given: dict[str, tuple[str, object]] = {}
    for name in values:
        key = KEY_OF.get(name)
        if key in given:
            raise DataError(f"{given[key][0]!r} and {name!r} are the same field", where=where, hint="keep one of them")
        if key is not None and values[name] is not None:
            given[key] = name, values[name]
    refuse_misspelt(values, where=where)
    if "document" not in given and values.get(ROW_ID) is not None:
        given["document"] = ROW_ID, values[ROW_ID]
    if "segment" in given and "document" not in given:
        raise DataError("a segment number needs a document, got none", where=where, hint="name the document too")
    if "group" in given and "document" not in given:
        raise DataError(
            f"a group is one of documents, got {shown_value(given['group'][1])} for a system as a whole",
            where=where,
            hint="name the document too, or leave out 'group'; a group's systems may be judged in a file of their own",
        )
    named = {key: document_of(value, name, where=where) for key, (name, value) in given.items() if key != "segment"}
    return Place(
        system=named.get("system", "system"),
        document=named.get("document"),
        segment=segment_of(given["segment"][1], where=where) if "segment" in given else None,
        aspect=named.get("aspect"),
        rater=named.get("rater"),
        group=named.get("group"),
        where=where,
    )


def number(value: object, name: str, *, where: str) -> float | None:
    """A rating as JSON gives it; null is none."""
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max:
        return float(value)
    raise DataError(
        f"{name} must be a finite number, got {shown_value(value)}",
        where=where,
        hint="where there is no rating, write null",
    )


def counted(cell: str, name: str, *, where: str, hint: str) -> int:
    """A number from 1 in a cell, as WMT counts lines."""
    if cell.strip().isdecimal() and len(cell) < 19 and int(cell) > 0:
        return int(cell)
    raise DataError(f"{name} must be a whole number from 1, got {cell[:40]!r}", where=where, hint=hint)


def names_of(values: Mapping[str, object], name: str, *, where: str) -> dict[str, object]:
    """An object with something in it, such as ratings by aspect or ranks by system."""
    found = values[name]
    if not isinstance(found, dict) or not found:
        raise DataError(
            f"{name} must be an object that is not empty, got {shown_value(found)}",
            where=where,
            hint=f'for example "{name}": {{"A": 1, "B": 2}}',
        )
    return {name_of(key, name, where=where): value for key, value in found.items()}


def refuse_misspelt(names: Iterable[str], *, where: str) -> None:
    """Refuses what looks like the name of a field that is not there."""
    given = {KEY_OF[name] for name in names if name in KEY_OF}
    for name in names:
        near = None if name in KEY_OF else _near(name)
        if near and KEY_OF[near] not in given:
            raise DataError(
                f"{name!r} is not a known field",
                where=where,
                hint=f"did you mean {near!r}? rename it, or choose a name that is less similar for a field of your own",
            )


@lru_cache(maxsize=1024)
def _near(name: str) -> str | None:
    """The key that a name resembles; only what a judgement is of could be lost by a misspelling."""
    known = [key for key, kind in KEY_OF.items() if kind in ("system", "document", "segment")]
    return next(iter(get_close_matches(name.strip().lower(), known, n=1, cutoff=0.8)), None)
