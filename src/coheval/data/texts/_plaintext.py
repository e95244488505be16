"""Plain text that ends in .txt: a sentence a line, a blank line between documents."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from coheval.data.groups import LeftOut
from coheval.data.texts._source import Source, with_layers
from coheval.data.types import Document
from coheval.errors import DataError


def fits(source: Source) -> bool:
    return source.is_text


def documents(source: Source) -> Iterator[Document | LeftOut]:
    runs = groupby(source.lines, key=lambda line: not line.strip())
    found = [[line.strip() for line in run] for blank, run in runs if not blank]
    if not found:
        raise DataError("expected sentences, got blank lines only", where=source.name, hint="is the file whole?")
    for number, texts in enumerate(found, start=1):
        yield with_layers(Document.of(f"{source.title}:{number}", texts), part=source.part)
