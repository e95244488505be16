"""n-grams as evidence, for the metrics that count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from coheval.metrics import Evidence


def ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[k:] for k in range(n)), strict=False))


def joined(counts: Mapping[tuple[str, ...], int]) -> Counter[str]:
    return Counter({" ".join(ngram): count for ngram, count in counts.items()})


def ngram_evidence(candidate: Counter[str], reference: Counter[str], *, together: int = 1) -> Evidence:
    """Which n-grams both have, which only the reference has (missing), which only the candidate has (extra).

    `together` is the number of references that `reference` is put together of; above 1, the evidence says it.
    """
    return {
        "kind": "ngrams",
        "matched": list((candidate & reference).elements()),
        "missing": list((reference - candidate).elements()),
        "extra": list((candidate - reference).elements()),
    } | ({"together": together} if together > 1 else {})
