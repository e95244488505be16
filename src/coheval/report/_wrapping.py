"""Texts in lines of a given width, for terminals and for drawings without matplotlib.

How wide a text is, is the sum of its letters' widths: columns of a terminal, or ems of a drawing. The font that a
drawing will be seen in is not known, so the widths are those of a wide one (DejaVu Sans), by kinds of letters: lines in
a narrower one end a little early.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache

Wide = Callable[[str], float]  # of one character

_BREAKS = re.compile(r"(?<=[\s\-–—/_])")  # a line may end behind these
_JOINERS = "\u200c\u200d"  # change the letters beside them, and are not seen
_EMS = {
    **dict.fromkeys("iIjl.,:;'|!·", 0.33),
    **dict.fromkeys(' frt()[]{}/\\-‐`"“”‘’°', 0.44),
    **dict.fromkeys("mwMWÆŒ@%&—…", 0.95),
}


def wrap(text: str, room: float, wide: Wide, *, most: int | None = None) -> list[str]:
    """Lines no wider than the room, or of one character; what has more than `most` lines ends with an ellipsis."""
    lines: list[str] = []
    taken = room  # of the last line: the first piece opens one
    for piece in _pieces(clean(text), room, wide):
        width = width_of(piece.rstrip(), wide)
        if lines and taken + width <= room:
            lines[-1] += piece
        else:
            lines.append(piece)
            taken = 0.0
        taken += width_of(piece, wide)
    lines = [line.rstrip() for line in lines]
    return (
        lines if most is None or len(lines) <= most else [*lines[: most - 1], _shortened(lines[most - 1], room, wide)]
    )


def clean(text: str) -> str:
    """White space as single blanks; what has no picture, or could move others, is a � or gone."""
    return " ".join("".join(map(_seen, text)).split())


def width_of(text: str, wide: Wide) -> float:
    return sum(map(wide, text))


@lru_cache(maxsize=4096)
def columns(character: str) -> float:
    """Of a terminal."""
    if _is_mark(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


@lru_cache(maxsize=4096)
def ems(character: str) -> float:
    """Of a drawing, as parts of the size of the font."""
    if _is_mark(character):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if character.isupper() or not character.isascii():
        return _EMS.get(character, 0.74)
    return _EMS.get(character, 0.63)


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me", "Cf")


def _seen(character: str) -> str:
    if character.isspace() or character in _JOINERS:
        return character
    kind = unicodedata.category(character)
    return "" if kind == "Cf" else "�" if kind[0] == "C" else character


def _pieces(text: str, room: float, wide: Wide) -> Iterator[str]:
    """What stays on one line; words that are wider than the room are cut between letters."""
    for piece in filter(None, _BREAKS.split(text)):
        cut, taken = "", 0.0
        for character in piece:
            width = 0.0 if character.isspace() else wide(character)
            if cut and width and taken + width > room:
                yield cut
                cut, taken = "", 0.0
            cut += character
            taken += width
        yield cut


def _shortened(line: str, room: float, wide: Wide) -> str:
    while line and width_of(line, wide) + wide("…") > room:
        line = line[:-1]
    return line.rstrip() + "…"
