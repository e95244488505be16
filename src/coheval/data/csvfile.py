"""CSV and TSV with a header, as COMET reads them: columns src, mt, ref and the other names in `fields`.

Fields are separated by tabs in `.tsv` files, by commas in `.csv` files; of standard input the header tells. Quotes work
alike in both: a field that holds a separator, a line break or begins with a quote stands in quotes, and quotes in it
are doubled. Quotes that do not match are refused, because they would silently join lines. An empty cell of system,
document or segment says that there is none; a `references` cell holds a JSON list. Blank lines are skipped.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from itertools import chain

from coheval.data.corpus import Record
from coheval.data.fields import record_of, resolve
from coheval.data.lines import FilePath, is_stdin, lines_with_ends, shown
from coheval.errors import DataError

LONGEST_FIELD = 2**31 - 1  # characters; the most that every platform takes, where the module's default is 131,072


def read_csv(path: FilePath) -> Iterator[Record]:
    where, names, rows = table(path)
    fields = resolve(names, where=where)
    for where, cells in rows:
        cell_of = dict(zip(names, cells, strict=True))
        values = {name: _value(field, cell_of[name], where=where) for field, name in fields.items()}
        yield record_of(values, fields=fields, where=where)


def table(path: FilePath) -> tuple[str, list[str], Iterator[tuple[str, list[str]]]]:
    """Where the header is, its names, and the rows under it: where each begins and as many cells."""
    rows = _rows(path)
    where, names = next(rows, (shown(path), []))
    return where, names, _of_equal_length(rows, len(names), path)


def _of_equal_length(
    rows: Iterator[tuple[str, list[str]]], size: int, path: FilePath
) -> Iterator[tuple[str, list[str]]]:
    found = False
    for where, cells in rows:
        if len(cells) != size:
            raise DataError(
                f"expected {size} fields as in the header, got {len(cells)}",
                where=where,
                hint='put texts that hold a separator in quotes: "one, two"',
            )
        found = True
        yield where, cells
    if not found:
        raise DataError("expected rows under the header, got none", where=shown(path), hint="is the file whole?")


def _rows(path: FilePath) -> Iterator[tuple[str, list[str]]]:
    """Each row that is not blank, with the file and line where it begins."""
    text = lines_with_ends(path)
    header = next(text)
    reader = csv.reader(chain([header], text), delimiter=delimiter(path, header), strict=True)
    while True:
        where = f"{shown(path)}:{reader.line_num + 1}"
        try:
            row = _next_of_any_length(reader)
        except csv.Error as error:
            raise DataError(
                f"expected fields with matching quotes, got a broken row ({error})",
                where=where,
                hint='a text that begins with a quote is written """So", she said."; one that holds a line break or a '
                "carriage return stands in quotes",
            ) from None
        if row is None:
            return
        if row:
            yield where, row


def _next_of_any_length(reader: Iterator[list[str]]) -> list[str] | None:
    """The limit is the process's, not the reader's: others must find it as they left it."""
    limit = csv.field_size_limit(LONGEST_FIELD)
    try:
        return next(reader, None)
    finally:
        csv.field_size_limit(limit)


def delimiter(path: FilePath, header: str) -> str:
    if is_stdin(path):
        return "\t" if "\t" in header else ","
    return "\t" if os.fspath(path).lower().removesuffix(".gz").endswith(".tsv") else ","


def _value(field: str, cell: str, *, where: str) -> object:
    """What the cell says, as JSON would have said it."""
    if field in ("system", "document", "segment") and not cell.strip():
        return None
    if field == "segment" and cell.isdecimal() and len(cell) < 19:
        return int(cell)
    return _list(cell, where=where) if field == "references" else cell


def _list(cell: str, *, where: str) -> object:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        raise DataError(
            f"references must be a JSON list, got {cell[:40]!r}",
            where=where,
            hint="give each reference a column: ref, ref2, ref3, …",
        ) from None
