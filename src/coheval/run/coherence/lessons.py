"""Several lessons as one: which files are read, and what each is used for, in a TOML file.

    [[lesson]]
    files = ["dialogues.jsonl.gz"]
    tasks = ["order(negatives=4)", "topic(negatives=4)"]
    documents = 8000        # of the training part, drawn; 3,000 unless told
    held_out = 100          # of the development part, drawn

Names of files are those in the folder that is given to the training. Above the lessons, `never` may name files of
groups: no document is learnt from that shares a sentence with them, but for spaces, capitals and punctuation. Nor is
one that shares a sentence with what any lesson holds out.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from coheval.data import Document
from coheval.data.contrastive import read_sets
from coheval.data.groups import Group
from coheval.data.lines import FilePath, near_names
from coheval.data.parts import Part, parts
from coheval.errors import DataError
from coheval.run.coherence.train import Lesson

EXAMPLE = '[[lesson]], files = ["texts.jsonl"], tasks = ["order"]'
_KEYS = ("files", "tasks", "documents", "held_out")
_DOCUMENTS, _HELD_OUT = 3_000, 100
_TELLING = 25  # letters and digits of a sentence by which a document is recognised


@dataclass(frozen=True, slots=True)
class Lessons:
    """What `Lesson` has, of several."""

    parts: tuple[Lesson, ...]
    seed: int
    fresh: bool
    never: tuple[str, ...] = ()  # files that nothing is learnt from

    @classmethod
    def read(cls, path: Path, folder: FilePath, *, seed: int = 1, fresh: bool = False) -> Lessons:
        entries, never = _entries(path)
        known = _sentences([Path(folder, name) for name in never])
        made = []
        for number, entry in enumerate(entries):
            where = f"{path}: lesson {number + 1}"
            files = [Path(folder, name) for name in _texts(entry, "files", where)]
            for file in files:
                if not file.exists():
                    raise DataError("there is no such file or folder", where=str(file), hint=near_names(file))
            lesson = Lesson.of(
                files,
                _texts(entry, "tasks", where),
                seed=seed,
                max_documents=_count(entry, "documents", _DOCUMENTS, where),
                max_held_out=_count(entry, "held_out", _HELD_OUT, where),
                fresh=fresh,
            )
            made.append(_without(lesson, known))
        held = {_bare(text) for lesson in made for document in lesson.held_out_documents() for text in document if text}
        return cls(tuple(_without(lesson, held, "train") for lesson in made), seed, fresh, tuple(never))

    def training(self, epoch: int) -> list[Group]:
        return [group for part in self.parts for group in part.training(epoch)]

    def held_out(self) -> list[Group]:
        return [group for part in self.parts for group in part.held_out()]

    def provenance(self) -> dict[str, object]:
        return {"lessons": [part.provenance() for part in self.parts], "never": list(self.never)}


def _sentences(paths: Sequence[Path]) -> set[str]:
    if not paths:
        return set()
    groups = read_sets(paths).groups
    return {_bare(sentence) for group in groups for variant in group.variants for sentence in variant}


def _without(lesson: Lesson, known: set[str], part: Part = "all") -> Lesson:
    """Without documents of a part that have such a sentence; short ones say nothing of where they come from."""
    documents = lesson.texts.documents

    def is_known(document: Document) -> bool:
        return any(len(bare := _bare(text or "")) >= _TELLING and bare in known for text in document)

    names = parts(documents)
    kept = [d for d, name in zip(documents, names, strict=True) if part not in ("all", name) or not is_known(d)]
    return replace(lesson, texts=replace(lesson.texts, documents=tuple(kept)))


def _bare(sentence: str) -> str:
    return "".join(filter(str.isalnum, sentence.lower()))


def _entries(path: Path) -> tuple[list[dict[str, object]], Sequence[str]]:
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"the file cannot be read: {error.strerror}", where=str(path), hint="check the path") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"expected TOML, got {error}", where=os.fspath(path), hint=EXAMPLE) from None
    if surplus := [key for key in found if key not in ("never", "lesson")]:
        raise DataError(f"expected never and lesson, got {surplus[0]!r}", where=str(path), hint=EXAMPLE)
    entries = found.get("lesson")
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise DataError("expected lessons, got none", where=str(path), hint=EXAMPLE)
    for number, entry in enumerate(entries):
        if surplus := [key for key in entry if key not in _KEYS]:
            raise DataError(
                f"expected {', '.join(_KEYS)}, got {surplus[0]!r}",
                where=f"{path}: lesson {number + 1}",
                hint=EXAMPLE,
            )
    return entries, _texts(found, "never", str(path)) if "never" in found else ()


def _texts(entry: dict[str, object], name: str, where: str) -> Sequence[str]:
    values = entry.get(name)
    if not isinstance(values, list) or not values or not all(isinstance(value, str) for value in values):
        raise DataError(f"expected {name} as a list of texts, got {values!r}", where=where, hint=EXAMPLE)
    return values


def _count(entry: dict[str, object], name: str, usual: int, where: str) -> int:
    value = entry.get(name, usual)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise DataError(f"expected {name} as a whole number from 1, got {value!r}", where=where, hint=EXAMPLE)
    return value
