"""BLEU: clipped n-gram precision with a brevity penalty, by sacreBLEU.

    BLEU = 100 · BP · exp( (1/N) Σ_n log p_n ),   BP = min(1, exp(1 - r/c)),   N = 4

p_n is the share of the candidate's n-grams that some reference has, each counted at most as often as in the reference
that has it most often; c is the candidate's length, r the length of the reference nearest to it. Counts and lengths are
summed before the formula is applied. Papineni et al. 2002, "BLEU: a Method for Automatic Evaluation of Machine
Translation"; smoothing by Chen & Cherry 2014.

Numbers are those of sacreBLEU. It has two conventions for texts too short to have any n-gram of an order: its
`sentence_bleu` leaves such orders out (effective order), its `corpus_bleu` gives 0. `effective_order='auto'` does as
they do: orders are left out of the score of one segment, and kept in the score of several. So the segment scores are
sentence_bleu, and the scores of documents and systems are corpus_bleu, but for those of a single segment shorter than
four words, which score as that segment does. True and False use one convention everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from coheval.metrics import Evidence
from coheval.metrics._ngrams import joined, ngram_evidence
from coheval.metrics._sacrebleu import SacreMetric, Tokenizer, check_tokenizer


@dataclass(frozen=True, kw_only=True)
class BLEU(SacreMetric):
    """sacreBLEU's BLEU, 0 to 100."""

    several_references: ClassVar[str] = "n-grams match in any of them; the length nearest to the candidate's counts"

    tokenize: Tokenizer = "13a"
    lowercase: bool = False
    max_ngram_order: int = 4
    smooth_method: Literal["exp", "floor", "add-k", "none"] = "exp"
    smooth_value: float | None = None  # None: 0.1 for 'floor', 1 for 'add-k'
    effective_order: bool | Literal["auto"] = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        order = self.max_ngram_order
        self.require(1 <= order <= 100, f"max_ngram_order must be from 1 to 100, got {order}")
        if self.smooth_value is not None:
            smooths = self.smooth_method in ("floor", "add-k")
            self.require(smooths, f"smooth_value has no meaning with smooth_method={self.smooth_method!r}")
            self.require(self.smooth_value >= 0, f"smooth_value must not be negative, got {self.smooth_value}")

    def scorer(self) -> Any:
        from sacrebleu.metrics import bleu

        check_tokenizer(self.tokenize)
        return bleu.BLEU(
            tokenize=self.tokenize,
            lowercase=self.lowercase,
            max_ngram_order=self.max_ngram_order,
            force=True,  # only silences a remark about tokenized input
        )

    def combine(self, totals: Sequence[float], count: int) -> float | None:
        from sacrebleu.metrics import bleu

        length, reference, *counts = map(float, totals)
        score = bleu.BLEU.compute_bleu(
            correct=counts[: self.max_ngram_order],  # type: ignore[arg-type]  # annotated int there, floats are as good
            total=counts[self.max_ngram_order :],  # type: ignore[arg-type]
            sys_len=int(length),
            ref_len=int(reference),
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=count == 1 if self.effective_order == "auto" else self.effective_order,
            max_ngram_order=self.max_ngram_order,
        )
        return float(score.score)

    def explain(self, statistics: Sequence[float], candidate: str, prepared: Mapping[str, Any]) -> Evidence:
        from sacrebleu.metrics.helpers import extract_all_word_ngrams

        ngrams, _ = extract_all_word_ngrams(candidate, 1, self.max_ngram_order)
        return ngram_evidence(joined(ngrams), joined(prepared["ref_ngrams"]), together=len(prepared["ref_lens"]))
