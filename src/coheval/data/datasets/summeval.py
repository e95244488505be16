"""SummEval: 100 articles, 16 systems, 11 references; coherence, consistency, fluency and relevance from 1 to 5.

A rating is the mean of three experts. Their own ratings, and those of five crowd workers, are there for the 12
abstractive systems: the parts `experts` and `turkers` are these systems with a rater for each place in the lists.
Fabbri et al. 2021, "SummEval: Re-evaluating Summarization Evaluation".

Candidates and references are the tokenised texts of summeval_systems and summeval_docs in all parts; the file with the
annotators' ratings has the same summaries in lower case.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from coheval.data.corpus import Record
from coheval.data.datasets import Dataset
from coheval.data.datasets._rows import article_of, rows
from coheval.data.judgements import Judgements, Rating

_KINDS = {"experts": "expert", "turkers": "turker"}  # the field of each part
_ANNOTATORS = "summeval_annotators_12sys.jsonl"


@dataclass(frozen=True, kw_only=True)
class SummEval(Dataset):
    files: ClassVar[tuple[str, ...]] = ("summeval_docs.jsonl", "summeval_systems.jsonl")

    def parts(self) -> tuple[str, ...]:
        return tuple(_KINDS) if (self.folder / _ANNOTATORS).is_file() else ()

    def records(self) -> Iterator[Record]:
        articles = {row.name("doc_id"): row for row in rows(self.folder / "summeval_docs.jsonl")}
        kept = None if self.part is None else {(r.system, r.document) for r in self.judgements().ratings}
        for row in rows(self.folder / "summeval_systems.jsonl"):
            system, document = row.name("system"), row.name("doc_id")
            if kept is None or (system, document) in kept:
                article = article_of(articles, document, row)
                references = tuple(article.texts("refs"))
                yield Record(system, row.text("hyp"), references, article.text("src"), document, None, row.where)

    def judgements(self) -> Judgements:
        return Judgements(list(self._means() if self.part is None else self._individual(_KINDS[self.part])))

    def _means(self) -> Iterator[Rating]:
        for row in rows(self.folder / "summeval_systems.jsonl"):
            unit = (row.name("system"), row.name("doc_id"), None)
            for aspect, value in row.numbers("human").items():
                yield Rating(*unit, aspect, value, where=row.where)

    def _individual(self, kind: str) -> Iterator[Rating]:
        for row in rows(self.folder / _ANNOTATORS):
            unit = (row.name("system"), row.name("doc_id"), None)
            for number, entry in enumerate(row.rows(kind), start=1):
                for aspect, value in entry.all_numbers().items():
                    yield Rating(*unit, aspect, value, f"{kind} {number}", row.where)
