"""Sentences of short plain texts, by punctuation alone: a rule for corpora that are known to be well edited."""

from __future__ import annotations

import re

_END = re.compile(r"""(?<=[.!?])["')\]]*\s+(?=["'(\[]*[A-Z0-9])""")
_SHORTENED = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Prof|No|vs|e\.g|i\.e|etc)|\b[A-Z])\.$")
_WHOLE = re.compile(r"""[.!?]["')\]]*$""")
_LAST_END = re.compile(r"""[.!?]["')\]]*\s+(?=\S)""")


def sentences(text: str) -> list[str]:
    """Parts that end with . ! or ? before a capital letter or a number; shortened words such as `Dr.` end none."""
    found: list[str] = []
    start = 0
    for match in _END.finditer(text):
        if not _SHORTENED.search(text[start : match.start()]):
            found.append(text[start : match.end()].strip())
            start = match.end()
    return [*found, text[start:].strip()] if text[start:].strip() else found


def begun(text: str) -> tuple[str, str]:
    """A text as what is whole and the beginning of the sentence that it breaks off in, which may be empty."""
    text = text.strip()
    if _WHOLE.search(text):
        return text, ""
    last = max((match.end() for match in _LAST_END.finditer(text)), default=0)
    return text[:last].strip(), text[last:]
