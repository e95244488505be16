"""Corpora of documents, in several formats: what tasks make their groups from.

    read_texts(["self_dialogue.jsonl.gz"]).documents

A format is recognised by what the file or folder holds. Adding one is adding a file: it has `fits(source)` and
`documents(source)`, which gives a document, or what was left out, one after the other. Text that no format fits is a
sentence a line; any other file is read as candidates of systems (`data.files`). A document's segments are its
sentences; its `layers` may say more:

    part         train, dev or test, where the corpus has parts of its own
    origin       the same for documents of which nothing may be in two parts, such as sections of one article
    topic, genre what it is about, and of what kind it is
    paragraphs   the number of each paragraph's first sentence
    unsplit      True where segments are paragraphs, which a task must split
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from coheval.data.corpus import HALF_CHARACTER, Corpus
from coheval.data.files import read
from coheval.data.groups import LeftOut
from coheval.data.lines import FilePath, is_stdin
from coheval.data.texts._source import Source, look, tells_parts, with_layers
from coheval.data.types import Document
from coheval.errors import DataError

__all__ = ["Texts", "read_texts", "tells_parts"]


@dataclass(frozen=True, slots=True)
class Texts:
    """Documents and where they come from."""

    documents: tuple[Document, ...]
    left_out: tuple[LeftOut, ...]
    files: dict[str, str]  # name -> sha256


class Format(Protocol):
    """A file of this folder. One that reads folders may have FILES, a regular expression for those that it reads."""

    def fits(self, source: Source) -> bool: ...

    def documents(self, source: Source) -> Iterator[Document | LeftOut]: ...


def read_texts(paths: Sequence[FilePath]) -> Texts:
    """The documents of all files and folders together; their ids differ."""
    sources = look([path for path in paths if not is_stdin(path)])
    formats = {source.name: _format_of(source) for source in sources}
    found: list[Document | LeftOut] = []
    files: dict[str, str] = {}
    for source in sources:
        format = formats[source.name]
        if format is not None:
            found += format.documents(source)
        files |= source.files(getattr(format, "FILES", ""))
    others = [source.path for source in sources if formats[source.name] is None]
    found += _candidates([*others, *filter(is_stdin, paths)])
    documents = [one for one in found if isinstance(one, Document)]
    _check(documents)
    return Texts(tuple(documents), tuple(one for one in found if isinstance(one, LeftOut)), files)


def _format_of(source: Source) -> Format | None:
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))
    for name in (*names, "_plaintext"):
        module = cast(Format, importlib.import_module(f"{__name__}.{name}"))
        if module.fits(source):
            return module
    return None


def _candidates(paths: Sequence[FilePath]) -> Iterator[Document]:
    """The documents of systems; those of several systems with the same id have one origin."""
    if not paths:
        return
    with Corpus.of(record for path in paths for record in read(path)) as corpus:
        several = len(corpus.systems) > 1
        for item in corpus:
            document = item.candidate
            if several:
                segments = tuple(document)
                named = Document.of(f"{item.system}:{document.id}", segments)
                document = with_layers(named, origin=document.id)
            yield document


def _check(documents: Sequence[Document]) -> None:
    """Ids differ, and texts can be written again."""
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            raise DataError(
                f"the id {document.id!r} is given to two documents",
                hint="give each document an id of its own; the same file may have been named twice",
            )
        seen.add(document.id)
        if HALF_CHARACTER.search(document.text) or HALF_CHARACTER.search(document.id):
            raise DataError(
                f"expected whole characters, got half of one in the document {document.id!a}",
                hint="the text was cut or decoded wrongly where it was made; write it again as UTF-8",
            )
