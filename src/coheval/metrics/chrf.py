"""chrF and chrF++: F-score of character (and word) n-grams, by sacreBLEU.

    chrF_β = 100 · (1 + β²) · P · R / (β² · P + R)

P and R are the means over n = 1…6 of the precision and recall of character n-grams, blanks left out; recall counts
β = 2 times as much. `word_order=2` adds word unigrams and bigrams to the means: chrF++. Popović 2015, "chrF: character
n-gram F-score for automatic MT evaluation"; Popović 2017, "chrF++: words helping character n-grams".

Numbers are those of sacreBLEU at segment and corpus level. Orders that a text is too short for are left out of the
means; `eps_smoothing=True` counts them as almost 0 and averages F-scores instead, as the original chrF++.py does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from coheval.metrics import Evidence
from coheval.metrics._ngrams import ngram_evidence
from coheval.metrics._sacrebleu import SacreMetric


@dataclass(frozen=True, kw_only=True)
class ChrF(SacreMetric):
    """sacreBLEU's chrF, 0 to 100; chrF++ with word_order=2."""

    several_references: ClassVar[str] = "the reference with the highest score counts"

    char_order: int = 6
    word_order: int = 0
    beta: float = 2.0
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.char_order <= 100, f"char_order must be from 1 to 100, got {self.char_order}")
        self.require(0 <= self.word_order <= 100, f"word_order must be from 0 to 100, got {self.word_order}")
        self.require(0 < self.beta <= 1e6, f"beta must be above 0 and at most 1e6, got {self.beta}")

    def scorer(self) -> Any:
        from sacrebleu.metrics import chrf

        return chrf.CHRF(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,  # type: ignore[arg-type]  # annotated int there, only ever squared
            lowercase=self.lowercase,
            whitespace=self.whitespace,
            eps_smoothing=self.eps_smoothing,
        )

    def explain(self, statistics: Sequence[float], candidate: str, prepared: Mapping[str, Any]) -> Evidence:
        """The n-grams of one character order, lower ones are mostly inside them, beside the reference that counts."""
        from sacrebleu.metrics.helpers import extract_all_char_ngrams

        scorer = self.scorer()
        number, best = next(
            (number, orders)
            for number, orders in enumerate(prepared["ref_ngrams"])
            if scorer._compute_segment_statistics(candidate, {"ref_ngrams": [orders]}) == statistics
        )
        ours = extract_all_char_ngrams(candidate, self.char_order, self.whitespace)
        return ngram_evidence(*_longest(ours, best[: self.char_order])) | {"reference": number}


def _longest(ours: Sequence[Counter[str]], theirs: Sequence[Counter[str]]) -> tuple[Counter[str], Counter[str]]:
    """The n-grams of the highest order that both texts are long enough for, as others do not count; where one text is
    empty, of the highest that the other has."""
    orders = list(zip(ours, theirs, strict=True))[::-1]
    both = (pair for pair in orders if all(pair))
    either = (pair for pair in orders if any(pair))
    return next(both, None) or next(either, orders[0])
