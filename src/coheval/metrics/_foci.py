"""Foci: the things that a text speaks of, each with the places where it does.

Four choices of the literature: `noun` (a lemma of a noun or name), `entity` (such lemmas merged where static vectors
say that they mean about the same), `head` (lemmas of nouns that head their phrase), `coref` (chains of mentions of one
thing, pronouns among them; nouns outside any chain by their lemma).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from coheval.algo.graphs import components
from coheval.algo.matching import normalise
from coheval.annotators import Annotated, Layer

Focus = Literal["noun", "entity", "head", "coref"]
Vector = Callable[[str], NDArray[np.float32] | None]  # a word's static vector, if it has one

NOUNS = frozenset({"NOUN", "PROPN"})
_PARTS = frozenset({"compound", "flat", "fixed", "goeswith", "name", "nn"})  # words within another noun's name
LAYERS: Mapping[Focus, tuple[Layer, ...]] = {
    "noun": ("tags",),
    "entity": ("tags",),
    "head": ("tags", "syntax"),
    "coref": ("tags", "coreference"),
}


@dataclass(frozen=True, slots=True)
class Mention:
    sentence: int
    start: int  # characters
    stop: int
    word: int = -1  # the word that stands for it, where one is known


Foci = dict[str, list[Mention]]  # in the order of their first mentions


def find(annotated: Annotated, focus: Focus) -> Foci:
    """A text's foci by key; `entity` gives nouns here, which `merged` merges."""
    found: Foci = {}
    taken = _chained(annotated, found) if focus == "coref" else set()
    for i in nouns(annotated):
        if i not in taken and not (focus == "head" and _within_name(annotated, i)):
            found.setdefault(lemma(annotated, i), []).append(_mention(annotated, i))
    return found


def nouns(annotated: Annotated) -> list[int]:
    return [i for i, tag in enumerate(annotated.tags or ()) if tag in NOUNS]


def lemma(annotated: Annotated, i: int) -> str:
    return (annotated.lemmas[i] if annotated.lemmas else annotated.words[i]).lower()


def merged(foci: Foci, names: Mapping[str, str]) -> Foci:
    """Foci under new names; those that get the same name become one."""
    found: Foci = {}
    for key, mentions in foci.items():
        found.setdefault(names[key], []).extend(mentions)
    return found


def entities(words: Iterable[str], vector: Vector, threshold: float) -> dict[str, str]:
    """For each word the name of its entity: all words that a chain of similarities above the threshold connects.

    Words without a vector stand alone.
    """
    distinct = sorted(set(words))
    known = [(w, v) for w in distinct if (v := vector(w)) is not None]
    names = {w: w for w in distinct}
    if not known:
        return names
    unit = normalise(np.array([v for _, v in known]))
    group = components(_similar(unit, threshold), len(known))
    members: dict[int, list[str]] = {}
    for (word, _), root in zip(known, group, strict=True):
        members.setdefault(root, []).append(word)
    return names | {word: "-".join(entity) for entity in members.values() for word in entity}


def _similar(unit: NDArray[np.float64], threshold: float) -> Iterable[tuple[int, int]]:
    for i in range(1, len(unit)):
        for j in np.flatnonzero(unit[:i] @ unit[i] > threshold).tolist():
            yield i, j


def _mention(annotated: Annotated, i: int) -> Mention:
    start, stop = annotated.spans[i].tolist()
    return Mention(int(annotated.sentence[i]), start, stop, i)


def _within_name(annotated: Annotated, i: int) -> bool:
    """Whether a noun only helps to name another: "Hyde" in "Hyde Park"."""
    relations, heads = annotated.relations or (), annotated.heads
    return relations[i].partition(":")[0] in _PARTS and heads is not None and heads[i] != i


def _chained(annotated: Annotated, found: Foci) -> set[int]:
    """Put the coreference chains into `found`; the words that they cover."""
    taken: set[int] = set()
    starts = annotated.spans[:, 0] if len(annotated) else np.zeros(0, np.int32)
    for chain in annotated.chains or ():
        covered = [_covered(annotated, starts, span) for span in chain]
        spans = [(span, words) for span, words in zip(chain, covered, strict=True) if words]
        if not spans:
            continue
        key = _chain_name(annotated, [words for _, words in spans])
        for (start, stop), words in spans:
            head = _head_of(annotated, words)
            found.setdefault(key, []).append(Mention(int(annotated.sentence[head]), start, stop, head))
            taken.update(words)
    return taken


def _covered(annotated: Annotated, starts: NDArray[np.int32], span: tuple[int, int]) -> list[int]:
    first, last = np.searchsorted(starts, span).tolist()
    return list(range(first, last))


def _head_of(annotated: Annotated, words: Sequence[int]) -> int:
    """The word whose head lies outside the mention; without syntax its last noun, or its last word."""
    if annotated.heads is not None:
        for i in words:
            if annotated.heads[i] == i or annotated.heads[i] not in words:
                return i
    tags = annotated.tags or ()
    return next((i for i in reversed(words) if tags[i] in NOUNS), words[-1])


def _chain_name(annotated: Annotated, mentions: Sequence[Sequence[int]]) -> str:
    """The lemma that heads most mentions, nouns before pronouns, so that chains of two texts can be matched."""
    heads = [_head_of(annotated, words) for words in mentions]
    tags = annotated.tags or ()
    named = [i for i in heads if tags[i] in NOUNS] or heads
    lemmas = [lemma(annotated, i) for i in named]
    return max(dict.fromkeys(lemmas), key=lemmas.count)
