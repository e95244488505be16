"""Explicit discourse relations in the format of the Penn Discourse Treebank 3: where connectives are, in which sense.

    read_explicit("gum_rst")["GUM_academic_art"].marked[0]  ->  Marked((703, 707), Sense("Contingency", "Cause"))

Beside each other are raw/*/NAME, the text, and gold/*/NAME, a relation a line, its fields parted by |: the first is the
type, the second the connective's character spans in the raw text, the ninth its sense. The folder is one with gold and
raw, a checkout of GUM (rst/gdtb/pdtb), or one that has rst_gdtb.tar.xz, which is read without unpacking. Raw texts are
tokenised; `in_text` finds their places in the text as it is written, which may differ in white space and nothing else.
Connectives in several pieces (either … or), and the few whose place is not given, are left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from coheval.data.connectives import Sense, sense_of
from coheval.data.gum import archived
from coheval.data.lines import FilePath, lines
from coheval.data.types import Span
from coheval.errors import DataError

_ARCHIVE = "rst_gdtb.tar.xz"
_SPAN = re.compile(r"(\d+)\.\.(\d+)")


@dataclass(frozen=True, slots=True)
class Marked:
    """A connective in a text, and the sense that it has there."""

    span: Span
    sense: Sense


@dataclass(frozen=True, slots=True)
class Relations:
    """A text and its explicit connectives."""

    raw: str
    marked: tuple[Marked, ...]

    def in_text(self, text: str) -> list[Marked] | None:
        """The same connectives in the text as it is written; None if that is another text."""
        places = [place for place, character in enumerate(text) if not character.isspace()]
        if [text[place] for place in places] != [c for c in self.raw if not c.isspace()]:
            return None
        found = []
        for one in self.marked:
            start, stop = (len("".join(self.raw[:edge].split())) for edge in one.span)
            found.append(Marked((places[start], places[stop - 1] + 1), one.sense))
        return found


def read_explicit(folder: FilePath) -> dict[str, Relations]:
    """The relations of every document, by its name."""
    raw: dict[str, str] = {}
    gold: dict[str, str] = {}
    for path, content in _files(Path(folder)):
        if path.parts[-3:-2] in (("raw",), ("gold",)):
            (raw if path.parts[-3] == "raw" else gold)[path.name] = content
    if not raw or raw.keys() != gold.keys():
        odd = f", such as {min(raw.keys() ^ gold.keys())!r}" if raw else ""
        raise DataError(
            f"expected a file in raw and in gold for each document, got {len(raw)} and {len(gold)}{odd}",
            where=os.fspath(folder),
            hint="take both from the same release",
        )
    root = os.fspath(folder)
    return {name: Relations(raw[name], tuple(_marked(gold[name], raw[name], root, name))) for name in sorted(raw)}


def relation_files(folder: FilePath) -> list[Path]:
    """The files that relations are read from."""
    root = Path(folder)
    bases = [base for base in (root, root / "rst" / "gdtb" / "pdtb") if (base / "gold").is_dir()]
    if bases:
        return sorted(p for part in ("raw", "gold") for p in (bases[0] / part).glob("*/*") if p.is_file())
    if (root / _ARCHIVE).is_file():
        return [root / _ARCHIVE]
    raise DataError(
        f"expected folders gold and raw, rst/gdtb/pdtb with them, or {_ARCHIVE}",
        where=os.fspath(folder),
        hint="name the folder of the corpus: a checkout of GUM, or one with its archives",
    )


def _files(root: Path) -> Iterator[tuple[PurePosixPath, str]]:
    for path in relation_files(root):
        if path.name == _ARCHIVE:
            yield from archived(path)
        else:
            yield PurePosixPath(path.as_posix()), "\n".join(lines(path))


def _marked(gold: str, raw: str, root: str, name: str) -> Iterator[Marked]:
    for number, line in enumerate(gold.splitlines(), start=1):
        fields = line.split("|")
        if fields[0] != "Explicit":
            continue
        place = fields[1] if len(fields) > 1 else "nowhere"
        if not place or ";" in place:
            continue
        span = _SPAN.fullmatch(place)
        sense = sense_of(fields[8]) if len(fields) > 8 else None
        if span is None or sense is None or not raw[int(span[1]) : int(span[2])].strip():
            raise DataError(
                f"expected Explicit|start..stop|…|Class.Sub-class|… with a place in the text, got {line[:80]!r}",
                where=f"{root} gold/{name}:{number}",
                hint="are the files in the format of PDTB 3, and raw the text that they belong to?",
            )
        yield Marked((int(span[1]), int(span[2])), sense)
