"""sacreBLEU's face on any metric: `corpus_score`, `sentence_score`, `get_signature`.

    chrf = sacrebleu_style.Metric("chrf")
    chrf.corpus_score(["It was sold.", "Yes."], [["It is sold.", "Yes."], ["It was bought.", None]])

References are streams, as in sacreBLEU: one list for each reference, parallel to the hypotheses, None where a
hypothesis has no such reference. sacreBLEU reads a plain list of texts as streams of characters and lets streams of
another length lose their ends; both are refused here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from coheval.errors import DataError
from coheval.metrics import metric
from coheval.run.result import MetricResult
from coheval.run.score import score

Stream = Sequence[str | None]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Score:
    name: str
    score: float | None  # None where the metric is undefined; `result` has the reasons
    result: MetricResult  # what coheval knows of the call: scores of segments and documents, reasons, counts

    def format(self, width: int = 4, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        shown = "undefined" if self.score is None else f"{self.score:.{width}f}"
        if score_only:
            return shown
        if is_json:
            rounded = None if self.score is None else float(shown)
            return json.dumps({"name": self.name, "score": rounded, "signature": signature}, ensure_ascii=False)
        return f"{self.name}|{signature} = {shown}" if signature else f"{self.name} = {shown}"

    def __repr__(self) -> str:
        return self.format()


class Metric:
    """A metric by its spec, called as sacreBLEU's `BLEU`, `CHRF` and `TER` are."""

    def __init__(self, spec: str) -> None:
        self.name = spec
        self._metric = metric(spec)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Stream] | None = None,
        *,
        sources: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
    ) -> Score:
        """The score of the whole; `references` are streams. Without `documents`, each text is a document of its own."""
        turned = None if references is None else _turned(references, len(hypotheses))
        found = score(hypotheses, turned, sources, documents, self._metric)
        (result,) = found.values()
        return Score(self.name, result.by_system["system"].system, result)

    def sentence_score(
        self, hypothesis: str, references: Sequence[str] | None = None, *, source: str | None = None
    ) -> Score:
        """The score of one text; `references` are its references."""
        if isinstance(references, str):
            raise DataError(
                f"expected a list of references, got the text {references[:40]!r}",
                where="references",
                hint="put it in a list: [reference]",
            )
        given = None if references is None else [references]
        found = score([hypothesis], given, None if source is None else [source], metrics=self._metric)
        (result,) = found.values()
        return Score(self.name, result.by_system["system"].segments[0], result)

    def get_signature(self) -> str:
        return self._metric.signature


def _turned(streams: Sequence[Stream], count: int) -> list[list[str]]:
    """Each hypothesis's references, from streams that each have one for every hypothesis."""
    if isinstance(streams, str) or any(isinstance(stream, str) for stream in streams):
        raise DataError(
            "expected streams, a list of texts for each reference; got texts",
            where="references",
            hint="one reference for each hypothesis is one stream: [references]",
        )
    for k, stream in enumerate(streams):
        if len(stream) != count:
            raise _wrong_length(k, len(stream), count, transposed=len(streams) == count)
    return [[text for text in texts if text is not None] for texts in zip(*streams, strict=True)]


def _wrong_length(k: int, got: int, count: int, *, transposed: bool) -> DataError:
    hint = "position n of every stream must belong to hypothesis n; None keeps the place of a missing reference"
    if transposed:
        hint = (
            "there is a list for each hypothesis, but a stream for each reference is expected: list(zip(*references))"
        )
    return DataError(
        f"expected {count:,} entries, one for each hypothesis, got {got:,}", where=f"references[{k}]", hint=hint
    )
