"""In words: evidence that is a number or two."""

from __future__ import annotations

from typing import Any

from coheval.report.words.quoting import count, listed

_SHOWN = 3


def cosine(evidence: Any, candidate: str, reference: str) -> list[str]:
    return [f"The two texts' vectors have a cosine of {evidence['cosine']:.3f}."]


def distance(evidence: Any, candidate: str, reference: str) -> list[str]:
    return [f"The two texts are {evidence['distance']:.3f} apart."]


def edits(evidence: Any, candidate: str, reference: str) -> list[str]:
    """The length is the mean of several references', and an edit may move a run of words."""
    length = f"{evidence['reference_length']:g} {'word' if evidence['reference_length'] == 1 else 'words'} of reference"
    if not evidence["edits"]:
        return [f"No edit is needed for {length}."]
    kinds = "a word changed, added or dropped, or a run of words moved"
    return [f"{count(evidence['edits'], 'edit')} for {length}; an edit is {kinds}."]


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
    return told or ["No member raised or lowered it."]


def reason(evidence: Any, candidate: str, reference: str) -> list[str]:
    return [f"No score: {evidence['reason']}."]


def nothing(evidence: Any, candidate: str, reference: str) -> list[str]:
    """A score of nothing is a score."""
    return [f"There was nothing to compare: {evidence['reason']}."]
