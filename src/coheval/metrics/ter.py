"""TER: the edits that turn the candidate into a reference, per reference word, by sacreBLEU.

    TER = 100 · (insertions + deletions + substitutions + shifts of phrases) / average reference length

Snover et al. 2006, "A Study of Translation Edit Rate with Targeted Human Annotation". Shifts are found greedily, as
the paper's program Tercom does. Several references: the fewest edits over the mean length. TER can exceed 100.

Numbers are those of sacreBLEU at segment and corpus level. Its search takes time that grows with the square of the
length, minutes for 2,000 words, and memory with it, so texts above `longest` words are undefined rather than a run that
seems to hang; raise it to wait for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from coheval.metrics import Evidence
from coheval.metrics._sacrebleu import SacreMetric


@dataclass(frozen=True, kw_only=True)
class TER(SacreMetric):
    """sacreBLEU's TER, from 0 (no edit) upwards."""

    higher_is_better: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, inf)
    perfect: ClassVar[float | None] = 0.0
    several_references: ClassVar[str] = "the fewest edits to any reference, over the mean length of all"

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False
    longest: int = 500  # words of a text

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.longest >= 1, f"longest must be at least 1, got {self.longest}")

    def scorer(self) -> Any:
        from sacrebleu.metrics import ter

        return ter.TER(
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            case_sensitive=self.case_sensitive,
        )

    def refuse(self, candidate: str, references: Sequence[str]) -> str | None:
        words = max(len(text.split()) for text in (candidate, *references))
        if words <= self.longest:
            return None
        return f"a text has {words:,} words and the search for shifts is limited to {self.longest:,} (longest=)"

    def explain(self, statistics: Sequence[float], candidate: str, prepared: Mapping[str, Any]) -> Evidence:
        edits, length = statistics
        return {"kind": "edits", "edits": int(edits), "reference_length": float(length)}
