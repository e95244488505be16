"""The file that a command will write, checked before work that may take hours."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile

from coheval.errors import ResourceError, UsageError


def check_output(path: Path, *, overwrite: bool, ending: str | None = None) -> None:
    """Refuse a name that is taken or has another ending, and a place that cannot be written to."""
    if ending is not None and path.suffix != ending:
        raise UsageError(
            f"the file must end with {ending}, got {path.suffix or 'no ending'!r}",
            where=str(path),
            hint=f"call it {path.stem or 'found'}{ending}",
        )
    if path.is_dir():
        raise UsageError("expected the name of a file, got a folder", where=str(path), hint="name a file in it")
    if path.exists() and not overwrite:
        raise UsageError("the file exists already", where=str(path), hint="choose another name, or add --overwrite")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise ResourceError(
            f"the file cannot be written there: {error.strerror}", where=str(path), hint="choose another folder"
        ) from None
