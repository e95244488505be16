"""WMT17 into English: direct assessment (DA) of 560 segments in each of seven language pairs, and of whole systems.

A segment's rating is the mean z-score of its assessors. The test set has no documents, so that each line is one, named
after its pair and number: cs-en:33. Where several systems wrote the same text it was judged once: such a system is
called A+B. A part is a language pair.

The part `system` is all outputs of all systems (170,180 lines) with ratings of the systems, for which the pairs' texts
must be unpacked; `system:cs-en` is one pair of it. Systems of several pairs share names, so they are called
cs-en/online-B.0 there. Bojar et al. 2017, "Findings of the 2017 Conference on Machine Translation".
"""

from __future__ import annotations

import lzma
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from coheval.data.corpus import Record
from coheval.data.datasets import Dataset
from coheval.data.datasets._rows import Row, rows, side_by_side
from coheval.data.judgements import Judgements, Rating
from coheval.data.lines import lines
from coheval.errors import DataError

_PAIRS = ("cs-en", "de-en", "fi-en", "lv-en", "ru-en", "tr-en", "zh-en")
_TEXTS = "wmt17_refs_sources_outputs.tar.xz"
_SYSTEM_RATINGS = "DA-syslevel.csv"
_SYSTEM = "system"
_ASPECT = "da"


@dataclass(frozen=True, kw_only=True)
class Wmt17(Dataset):
    files: ClassVar[tuple[str, ...]] = ("wmt17_seg_da.jsonl",)

    def parts(self) -> tuple[str, ...]:
        whole = (self.folder / _TEXTS).is_file() and (self.folder / _SYSTEM_RATINGS).is_file()
        return (*_PAIRS, *([_SYSTEM, *(f"{_SYSTEM}:{pair}" for pair in _PAIRS)] if whole else []))

    def records(self) -> Iterator[Record]:
        return self._outputs() if self._of_systems else self._segments()

    def judgements(self) -> Judgements:
        return self._system_ratings() if self._of_systems else self._segment_ratings()

    @property
    def _of_systems(self) -> bool:
        return (self.part or "").partition(":")[0] == _SYSTEM

    @property
    def _pairs(self) -> tuple[str, ...]:
        pair = (self.part or "").removeprefix(_SYSTEM).removeprefix(":")
        return (pair,) if pair else _PAIRS

    def _rows(self) -> Iterator[tuple[str, Row]]:
        for row in rows(self.folder / "wmt17_seg_da.jsonl"):
            if (pair := row.text("lp")) in self._pairs:
                yield pair, row

    def _segments(self) -> Iterator[Record]:
        for pair, row in self._rows():
            texts = (row.text("hyp"), (row.text("ref"),), row.text("src"))
            yield Record(row.text("system"), *texts, f"{pair}:{row.name('sid')}", None, row.where)

    def _segment_ratings(self) -> Judgements:
        ratings, groups = [], {}
        for pair, row in self._rows():
            document = f"{pair}:{row.name('sid')}"
            groups[document] = pair
            ratings.append(Rating(row.text("system"), document, None, _ASPECT, row.number("da_z"), where=row.where))
        return Judgements(ratings, groups=groups)

    def _system_ratings(self) -> Judgements:
        """Lines `pair score system`, of other pairs too; documents belong to their pair."""
        path = self.folder / _SYSTEM_RATINGS
        ratings = []
        for number, line in enumerate(lines(path), start=1):
            row = Row(dict(zip(("pair", "score", "system"), line.split(), strict=False)), f"{path}:{number}")
            if (pair := row.text("pair")) in self._pairs:
                system = f"{pair}/{row.text('system')}"
                ratings.append(Rating(system, None, None, _ASPECT, row.parsed("score"), where=row.where))
        return Judgements(ratings, groups=self._groups())

    def _groups(self) -> dict[str, str]:
        """The pair of each line."""
        texts = self._unpacked("references/")
        sizes = {pair: len(_file(texts, _references(pair), self._archive)) for pair in self._pairs}
        return {f"{pair}:{n}": pair for pair, size in sizes.items() for n in range(1, 1 + size)}

    def _outputs(self) -> Iterator[Record]:
        texts = self._unpacked("")
        for pair in self._pairs:
            references = _file(texts, _references(pair), self._archive)
            sources = _file(texts, f"source/newstest2017-{pair.replace('-', '')}-src.{pair[:2]}", self._archive)
            for name in sorted(name for name in texts if name.startswith(f"system-outputs/{pair}/")):
                system = name.rpartition("/")[2].removeprefix("newstest2017.").removesuffix(f".{pair}")
                both = side_by_side(references, sources, self._archive)
                columns = side_by_side(both, texts[name], self._archive / name)
                for n, ((reference, source), candidate) in enumerate(columns, start=1):
                    where = f"{self._archive}:{name}:{n}"
                    yield Record(f"{pair}/{system}", candidate, (reference,), source, f"{pair}:{n}", None, where)

    @property
    def _archive(self) -> Path:
        return self.folder / _TEXTS

    def _unpacked(self, start: str) -> dict[str, list[str]]:
        """The lines of the files in the archive whose names begin so."""
        texts: dict[str, list[str]] = {}
        try:
            with tarfile.open(self._archive, "r:xz") as archive:
                for member in archive:
                    file = archive.extractfile(member) if member.name.startswith(start) else None
                    if file is not None:  # a folder has none
                        texts[member.name] = file.read().decode().removesuffix("\n").split("\n")
        except (tarfile.TarError, lzma.LZMAError, EOFError, UnicodeDecodeError) as error:
            raise DataError(
                f"expected a whole archive, got a broken one ({error})", where=str(self._archive), hint="fetch it again"
            ) from None
        return texts


def _references(pair: str) -> str:
    return f"references/newstest2017-{pair.replace('-', '')}-ref.en"


def _file(texts: Mapping[str, list[str]], name: str, archive: Path) -> list[str]:
    if name not in texts:
        raise DataError(
            f"expected {name} in the archive, which is not there", where=str(archive), hint="fetch it again"
        )
    return texts[name]
