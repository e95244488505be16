"""Words of a text in any script, and stems of words, for the metrics that compare words.

A word is a run of letters, digits and combining marks. Scripts that are written without blanks have no such runs, so
there every character with its marks is a word. On ASCII text the words are those of `[a-z0-9]+`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from coheval.errors import SpecError, did_you_mean

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = rf"[{_UNSPACED}]\p{{M}}*|[[\p{{L}}\p{{N}}\p{{M}}]--[{_UNSPACED}]]+"


@cache
def pattern(more: str = "") -> Any:
    """The compiled pattern of a word, or of `more` first."""
    import regex  # the standard library knows neither scripts nor marks

    return regex.compile(rf"{more}{_WORD}", regex.V1)


def fold(text: str) -> str:
    """Lower-cased, and the same whether accents are composed or not."""
    return unicodedata.normalize("NFC", text.lower())


def words(text: str) -> list[str]:
    found: list[str] = pattern().findall(fold(text))
    return found


@cache
def stemmer(algorithm: str) -> Callable[[str], str]:
    """The stem of a word by one of Snowball's algorithms: 'porter', 'english', 'german', …"""
    import snowballstemmer

    known = snowballstemmer.algorithms()
    if algorithm not in known:
        raise SpecError(f"no stemmer is called {algorithm!r}", hint=did_you_mean(algorithm, known))
    stem: Callable[[str], str] = snowballstemmer.stemmer(algorithm).stemWord
    return lru_cache(maxsize=2**17)(stem)  # 50 µs a word without
