"""In words: evidence that is a number or two."""

from __future__ import annotations

from typing import Any

from coheval.report.words.quoting import listed

_SHOWN = 3


def cosine(evidence: Any, candidate: str, reference: str) -> list[str]:
    return [f"The two texts' vectors have a cosine of {evidence['cosine']:.3f}."]


def distance(evidence: Any, candidate: str, reference: str) -> list[str]:
    return [f"The sentences are {evidence['distance']:.3f} apart."]


def edits(evidence: Any, candidate: str, reference: str) -> list[str]:
    words = "word" if evidence["edits"] == 1 else "words"
    return [
        f"{evidence['edits']:,} {words} must be changed, moved, added or dropped; "
        f"the reference has {evidence['reference_length']:g}."
    ]


def contributions(evidence: Any, candidate: str, reference: str) -> list[str]:
    """A combination's members that raised and lowered it most."""
    members = sorted(evidence["members"], key=lambda member: member["contribution"], reverse=True)
    told = []
    for begin, chosen in (
        ("Raised most by", [m for m in members if m["contribution"] > 0][:_SHOWN]),
        ("Lowered most by", [m for m in reversed(members) if m["contribution"] < 0][:_SHOWN]),
    ):
        if chosen:
            names = [f"{member['metric']} ({member['contribution']:+.3f})" for member in chosen]
            told.append(f"{begin} {listed(names)}.")
    return told


def reason(evidence: Any, candidate: str, reference: str) -> list[str]:
    return [f"No score: {evidence['reason']}."]
