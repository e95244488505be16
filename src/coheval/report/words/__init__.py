"""What moved a score, in words: evidence in, sentences out.

A text is quoted as it stands; a list names the first few and counts the others. Evidence of a kind that is not known
here, such as a plugin's, gives no sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from coheval.report.words import alignments, cohesion, numbers, surface, trees
from coheval.report.words.quoting import OF_REFERENCE

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
    "nothing": numbers.nothing,
    "sentences": cohesion.sentences,
    "transport": alignments.moves,
    "trees": trees.subtrees,
    "undefined": numbers.reason,
}


def words(evidence: Any, candidate: str, references: Sequence[str], names: Sequence[int] | None = None) -> Sentences:
    """Sentences about one piece of evidence, whose characters are those of these texts.

    `names` are the references' numbers in their document, from 0, where a segment does not have them all.
    """
    if evidence is None:
        return []
    names = range(len(references)) if names is None else names
    if evidence["kind"] == "references":
        return _of_each(evidence["each"], candidate, references, names)
    tell = _TELLS.get(evidence["kind"])
    if tell is None:
        return []
    chosen = _chosen(evidence)
    if chosen is None or chosen >= len(references):
        return tell(evidence, candidate, references[0] if references else "")
    counts = [f"Reference {names[chosen] + 1} counts."] if len(references) > 1 else []
    return tell(evidence, candidate, references[chosen]) + counts


def _of_each(each: Sequence[Any], candidate: str, references: Sequence[str], names: Sequence[int]) -> Sentences:
    """What holds against every reference is said once, unless it is about the reference alone."""
    told = [
        (name, words(evidence, candidate, [reference]))
        for name, evidence, reference in zip(names, each, references, strict=False)
    ]
    common = [sentence for sentence in told[0][1] if all(sentence in own for _, own in told)] if told else []
    always = [sentence for sentence in common if not sentence.startswith(OF_REFERENCE)]
    return always + [
        f"Reference {n + 1}: {sentence.removeprefix(OF_REFERENCE)}"
        for n, own in told
        for sentence in own
        if sentence not in always
    ]


def _chosen(evidence: Any) -> int | None:
    """The number of the reference that counted, where a metric chose one."""
    chosen = evidence.get("reference")
    if isinstance(chosen, dict):
        chosen = chosen.get("number")
    return chosen if isinstance(chosen, int) else None
