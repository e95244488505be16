"""Intrusion: one foreign sentence, where it comes from and where it goes, and which documents are near."""

from __future__ import annotations

import math
import random
import re
from collections import Counter

import numpy as np
import pytest

from coheval.data import Document
from coheval.errors import DataError, SpecError
from coheval.tasks import Instances, task
from coheval.tasks._made import Text
from coheval.tasks.intrusion import NEAR, _nearest, _vectors


def document(id: str, sentences: list[str], **layers: object) -> Document:
    plain = Document.of(id, sentences)
    return Document(plain.id, plain.text, plain.segments, layers)


DOCUMENTS = [document(f"d{n}", [f"{n} {letter}." for letter in "abcdef"]) for n in range(30)]


def made(spec: str, documents: list[Document], seed: int = 0) -> Instances:
    return task(spec).instances(documents, np.random.default_rng(seed))


def changes(right: tuple[str, ...], wrong: tuple[str, ...]) -> list[tuple[int, str]]:
    """Places that differ, and what stands there instead."""
    return [(n, new) for n, (old, new) in enumerate(zip(right, wrong, strict=True)) if old != new]


def test_one_sentence_is_replaced_and_never_the_first() -> None:
    places, intruders = Counter[int](), Counter[str]()
    for group in made("intrusion", DOCUMENTS).groups:
        assert (group.phenomenon, group.label, group.origin) == ("intrusion", "random", group.id)
        assert len(group.wrong) == len(set(group.wrong)) == 20
        for wrong in group.wrong:
            ((place, intruder),) = changes(group.right, wrong)
            number, letter = intruder.rstrip(".").split()
            assert f"d{number}" != group.id
            places[place] += 1
            intruders[letter] += 1
    assert places.keys() == {1, 2, 3, 4, 5}
    assert intruders.keys() == set("bcdef")  # no document's first sentence goes elsewhere
    for counts in (places, intruders):  # 600 draws of five: 120 of each, give or take five standard deviations
        assert all(abs(n - 120) < 5 * math.sqrt(600 * 0.2 * 0.8) for n in counts.values())


def test_two_documents_by_hand() -> None:
    documents = [document("a", ["a1", "a2"]), document("b", ["b1", "b2", "b3"])]
    one, other = made("intrusion", documents).groups
    assert set(one.wrong) == {("a1", "b2"), ("a1", "b3")}
    assert set(other.wrong) == {("b1", "a2", "b3"), ("b1", "b2", "a2")}


def test_an_intruder_is_of_another_origin() -> None:
    same = [document(f"s{n}", [f"s{n}{k}" for k in "abc"], origin="one book") for n in range(5)]
    found = made("intrusion", [*same, document("z", ["za", "zb"])])
    for group in found.groups[:5]:
        assert {intruder for wrong in group.wrong for _, intruder in changes(group.right, wrong)} == {"zb"}


def test_an_intruder_is_of_the_same_part() -> None:
    parts = [document(one.id, list(one), part="train" if n % 2 else "test") for n, one in enumerate(DOCUMENTS)]
    for group in made("intrusion(part=test)", parts).groups:
        for wrong in group.wrong:
            ((_, intruder),) = changes(group.right, wrong)
            assert int(intruder.split()[0]) % 2 == 0


def test_seeds() -> None:
    assert made("intrusion", DOCUMENTS, 1) == made("intrusion", DOCUMENTS, 1)
    assert made("intrusion", DOCUMENTS, 1) != made("intrusion", DOCUMENTS, 2)
    turned = {group.id: group for group in made("intrusion", DOCUMENTS[::-1], 1).groups}
    assert turned == {group.id: group for group in made("intrusion", DOCUMENTS, 1).groups}


def test_what_is_left_out() -> None:
    documents = [document("a", ["One.", "Two."]), document("b", ["Zero.", "Two."]), document("c", ["Alone."])]
    with pytest.raises(DataError, match="expected at least one group, got none: the document has fewer than 2 sent"):
        made("intrusion", documents)
    found = made("intrusion", [*documents, document("d", ["Three.", "Four.", "Two."])])
    assert {one.where: one.reason for one in found.left_out} == {
        "c": "the document has fewer than 2 sentences",
        "d": "no other document has another sentence",  # "Two." is one of its own
    }
    assert {group.id: group.wrong for group in found.groups} == {"a": (("One.", "Four."),), "b": (("Zero.", "Four."),)}
    with pytest.raises(SpecError, match="negatives must be at least 1"):
        task("intrusion(negatives=0)")


# ------------------------------------------------------------------------------------------------- near documents

TOPICS = {
    "sea": "boat sail harbour wave anchor storm",
    "bread": "flour oven dough crust yeast salt",
    "woods": "oak moss path owl fern root",
}


@pytest.fixture(scope="module")
def topical() -> list[Document]:
    chance = random.Random(4)
    return [
        document(f"{topic}{n}", [f"{' '.join(chance.choices(words.split(), k=5))} {topic}{n}{k}." for k in range(4)])
        for topic, words in TOPICS.items()
        for n in range(15)
    ]


def cosines(texts: list[str]) -> np.ndarray:
    """[D, D] TF-IDF, one word and one pair at a time."""
    counted = [Counter(re.findall(r"[a-z]+", text.lower())) for text in texts]
    having = Counter(word for counts in counted for word in counts)
    vectors = [
        {word: n * math.log(len(texts) / having[word]) for word, n in counts.items() if having[word] > 1}
        for counts in counted
    ]

    def cosine(a: dict[str, float], b: dict[str, float]) -> float:
        lengths = math.sqrt(sum(x * x for x in a.values())) * math.sqrt(sum(x * x for x in b.values()))
        return sum(x * b.get(word, 0.0) for word, x in a.items()) / lengths if lengths else 0.0

    return np.array([[cosine(a, b) for b in vectors] for a in vectors])


def test_cosines_are_those_of_the_formula(topical: list[Document]) -> None:
    texts = [" ".join(map(str, one)) for one in topical] + ["words of nobody else", ""]
    vectors = _vectors(texts)
    assert (vectors @ vectors.T).toarray() == pytest.approx(cosines(texts), abs=1e-12)


def test_the_nearest_are_those_of_a_sorted_list(topical: list[Document], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coheval.tasks.intrusion._AT_ONCE", 7)  # several blocks, the last not whole
    texts = [Text(one.id, tuple(map(str, one)), one) for one in topical]
    found = cosines([" ".join(text.sentences) for text in texts])
    fits = _nearest(texts)
    everyone = np.arange(len(texts))
    for n in range(len(texts)):
        chosen = np.flatnonzero(fits(n, everyone))
        assert n not in chosen
        others = np.delete(found[n], n)
        assert sorted(found[n][chosen]) == pytest.approx(sorted(others)[-NEAR:])


def test_near_intruders_are_of_near_documents(topical: list[Document]) -> None:
    """Documents of another topic share no word, so none is near."""
    for group in made("intrusion(kind=near)", topical).groups:
        topic = group.id.rstrip("0123456789")
        for wrong in group.wrong:
            ((_, intruder),) = changes(group.right, wrong)
            assert intruder.split()[-1].startswith(topic)
        assert group.label == "near"


def test_a_document_without_near_ones_is_left_out(topical: list[Document]) -> None:
    strange = document("strange", ["Nobody says this.", "Neither that."])
    found = made("intrusion(kind=near)", [*topical, strange])
    assert [(one.where, one.reason) for one in found.left_out] == [("strange", "no near document has another sentence")]
    assert len(found.groups) == len(topical)
