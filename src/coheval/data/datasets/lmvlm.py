"""LMvLM: two stories that language models wrote from the same prompt; which one is more coherent, by three people.

Of the two stories of a pair, called pos and neg in the file, a label 0 prefers pos and a label 1 neg: the names say
nothing about people's choice, and about half of the labels are 1. The authors' program reads the labels so; taking pos
as the better one would leave as many circles of three preferences (77 of 332 triples) as chance, where the labels leave
50. A label's place in its list is called its rater, although dissenting ones always stand last.

A document is a prompt, in the order of the file from 1; its distinct stories are the systems 1, 2, …, since the file
does not say who wrote them. There are no references; the source is the prompt, with which every story begins.
Jwalapuram et al. 2022, "Rethinking Self-Supervision Objectives for Generalizable Coherence Modeling".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from coheval.data.corpus import Record
from coheval.data.datasets import Dataset
from coheval.data.datasets._rows import Row, rows, side_by_side
from coheval.data.judgements import Judgements, Preference
from coheval.errors import DataError

_ASPECT = "coherence"


@dataclass(frozen=True, kw_only=True)
class LMvLM(Dataset):
    files: ClassVar[tuple[str, ...]] = ("LMvLM.jsonl", "LMvLM_annotations.jsonl")

    def records(self) -> Iterator[Record]:
        seen: set[tuple[str, str]] = set()
        for document, systems, row in self._pairs():
            for system, side in zip(systems, ("pos", "neg"), strict=True):
                if (system, document) not in seen:
                    seen.add((system, document))
                    yield Record(system, _story(row, side), (), row.text("reference_file"), document, None, row.where)

    def judgements(self) -> Judgements:
        return Judgements(preferences=list(self._preferences()))

    def _preferences(self) -> Iterator[Preference]:
        path = self.folder / "LMvLM_annotations.jsonl"
        for (document, (pos, neg), row), labelled in side_by_side(self._pairs(), rows(path), path):
            for rater, label in enumerate(labelled.texts("labels"), start=1):
                if label not in ("0", "1"):
                    raise DataError(
                        f"expected the label 0 or 1, got {label!r}", where=labelled.where, hint="is the file whole?"
                    )
                better, worse = (pos, neg) if label == "0" else (neg, pos)
                yield Preference(better, worse, document, None, _ASPECT, str(rater), where=row.where)

    def _pairs(self) -> Iterator[tuple[str, tuple[str, str], Row]]:
        """Each pair with its document and its two systems."""
        documents: dict[str, str] = {}  # prompt -> document
        systems: defaultdict[str, dict[str, str]] = defaultdict(dict)  # document -> story -> system
        for row in rows(self.folder / "LMvLM.jsonl"):
            document = documents.setdefault(row.text("reference_file"), str(1 + len(documents)))
            known = systems[document]
            pos, neg = (known.setdefault(_story(row, side), str(1 + len(known))) for side in ("pos", "neg"))
            yield document, (pos, neg), row


def _story(row: Row, side: str) -> str:
    return " ".join(row.texts(side))
