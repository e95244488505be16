"""Topical-Chat: 60 dialogues with six replies each; understandability, naturalness, coherence, engagingness,
groundedness and an overall rating, each the mean of three people.

The source is the dialogue so far. The reference of a reply is the one of the original dialogue, and of that one the
reply that was written anew, so that none is compared with itself. The facts that the speakers were given are not used.
The published scores are UniEval's predictions. Mehri and Eskenazi 2020, "USR: An Unsupervised and Reference Free
Evaluation Metric for Dialog Generation"; Zhong et al. 2022, "Towards a Unified Multi-Dimensional Evaluator".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from coheval.data.corpus import Record
from coheval.data.datasets import Dataset, Published
from coheval.data.datasets._rows import Row, rows
from coheval.data.judgements import Judgements, Rating

_ORIGINAL, _NEW = "Original Ground Truth", "New Human Generated"


@dataclass(frozen=True, kw_only=True)
class TopicalChat(Dataset):
    files: ClassVar[tuple[str, ...]] = ("topical_chat.jsonl",)

    def records(self) -> Iterator[Record]:
        found = list(self._rows())
        reply = {(row.text("system_id"), document): row.text("system_output") for document, row in found}
        for document, row in found:
            system = row.text("system_id")
            reference = reply.get((_NEW if system == _ORIGINAL else _ORIGINAL, document))
            references = () if reference is None else (reference,)
            yield Record(system, row.text("system_output"), references, row.text("source"), document, None, row.where)

    def judgements(self) -> Judgements:
        return Judgements(
            [
                Rating(row.text("system_id"), document, None, aspect, value, where=row.where)
                for document, row in self._rows()
                for aspect, value in row.numbers("scores").items()
            ]
        )

    def published(self) -> Published:
        scores: Published = {}
        for document, row in self._rows():
            for aspect, value in row.numbers("predict_scores").items():
                scores.setdefault(f"UniEval {aspect}", {})[row.text("system_id"), document] = value
        return scores

    def _rows(self) -> Iterator[tuple[str, Row]]:
        """Each reply with its document: the place of its dialogue in the file, from 1."""
        number: dict[str, int] = {}
        for row in rows(self.folder / "topical_chat.jsonl"):
            yield str(number.setdefault(row.text("source"), 1 + len(number))), row
