"""Ready-made contrastive sets: groups of a right and some wrong variants, in several formats.

    read_sets(["anaphora.json", "mine.jsonl"])

A format is recognised by what the file holds. Adding one is adding a file: it has `fits(content)`, which looks at the
fields of the first entry, and `groups(content, context)`, which gives a group or what was left out for each.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, cast

from coheval.data.contrastive._content import EXAMPLE, Content, load
from coheval.data.groups import Fact, Group, Instances, LeftOut
from coheval.data.groupsfile import count_of, is_header
from coheval.data.lines import FilePath, near_names
from coheval.errors import DataError, UsageError


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where the context of sets that do not bring their own is to be found, and how much of it is taken."""

    folder: Path | None = None
    sentences: int = 0


class Format(Protocol):
    """A file of this folder."""

    NEEDS_DOCUMENTS: bool  # whether context is not in the file

    def fits(self, content: Content) -> bool: ...

    def groups(self, content: Content, around: Surroundings) -> Iterator[Group | LeftOut | Fact]: ...


def read_sets(paths: Sequence[FilePath], around: Surroundings = Surroundings()) -> Instances:  # noqa: B008, it is frozen
    """The groups of all files together."""
    if around.folder is not None and not around.folder.is_dir():
        raise DataError("there is no such folder", where=os.fspath(around.folder), hint=near_names(around.folder))
    contents = _told_apart([load(path) for path in paths])
    formats = [_format_of(content) for content in contents]
    if around.folder is not None and not any(format.NEEDS_DOCUMENTS for format in formats):
        raise UsageError(
            "documents are for sets without context of their own, got none of these",
            where=contents[0].name,
            hint="leave the documents out",
        )
    files: dict[str, str] = {}
    found: list[Group | LeftOut | Fact] = []
    for content, format in zip(contents, formats, strict=True):
        found += format.groups(content, around)
        files |= content.files
    headers = [first for content in contents if is_header(first := content.entries[0].values)]
    pairs = len(headers) == len(contents) and all(count_of(header) == "pairs" for header in headers)
    return replace(Instances.of(found, files), count="pairs" if pairs else "groups", made=bool(headers))


def _told_apart(contents: Sequence[Content]) -> list[Content]:
    """With whole names where several files have the same without folders, so that their groups' ids differ."""
    stems = Counter(content.stem for content in contents)
    return [replace(content, title=content.name) if stems[content.stem] > 1 else content for content in contents]


def _format_of(content: Content) -> Format:
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")):
        module = cast(Format, importlib.import_module(f"{__name__}.{name}"))
        if module.fits(content):
            return module
    raise DataError(
        f"expected a contrastive set, got entries with {content.fields() or 'no fields'}",
        where=content.entries[0].where,
        hint=f"one group a line: {EXAMPLE}; docs/contrastive.md has all formats",
    )
