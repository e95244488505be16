"""ContraPro and sets in its format: translations of pronouns, right and wrong, taken from subtitles.

Müller, Rios, Voita, Sennrich (2018), A Large-Scale Test Set for the Evaluation of Context-Aware Pronoun Translation in
Neural Machine Translation; Lopes et al. (2020) for French. A file is a list of objects:

    src segment, ref segment   the source and the right variant
    errors                     objects; `contrastive` is a wrong variant
    document id, segment id    the document, which is the origin, and its line, counted from 1
    src pronoun, ref pronoun   such as it and er
    intrasegmental             whether the pronoun's antecedent is in the segment: true, false or null

The phenomenon is the source's pronoun and where its antecedent is; the label is the pair of pronouns. The file has no
context. It is in the documents, which are fetched apart: a folder, at any depth, with one text file of aligned lines
for each language, which share a name without its ending. Which is which is seen from the lines themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from coheval.data.contrastive import Surroundings
from coheval.data.contrastive._content import Content
from coheval.data.contrastive._entry import Entry
from coheval.data.groups import SAME, Group, LeftOut
from coheval.data.lines import lines
from coheval.errors import DataError

_PLACES = {True: "intra", False: "inter"}

NEEDS_DOCUMENTS = True


def fits(content: Content) -> bool:
    return not content.keyed and content.has("ref segment", "errors")


def groups(content: Content, around: Surroundings) -> Iterator[Group | LeftOut]:
    documents = _Documents(around.folder, around.sentences) if around.folder else None
    for entry in content.entries:
        right = entry.text("ref segment")
        wrong = tuple(dict.fromkeys(error.text("contrastive") for error in entry.entries("errors")))
        if not wrong or right in wrong:
            yield LeftOut(entry.where, SAME if wrong else "there is no wrong variant")
            continue
        source = entry.text("src segment")
        found = documents.before(entry, source, right) if documents else ((), ())
        if isinstance(found, LeftOut):
            yield found
            continue
        sources, targets = found
        yield Group(
            id=content.id_of(entry),
            phenomenon=_phenomenon(entry),
            right=(*targets, right),
            wrong=tuple((*targets, text) for text in wrong),
            before=len(targets),
            label=f"{_pronoun(entry, 'src pronoun')}:{_pronoun(entry, 'ref pronoun')}",
            origin=entry.name("document id", ""),
            sources=(*sources, source),
            where=entry.where,
        )


def _phenomenon(entry: Entry) -> str:
    inside = entry.values.get("intrasegmental")
    place = _PLACES.get(inside) if isinstance(inside, bool) else None
    return " ".join(filter(None, [_pronoun(entry, "src pronoun"), place]))


def _pronoun(entry: Entry, name: str) -> str:
    return entry.name(name, "pronoun").lower()


@dataclass
class _Documents:
    folder: Path
    sentences: int
    files: dict[str, dict[Path, list[Path]]] = field(default_factory=dict)  # by name without ending, and folder
    read: dict[str, list[list[list[str]]]] = field(default_factory=dict)  # the document at hand: lines, by folder

    def __post_init__(self) -> None:
        for path in sorted(self.folder.rglob("*")):
            if path.is_file():
                self.files.setdefault(path.stem, {}).setdefault(path.parent, []).append(path)

    def before(self, entry: Entry, source: str, target: str) -> tuple[tuple[str, ...], tuple[str, ...]] | LeftOut:
        """The lines before a segment, of the source and of the target, from two files of one folder."""
        name, at = entry.text("document id"), self._line(entry)
        first = max(0, at - 1 - self.sentences)
        for texts in self._texts(name, entry):
            ours, theirs = (self._holding(texts, at, text) for text in (source, target))
            if ours is not None and theirs is not None:
                return tuple(ours[first : at - 1]), tuple(theirs[first : at - 1])
        return LeftOut(entry.where, "the line of its document is not the segment of the set")

    def _line(self, entry: Entry) -> int:
        at = entry.values.get("segment id")
        if not isinstance(at, int) or isinstance(at, bool) or at < 1:
            raise entry.error("segment id", "a whole number from 1")
        return at

    def _texts(self, name: str, entry: Entry) -> list[list[list[str]]]:
        if name not in self.read:
            folders = self.files.get(Path(name).stem) or self.files.get(name)
            if not folders:
                raise DataError(
                    f"the folder {str(self.folder)!r} has no document {name!r}",
                    where=entry.where,
                    hint="fetch the set's documents, or leave them out to score without context",
                )
            self.read = {name: [[list(lines(path)) for path in paths] for paths in folders.values()]}
        return self.read[name]

    def _holding(self, texts: list[list[str]], at: int, segment: str) -> list[str] | None:
        """The file that has this segment at that line; spaces do not count."""
        there = (text for text in texts if at <= len(text) and text[at - 1].split() == segment.split())
        return next(there, None)
