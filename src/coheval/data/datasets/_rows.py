"""Lines of a judged set's JSONL files, with fields that are checked when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from coheval.data.fields import document_of, shown_value
from coheval.data.jsonl import parse_object
from coheval.data.judgedrows import number
from coheval.data.lines import lines, shown
from coheval.errors import DataError

T = TypeVar("T")
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Row:
    """One object of a file."""

    values: dict[str, object]
    where: str

    def text(self, name: str) -> str:
        value = self.values.get(name)
        if not isinstance(value, str):
            raise self._error(name, "text")
        return value

    def name(self, name: str) -> str:
        """A name that may be written as a whole number."""
        return document_of(self.values.get(name), name, where=self.where)

    def texts(self, name: str) -> list[str]:
        value = self.values.get(name)
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise self._error(name, "a list of texts")
        return value

    def rows(self, name: str) -> list[Row]:
        """A list of objects."""
        value = self.values.get(name)
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise self._error(name, "a list of objects")
        return [Row(entry, self.where) for entry in value]

    def numbers(self, name: str) -> dict[str, float]:
        """Numbers by name."""
        value = self.values.get(name)
        if not isinstance(value, dict):
            raise self._error(name, "an object")
        return Row(value, self.where).all_numbers()

    def all_numbers(self) -> dict[str, float]:
        return {name: self.number(name) for name in self.values}

    def number(self, name: str) -> float:
        value = number(self.values.get(name), name, where=self.where)
        if value is None:
            raise self._error(name, "a number")
        return value

    def parsed(self, name: str) -> float:
        """A number that is written as text, as in a table."""
        try:
            return float(self.text(name))
        except ValueError:
            raise self._error(name, "a number") from None

    def _error(self, name: str, expected: str) -> DataError:
        return DataError(
            f"{name} must be {expected}, got {shown_value(self.values.get(name))}",
            where=self.where,
            hint="is this the file of the judged set, and whole?",
        )


def rows(path: Path) -> Iterator[Row]:
    """The objects of a JSONL file, one a line."""
    for line_number, line in enumerate(lines(path), start=1):
        where = f"{shown(path)}:{line_number}"
        yield Row(parse_object(line, where=where), where)


def side_by_side(one: Iterable[T], other: Iterable[S], where: Path) -> Iterator[tuple[T, S]]:
    """Two files whose lines belong together; `where` is the second one."""
    for before, (left, right) in enumerate(zip_longest(one, other)):
        if left is None or right is None:
            raise DataError(
                f"expected as many entries as in the file beside it, got {'more' if left is None else 'fewer'} "
                f"than {before + (right is None):,}",
                where=shown(where),
                hint="are both files whole?",
            )
        yield left, right


def article_of(articles: Mapping[str, T], document: str, row: Row) -> T:
    if document not in articles:
        raise DataError(
            f"there is no article for document {document!r}", where=row.where, hint="is the file of articles whole?"
        )
    return articles[document]
