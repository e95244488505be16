"""How sentences quote: texts in quotation marks, lists with a count of what they leave out, shares in per cent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

OF_REFERENCE = "Reference: "  # begins a sentence about the reference alone; of several, its number follows
_LONGEST = 60  # characters of a quotation
_LISTED = 5


def quoted(text: str) -> str:
    """A text in quotation marks; of a long one the beginning and the end."""
    flat = " ".join(text.split())
    if len(flat) > _LONGEST:
        half = _LONGEST // 2
        begin = flat[: half + 1].rpartition(" ")[0] or flat[:half]  # whole words, in scripts that part them
        end = flat[-half - 1 :].partition(" ")[2] or flat[-half:]
        flat = f"{begin} … {end}"
    return f"“{flat}”"


def at(text: str, span: Sequence[int]) -> str:
    """What stands at a span; the empty span (0, 0) is a token that no text has."""
    start, stop = span
    return quoted(text[start:stop]) if stop > start else "(the text's frame)"


def listed(entries: Sequence[str], at_most: int = _LISTED, tell: Callable[[str], str] = str) -> str:
    """The first entries, as they are told, and how many more there are."""
    left = len(entries) - at_most
    return ", ".join(map(tell, entries[:at_most])) + (f" and {left:,} more" if left > 0 else "")


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def count(number: int, one: str, several: str | None = None) -> str:
    """`2 links`, `1 link`."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"
