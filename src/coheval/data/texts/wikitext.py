"""WikiText: Wikipedia's articles, a paragraph a line, headings between `=`. Merity et al. (2017), Pointer Sentinel
Mixture Models.

A document is a section that has text, the part before an article's first section among them; its segments are
paragraphs. Sections of an article have one origin, its title. Words stay as they are: tokenised, with `<unk>` for rare
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
    number = 0
    for where, line in source.numbered():
        found = _heading(line)
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
            yield _document(source, number, article, section, paragraphs)
            paragraphs = []
        depth, title = found
        article, section = (title, "") if depth == 1 else (article, title)
    if paragraphs:
        yield _document(source, number + 1, article, section, paragraphs)


def _heading(line: str) -> tuple[int, str] | None:
    """Depth and title."""
    match = _HEADING.match(line)
    if match is None or match[1].count("=") != match[3].count("="):
        return None
    return match[1].count("="), match[2]


def _document(source: Source, number: int, article: str, section: str, paragraphs: list[str]) -> Document:
    id = f"{source.title}:{number} {article}" + (f" / {section}" if section else "")
    return with_layers(Document.of(id, paragraphs), unsplit=True, origin=article, part=source.part)
