"""REALSumm: 100 articles, 14 abstractive and 11 extractive systems; which facts of the reference a summary has.

The rating is LitePyramid recall, from 0 to 1. Parts: `abs`, `ext`; without one, both are there. `bart_out.txt` is in
both files with the same texts and ratings and counts once, so that there are 24 systems. Sentences, which the files
wrap in <t> </t>, are lines. The published scores are those of ROUGE, JS-2 (negated, so that higher is better),
MoverScore and BERTScore. Bhandari et al. 2020, "Re-evaluating Evaluation in Text Summarization".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from coheval.data.corpus import Record
from coheval.data.datasets import Dataset, Published
from coheval.data.datasets._rows import Row, article_of, rows
from coheval.data.judgements import Judgements, Rating
from coheval.errors import DataError

_PARTS = ("abs", "ext")
_TAG = re.compile(r"\s*</?t>\s*")


@dataclass(frozen=True, kw_only=True)
class RealSumm(Dataset):
    files: ClassVar[tuple[str, ...]] = ("realsumm_docs.jsonl", "realsumm_abs.jsonl", "realsumm_ext.jsonl")

    def parts(self) -> tuple[str, ...]:
        return _PARTS

    def records(self) -> Iterator[Record]:
        articles = {row.name("doc_id"): row.text("src") for row in rows(self.folder / "realsumm_docs.jsonl")}
        for system, document, row in self._rows():
            references = (_sentences(row.text("ref")),)
            candidate = _sentences(row.text("hyp"))
            yield Record(system, candidate, references, article_of(articles, document, row), document, None, row.where)

    def judgements(self) -> Judgements:
        return Judgements(
            [
                Rating(system, document, None, aspect, value, where=row.where)
                for system, document, row in self._rows()
                for aspect, value in row.numbers("human").items()
            ]
        )

    def published(self) -> Published:
        scores: Published = {}
        for system, document, row in self._rows():
            for metric, value in row.numbers("metrics").items():
                scores.setdefault(metric, {})[system, document] = value
        return scores

    def _rows(self) -> Iterator[tuple[str, str, Row]]:
        """Each summary once, with its system and document."""
        seen: dict[tuple[str, str], Row] = {}
        for part in _PARTS if self.part is None else (self.part,):
            for row in rows(self.folder / f"realsumm_{part}.jsonl"):
                key = (row.name("system"), row.name("doc_id"))
                other = seen.setdefault(key, row)
                if other is row:
                    yield *key, row
                elif other.values != row.values:
                    raise DataError(
                        f"system {key[0]!r} has document {key[1]!r} twice, and not as at {other.where}",
                        where=row.where,
                        hint="choose a part: abs or ext",
                    )


def _sentences(text: str) -> str:
    """The sentences as lines; the last one of a text that was cut has no closing tag."""
    return "\n".join(sentence for sentence in _TAG.split(text) if sentence)
