"""In words: n-grams, and how likely tokens were."""

from __future__ import annotations

from typing import Any

from coheval.report.words.quoting import at, listed, quoted

_SHOWN = 3


def ngrams(evidence: Any, candidate: str, reference: str) -> list[str]:
    """The longest of each kind. What is shared may be missing too, where one text has it more often; what is missing
    and extra at once stands in both texts, but out of order."""
    matched, missing, extra = (dict.fromkeys(evidence[key]) for key in ("matched", "missing", "extra"))
    others = "the references" if evidence.get("together", 1) > 1 else "the reference"
    kinds = {
        "Shared": matched,
        "Missing from the candidate": [n for n in missing if n not in matched and n not in extra],
        f"Not in {others}": [n for n in extra if n not in matched and n not in missing],
        "In both, but out of order": [n for n in missing if n in extra],
        f"Less often than in {others}": [n for n in missing if n in matched and n not in extra],
        f"More often than in {others}": [n for n in extra if n in matched and n not in missing],
    }
    told = []
    for begin, found in kinds.items():
        longest = sorted(found, key=lambda ngram: ngram.count(" "), reverse=True)
        if longest:
            told.append(f"{begin}: {listed(longest, tell=quoted)}.")
    return told or ["Neither text has anything to count."]


def surprises(evidence: Any, candidate: str, reference: str) -> list[str]:
    """The tokens that the model expected least, of each direction that counts."""
    told = []
    for of, text in (("candidate", candidate), ("reference", reference)):
        if of not in evidence:
            continue
        one = evidence[of]
        least = sorted(range(len(one["logprobs"])), key=one["logprobs"].__getitem__)[:_SHOWN]
        names = [f"{_piece(one, n, text)} ({one['logprobs'][n]:.1f})" for n in least]
        given = f", given the {one['given']}" if "given" in one else ""
        if names:
            told.append(f"Least expected of the {of}{given}: {listed(names)}, as natural logarithms.")
    return told or ["No token was scored."]


def _piece(one: Any, n: int, text: str) -> str:
    start, stop = one["spans"][n]
    return at(text, (start, stop)) if stop > start else "the end of the text"
