"""To which document a line belongs, and which segment of it the line is.

Consecutive lines with the same document id are the segments 0, 1, … of that document. An id that comes back after
another one is refused: either the lines were shuffled, and then a document put together from them would read in a
wrong order, or two documents share a name, and then they would be scored as one. Both would give plausible, wrong
scores. Where a document's lines really are scattered, `segment` numbers in JSONL or CSV say how they belong together.
"""

from __future__ import annotations

from coheval.errors import DataError


class Numbering:
    """Gives each line its (document, segment number); lines are told in order."""

    def __init__(self) -> None:
        self._began: dict[str, str] = {}  # document -> where its first line is
        self._current = ("", "")
        self._segment = 0

    def place(self, document: str, *, domain: str = "", where: str) -> tuple[str, int]:
        if not document.strip():
            raise DataError(
                f"expected a document id, got {document!r}",
                where=where,
                hint="say of every line in which document it is",
            )
        if (domain, document) == self._current:
            self._segment += 1
            return document, self._segment
        if document in self._began:
            raise DataError(
                f"document {document!r} began at {self._began[document]} and comes back here after another one",
                where=where,
                hint="put the lines of a document together in reading order, or number them with 'segment' in JSONL",
            )
        self._began[document] = where
        self._current, self._segment = (domain, document), 0
        return document, 0
