"""To which document a line belongs, and which segment of it the line is.

Lines with the same document id are the segments 0, 1, … of that document, in the order of the lines, also where other
lines stand between them. The same name under two domains is refused: those are two documents, which would be scored as
one.
"""

from __future__ import annotations

from collections import Counter

from coheval.errors import DataError


class Numbering:
    """Gives each line its (document, segment number); lines are told in order."""

    def __init__(self) -> None:
        self._domains: dict[str, str] = {}  # of each document
        self._segments: Counter[str] = Counter()

    def place(self, document: str, *, domain: str = "", where: str) -> tuple[str, int]:
        if not document.strip():
            raise DataError(
                f"expected a document id, got {document!r}",
                where=where,
                hint="say of every line in which document it is",
            )
        known = self._domains.setdefault(document, domain)
        if known != domain:
            raise DataError(
                f"document {document!r} is of domain {domain!r} here and of {known!r} before",
                where=where,
                hint="give the two documents different names",
            )
        self._segments[document] += 1
        return document, self._segments[document] - 1
