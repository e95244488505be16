"""Topic: halves of two documents, and which two."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from coheval.data import Document
from coheval.data.texts import read_texts
from coheval.errors import DataError, SpecError
from coheval.tasks import task
from coheval.tasks.topic import selected


def test_halves_by_hand() -> None:
    documents = [Document.of("a", ["a1", "a2", "a3", "a4", "a5"]), Document.of("b", ["b1", "b2", "b3", "b4"])]
    seen = set()
    for seed in range(20):
        one, other = task("topic").instances(documents, np.random.default_rng(seed)).groups
        (of_one,), (of_other,) = one.wrong, other.wrong
        assert of_one in {("a1", "a2", "b3", "b4"), ("b1", "b2", "a3", "a4", "a5")}
        assert of_other in {("b1", "b2", "a3", "a4", "a5"), ("a1", "a2", "b3", "b4")}
        seen.add(of_one)
        assert (one.phenomenon, one.label, one.origin, one.has_context) == ("topic", "random", "a", False)
    assert len(seen) == 2  # which half is kept is random


def test_variants_differ_and_partners_are_of_other_origins() -> None:
    documents = [Document.of(f"d{n}", [f"{n}{k}" for k in "abcdef"]) for n in range(40)]
    documents[1] = Document("d1", documents[1].text, documents[1].segments, {"origin": "d0"})
    for group in task("topic").instances(documents, np.random.default_rng(0)).groups:
        assert len(group.wrong) == 20
        for variant in group.wrong:
            kept = sum(sentence in group.right for sentence in variant)
            assert (len(variant), kept) == (6, 3)
    first = task("topic(negatives=38)").instances(documents, np.random.default_rng(0)).groups[0]
    assert len(first.wrong) == 38
    assert not any(sentence.startswith("1") and len(sentence) == 2 for variant in first.wrong for sentence in variant)


def test_what_is_left_out() -> None:
    same = ["One.", "Two.", "Three.", "Four."]
    found = task("topic").instances(
        [
            Document.of("a", same),
            Document.of("b", same),
            Document.of("c", ["1", "2", "3", "4"]),
            Document.of("s", ["x"]),
        ],
        np.random.default_rng(0),
    )
    assert [one.reason for one in found.left_out] == ["the document has fewer than 4 sentences"]
    assert all(
        len(group.wrong) == (1 if group.id in "ab" else 2) for group in found.groups
    )  # a and b are the same text
    with pytest.raises(DataError, match="no other document can be joined with it"):
        task("topic").instances([Document.of("a", same), Document.of("b", same)], np.random.default_rng(0))


def test_the_words_of_the_largest_tfidf() -> None:
    texts = ["sea sea sea boat net net", "sea boat oar oar", "sea tree boat oar"]
    # By hand, log(3/D_w): 0 for sea and boat, log 1.5 for oar; net and tree are in one document only, so not known.
    # Half of two known words is one, the first by alphabet; half of three, rounded to even, is two: oar and boat.
    assert selected(texts, 0.5).toarray().tolist() == [[1, 0, 0], [1, 2, 0], [1, 1, 0]]  # boat oar sea
    assert selected(texts, 1.0).sum() == 4 + 4 + 3


def sentences(words: list[str], rng: np.random.Generator) -> list[str]:
    return [" ".join(rng.choice(words, size=12)) for _ in range(6)]


@pytest.fixture(scope="module")
def two_subjects() -> list[Document]:
    rng = np.random.default_rng(0)
    subjects = [[f"{name}{chr(97 + n)}" for n in range(20)] for name in ("sea", "wood")]
    return [Document.of(f"{n % 2}-{n}", sentences(subjects[n % 2], rng)) for n in range(120)]


def test_controlled_partners_are_about_something_else(two_subjects: list[Document]) -> None:
    spec = "topic(kind=controlled, topics=2, words=1.0, overlap=0.2)"
    found = task(spec).instances(two_subjects, np.random.default_rng(0))
    assert len(found.groups) == 120
    for group in found.groups:
        foreign = {"0": "wood", "1": "sea"}[group.id[0]]
        assert group.label == "controlled"
        assert all(any(foreign in sentence for sentence in variant) for variant in group.wrong)
    random = task("topic").instances(two_subjects, np.random.default_rng(0))
    assert any(
        not any({"0": "wood", "1": "sea"}[g.id[0]] in s for s in variant) for g in random.groups for variant in g.wrong
    )


def test_controlled_does_not_depend_on_the_order_of_documents(two_subjects: list[Document]) -> None:
    spec = "topic(kind=controlled, topics=2)"
    one, other = (
        task(spec).instances(ds, np.random.default_rng(1)).groups for ds in (two_subjects, two_subjects[::-1])
    )
    assert one == other[::-1]


def test_no_overlap_at_all_is_never_met(two_subjects: list[Document]) -> None:
    with pytest.raises(DataError, match=r"topics overlap with its own by 0.0 or less"):
        task("topic(kind=controlled, topics=2, overlap=0)").instances(two_subjects, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ("topics=1", "topics must be at least 2, got 1"),
        ("words=0", "words must be above 0 and at most 1, got 0.0"),
        ("words=1.1", "words must be above 0 and at most 1, got 1.1"),
        ("overlap=-0.1", "overlap must be from 0 to 1, got -0.1"),
    ],
)
def test_wrong_parameters(parameters: str, told: str) -> None:
    with pytest.raises(SpecError, match=told):
        task(f"topic({parameters})")


def test_controlled_dialogues_are_of_other_labelled_topics(shared: Path) -> None:
    """The corpus's own labels, which the task does not read, agree: far fewer partners have the same one."""
    documents = read_texts([shared / "data" / "self_dialogue" / "self_dialogue.jsonl.gz"]).documents[::8]
    said = {sentence: d.layers["topic"] for d in documents for sentence in d if sentence and len(sentence) > 40}

    def same(spec: str) -> float:
        groups = task(spec).instances(documents, np.random.default_rng(0)).groups
        topic_of = {d.id: d.layers["topic"] for d in documents}
        pairs = [
            said[sentence] == topic_of[group.id]
            for group in groups
            for variant in group.wrong
            for sentence in variant
            if sentence in said and sentence not in group.right
        ]
        return sum(pairs) / len(pairs)

    assert same("topic(negatives=3, kind=controlled)") < 0.5 * same("topic(negatives=3)")
