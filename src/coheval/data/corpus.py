"""A corpus: records in any order in, items document by document out, with bounded memory.

Readers give one record a segment, in the order of their files, which may be system after system. A corpus checks the
whole input before anything is scored and keeps the texts in a spool, so that it can yield all systems of a document
together, several times over, from standard input too. In memory are only the documents' names and a few numbers a
record.
"""

from __future__ import annotations

import hashlib
import json
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Any, Self

from coheval.data.spool import Spool
from coheval.data.types import Document, Item
from coheval.errors import DataError

BLOCK = 200_000  # characters of text that are worked on at once
WHOLE = -1  # the label of a record that is its document's only segment
LARGEST_LABEL = 2**63 - 1
WRITER = json.JSONEncoder(ensure_ascii=False)  # made once: a corpus writes every record
HALF_CHARACTER = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Record:
    """One segment of one system as a reader found it. Without a document it is a document of its own."""

    system: str
    candidate: str
    references: tuple[str | None, ...] = ()  # None keeps the place of a reference that this segment does not have
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
        self._names_documents: bool | None = None  # as the first record does
        self._hash = hashlib.sha256()
        self._reference_hashes: dict[str, Any] = {}  # by system
        self._spool = Spool()
        self._documents: dict[str, int] = {}  # number by name, in order of appearance
        self._systems: dict[str, int] = {}
        # Columns with an entry for each record; tuples or dicts of them would take ten times the memory.
        self._document = array("q")
        self._system = array("q")
        self._label = array("q")
        self._position = array("q")  # its place in its system's input order
        self._offset = array("q")  # its place in the spool
        self._order = array("q")  # all records, sorted by document, system and label

    @classmethod
    def of(cls, records: Iterable[Record]) -> Self:
        corpus = cls()
        for record in records:
            corpus._add(record)
        if not corpus.counts:
            raise DataError("there is nothing to score: the input has no segments", hint="check the files you named")
        corpus._spool.flush()
        corpus._sort()
        return corpus

    def close(self) -> None:
        """Gives the disk space back; leaving a `with` block or dropping the corpus does it too."""
        self._spool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def systems(self) -> list[str]:
        return list(self._systems)

    @property
    def names_documents(self) -> bool:
        """Whether the input says which document each segment is of."""
        return bool(self._names_documents)

    @property
    def documents(self) -> list[str]:
        return list(self._documents)

    @property
    def sha256(self) -> str:
        """Digest of every record in input order."""
        return self._hash.hexdigest()

    def references_sha256(self, system: str) -> str:
        """Digest of one system's references: systems of one test set have the same."""
        digest: str = self._reference_hashes[system].hexdigest()
        return digest

    def __iter__(self) -> Iterator[Item]:
        return self.items()

    def items(self, system: str | None = None) -> Iterator[Item]:
        """All items, or one system's, document by document."""
        systems, documents = self.systems, self.documents
        for (document, number), members in groupby(self._order, key=self._item_of):
            if system is None or systems[number] == system:
                yield self._item(systems[number], documents[document], list(members))

    def document(self, name: str) -> list[Item]:
        """The items of one document, a system's after the other's."""
        number = self._documents[name]
        start, stop = (
            find(self._order, number, key=self._document.__getitem__) for find in (bisect_left, bisect_right)
        )
        members = groupby(self._order[start:stop], key=self._item_of)
        return [self._item(self.systems[system], name, list(own)) for (_, system), own in members]

    def blocks(self, characters: int = BLOCK) -> Iterator[list[Item]]:
        """Items in lists that hold whole documents with all their systems and about so many characters."""
        block: list[Item] = []
        size = 0
        for _, group in groupby(self.items(), key=attrgetter("document")):
            items = list(group)
            block += items
            size += sum(len(i.candidate.text) for i in items) + sum(len(r.text) for r in items[0].references)
            if size >= characters:
                yield block
                block, size = [], 0
        if block:
            yield block

    def _add(self, record: Record) -> None:
        position = self.counts.get(record.system, 0)
        where = record.where or f"segment {position + 1} of system {record.system!r}"
        label = self._checked_label(record, where)
        document = str(position + 1) if record.document is None else record.document
        if all(reference is None for reference in record.references) and self.without_references is None:
            self.without_references = where
        if record.source is None and self.without_source is None:
            self.without_source = where
        texts = [record.candidate, record.references, record.source]
        try:
            self._hash.update(WRITER.encode([record.system, document, label, *texts]).encode())
        except UnicodeEncodeError:
            raise _half_character(record, where) from None
        self._document.append(self._documents.setdefault(document, len(self._documents)))
        self._system.append(self._systems.setdefault(record.system, len(self._systems)))
        self._label.append(label)
        self._position.append(position)
        self._offset.append(self._spool.append(json.dumps([where, *texts]).encode() + b"\n"))
        references = self._reference_hashes.setdefault(record.system, hashlib.sha256())
        references.update(WRITER.encode(record.references).encode())
        self.counts[record.system] = position + 1
        self.characters += len(record.candidate)

    def _checked_label(self, record: Record, where: str) -> int:
        if self._names_documents is None:
            self._names_documents = record.document is not None
        if self._names_documents != (record.document is not None):
            raise DataError(
                "this record has a document and those before have none"
                if record.document is not None
                else "this record has no document and those before have one",
                where=where,
                hint="name the document of every record, or of none",
            )
        if record.segment is None:
            return WHOLE
        if record.document is None:
            raise DataError("a segment number needs a document, got none", where=where, hint="name the document too")
        if not 0 <= record.segment <= LARGEST_LABEL:
            raise DataError(
                f"segment must be a number from 0 to {LARGEST_LABEL:,}, got {record.segment}",
                where=where,
                hint="number a document's segments 0, 1, 2, …",
            )
        return record.segment

    def _sort(self) -> None:
        order = list(range(len(self._offset)))
        for column in (self._label, self._system, self._document):  # sorting is stable: the last one weighs most
            order.sort(key=column.__getitem__)
        self._order = array("q", order)
        for earlier, later in pairwise(self._order):
            if self._item_of(earlier) == self._item_of(later):
                self._refuse_clash(earlier, later)

    def _refuse_clash(self, earlier: int, later: int) -> None:
        label = self._label[later]
        if self._label[earlier] not in (WHOLE, label):
            return
        system, document = self.systems[self._system[later]], self.documents[self._document[later]]
        if label == WHOLE:
            message = f"system {system!r} has document {document!r} twice"
        elif self._label[earlier] == label:
            message = f"system {system!r} has segment {label} of document {document!r} twice"
        else:
            message = f"system {system!r} has document {document!r} as a whole and by segments"
        raise DataError(
            f"{message}; the other is at {self._read(earlier)[0]}",
            where=self._read(later)[0],
            hint="give each line its own document id, or number the segments of a document with 'segment'",
        )

    def _item_of(self, record: int) -> tuple[int, int]:
        return self._document[record], self._system[record]

    def _item(self, system: str, document: str, records: Sequence[int]) -> Item:
        _, candidates, references, sources = zip(*map(self._read, records), strict=True)
        return Item(
            system=system,
            candidate=Document.of(document, candidates),
            references=_side_by_side(document, references),
            source=None if all(source is None for source in sources) else Document.of(document, sources),
            labels=tuple(max(self._label[record], 0) for record in records),
            positions=tuple(self._position[record] for record in records),
        )

    def _read(self, record: int) -> tuple[str, str, list[str | None], str | None]:
        where, candidate, references, source = json.loads(self._spool.read(self._offset[record]).decode())
        return where, candidate, references, source


def _side_by_side(document: str, references: Sequence[Sequence[str | None]]) -> tuple[Document, ...]:
    """The first references of all segments as a document, then the second, and so on; without those nobody has."""
    widest = max(len(texts) for texts in references)
    columns = [[texts[n] if n < len(texts) else None for texts in references] for n in range(widest)]
    return tuple(Document.of(document, column) for column in columns if any(text is not None for text in column))


def _half_character(record: Record, where: str) -> DataError:
    """A lone UTF-16 surrogate, as a broken JSON escape gives, has no bytes, so no tokenizer takes it."""
    texts = {"system": record.system, "document": record.document, "candidate": record.candidate}
    texts |= {"source": record.source, **{f"reference {n}": text for n, text in enumerate(record.references, start=1)}}
    halves = [(name, half) for name, text in texts.items() for half in HALF_CHARACTER.finditer(text or "")]
    name, half = halves[0]
    return DataError(
        f"expected whole characters, got half of one ({half[0]!r}) as character {half.start() + 1} of the {name}",
        where=where,
        hint="the text was cut or decoded wrongly where it was made; write it again as UTF-8",
    )
