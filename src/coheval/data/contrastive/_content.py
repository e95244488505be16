"""A file of JSON, whole or one object a line, as entries that know where they stand."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from coheval.data.contrastive._entry import Entry
from coheval.data.fields import shown_value
from coheval.data.jsonl import parse_object, unique
from coheval.data.lines import FilePath, is_stdin, lines_with_ends, shown
from coheval.data.weights import digest
from coheval.errors import DataError

_SPACE = re.compile(r"\s*")
_FIELD = re.compile(r'\s*\{ *"[^"\n]*" *: *[^{\s]')  # a name and a value that is no object, on one line
EXAMPLE = '{"context": ["…"], "right": "…", "wrong": ["…"]}'
_ENDINGS = (".gz", ".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class Content:
    """Entries: the lines of JSONL, the members of a JSON list, or those of a JSON object, which have a key each."""

    name: str  # of the file, as errors give it
    files: dict[str, str]  # all that the entries come from: name -> sha256
    keyed: bool
    entries: tuple[Entry, ...]
    title: str = ""  # what its ids begin with: the stem, if no other file has the same

    @property
    def stem(self) -> str:
        """The name without folder and endings."""
        path = Path(self.name)
        while path.suffix in _ENDINGS:
            path = path.with_suffix("")
        return path.name or self.name

    def id_of(self, entry: Entry) -> str:
        return f"{self.title or self.stem}:{entry.key}"

    def fields(self) -> str:
        return ", ".join(map(repr, self.entries[0].values))

    def has(self, *names: str) -> bool:
        """Whether the first entry has such fields."""
        return all(name in self.entries[0].values for name in names)


def load(path: FilePath) -> Content:
    name = shown(path)
    if os.path.isdir(path):
        raise DataError("expected a file, got a folder", where=name, hint="name one or several files inside it")
    text = "".join(lines_with_ends(path))
    start = text[_end_of_space(text, 0) :][:1]
    keyed = start == "{" and not _is_jsonl(text, name)
    found = _Scanner(text, name).entries() if start == "[" or keyed else _lines(text, name)
    entries = tuple(found)
    if not entries:
        raise DataError("expected groups, got none", where=name, hint="is the file whole?")
    return Content(name, {name: _digest(path, text)}, keyed, entries)


def _digest(path: FilePath, text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest() if is_stdin(path) else digest(Path(path))


def _is_jsonl(text: str, name: str) -> bool:
    """Whether the first line is an object of its own, and none of objects. A faulty one goes by its first value."""
    try:
        first = parse_object(text.lstrip().partition("\n")[0], where=name)
    except DataError:
        return _FIELD.match(text) is not None
    return not first or not all(isinstance(value, dict) for value in first.values())


def _lines(text: str, name: str) -> Iterator[Entry]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            where = f"{name}:{number}"
            yield Entry(parse_object(line, where=where, example=EXAMPLE), where, str(number))


def _end_of_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


class _Scanner:
    """The members of a JSON list or object one by one, so that each knows its line."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.at = _end_of_space(text, 0)
        self.line, self.counted = 1, 0
        self.decoder = json.JSONDecoder(object_pairs_hook=partial(unique, where=name))

    def entries(self) -> Iterator[Entry]:
        keyed = self.text[self.at] == "{"
        close = "}" if keyed else "]"
        self._skip(1)
        number = 0
        while self.text[self.at : self.at + 1] != close:
            if number:
                self._take(",")
            number += 1
            where = self._where()
            key = self._key() if keyed else str(number)
            value = self._value()
            if not isinstance(value, dict):
                raise DataError(
                    f"expected an object, got {shown_value(value)}",
                    where=where,
                    hint="a group is an object on one line, or a member of a list; `jq -c .` puts one on a line",
                )
            yield Entry(value, where, key)
        self._skip(1)
        if self.at < len(self.text):
            raise self._error("the end of the file", self._where())

    def _key(self) -> str:
        if self.text[self.at : self.at + 1] != '"':
            raise self._error("a name in quotes", self._where())
        key = str(self._value())
        self._take(":")
        return key

    def _value(self) -> object:
        try:
            value, self.at = self.decoder.raw_decode(self.text, self.at)
        except json.JSONDecodeError as error:
            self.at = error.pos
            raise self._error(f"JSON ({error.msg})", self._where()) from None
        except RecursionError:
            raise self._error("JSON that is not nested so deeply", self._where()) from None
        except ValueError:  # a number of thousands of digits
            raise self._error("JSON with plain numbers", self._where()) from None
        self._skip(0)
        decoded: object = value
        return decoded

    def _take(self, sign: str) -> None:
        if self.text[self.at : self.at + 1] != sign:
            raise self._error(repr(sign), self._where())
        self._skip(1)

    def _skip(self, characters: int) -> None:
        self.at = _end_of_space(self.text, self.at + characters)

    def _where(self) -> str:
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = max(self.at, self.counted)
        return f"{self.name}:{self.line}"

    def _error(self, expected: str, where: str) -> DataError:
        got = repr(self.text[self.at : self.at + 20]) if self.at < len(self.text) else "the end of the file"
        return DataError(f"expected {expected}, got {got}", where=where, hint="is the file whole? `jq .` checks it")
