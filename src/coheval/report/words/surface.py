"""In words: n-grams, and how likely tokens were."""

from __future__ import annotations

from typing import Any

from coheval.report.words.quoting import at, listed, quoted

_SHOWN = 3


def ngrams(evidence: Any, candidate: str, reference: str) -> list[str]:
    """The longest that match, that are missing and that are extra."""
    told = []
    for begin, key in (
        ("Shared", "matched"),
        ("Missing from the candidate", "missing"),
        ("Not in the reference", "extra"),
    ):
        longest = sorted(dict.fromkeys(evidence[key]), key=lambda ngram: ngram.count(" "), reverse=True)
        if longest:
            told.append(f"{begin}: {listed([quoted(ngram) for ngram in longest])}.")
    return told or ["Neither text has an n-gram."]


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
    return told


def _piece(one: Any, n: int, text: str) -> str:
    start, stop = one["spans"][n]
    return at(text, (start, stop)) if stop > start else "the end of the text"
