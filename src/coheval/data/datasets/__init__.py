"""Judged data sets: texts and what people said of them, with the same keys on both sides.

    dataset = find("../shared/data/summeval")
    Corpus.of(dataset.records()), dataset.judgements()

A set is recognised by the files that its folder holds. Adding one is adding a file: `datasets/summeval.py` holds the
class `SummEval`, whose name in lower case is the file's. A folder may hold several parts (language pairs, kinds of
systems); `part` chooses one of them.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from coheval.data.corpus import Record
from coheval.data.judgements import Judgements
from coheval.data.lines import FilePath, near_names
from coheval.errors import DataError, UsageError, did_you_mean

Published = dict[str, dict[tuple[str, str], float]]  # metric -> (system, document) -> its score


@dataclass(frozen=True, kw_only=True)
class Dataset(ABC):
    """One judged set in a folder. Making one reads nothing but names."""

    folder: Path
    part: str | None = None

    files: ClassVar[tuple[str, ...]]  # what a folder of this set holds, as patterns; all must be there

    def __post_init__(self) -> None:
        if self.part is not None and self.part not in self.parts():
            raise UsageError(
                f"{self.name} has no part {self.part!r}",
                where=os.fspath(self.folder),
                hint=did_you_mean(self.part, self.parts()),
            )

    @property
    def name(self) -> str:
        return type(self).__name__.lower()

    @classmethod
    def fits(cls, folder: Path) -> bool:
        return all(any(folder.glob(pattern)) for pattern in cls.files)

    def parts(self) -> tuple[str, ...]:
        """What `part` may be."""
        return ()

    @abstractmethod
    def records(self) -> Iterator[Record]:
        """The texts that were judged."""

    @abstractmethod
    def judgements(self) -> Judgements:
        """What people said of them; every key is that of a record."""

    def published(self) -> Published:
        """Scores of metrics that come with the set: metric -> (system, document) -> score."""
        return {}


def find(folder: FilePath, part: str | None = None) -> Dataset | None:
    """The judged set that a folder holds; None where it is none that is known."""
    root = Path(folder)
    if root.is_file():
        raise DataError("expected a folder, got a file", where=os.fspath(root), hint="name the folder of a judged set")
    if not root.is_dir():
        raise DataError("there is no such folder", where=os.fspath(root), hint=near_names(root))
    for kind in kinds():
        if kind.fits(root):
            return kind(folder=root, part=part)
    return None


def kinds() -> list[type[Dataset]]:
    """The class of every set that there is a file for, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))
    return [_class_of(name) for name in names]


def _class_of(name: str) -> type[Dataset]:
    module = importlib.import_module(f"{__name__}.{name}")
    found: type[Dataset] = next(kind for key, kind in vars(module).items() if key.lower() == name)
    return found
