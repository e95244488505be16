"""In words: what a text speaks of, and how its sentences hang together."""

from __future__ import annotations

from typing import Any

from coheval.report.words.quoting import OF_REFERENCE, at, count, listed, percent, quoted

_SHOWN = 3


def foci(evidence: Any, candidate: str, reference: str) -> list[str]:
    """Foci of both texts with what they share, or of one text with what ties them."""
    found = evidence["foci"]
    if not found:  # of chains a reference is chosen
        return ["Neither text has a focus in two sentences." if "reference" in evidence else "No focus was found."]
    if "counted" in evidence:
        return _tied(evidence)
    if any("reference" in focus and "candidate" in focus for focus in found):
        return _beside(found)
    side = "candidate" if "candidate" in found[0] else "reference"
    often = sorted(found, key=lambda focus: len(focus[side]), reverse=True)
    return [f"Mentioned most: {listed([_mentioned(focus, side) for focus in often])}."]


def _mentioned(focus: Any, side: str) -> str:
    return f"{quoted(focus['focus'])} ({len(focus[side])})"


def _tied(evidence: Any) -> list[str]:
    """Of RC and LC: how much of the text is tied to itself, and by what."""
    tied = [focus for focus in evidence["foci"] if focus["ties"]]
    told = [_share(evidence, tied)]
    if tied:
        names = [f"{quoted(focus['focus'])} ({_ties(focus)})" for focus in tied]
        told.append(f"Tied: {listed(names)}.")
    loose = [quoted(focus["focus"]) for focus in evidence["foci"] if not focus["ties"]]
    if loose:
        told.append(f"Said once: {listed(loose)}.")
    return told


def _share(evidence: Any, tied: Any) -> str:
    """Metrics and their variants count mentions, or different words, or one by the other."""
    counted, of = evidence["counted"], evidence["of"]
    mentions, distinct = sum(len(focus["candidate"]) for focus in evidence["foci"]), len(evidence["foci"])
    if of == mentions and counted == sum(len(focus["candidate"]) for focus in tied):
        return f"{counted:,} of {count(of, 'mention')} tied to another place of the text."
    if of == distinct and counted == len(tied):
        return f"{counted:,} of {count(of, 'different word')} tied to another place of the text."
    return f"{count(counted, 'mention')} tied to another place of the text, by {count(of, 'different word')} in all."


def _ties(focus: Any) -> str:
    """Repetition ties a word to itself, other relations name the word at their other end."""
    own = (
        tie["relation"] if tie["focus"] == focus["focus"] else f"{tie['relation']} {quoted(tie['focus'])}"
        for tie in focus["ties"]
    )
    return listed(list(dict.fromkeys(own)), _SHOWN)


def _beside(found: Any) -> list[str]:
    """Of foci on both sides: the shared ones by their share of the score, then what only one side has."""
    told = []
    both = [focus for focus in found if focus["candidate"] and focus["reference"]]
    if both:
        first = sorted(both, key=lambda focus: focus.get("share") or 0.0, reverse=True)
        told.append(f"In both texts: {listed([_shared(focus) for focus in first])}.")
    for side, other in (("candidate", "reference"), ("reference", "candidate")):
        alone = [_mentioned(focus, side) for focus in found if focus[side] and not focus[other]]
        if alone:
            told.append(f"Only in the {side}: {listed(alone)}.")
    return told


def _shared(focus: Any) -> str:
    share = focus.get("share")
    what = "the distance" if "distance" in focus else "the score"
    part = f"; {percent(share)} of {what}" if share else ""
    return f"{quoted(focus['focus'])} ({len(focus['candidate'])} beside {len(focus['reference'])}{part})"


def links(evidence: Any, candidate: str, reference: str) -> list[str]:
    """A graph of sentences: its strongest links, and who stands alone."""
    number = len(evidence["sentences"])
    total = len(evidence["links"]) + evidence["left_out"]
    told = [f"{count(total, 'link')} between {count(number, 'sentence')}."]
    strongest = sorted(evidence["links"], key=lambda link: link["weight"], reverse=True)[:_SHOWN]
    if strongest:
        names = [
            f"{link['from'] + 1} and {link['to'] + 1}"
            + (f" by {listed([quoted(key) for key in link['shared']], 3)}" if link["shared"] else "")
            for link in strongest
        ]
        told.append(f"Sentences that hang together most: {'; '.join(names)}.")
    if evidence["isolated"]:
        alone = [str(n + 1) for n in evidence["isolated"]]
        told.append(f"Linked to no other: {'sentence' if len(alone) == 1 else 'sentences'} {listed(alone, 10)}.")
    return told


def sentences(evidence: Any, candidate: str, reference: str) -> list[str]:
    """DS-Sent's two graphs, or how likely each sentence is behind the ones before it."""
    if "local" in evidence:
        return _weakest(evidence, "The sentence that is least expected behind the ones before it")
    return [
        f"{begin}{sentence}"
        for side, begin in (("candidate", "Candidate: "), ("reference", OF_REFERENCE))
        for sentence in links(evidence[side], candidate, reference)
    ]


def boundaries(evidence: Any, candidate: str, reference: str) -> list[str]:
    return _weakest(evidence, "The text hangs together least before")


def _weakest(evidence: Any, begin: str) -> list[str]:
    """The first boundary and the one behind the last sentence are no breaks inside the text."""
    spans, local = evidence["sentences"], evidence["local"]
    if len(spans) < 2:
        return ["One sentence: there is nothing that could break."]
    if local is None:
        return ["The model reads the text as a whole and has no score for its parts."]
    inner = range(1, len(spans))
    weakest = min(inner, key=local.__getitem__)
    where = f"sentence {weakest + 1}, {at(evidence['text'], spans[weakest])}"
    told = f"{begin}: {where}, with a local score of {local[weakest]:.2f}"
    mean = sum(local[n] for n in inner) / len(inner)
    return [told + (f" where the text's mean is {mean:.2f}." if len(inner) > 1 else ".")]


def comparison(evidence: Any, candidate: str, reference: str) -> list[str]:
    """A feature's value in the candidate and in each reference, then what the candidate's rests on."""
    others = ["undefined" if value is None else f"{value:.4f}" for value in evidence["references"]]
    what = "the reference" if len(others) == 1 else "the references"
    told = [f"The candidate has {evidence['value']:.4f}, {what} {listed(others)}."]
    inner = evidence["candidate"]
    if inner is None:
        return told
    return told + (links if inner["kind"] == "links" else foci)(inner, candidate, reference)
