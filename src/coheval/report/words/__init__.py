"""What moved a score, in words: evidence in, sentences out.

A text is quoted as it stands; a list names the first few and counts the others. Evidence of a kind that is not known
here, such as a plugin's, gives no sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from coheval.report.words import alignments, cohesion, numbers, surface, trees

Sentences = list[str]
Tell = Callable[[Any, str, str], Sentences]  # evidence, the candidate's text, the reference's

_TELLS: dict[str, Tell] = {
    "alignment": alignments.aligned,
    "boundaries": cohesion.boundaries,
    "comparison": cohesion.comparison,
    "contributions": numbers.contributions,
    "cosine": numbers.cosine,
    "distance": numbers.distance,
    "edits": numbers.edits,
    "estimate": alignments.estimate,
    "foci": cohesion.foci,
    "links": cohesion.links,
    "logprobs": surface.surprises,
    "matches": alignments.matches,
    "ngrams": surface.ngrams,
    "nothing": numbers.reason,
    "sentences": cohesion.sentences,
    "transport": alignments.moves,
    "trees": trees.subtrees,
    "undefined": numbers.reason,
}


def words(evidence: Any, candidate: str, references: Sequence[str]) -> Sentences:
    """Sentences about one piece of evidence, whose characters are those of these texts."""
    if evidence is None:
        return []
    if evidence["kind"] == "references":
        return [
            f"Reference {n}: {sentence}"
            for n, (each, reference) in enumerate(zip(evidence["each"], references, strict=False), start=1)
            for sentence in words(each, candidate, [reference])
        ]
    tell = _TELLS.get(evidence["kind"])
    number = _reference(evidence)
    return tell(evidence, candidate, references[number] if number < len(references) else "") if tell else []


def _reference(evidence: Any) -> int:
    """The number of the reference that counted, where a metric chose one."""
    chosen = evidence.get("reference")
    if isinstance(chosen, dict):
        chosen = chosen.get("number")
    return chosen if isinstance(chosen, int) else 0
