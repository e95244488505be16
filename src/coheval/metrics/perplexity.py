"""Perplexity: how surprised a causal language model is by a document; no reference is looked at.

    perplexity = exp(−1/|d| Σ_t log p(token_t | tokens before it))

The usual baseline for coherence: a model that reads the whole document should find it likelier in its own order. The
document is read as one text, its segments as they are joined in it (by line ends, unless it is given as a whole). What
is longer than the model's window is read in windows that overlap by half, and told. A system's perplexity is that of
all its tokens. Perplexities of models with different tokenizers cannot be compared.

`model` must be given: `perplexity(model=smollm)`, a small model without torch that one command installs, or any other,
`perplexity(model=hf_lm(model='gpt2'))`. One that is counted from the very texts it judges would be no judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf
from typing import ClassVar

from coheval.data import Item
from coheval.metrics import Evidence, Measurement, Metric, Row, Unit, undefined
from coheval.rankers import LanguageModel, Predicted


@dataclass(frozen=True, kw_only=True)
class Perplexity(Metric):
    model: LanguageModel  # any causal language model

    higher_is_better: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (1.0, inf)
    unit: ClassVar[Unit] = "document"
    needs: ClassVar[frozenset[str]] = frozenset()
    perfect: ClassVar[float | None] = None
    libraries: ClassVar[tuple[str, ...]] = ("numpy",)

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        texts = list(dict.fromkeys(item.candidate.text for item in items))
        found = dict(zip(texts, self.model.predict(texts), strict=True))
        return [Measurement((_row(item.candidate.text, found[item.candidate.text], evidence),)) for item in items]

    def combine(self, totals: Sequence[float], count: int) -> float:
        return exp(min(totals[0] / totals[1], _LARGEST))


_LARGEST = 709.0  # whose exponential is still a number


def _row(text: str, predicted: Predicted, evidence: bool) -> Row:
    if not text.strip():
        return undefined("the candidate is empty")
    count = len(predicted.logprobs)
    if not count:
        return undefined("the candidate has one token, with nothing before it to predict it from")
    told: Evidence | None = {"kind": "logprobs", "candidate": _explained(text, predicted)} if evidence else None
    surprise = -float(predicted.logprobs.sum())
    return Row((surprise, float(count)), evidence=told, marks={"windowed": 1} if predicted.windowed else {})


def _explained(text: str, predicted: Predicted) -> Evidence:
    spans = predicted.spans.tolist()
    return {
        "pieces": [text[start:stop] for start, stop in spans],
        "spans": spans,
        "logprobs": predicted.logprobs.tolist(),
    }
