"""Stored annotations: `replay(file='annotations.json')`, for other languages, other taggers, and exact repeats.

The file is a JSON object. Its keys are lower-cased texts, its values

    {"sentences": [{"sentence": "the tree grew.", "tokens": [["the", "DET", "the"], ["tree", "NOUN", "tree"], …]}, …],
     "chains": [[[0, 8], [15, 17]], …]}

A token is its text, universal part of speech and lemma, and may go on with the number of its head within the sentence
(counted from 0; a root names itself) and its relation to it. `chains`, if there, lists for each thing the character
spans of its mentions. Other keys are allowed and not read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from coheval.annotators import Annotated, Annotator, Layer, Span, sentence_spans
from coheval.data.weights import digest
from coheval.errors import DataError

_TAGGED, _PARSED = 3, 5  # what a token lists: text, tag, lemma; and head, relation
_QUOTES = ("``", "''")  # how some tokenizers write a double quote


@dataclass(frozen=True, kw_only=True)
class Replay(Annotator):
    file: str  # a JSON file of annotations by lower-cased text

    def digest(self) -> str:
        return digest(Path(self.file))

    def annotate(self, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        stored = _read(self.file, Path(self.file).stat().st_mtime_ns if Path(self.file).exists() else 0)
        return [self._one(text, stored, layers) for text in texts]

    def _one(self, text: str, stored: Mapping[str, Any], layers: Sequence[Layer]) -> Annotated:
        found = stored.get(text.lower())
        if found is None:
            raise DataError(
                f"no annotation is stored for the text {text[:60]!r}{'…' if len(text) > 60 else ''}",
                where=self.file,
                hint="keys are lower-cased texts, exactly as they are scored",
            )
        try:
            return _annotated(text, found, layers)
        except _NotThere as error:
            raise DataError(
                f"the annotation of the text {text[:60]!r} {error}",
                where=self.file,
                hint="`coheval info replay` shows the format",
            ) from None


class _NotThere(ValueError):
    """What a stored annotation lacks, in words that go on from "the annotation of …"."""


@cache
def _read(file: str, modified: int) -> Mapping[str, Any]:
    try:
        content = json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(
            f"the annotations cannot be read: {error.strerror}", where=file, hint="check the path"
        ) from None
    except UnicodeDecodeError as error:
        raise DataError(f"the file is not UTF-8: {error.reason} at byte {error.start}", where=file) from None
    except json.JSONDecodeError as error:
        raise DataError(f"the file is not JSON: {error.msg}", where=f"{file}:{error.lineno}") from None
    if not isinstance(content, dict):
        raise DataError(
            f"expected a JSON object of annotations by text, got {type(content).__name__}",
            where=file,
            hint="`coheval info replay` shows the format",
        )
    return content


def _annotated(text: str, stored: Any, layers: Sequence[Layer]) -> Annotated:
    tokens = _tokens(stored)
    finder = _Finder(text)
    spans = np.array([finder.next(t[0]) for sentence in tokens for t in sentence], dtype=np.int32).reshape(-1, 2)
    flat = [t for sentence in tokens for t in sentence]
    sentence = np.array([k for k, sentence in enumerate(tokens) for _ in sentence], dtype=np.int32)
    least = _PARSED if "syntax" in layers else _TAGGED if "tags" in layers else 1
    short = next((t for t in flat if len(t) < least), None)
    if short is not None:
        raise _NotThere(
            f"has a token without its {'head and relation' if len(short) >= _TAGGED else 'tag and lemma'}: {short}"
        )
    return Annotated(
        words=tuple(t[0] for t in flat),
        spans=spans,
        sentence=sentence,
        sentences=sentence_spans(spans, sentence),
        tags=tuple(t[1] for t in flat) if "tags" in layers else None,
        lemmas=tuple(t[2] for t in flat) if "tags" in layers else None,
        heads=_heads(tokens) if "syntax" in layers else None,
        relations=tuple(t[4] for t in flat) if "syntax" in layers else None,
        chains=_chains(stored, len(text)) if "coreference" in layers else None,
    )


def _tokens(stored: Any) -> list[list[Any]]:
    try:
        tokens = [sentence["tokens"] for sentence in stored["sentences"]]
    except (TypeError, KeyError):
        raise _NotThere('has no "sentences" that are lists of objects with "tokens"') from None
    for sentence in tokens:
        if not isinstance(sentence, list) or not all(
            isinstance(t, list) and t and isinstance(t[0], str) for t in sentence
        ):
            raise _NotThere(f"has tokens that are no lists of text, tag, lemma: {str(sentence)[:80]}")
    return [sentence for sentence in tokens if sentence]


def _heads(tokens: Sequence[Sequence[Any]]) -> np.ndarray[Any, np.dtype[np.int32]]:
    starts = [0, *accumulate(map(len, tokens))]
    for sentence in tokens:
        bad = next((t for t in sentence if type(t[3]) is not int or not 0 <= t[3] < len(sentence)), None)
        if bad is not None:
            raise _NotThere(f"has a head that is no number of a token of its sentence: {bad}")
    return np.array(
        [start + t[3] for start, sentence in zip(starts, tokens, strict=False) for t in sentence], dtype=np.int32
    )


def _chains(stored: Mapping[str, Any], length: int) -> tuple[tuple[Span, ...], ...]:
    try:
        chains = tuple(tuple((int(a), int(b)) for a, b in chain) for chain in stored["chains"])
    except KeyError:
        raise _NotThere('has no "chains", and coreference was asked for') from None
    except (TypeError, ValueError):
        raise _NotThere('has "chains" that are no lists of [start, end]') from None
    if any(not 0 <= a < b <= length for chain in chains for a, b in chain):
        raise _NotThere(f"has chains with spans outside of its {length} characters")
    return chains


class _Finder:
    """Finds a text's tokens one after the other, whatever case the text has."""

    def __init__(self, text: str) -> None:
        self.places = [i for i, c in enumerate(text) for _ in c.lower()] + [
            len(text)
        ]  # İ is two characters in lower case
        self.text = text.lower()
        self.at = 0

    def next(self, token: str) -> Span:
        for spelling in (token.lower(), '"' if token in _QUOTES else ""):
            start = self.text.find(spelling, self.at) if spelling else -1
            if start >= 0:
                self.at = start + len(spelling)
                return self.places[start], self.places[self.at - 1] + 1
        raise _NotThere(
            f"has the token {token!r}, which the text does not have behind its character {self.places[self.at]}"
        )
