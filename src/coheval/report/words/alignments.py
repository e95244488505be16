"""In words: tokens of the candidate beside tokens of the reference."""

from __future__ import annotations

from typing import Any

from coheval.report.words.quoting import at, count, listed, percent

_SHOWN = 3
_NEAR = 0.5  # a similarity from which on a token counts as matched in words
_SAME = 0.995  # one that is shown as 1.00
_NOTHING = 0.0005  # a distance that is shown as 0.000


def moves(evidence: Any, candidate: str, reference: str) -> list[str]:
    """MoverScore: where the distance comes from, and what came for nothing."""
    found = sorted(evidence["moves"], key=lambda move: move["mass"] * move["cost"], reverse=True)
    charge = _charge(evidence)
    total = sum(move["mass"] * move["cost"] for move in found) + charge
    if not found:
        return _unmoved(evidence, charge)
    if total < _NOTHING:
        return ["Nothing had to move far: the texts are the same to the encoder."]

    def told(move: Any) -> str:
        ours, theirs = evidence["candidate"][move["from"]], evidence["reference"][move["to"]]
        return f"{at(candidate, ours)} to {at(reference, theirs)}"

    dear = [f"{told(move)} ({percent(move['mass'] * move['cost'] / total)})" for move in found[:_SHOWN]]
    words = [move for move in found if evidence["candidate"][move["from"]][1] and evidence["reference"][move["to"]][1]]
    near = list(dict.fromkeys(told(move) for move in sorted(words, key=lambda move: move["cost"])))[:_SHOWN]
    said = [f"The distance of {total:.3f} comes most from moving {listed(dear)}."]
    if charge >= _NOTHING:
        said.append(f"{charge:.3f} of it is charged for what one text weighs more than the other.")
    return said + ([f"Nearest to each other: {listed(near)}."] if len(found) > 1 and near else [])


def _charge(evidence: Any) -> float:
    """What is charged beside the moves; runs of older versions do not say it."""
    surplus = evidence.get("surplus", {"mass": 0.0, "cost": 0.0})
    return float(surplus["mass"] * surplus["cost"])


def _unmoved(evidence: Any, charge: float) -> list[str]:
    """Why nothing moved: idf left a text without weight, which one program charges and the other takes for equal."""
    light = [side for side, weight in evidence.get("weights", {}).items() if weight <= 0]
    if not light:
        return ["Nothing moved."]
    why = f"no word of the {light[0]} has a weight" if len(light) == 1 else "no word of either text has a weight"
    if charge >= _NOTHING:
        return [f"Nothing could move: {why}. What the other weighs is charged at the largest distance, {charge:.3f}."]
    return [f"Nothing could move: {why}, and the variant counts that as no distance."]


def matches(evidence: Any, candidate: str, reference: str) -> list[str]:
    """BERTScore: what each side says that the other does not."""
    sides = (
        ("precision", "candidate", candidate, "Least like anything in the reference"),
        ("recall", "reference", reference, "Of the reference, least said by the candidate"),
    )
    told = []
    for direction, side, text, begin in sides:
        worst = sorted(evidence[direction], key=lambda match: match["similarity"])[:_SHOWN]
        names = [f"{at(text, evidence[side][m['from']])} ({m['similarity']:.2f})" for m in worst if _differs(m)]
        if names:
            told.append(f"{begin}: {listed(names)}.")
    return told or ["Every word has its like on the other side."]


def _differs(match: Any) -> bool:
    return bool(match["similarity"] < _SAME)


def estimate(evidence: Any, candidate: str, reference: str) -> list[str]:
    """A learned score: the candidate's tokens that count most and are matched least."""
    told = [f"The model estimates {evidence['score']:.4f}."]
    if "cosine" in evidence:
        told += [f"Cosine with the {side}: {cosine:.2f}." for side, cosine in evidence["cosine"].items()]
    if len(evidence.get("inputs", ())) > 1:
        told.append("Mean of " + listed([f"{name}: {score:.3f}" for name, score in evidence["inputs"].items()]) + ".")
    heavy = sorted(
        evidence.get("candidate", ()), key=lambda token: token["weight"] * (1 - token["similarity"]), reverse=True
    )
    unmatched = [
        f"{at(candidate, token['span'])} (similarity {token['similarity']:.2f})"
        for token in heavy[:_SHOWN]
        if token["similarity"] < _NEAR
    ]
    if unmatched:
        told.append(f"Words that count and have no match: {listed(unmatched)}.")
    return told


def aligned(evidence: Any, candidate: str, reference: str) -> list[str]:
    """METEOR: which words stand beside none."""
    ours, theirs = evidence["candidate_spans"], evidence["reference_spans"]
    pairs = evidence["pairs"]
    sizes = f"the candidate has {count(len(ours), 'word')}, the reference {len(theirs):,}"
    told = [f"{count(len(pairs), 'word')} aligned; {sizes}."]
    if len(pairs) > 1:
        told.append(f"They make {count(evidence['chunks'], 'chunk')}; the fewer, the more alike is the order.")
    other = [f"{at(candidate, ours[i])} to {at(reference, theirs[j])} ({how})" for i, j, how in pairs if how != "exact"]
    if other:
        told.append(f"Not the same words: {listed(other)}.")
    for begin, text, spans, place in (
        ("Aligned to nothing", candidate, ours, 0),
        ("Of the reference, aligned to nothing", reference, theirs, 1),
    ):
        used = {pair[place] for pair in pairs}
        free = [at(text, span) for n, span in enumerate(spans) if n not in used]
        if free:
            told.append(f"{begin}: {listed(free)}.")
    return told
