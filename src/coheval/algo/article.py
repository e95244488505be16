"""Which article stands before an English word: "a" or "an", by how the word usually sounds at its beginning.

article("hour") -> "an"      article("urine") -> "a"      article("uninvited") -> "an"
"""

from __future__ import annotations

import re
from typing import Literal

# "u" sounds like "you" before one consonant and a vowel, but for the prefixes un- and up-, and a few loans.
_YOU = re.compile(
    r"eu|ewe|ukr"
    r"|u(?!ber|don|mami|miak|zi)[bcdfghjklmqrstvz][aeiou]"
    r"|uni(?!dent|deal|dio|m(?!od|ol)|n|ss|ron|ll|rr)|unanim"
)
_W = re.compile(r"(?:ones?|oneself|oneness|once|ouija)\b")
_SILENT_H = re.compile(r"hour|honest|honou?r|heir")


def article(word: str) -> Literal["a", "an"]:
    lower = word.lower()
    vowel = lower[:1] in tuple("aeiou") and not _YOU.match(lower) and not _W.match(lower)
    return "an" if vowel or _SILENT_H.match(lower) else "a"
