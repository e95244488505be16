"""JSONL: one JSON object a line, one record an object; the fields are in `fields`.

Blank lines are skipped: they hold nothing that could be lost, since an object carries all it belongs to.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from coheval.data.corpus import Record
from coheval.data.fields import record_of, resolve
from coheval.data.lines import FilePath, lines, shown
from coheval.errors import DataError

_EXAMPLE = '{"candidate": "…", "references": ["…"]}'


def read_jsonl(path: FilePath) -> Iterator[Record]:
    found = False
    for number, line in enumerate(lines(path), start=1):
        if line.strip():
            found = True
            where = f"{shown(path)}:{number}"
            values = parse_object(line, where=where)
            yield record_of(values, fields=resolve(values, where=where), where=where)
    if not found:
        raise DataError(
            "expected a JSON object on each line, got blank lines only", where=shown(path), hint="is the file whole?"
        )


def parse_object(line: str, *, where: str, example: str = _EXAMPLE) -> dict[str, object]:
    """The object on a line, without trusting the line: no key twice, no depth or number that stops the program."""
    try:
        value = json.loads(line, object_pairs_hook=partial(unique, where=where))
    except json.JSONDecodeError as error:
        raise DataError(
            f"expected JSON, got {line[error.pos : error.pos + 20]!r} at column {error.colno} ({error.msg})",
            where=where,
            hint="write one whole JSON object a line; `jq -c .` puts an object on one line",
        ) from None
    except RecursionError:
        raise DataError(
            "expected a flat JSON object, got one nested too deeply", where=where, hint="keep texts and lists of texts"
        ) from None
    except ValueError as error:  # a number of thousands of digits
        raise DataError(f"expected JSON with plain numbers ({error})", where=where, hint="quote long numbers") from None
    if not isinstance(value, dict):
        raise DataError(
            f"expected a JSON object, got {line.strip()[:40]!r}",
            where=where,
            hint=f"for example {example}; `jq -c .[]` turns an array into lines",
        )
    return value


def unique(pairs: list[tuple[str, object]], *, where: str) -> dict[str, object]:
    """For `object_pairs_hook`: an object in which no key stands twice."""
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values:
            raise DataError(f"the key {key!r} is given twice", where=where, hint="keep one of them")
        values[key] = value
    return values
