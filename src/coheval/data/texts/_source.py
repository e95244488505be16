"""A file or a folder that documents come from, looked at before it is read."""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from coheval.data.fields import shown_value
from coheval.data.filenames import short_names
from coheval.data.jsonl import parse_object
from coheval.data.lines import FilePath, lines, near_names, shown
from coheval.data.types import Document
from coheval.data.weights import digest
from coheval.errors import DataError

_ENDINGS = (".gz", ".txt", ".jsonl", ".zip")
_PARTS = {"train": "train", "valid": "dev", "validation": "dev", "val": "dev", "dev": "dev", "test": "test"}
_WORD = re.compile("[a-z]+")


@dataclass(frozen=True, slots=True)
class Source:
    path: Path
    name: str  # as errors give it
    title: str  # what ids begin with: the name without folder and endings, if no other source has the same
    lines: tuple[str, ...] = field(default=(), repr=False)  # of a text file; folders and archives have none
    has_parts: bool = False  # whether the sources together have a part to train on, by their names

    @property
    def first(self) -> str:
        """The first line that is not blank, or an empty text."""
        return next((line for line in self.lines if line.strip()), "")

    @property
    def is_text(self) -> bool:
        """Whether it is called plain text."""
        return self.path.name.lower().removesuffix(".gz").endswith(".txt")

    @property
    def part(self) -> str | None:
        """The part that the file's name tells, if there is one to train on beside it or in it."""
        return _part(self.path) if self.has_parts else None

    def files(self, pattern: str) -> dict[str, str]:
        """Name and sha256: of the file, or of a folder's files whose path within it a pattern matches."""
        if not self.path.is_dir():
            return {self.name: digest(self.path)}
        inside = {path.relative_to(self.path).as_posix(): path for path in self.path.rglob("*") if path.is_file()}
        return {f"{self.name}/{name}": digest(path) for name, path in sorted(inside.items()) if re.match(pattern, name)}

    def first_has(self, *names: str) -> bool:
        """Whether the first line is a JSON object with such fields."""
        if not self.first.lstrip().startswith("{"):
            return False
        try:
            values = parse_object(self.first, where=self.name)
        except DataError:  # whoever reads the line tells what is wrong with it
            return False
        return all(name in values for name in names)

    def objects(self) -> Iterator[tuple[dict[str, object], str]]:
        """The object on each line that is not blank, and where it stands."""
        for where, line in self.numbered():
            yield parse_object(line, where=where, example='{"id": "…", "sentences": ["…", "…"]}'), where

    def numbered(self) -> Iterator[tuple[str, str]]:
        """Where each line stands that is not blank, and the line."""
        for number, line in enumerate(self.lines, start=1):
            if line.strip():
                yield f"{self.name}:{number}", line


def look(paths: Sequence[FilePath]) -> list[Source]:
    """The files and folders; text files are read, once, as what they hold decides their format."""
    found = [_look(Path(path), shown(path)) for path in paths]
    titles = Counter(source.title for source in found)
    names = short_names([source.name for source in found])
    has_parts = tells_parts(paths)
    return [
        replace(source, has_parts=has_parts, title=name if titles[source.title] > 1 else source.title)
        for source, name in zip(found, names, strict=True)
    ]


def tells_parts(paths: Sequence[FilePath]) -> bool:
    """Whether files are parts of one corpus: one of them, by its name, is there to train on."""
    return any(_part(Path(path)) == "train" for path in paths)


def with_layers(document: Document, **layers: object) -> Document:
    """The document with what is known about it; what is None is not."""
    known = {name: value for name, value in layers.items() if value is not None}
    return replace(document, layers={**document.layers, **known})


def wrong_field(name: str, expected: str, value: object, where: str) -> DataError:
    got = "none" if value is None else shown_value(value)
    return DataError(f"{name} must be {expected}, got {got}", where=where, hint="docs/tasks.md shows the formats")


def _look(path: Path, name: str) -> Source:
    title = path.name
    while title.endswith(_ENDINGS) and title not in _ENDINGS:
        title = title.rpartition(".")[0]
    if path.is_dir():
        return Source(path, name, title)
    if not path.exists():
        raise DataError("there is no such file or folder", where=name, hint=near_names(path))
    is_archive = zipfile.is_zipfile(path)
    return Source(path, name, title, () if is_archive else tuple(lines(path)))


def _part(path: Path) -> str | None:
    words = _WORD.findall(path.name.lower())
    return next((_PARTS[word] for word in words if word in _PARTS), None)
