"""A file that appears whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from coheval.errors import ResourceError


def write_whole(path: Path, content: bytes, *, what: str) -> None:
    """Written under another name beside its place, then renamed; `what` it is, for errors. Makes the folder."""
    with writing_whole(path, what=what) as file:
        file.write(content)


@contextmanager
def writing_whole(path: Path, *, what: str) -> Iterator[BinaryIO]:
    """The same for what is written bit by bit; where that fails, the file is not there, or as it was."""
    part = path.parent / f".{path.name}.{os.getpid()}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            yield file
        part.replace(path)
    except OSError as error:
        raise ResourceError(
            f"{what} could not be written: {error.strerror or error}",
            where=str(path),
            hint="name a file in it" if path.is_dir() else "free disk space or choose another place",
        ) from error
    finally:
        with suppress(OSError):
            part.unlink()  # it is still there if it could not be put in its place
