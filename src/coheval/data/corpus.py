"""A corpus: records in any order in, items document by document out, with bounded memory.

Readers give one record a segment, in the order of their files, which may be system after system. A corpus checks the
whole input before anything is scored and writes it to a spool (memory while it is small, a temporary file beyond
that), so that it can yield all systems of a document together, several times over, from standard input too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile

from coheval.data.types import Document, Item
from coheval.errors import DataError, ResourceError

IN_MEMORY = 64 * 2**20  # bytes of spool before it goes to disk
BLOCK = 200_000  # characters of text that are worked on at once


@dataclass(frozen=True, slots=True)
class Record:
    """One segment of one system as a reader found it. Without a document it is a document of its own."""

    system: str
    candidate: str
    references: tuple[str, ...] = ()
    source: str | None = None
    document: str | None = None
    segment: int | None = None  # its number in the document; None: the document's only segment
    where: str = ""  # file:line, for errors


_Entry = dict[int, tuple[int, int]]  # of one item: segment label -> (offset in the spool, position in the input)


class Corpus:
    """Items by document. Made by `Corpus.of(records)`; read it as often as needed."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}  # segments by system, in order of appearance
        self.without_references: str | None = None  # where the first such record is
        self.without_source: str | None = None
        self.characters = 0
        self._index: dict[str, dict[str, _Entry]] = {}  # document -> system -> entry
        self._spool = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed with the corpus
        self._hash = hashlib.sha256()

    @classmethod
    def of(cls, records: Iterable[Record]) -> Corpus:
        corpus = cls()
        try:
            for record in records:
                corpus._add(record)
        except OSError as error:
            if isinstance(error, FileNotFoundError | PermissionError | IsADirectoryError):
                raise
            raise ResourceError(
                f"the input could not be kept in a temporary file: {error}",
                hint="free disk space, or point TMPDIR to a larger disk",
            ) from error
        if not corpus.counts:
            raise DataError("there is nothing to score: the input has no segments", hint="check the files you named")
        return corpus

    @property
    def systems(self) -> list[str]:
        return list(self.counts)

    @property
    def documents(self) -> list[str]:
        return list(self._index)

    @property
    def sha256(self) -> str:
        """Digest of every record in input order."""
        return self._hash.hexdigest()

    def __iter__(self) -> Iterator[Item]:
        return self.items()

    def items(self, system: str | None = None) -> Iterator[Item]:
        """All items, or one system's, document by document."""
        for document, systems in self._index.items():
            for name, entry in systems.items():
                if system is None or name == system:
                    yield self._item(name, document, entry)

    def blocks(self, characters: int = BLOCK) -> Iterator[list[Item]]:
        """Items in lists that hold whole documents with all their systems and about so many characters."""
        block: list[Item] = []
        size = 0
        for document, systems in self._index.items():
            items = [self._item(name, document, entry) for name, entry in systems.items()]
            block += items
            size += sum(len(i.candidate.text) for i in items) + sum(len(r.text) for r in items[0].references)
            if size >= characters:
                yield block
                block, size = [], 0
        if block:
            yield block

    def _add(self, record: Record) -> None:
        position = self.counts.get(record.system, 0)
        document = str(position + 1) if record.document is None else record.document
        entry = self._index.setdefault(document, {}).setdefault(record.system, {})
        label = 0 if record.segment is None else record.segment
        if label in entry:
            raise DataError(
                f"system {record.system!r} has segment {label} of document {document!r} twice"
                if record.segment is not None
                else f"system {record.system!r} has document {document!r} twice",
                where=record.where or None,
                hint="give each line its own document id, or number the segments of a document with 'segment'",
            )
        _refuse_surrogates(record)
        if not record.references and self.without_references is None:
            self.without_references = record.where or f"segment {position + 1} of system {record.system!r}"
        if record.source is None and self.without_source is None:
            self.without_source = record.where or f"segment {position + 1} of system {record.system!r}"
        line = json.dumps([record.candidate, record.references, record.source]).encode() + b"\n"
        entry[label] = (self._spool.tell(), position)
        self._spool.write(line)
        self._hash.update(json.dumps([record.system, document, label]).encode() + line)
        self.counts[record.system] = position + 1
        self.characters += len(record.candidate)

    def _item(self, system: str, document: str, entry: _Entry) -> Item:
        labels = sorted(entry)
        rows = [self._read(entry[label][0]) for label in labels]
        widest = max(len(references) for _, references, _ in rows)
        references = tuple(
            Document.of(document, [refs[k] if k < len(refs) else None for _, refs, _ in rows]) for k in range(widest)
        )
        sources = [source for _, _, source in rows]
        return Item(
            system=system,
            candidate=Document.of(document, [candidate for candidate, _, _ in rows]),
            references=references,
            source=None if all(s is None for s in sources) else Document.of(document, sources),
            labels=tuple(labels),
            positions=tuple(entry[label][1] for label in labels),
        )

    def _read(self, offset: int) -> tuple[str, list[str], str | None]:
        self._spool.seek(offset)
        candidate, references, source = json.loads(self._spool.readline())
        return candidate, references, source


def _refuse_surrogates(record: Record) -> None:
    """Half a character (a lone UTF-16 surrogate, as a broken JSON escape gives) has no bytes, so no tokenizer takes it."""
    for text in (record.candidate, *record.references, record.source or "", record.system, record.document or ""):
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise DataError(
                f"character {error.start + 1} of a text is half a character ({text[error.start]!r})",
                where=record.where or None,
                hint="the text was cut or decoded wrongly where it was made; write it again as UTF-8",
            ) from None
