"""A figure as a file that appears whole or not at all, and has the same bytes each time."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from coheval.data.whole import write_whole
from coheval.errors import UsageError
from coheval.report._style import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".svg", ".pdf", ".png")

# What matplotlib would write about itself and the time.
_NOTHING_ABOUT = {
    ".svg": ("Date", "Creator"),
    ".pdf": ("CreationDate", "Creator", "Producer"),
    ".png": ("Software",),
}


def save(figure: Figure, path: str | os.PathLike[str]) -> Path:
    """Writes the figure in the format that the file's ending names; the folder is made if need be."""
    path = Path(path)
    ending = path.suffix.lower()
    if ending not in FORMATS:
        raise UsageError(
            f"a figure's file must end with {', '.join(FORMATS)}, got {path.suffix or 'no ending'!r}",
            where=str(path),
            hint=f"call it {path.stem or 'figure'}.svg",
        )
    write_whole(path, _rendered(figure, ending), what="the figure")
    return path


def _rendered(figure: Figure, ending: str) -> bytes:
    out = io.BytesIO()
    with style():
        figure.savefig(out, format=ending[1:], metadata=dict.fromkeys(_NOTHING_ABOUT[ending]))
    return out.getvalue()
