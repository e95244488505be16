"""Foci: the things that a text speaks of, each with the places where it does.

Four choices of the literature: `noun` (a lemma of a noun or name), `entity` (such lemmas merged where static vectors
say that they mean about the same), `head` (lemmas of nouns that head their phrase), `coref` (chains of mentions of one
thing, pronouns among them; nouns outside any chain by their lemma).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coheval.algo.graphs import components
from coheval.algo.matching import normalise
from coheval.annotators import Annotated, Layer

Focus = Literal["noun", "entity", "head", "coref"]
LookUp = Callable[[Iterable[str]], tuple[list[str], NDArray[np.float32]]]  # the words that have vectors, and these

NOUNS = frozenset({"NOUN", "PROPN"})
JOINED = " + "  # between the nouns of an entity's name; no lemma has it
# Words within another noun's name, as Universal Dependencies, Stanford, ClearNLP and TIGER call them.
_PARTS = frozenset({"compound", "flat", "fixed", "goeswith", "name", "nn", "pnc"})
_ENDS = frozenset({"ADP", "AUX", "PUNCT", "SCONJ", "VERB"})  # what follows the head of an English noun phrase
_SIMILARITIES = 1 << 18  # held at once
LAYERS: Mapping[Focus, tuple[Layer, ...]] = {
    "noun": ("tags",),
    "entity": ("tags",),
    "head": ("tags", "syntax"),
    "coref": ("tags", "coreference"),
}


class Mention(NamedTuple):
    sentence: int
    start: int  # characters
    stop: int
    word: int = -1  # the word that stands for it, where one is known


Foci = dict[str, list[Mention]]  # in the order of their first mentions


def find(annotated: Annotated, focus: Focus) -> Foci:
    """A text's foci by key; `entity` gives nouns here, which `merged` merges. Found once, for all metrics of a run."""
    key = f"foci {focus}"
    if key not in annotated.derived:
        annotated.derived[key] = _find(annotated, focus)
    found: Foci = annotated.derived[key]
    return found


def _find(annotated: Annotated, focus: Focus) -> Foci:
    found: Foci = {}
    taken = _chained(annotated, found) if focus == "coref" else set()
    chained = set(found)
    spans, sentence = annotated.spans.tolist(), annotated.sentence.tolist()
    for i in nouns(annotated):
        if i not in taken and not (focus == "head" and _within_name(annotated, i)):
            key = lemma(annotated, i)
            if key in chained:  # another one than the chain's, as no chain has it
                key = _free(chained, key)
            start, stop = spans[i]
            found.setdefault(key, []).append(Mention(sentence[i], start, stop, i))
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


def entities(words: Iterable[str], look_up: LookUp, threshold: float) -> dict[str, str]:
    """For each word the name of its entity: all words that a chain of similarities above the threshold connects.

    Words without a vector stand alone.
    """
    distinct = sorted(set(words))
    names = dict(zip(distinct, distinct, strict=True))
    known, vectors = look_up(distinct)
    group = components(_similar(normalise(vectors), threshold), len(known))
    members: dict[int, list[str]] = {}
    for word, first in zip(known, group, strict=True):
        members.setdefault(first, []).append(word)
    for entity in members.values():
        if len(entity) > 1:
            names |= dict.fromkeys(entity, JOINED.join(entity))
    return names


def _similar(unit: NDArray[np.float64], threshold: float) -> Iterator[tuple[int, int]]:
    """The pairs i > j of vectors whose product is above the threshold."""
    step = max(1, _SIMILARITIES // max(1, len(unit)))
    for start in range(0, len(unit), step):
        above = unit[start : start + step] @ unit[: start + step].T > threshold
        for i, j in zip(*(place.tolist() for place in above.nonzero()), strict=True):
            if i + start > j:
                yield i + start, j


def _within_name(annotated: Annotated, i: int) -> bool:
    """Whether a noun only helps to name another: "Hyde" in "Hyde Park"."""
    if annotated.relations is None or annotated.heads is None or annotated.tags is None:
        return False
    head = int(annotated.heads[i])
    return annotated.relations[i].partition(":")[0] in _PARTS and head != i and annotated.tags[head] in NOUNS


def _chained(annotated: Annotated, found: Foci) -> set[int]:
    """Put the coreference chains into `found`, the first mentioned first; the words that head their mentions."""
    taken: set[int] = set()
    starts = annotated.spans[:, 0]
    for chain in sorted(tuple(sorted(set(chain))) for chain in annotated.chains or ()):
        covered = [(span, words) for span in chain if (words := _covered(starts, span))]
        if not covered:
            continue
        heads = [_head_of(annotated, words) for _, words in covered]
        found[_free(found, _chain_name(annotated, heads))] = [
            Mention(int(annotated.sentence[head]), start, stop, head)
            for ((start, stop), _), head in zip(covered, heads, strict=True)
        ]
        taken.update(heads)
    return taken


def _free(taken: Container[str], name: str) -> str:
    """The name, or with a number where another chain has it: two bakers are two."""
    number = 1
    key = name
    while key in taken:
        number += 1
        key = f"{name} ({number})"
    return key


def _covered(starts: NDArray[np.int32], span: tuple[int, int]) -> list[int]:
    first, last = np.searchsorted(starts, span).tolist()
    return list(range(first, last))


def _head_of(annotated: Annotated, words: Sequence[int]) -> int:
    """The word whose head lies outside the mention; without syntax the last noun before a preposition, verb or comma
    ("the mayor of the town"), or the last noun, or the last word."""
    if annotated.heads is not None:
        for i in words:
            if annotated.heads[i] == i or annotated.heads[i] not in words:
                return i
    tags = annotated.tags or ()
    core = list(itertools.takewhile(lambda i: tags[i] not in _ENDS, words))
    return next((i for part in (core, words) for i in reversed(part) if tags[i] in NOUNS), words[-1])


def _chain_name(annotated: Annotated, heads: Sequence[int]) -> str:
    """The lemma that heads most mentions, nouns before pronouns, so that chains of two texts can be matched."""
    tags = annotated.tags or ()
    named = [i for i in heads if tags[i] in NOUNS] or heads
    lemmas = [lemma(annotated, i) for i in named]
    return max(dict.fromkeys(lemmas), key=lemmas.count)
