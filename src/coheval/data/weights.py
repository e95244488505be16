"""Files that come inside other packages, or from users: found without importing anything, identified by sha256."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from coheval.errors import ResourceError


def carried(package: str, folder: str, files: Mapping[str, str], *, pip: str, where: str) -> dict[str, Path]:
    """The files (name -> sha256) that a package carries in a folder, verified; `pip` is what installs them.

    `where` says who needs them.

    The package is data: it is located, never imported.
    """
    found = find_spec(package)
    roots = [Path(p) for p in (found.submodule_search_locations if found else None) or ()]
    root = next((r / folder for r in roots if (r / folder).is_dir()), None)
    if root is None:
        raise ResourceError(
            f"the files that come with {pip.split()[-1]!r} are not installed", where=where, hint=f"pip install {pip}"
        )
    return {name: _verified(root / name, expected, pip) for name, expected in files.items()}


@cache
def sha256(path: Path, size: int, modified: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest(*paths: Path) -> str:
    """One sha256 for some files, remembered as long as they do not change."""
    try:
        parts = [sha256(p, (s := p.stat()).st_size, s.st_mtime_ns) for p in paths]
    except OSError as error:
        raise ResourceError(
            f"the file cannot be read: {error.strerror}", where=str(error.filename), hint="check the path"
        ) from None
    return parts[0] if len(parts) == 1 else hashlib.sha256("".join(parts).encode()).hexdigest()


def _verified(path: Path, expected: str, pip: str) -> Path:
    found = digest(path)
    if found != expected:
        raise ResourceError(
            f"the file is not the one expected: sha256 {expected[:16]}…, got {found[:16]}…",
            where=str(path),
            hint=f"pip install --force-reinstall {pip}",
        )
    return path
