"""Errors that say on which line of a file something is wrong."""

from __future__ import annotations

from coheval.errors import DataError


def fault(message: str, *, source: str, at: int, where: str, hint: str) -> DataError:
    """An error at a place of a file's content."""
    return DataError(message, where=f"{where}:{source.count(chr(10), 0, at) + 1}", hint=hint)


def shown(source: str, at: int) -> str:
    """What stands at a place of a file's content, in a few words."""
    return repr(" ".join(source[at : at + 50].split()))
