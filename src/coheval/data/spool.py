"""Lines kept aside: in memory while they are few, in a temporary file beyond that."""

from __future__ import annotations

import weakref
from contextlib import suppress
from tempfile import SpooledTemporaryFile
from typing import IO

from coheval.errors import ResourceError

IN_MEMORY = 64 * 2**20  # bytes before the lines go to disk


class Spool:
    """First all lines are written, then any are read by their offset."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed by `close`
        self._size = 0
        self.close = weakref.finalize(self, _close, self._file)  # at the latest when nobody holds the spool

    def append(self, line: bytes) -> int:
        """Keeps a line, which ends with its only line feed, and gives its offset."""
        offset = self._size
        try:
            self._file.write(line)
        except OSError as error:
            raise _no_room(error) from error
        self._size += len(line)
        return offset

    def flush(self) -> None:
        """Afterwards nothing is left that a full disk could refuse."""
        try:
            self._file.flush()
        except OSError as error:
            raise _no_room(error) from error

    def read(self, offset: int) -> bytes:
        self._file.seek(offset)
        return self._file.readline()


def _close(file: IO[bytes]) -> None:
    with suppress(OSError):  # what a full disk did not take is tried again here, and was reported before
        file.close()


def _no_room(error: OSError) -> ResourceError:
    return ResourceError(
        f"the input cannot be kept in a temporary file: {error}",
        hint="free disk space, or let TMPDIR name a folder on a larger disk",
    )
