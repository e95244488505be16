"""A file that appears whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from coheval.errors import ResourceError


def write_whole(path: Path, content: bytes, *, what: str) -> None:
    """Written under another name beside its place, then renamed; `what` it is, for errors. Makes the folder."""
    part = path.parent / f".{path.name}.{os.getpid()}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        raise ResourceError(
            f"{what} could not be written: {error.strerror or error}",
            where=str(path),
            hint="free disk space or choose another place",
        ) from error
    finally:
        with suppress(OSError):
            part.unlink()  # it is still there if it could not be put in its place
