"""A corpus: records in any order in, items document by document out, with bounded memory.

Readers give one record a segment, in the order of their files, which may be system after system. A corpus checks the
whole input before anything is scored and writes it to a spool (memory while it is small, a temporary file beyond
that), so that it can yield all systems of a document together, several times over, from standard input too. What stays
in memory is the documents' names and five numbers a record.
"""

from __future__ import annotations

import hashlib
import json
import weakref
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import Self

from coheval.data.types import Document, Item
from coheval.errors import DataError, ResourceError

IN_MEMORY = 64 * 2**20  # bytes of spool before it goes to disk
BLOCK = 200_000  # characters of text that are worked on at once
WHOLE = -1  # the label of a record that is a whole document


@dataclass(frozen=True, slots=True)
class Record:
    """One segment of one system as a reader found it. Without a document it is a document of its own."""

    system: str
    candidate: str
    references: tuple[str | None, ...] = ()  # None keeps the place of one that this segment does not have
    source: str | None = None
    document: str | None = None
    segment: int | None = None  # its number in the document; None: the document's only segment
    where: str = ""  # file:line, for errors


class Corpus:
    """Items by document. Made by `Corpus.of(records)`; read it as often as needed."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}  # segments by system, in order of appearance
        self.without_references: str | None = None  # where the first such record is
        self.without_source: str | None = None
        self.characters = 0
        self._documents: dict[str, int] = {}  # number by name, in order of appearance
        self._document = array("q")  # of each record: its document's number,
        self._system = array("q")  # its system's,
        self._label = array("q")  # its segment's within the document,
        self._position = array("q")  # its own within its system,
        self._offset = array("q")  # and its place in the spool
        self._order = array("q")  # records by document, system, label
        self._spool = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed by `close`
        self._hash = hashlib.sha256()
        self.close = weakref.finalize(self, self._spool.close)  # frees the disk, at the latest with the corpus
