"""Where in a text its EDUs are.

Files of trees hold EDUs as tokens with blanks between them ("Eye - Tracking"), so white space does not tell anything:
the other characters of the EDUs, in order, must be those of the text.
"""

from __future__ import annotations

from collections.abc import Sequence

from coheval.data.rsttree import RstTree, Span
from coheval.errors import DataError

_SHOWN = 30  # characters of a text in an error


def place(edus: Sequence[str], text: str | None, *, where: str) -> tuple[str, tuple[Span, ...]]:
    """The text and each EDU's span in it, from its first to its last visible character; without a text, a made one."""
    if text is None:
        text = " ".join(" ".join(edu.split()) for edu in edus)
    places = [place for place, character in enumerate(text) if not character.isspace()]
    visible = "".join(text[place] for place in places)
    spans, start = [], 0
    for number, edu in enumerate(edus, 1):
        characters = "".join(edu.split())
        if not characters:
            raise DataError(f"EDU {number} has no text", where=where, hint="every EDU needs a word")
        stop = start + len(characters)
        if visible[start:stop] != characters:
            raise _unlike(number, characters, visible[start:stop], where)
        spans.append((places[start], places[stop - 1] + 1))
        start = stop
    if start < len(visible):
        raise DataError(
            f"the text goes on behind the last EDU, at character {places[start]}: {visible[start:][:_SHOWN]!r}",
            where=where,
            hint="the EDUs of a tree are its whole text; white space may differ",
        )
    return text, tuple(spans)


def _unlike(number: int, expected: str, got: str, where: str) -> DataError:
    same = next((i for i, (a, b) in enumerate(zip(expected, got, strict=False)) if a != b), len(got))
    return DataError(
        f"EDU {number} goes on with {expected[same:][:_SHOWN]!r} where the text has {got[same:][:_SHOWN]!r}",
        where=where,
        hint="the EDUs of a tree are its whole text, character by character; only white space may differ",
    )


def moved(tree: RstTree, text: str, *, where: str) -> RstTree:
    """The same tree over the same text with other white space."""
    _, spans = place([tree.edu(number) for number in range(len(tree))], text, where=where)
    return RstTree(text, spans, tree.nodes)
