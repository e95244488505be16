"""WMT19 into English from Gujarati, Kazakh and Lithuanian: pairs of which one was judged better (DARR).

People rated texts by themselves; two ratings of one segment that differ by 25 of 100 points or more are a preference
("relative ranking from direct assessment"). A part is a language pair. A segment is a document, named after its pair
and its place among the segments of the file: gu-en:1. Three pairs of kk-en are there twice and two in both directions,
and all are kept. Ma et al. 2019, "Results of the WMT19 Metrics Shared Task".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from coheval.data.corpus import Record
from coheval.data.datasets import Dataset
from coheval.data.datasets._rows import Row, rows
from coheval.data.judgements import Judgements, Preference
from coheval.errors import DataError

_PAIRS = ("gu-en", "kk-en", "lt-en")
_ASPECT = "darr"


@dataclass(frozen=True, kw_only=True)
class Wmt19(Dataset):
    files: ClassVar[tuple[str, ...]] = tuple(f"{pair}.jsonl.gz" for pair in _PAIRS)

    def parts(self) -> tuple[str, ...]:
        return _PAIRS

    def records(self) -> Iterator[Record]:
        seen: dict[tuple[str, str], str] = {}
        for document, row in self._rows():
            for side in ("better", "worse"):
                system, text = row.text(f"{side}_sys"), row.text(side)
                key = (system, document)
                if seen.get(key, text) != text:
                    raise DataError(
                        f"system {system!r} has two texts for document {document!r}",
                        where=row.where,
                        hint="is the file the one of the judged set?",
                    )
                if key not in seen:
                    seen[key] = text
                    yield Record(system, text, (row.text("ref"),), row.text("src"), document, None, row.where)

    def judgements(self) -> Judgements:
        preferences, groups = [], {}
        for document, row in self._rows():
            systems = (row.text("better_sys"), row.text("worse_sys"))
            preferences.append(Preference(*systems, document, None, _ASPECT, where=row.where))
            groups[document] = document.partition(":")[0]
        return Judgements(preferences=preferences, groups=groups)

    def _rows(self) -> Iterator[tuple[str, Row]]:
        """Each pair with its document: pairs of the same source and reference have the same."""
        for pair in _PAIRS if self.part is None else (self.part,):
            number: dict[tuple[str, str], int] = {}
            for row in rows(self.folder / f"{pair}.jsonl.gz"):
                n = number.setdefault((row.text("src"), row.text("ref")), 1 + len(number))
                yield f"{pair}:{n}", row
