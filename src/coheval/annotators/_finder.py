"""Where stored tokens stand in a text."""

from __future__ import annotations

import unicodedata

from coheval.annotators import Span

_QUOTES = ("``", "''")  # how some tokenizers write a double quote


class Wrong(ValueError):
    """What is wrong with a stored annotation, in words that go on from "the annotation of …"."""


class Finder:
    """Finds a text's tokens one after the other, whatever case the text has."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = text.casefold()
        self.origin = [i for i, c in enumerate(text) for _ in c.casefold()] + [len(text)]  # ß becomes two characters
        self.at = 0  # what is found ends here

    def next(self, token: str) -> Span:
        start = self.at
        while (end := self._end(token, start)) is None:
            if not may_be_left_out(self.folded[start : start + 1]):
                raise Wrong(f"has the token {token!r} where the text goes on with {self.rest()[:20]!r}")
            start += 1
        self.at = end
        return self.origin[start], self.origin[end]

    def rest(self) -> str:
        return self.text[self.origin[self.at] :].strip()

    def _end(self, token: str, start: int) -> int | None:
        """Where the token ends if it begins here."""
        for spelling in (token.casefold(), '"' if token in _QUOTES else ""):
            end = start + len(spelling)
            if spelling and self.folded.startswith(spelling, start) and self._whole(start) and self._whole(end):
                return end
        return None

    def _whole(self, place: int) -> bool:
        """Whether a character of the text, not half of one, begins here."""
        return place == 0 or self.origin[place] > self.origin[place - 1]


def may_be_left_out(character: str) -> bool:
    """White space, punctuation, signs and what cannot be seen; never a letter, mark or digit."""
    return character != "" and unicodedata.category(character)[0] in "ZPSC"
