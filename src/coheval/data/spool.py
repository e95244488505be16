"""Lines kept aside: in memory while they are few, in a temporary file beyond that."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile

from coheval.errors import ResourceError

IN_MEMORY = 64 * 2**20  # bytes before the lines go to disk


class Spool:
    """First all lines are written, then any are read by their offset."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed by `close`
        self._size = 0
        self.close = weakref.finalize(
            self, self._file.close
        )  # frees the disk, at the latest when nobody holds the spool

    def append(self, line: bytes) -> int:
        """Keeps a line, which ends with its only line feed, and gives its offset."""
        offset = self._size
        with _disk():
            self._file.write(line)
        self._size += len(line)
        return offset

    def flush(self) -> None:
        """Afterwards nothing is left that a full disk could refuse."""
        with _disk():
            self._file.flush()

    def read(self, offset: int) -> bytes:
        with _disk():
            self._file.seek(offset)
            return self._file.readline()


@contextmanager
def _disk() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ResourceError(
            f"the input cannot be kept in a temporary file: {error}",
            hint="free disk space, or let TMPDIR name a folder on a larger disk",
        ) from error
