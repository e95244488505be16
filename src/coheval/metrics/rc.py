"""RC: how much of a text is repetition, as a sign of lexical cohesion.

Wong & Kit (2012), Extending Machine Translation Evaluation Metrics with Lexical Cohesion to Document Level; taken up as
a baseline in Zhao, Strube, Eger (2023), DiscoScore. No reference is needed.

| variant | what repeats | RC | range | text |
|---|---|---|---|---|
| `coheval` | foci (see `focus`) | mentions of foci that have two or more / mentions of foci | 0 to 1 | as it is |
| `paper` | lemmas of content words | words whose lemma has two or more / content words | 0 to 1 | as it is |
| `code` | foci | mentions of foci that have two or more / distinct foci | may exceed 1 | lower-cased |

`paper` is Wong & Kit's form: content words are nouns, names, verbs, adjectives and adverbs, by their tags; they stem
words, here lemmas are compared. `code` is DiscoScore's released program, which looks at nouns alone and counts mentions
above the line, distinct nouns below it; it fails on a text without nouns, which has no score here.

A text that repeats a lot holds together, or is poor in words. Higher is taken as better, as its authors do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from coheval.metrics._cohesion import Cohesion, Share, Ties, mentions_of
from coheval.metrics._foci import Foci


@dataclass(frozen=True, kw_only=True)
class RC(Cohesion):
    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant == "code":
            self.settle(range=(0.0, math.inf))

    def share(self, foci: Foci, ties: Ties) -> Share:
        repeated = sum(len(foci[key]) for key in ties)
        return Share(repeated, len(foci) if self.variant == "code" else mentions_of(foci))
