"""WikiText: Wikipedia's articles, a paragraph a line, headings between `=`. Merity et al. (2017), Pointer Sentinel
Mixture Models.

A document is a section that has text, the part before an article's first section among them; its segments are
paragraphs. Sections of an article have one origin. Words stay as they are: tokenised, with `<unk>` for rare
ones and `@-@` for hyphens inside a word, as models and metrics must not read a text that differs between variants.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from coheval.data.groups import LeftOut
from coheval.data.texts._source import Source, with_layers
from coheval.data.types import Document
from coheval.errors import DataError

_HEADING = re.compile(r" ?((?:= )+)(.*?)((?: =)+) ?$")


def fits(source: Source) -> bool:
    return _heading(source.first) is not None


def documents(source: Source) -> Iterator[Document | LeftOut]:
    article, section, paragraphs = "", "", list[str]()
    articles, number = 0, 0
    for where, line, alone in _lines(source):
        found = _heading(line) if alone else None
        if found is None:
            if not article:
                raise DataError(
                    f"expected an article's title such as ' = Title = ', got {line[:40]!r}",
                    where=where,
                    hint="is the file whole?",
                )
            paragraphs.append(line.strip())
            continue
        if paragraphs:
            number += 1
            yield _document(source, number, (articles, article), section, paragraphs)
            paragraphs = []
        depth, title = found
        article, section = (title, "") if depth == 1 else (article, title)
        articles += depth == 1
    if paragraphs:
        yield _document(source, number + 1, (articles, article), section, paragraphs)


def _lines(source: Source) -> Iterator[tuple[str, str, bool]]:
    """Where each line stands that is not blank, the line, and whether blank ones are around it: a formula's rest may
    look like a heading."""
    blank = [True, *(not line.strip() for line in source.lines), True]
    for where, line in source.numbered():
        number = int(where.rpartition(":")[2])
        yield where, line, blank[number - 1] and blank[number + 1]


def _heading(line: str) -> tuple[int, str] | None:
    """Depth and title."""
    match = _HEADING.match(line)
    if match is None or match[1].count("=") != match[3].count("="):
        return None
    return match[1].count("="), match[2]


def _document(source: Source, number: int, article: tuple[int, str], section: str, paragraphs: list[str]) -> Document:
    """The article is given by number and title, as several may have the same: `<unk>`."""
    nth, title = article
    id = f"{source.title}:{number} {title}" + (f" / {section}" if section else "")
    origin = f"{source.title}:{nth} {title}"
    return with_layers(Document.of(id, paragraphs), unsplit=True, origin=origin, part=source.part)
