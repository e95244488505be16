"""Data to text: utterances of dialogue systems for a meaning; informativeness, naturalness and quality.

Parts: `bagel` (404), `sfhot` (875), `sfres` (1,181). A rating is the median of three people, from 1 to 6. A document is
a meaning, named after its part and its place among the meanings of the file: bagel:1. Where a system has several
utterances for a meaning, further ones are documents too: sfhot:7.2. References are all that the set has for a meaning,
each once.

Who wrote an utterance stands in emnlp_data_medians.csv, which has the same utterances in the same order; meaning, words
and ratings of each row are compared to be sure. The published scores are those of that file (of TER, less is better)
and UniEval's predictions for sfhot and sfres. Novikova et al. 2017, "Why We Need New Evaluation Metrics for NLG".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from coheval.data.corpus import Record
from coheval.data.csvfile import table
from coheval.data.datasets import Dataset, Published
from coheval.data.datasets._rows import Row, rows, side_by_side
from coheval.data.judgements import Judgements, Rating
from coheval.errors import DataError

_PARTS = ("bagel", "sfhot", "sfres")
_MEDIANS = "emnlp_data_medians.csv"
_METRICS = (
    *("TER", "Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "ROUGE_L", "NIST", "LEPOR", "CIDEr", "METEOR"),
    "sim.mr.sys",
)


@dataclass(frozen=True, slots=True)
class _Utterance:
    part: str
    document: str
    row: Row
    median: Row  # the same utterance in the table of medians

    @property
    def system(self) -> str:
        return self.median.name("system")


@dataclass(frozen=True, kw_only=True)
class D2T(Dataset):
    files: ClassVar[tuple[str, ...]] = (*(f"{part}.jsonl" for part in _PARTS), _MEDIANS)

    def parts(self) -> tuple[str, ...]:
        return _PARTS

    def records(self) -> Iterator[Record]:
        for one in self._utterances():
            references = tuple(dict.fromkeys(one.row.texts("refs")))
            texts = (one.row.text("hyp"), references, one.row.text("src"))
            yield Record(one.system, *texts, one.document, None, one.row.where)

    def judgements(self) -> Judgements:
        found = list(self._utterances())
        ratings = [
            Rating(one.system, one.document, None, aspect, value, where=one.row.where)
            for one in found
            for aspect, value in one.row.numbers("human").items()
        ]
        return Judgements(ratings, groups={one.document: one.part for one in found})

    def published(self) -> Published:
        found = list(self._utterances())
        scores: Published = {
            metric: {(one.system, one.document): one.median.parsed(metric) for one in found} for metric in _METRICS
        }
        for part in dict.fromkeys(one.part for one in found):
            path = self.folder / f"unieval_{part}.jsonl"
            if path.is_file():
                own = [one for one in found if one.part == part]
                for one, row in side_by_side(own, rows(path), path):
                    _refuse_other(one, row, "source", "system_output")
                    for aspect, value in row.numbers("predict_scores").items():
                        scores.setdefault(f"UniEval {aspect}", {})[one.system, one.document] = value
        return scores

    def _utterances(self) -> Iterator[_Utterance]:
        _, names, cells = table(self.folder / _MEDIANS)
        medians: defaultdict[str, list[Row]] = defaultdict(list)
        for where, row in cells:
            median = Row(dict(zip(names, row, strict=True)), where)
            medians[median.text("dataset").lower()].append(median)
        for part in _PARTS if self.part is None else (self.part,):
            yield from self._of_part(part, medians[part])

    def _of_part(self, part: str, medians: list[Row]) -> Iterator[_Utterance]:
        meanings: dict[str, int] = {}
        count: Counter[tuple[str, str]] = Counter()
        path = self.folder / f"{part}.jsonl"
        for median, row in side_by_side(medians, rows(path), path):
            meaning = row.text("src")
            number = meanings.setdefault(meaning, 1 + len(meanings))
            count[median.name("system"), meaning] += 1
            further = count[median.name("system"), meaning]
            one = _Utterance(part, f"{part}:{number}" + (f".{further}" if further > 1 else ""), row, median)
            _refuse_other(one, median, "mr", "sys_ref")
            if any(median.parsed(aspect) != value for aspect, value in row.numbers("human").items()):
                raise _other(one, median.where)
            yield one


def _refuse_other(one: _Utterance, other: Row, meaning: str, text: str) -> None:
    """The files tokenise and write capitals in their own ways."""
    alike = _letters(one.row.text("hyp")) == _letters(other.text(text))
    if not alike or one.row.text("src") != other.text(meaning):
        raise _other(one, other.where)


def _other(one: _Utterance, where: str) -> DataError:
    return DataError(
        f"expected the same utterance and ratings as at {one.row.where}",
        where=where,
        hint="are the files whole and in the order in which they were published?",
    )


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())
