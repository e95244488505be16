"""Lexical chains: does the candidate come back to the same things, in the same sentences, as the reference?

Zhao, Strube, Eger (2023), DiscoScore, as a baseline after Gong, Zhang, Zhou (2015), Document-Level Machine Translation
Evaluation with Gist Consistency and Text Cohesion. A chain is a focus (see `focus`) that is mentioned in two or more
sentences, S the numbers of these sentences. Each chain that both texts have counts

    recall = |S(candidate) ∩ S(reference)| / |S(reference)|

| variant | score | the reference has no chain | text |
|---|---|---|---|
| `coheval` | mean over the reference's chains, 0 for those that the candidate lacks | undefined | as it is |
| `paper` | mean over the chains that both have, 0 if there is none | undefined | as it is |
| `code` | sum of the recalls | 0 | lower-cased |

`code` is DiscoScore's released program, whose score grows with the number of chains, so that a text identical to its
reference scores as many as it has. It knows nouns alone. With `focus='entity'`, `coheval` clusters the nouns of both
texts together, `code` those of each by itself, so that entities match only if all their nouns are the same.

Sentences are matched by their number: one that is split, left out or moved shifts all that follow. Higher is better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from coheval.annotators import Annotated
from coheval.data import Item
from coheval.metrics import Evidence, Measurement, Row, undefined
from coheval.metrics._discourse import PARTIAL, DiscourseMetric
from coheval.metrics._features import spans_of
from coheval.metrics._foci import Foci, find, merged


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """A text's foci, and the sentences of those that are chains."""

    foci: Foci
    sentences: Mapping[str, frozenset[int]]

    @classmethod
    def of(cls, foci: Foci) -> Chains:
        several = ((key, mentions) for key, mentions in foci.items() if len(mentions) > 1)
        places = ((key, frozenset(m.sentence for m in mentions)) for key, mentions in several)
        return cls(foci, {key: found for key, found in places if len(found) > 1})


@dataclass(frozen=True, kw_only=True)
class LexicalChain(DiscourseMetric):
    variant: Literal["coheval", "paper", "code"] = "coheval"  # whose definition; the table tells them apart

    perfect: ClassVar[float | None] = 1.0
    several_references: ClassVar[str] = "the reference with the highest score counts"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant == "code":
            self.settle(range=(0.0, math.inf), perfect=None)

    @property
    def _jointly(self) -> bool:
        return self.focus == "entity" and self.variant != "code"

    def foci(self, annotated: Annotated) -> Foci:
        return find(annotated, self.focus) if self._jointly else super().foci(annotated)

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        chains = {plain: Chains.of(text.foci) for plain, text in self.read(items, references=True).items()}
        return [Measurement((self._row(item, chains, evidence),)) for item in items]

    def _row(self, item: Item, chains: Mapping[str, Chains], evidence: bool) -> Row:
        candidate = chains[self.plain(item.candidate)]
        pairs = {k: self._matched(candidate, chains[self.plain(r)]) for k, r in enumerate(item.references) if r.whole}
        scores = [(score, k) for k, pair in pairs.items() if (score := self._score(*pair)) is not None]
        if not scores:
            return undefined("no reference has a focus in two sentences" if pairs else PARTIAL)
        score, best = max(scores, key=lambda found: found[0])
        return Row((score,), evidence=_explain(*pairs[best], best) if evidence else None)

    def _matched(self, candidate: Chains, reference: Chains) -> tuple[Chains, Chains]:
        """Two texts' chains under the names that both know them by."""
        if not self._jointly:
            return candidate, reference
        names = self.entities([*candidate.foci, *reference.foci])
        return Chains.of(merged(candidate.foci, names)), Chains.of(merged(reference.foci, names))

    def _score(self, candidate: Chains, reference: Chains) -> float | None:
        recalls = _recalls(candidate, reference)
        total = sum(recalls.values(), start=0.0)
        if self.variant == "code":
            return total
        if not reference.sentences:
            return None
        return total / max(1, len(recalls if self.variant == "paper" else reference.sentences))


def _recalls(candidate: Chains, reference: Chains) -> dict[str, float]:
    """Of each chain that both have."""
    ours = candidate.sentences
    return {key: len(ours[key] & s) / len(s) for key, s in reference.sentences.items() if key in ours}


def _explain(candidate: Chains, reference: Chains, number: int) -> Evidence:
    """Every chain of either text with all its mentions on both sides, its recall, and its share of the score."""
    recalls = _recalls(candidate, reference)
    total = sum(recalls.values())
    return {
        "kind": "foci",
        "reference": number,
        "foci": [
            {
                "focus": key,
                "candidate": spans_of(candidate.foci.get(key, ())),
                "reference": spans_of(reference.foci.get(key, ())),
                "candidate_sentences": [m.sentence for m in candidate.foci.get(key, ())],
                "reference_sentences": [m.sentence for m in reference.foci.get(key, ())],
                "recall": recalls.get(key, 0.0) if key in reference.sentences else None,
                "share": recalls.get(key, 0.0) / total if total else 0.0,
            }
            for key in dict.fromkeys([*candidate.sentences, *reference.sentences])
        ],
    }
