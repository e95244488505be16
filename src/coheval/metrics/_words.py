"""Words of a text in any script, and stems of words, for the metrics that compare words.

A word is a run of letters, digits and combining marks. Scripts that are written without blanks have no such runs, so
there every character with its marks is a word. On ASCII text the words are those of `[a-z0-9]+`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from coheval.data import Span
from coheval.data.scripts import UNSPACED
from coheval.errors import SpecError, did_you_mean

_WORD = rf"[{UNSPACED}]\p{{M}}*|[[\p{{L}}\p{{N}}\p{{M}}]--[{UNSPACED}]]+"


_SIGN = r"[^\s\p{C}]"  # control characters are nothing at all


@cache
def _pattern(expression: str) -> Any:
    import regex  # the standard library knows neither scripts nor marks

    return regex.compile(expression, regex.V1)


def fold(text: str) -> str:
    """Lower-cased, and the same whether accents are composed or not."""
    return unicodedata.normalize("NFC", text.lower())


def words(text: str) -> list[str]:
    found: list[str] = _pattern(_WORD).findall(fold(text))
    return found


def word_spans(text: str, *, punctuation: bool) -> list[Span]:
    """Where the words stand; with `punctuation` every other sign counts as a word too."""
    return [found.span() for found in _pattern(f"{_WORD}|{_SIGN}" if punctuation else _WORD).finditer(text)]


def blank_spans(text: str) -> list[Span]:
    """Where the words of a text stand that is already tokenized, with blanks."""
    return [found.span() for found in re.finditer(r"\S+", text)]


@cache
def stemmer(algorithm: str) -> Callable[[str], str]:
    """The stem of a word by one of Snowball's algorithms: 'porter', 'english', 'german', …"""
    import snowballstemmer

    known = snowballstemmer.algorithms()
    if algorithm not in known:
        raise SpecError(f"no stemmer is called {algorithm!r}", hint=did_you_mean(algorithm, known))
    stem: Callable[[str], str] = snowballstemmer.stemmer(algorithm).stemWord
    return lru_cache(maxsize=2**17)(stem)  # 50 µs a word without
