"""Noisy copies of texts with trees, such as translation systems write: words missing or swapped, no signs, no capitals.

Every sentence draws what befalls it. No EDU loses all its words, so that the tree stays as it is.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_WORD = re.compile(r"\w+|[^\w\s]")
_FUNCTION_WORDS = frozenset(
    "a an and are as at be been but by can could for from had has have he her his in is it its may not of on or she "
    "that the their these they this those to was were which who will with would".split()
)


@dataclass(frozen=True, slots=True)
class Cut:
    """A text with the spans of its EDUs, and the characters where its sentences begin."""

    text: str
    edus: tuple[tuple[int, int], ...]
    sentences: frozenset[int]


class _Word(NamedTuple):
    text: str
    blank: bool  # whether there is one before it


Change = Callable[[list[_Word]], list[_Word]]


def noisy(cut: Cut, rng: random.Random) -> Cut:
    """The same EDUs and sentences, otherwise written."""
    text = ""
    edus: list[tuple[int, int]] = []
    sentences: set[int] = set()
    changes: list[Change] = []
    behind = 0
    for start, stop in cut.edus:
        if start in cut.sentences:
            changes = _drawn(rng)
        words = [
            _Word(m[0], cut.text[m.start() - 1 : m.start()].isspace()) for m in _WORD.finditer(cut.text, start, stop)
        ]
        for change in changes:
            words = change(words) or words
        gap = cut.text[behind:start]
        text += "\n" if "\n" in gap else " " if gap or (edus and not words[0].text[0].isalnum()) else ""
        if start in cut.sentences:
            sentences.add(len(text))
        edus.append((len(text), len(text) + len(_joined(words))))
        text += _joined(words)
        behind = stop
    return Cut(text, tuple(edus), frozenset(sentences))


def _drawn(rng: random.Random) -> list[Change]:
    found: list[Change] = []
    if rng.random() < 0.4:
        found.append(lambda words: _kept(words, lambda w: w.lower() not in _FUNCTION_WORDS or rng.random() > 0.25))
    if rng.random() < 0.3:
        found.append(lambda words: _kept(words, lambda w: w[0].isalnum() or w in "'’"))
    if rng.random() < 0.4:
        found.append(lambda words: _swapped(words, rng))
    case = rng.random()
    if case < 0.33:
        found.append(lambda words: [w._replace(text=w.text.lower() if case < 0.3 else w.text.upper()) for w in words])
    return found


def _kept(words: Sequence[_Word], keep: Callable[[str], bool]) -> list[_Word]:
    """Some of the words; the blank before one that is left out stays."""
    found: list[_Word] = []
    blank = False
    for word in words:
        blank = blank or word.blank
        if keep(word.text):
            found.append(word._replace(blank=blank))
            blank = False
    return found


def _swapped(words: Sequence[_Word], rng: random.Random) -> list[_Word]:
    """One word in ten with its right neighbour; blanks stay where they are."""
    found = list(words)
    for k in range(len(found) - 1):
        left, right = found[k], found[k + 1]
        if left.text.isalnum() and right.text.isalnum() and rng.random() < 0.1:
            found[k], found[k + 1] = left._replace(text=right.text), right._replace(text=left.text)
    return found


def _joined(words: Sequence[_Word]) -> str:
    return "".join(" " * (w.blank and k > 0) + w.text for k, w in enumerate(words))
