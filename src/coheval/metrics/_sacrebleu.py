"""What `bleu`, `chrf`, `ter` and `nist` share: sacreBLEU's statistics as rows, its tokenizers without downloads.

sacreBLEU (Post 2018, "A Call for Clarity in Reporting BLEU Scores") already turns a segment into numbers that add up,
and a sum of them into a score. So a row here is its list of statistics, and every level's score is its own function of
the sum. Its methods for the two steps are private, so its version stands in the signature of each metric.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal

from coheval.data import Item
from coheval.errors import ResourceError
from coheval.metrics import Evidence, Measurement, Metric, Row, each_segment, undefined

Tokenizer = Literal[
    "13a", "intl", "zh", "ja-mecab", "ko-mecab", "char", "none", "flores101", "flores200", "spBLEU-1K"
]  # sacreBLEU's 'spm' is an old name of 'flores101'

_NEEDS = {"ja-mecab": ("MeCab", "ja"), "ko-mecab": ("mecab_ko", "ko")}  # tokenizer -> module, extra of sacrebleu


@dataclass(frozen=True, kw_only=True)
class SacreMetric(Metric):
    """A metric of sacreBLEU. A subclass says which in `scorer`, and may say why a row is what it is in `explain`."""

    libraries: ClassVar[tuple[str, ...]] = ("sacrebleu",)
    range: ClassVar[tuple[float, float]] = (0.0, 100.0)
    perfect: ClassVar[float | None] = 100.0

    def scorer(self) -> Any:
        """sacreBLEU's object with these parameters."""
        raise NotImplementedError(type(self).__name__)

    def refuse(self, candidate: str, references: Sequence[str]) -> str | None:
        """Why these prepared texts have no score, if they have none."""
        return None

    def explain(self, statistics: Sequence[float], candidate: str, prepared: Mapping[str, Any]) -> Evidence:
        raise NotImplementedError(type(self).__name__)

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        scorer = _scorer(self)

        @cache  # systems share their references: each distinct set is prepared once a call
        def prepare(references: tuple[str, ...]) -> tuple[list[str], Any]:
            lines = [scorer._preprocess_segment(reference) for reference in references]
            return lines, scorer._extract_reference_info(lines)

        def row(candidate: str, references: list[str]) -> Row:
            if not references:
                return undefined("the segment has no reference")
            text = scorer._preprocess_segment(candidate)
            lines, prepared = prepare(tuple(references))
            reason = self.refuse(text, lines)
            if reason:
                return undefined(reason)
            statistics = scorer._compute_segment_statistics(text, prepared)
            why = self.explain(statistics, text, prepared) if evidence else None
            return Row(tuple(float(number) for number in statistics), evidence=why)

        return [each_segment(item, row) for item in items]

    def combine(self, totals: Sequence[float], count: int) -> float | None:
        # sacreBLEU changes the list that it is given, so it gets its own
        return float(_scorer(self)._compute_score_from_stats([float(total) for total in totals]).score)


@lru_cache(maxsize=64)
def _scorer(metric: SacreMetric) -> Any:
    """One scorer a metric: a bootstrap asks for thousands of scores."""
    return metric.scorer()


@cache
def tokenizer(name: str) -> Callable[[str], str]:
    """sacreBLEU's tokenizer of that name: a text in, its words parted by blanks out."""
    from sacrebleu.metrics.bleu import _get_tokenizer

    check_tokenizer(name)
    made: Callable[[str], str] = _get_tokenizer(name)()
    return made


def check_tokenizer(name: str) -> None:
    """Refuse a tokenizer whose parts are not here; sacreBLEU itself would download them or fail later."""
    if name in _NEEDS:
        module, extra = _NEEDS[name]
        if importlib.util.find_spec(module) is None:
            raise ResourceError(
                f"the tokenizer {name!r} needs the module {module}", hint=f"pip install 'sacrebleu[{extra}]'"
            )
    if name in ("flores101", "flores200", "spBLEU-1K"):
        _check_sentencepiece(name)


def _check_sentencepiece(name: str) -> None:
    if importlib.util.find_spec("sentencepiece") is None:
        raise ResourceError(f"the tokenizer {name!r} needs the module sentencepiece", hint="pip install sentencepiece")
    from sacrebleu.tokenizers.tokenizer_spm import SPM_MODELS
    from sacrebleu.utils import SACREBLEU_DIR

    url = SPM_MODELS[name]["url"]
    model = Path(SACREBLEU_DIR) / "models" / Path(url).name
    if not model.is_file():
        raise ResourceError(
            f"the tokenizer {name!r} needs its SentencePiece model at {model}", hint=f"download {url} to that path"
        )
