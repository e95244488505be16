"""Story: given endings, and those of others."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import coheval
from coheval.data import Document
from coheval.data.texts import read_texts
from coheval.errors import DataError
from coheval.tasks import task

ITEMS = [
    {"id": 0, "ctx": "Rowing: A boat is on a lake. she", "label": 1, "endings": ["is a tree.", "rows.", "sings."]},
    {"id": 1, "ctx": "Rowing: She rows. the boat", "label": 0, "endings": ["turns.", "eats.", "melts."]},
    {
        "id": 2,
        "ctx": "Chess: Think. Move.",
        "label": 0,
        "endings": ["Wait. Win.", "Fly.", "Sink. Swim. Rest."],
    },
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "h.jsonl"
    path.write_text("\n".join(map(json.dumps, ITEMS)), encoding="utf-8")
    return path


def test_given_endings(corpus: Path) -> None:
    first, second, third = task("story").read([corpus], np.random.default_rng(0)).groups
    assert first.right == ("Rowing", "A boat is on a lake.", "she rows.")
    assert first.wrong == (
        ("Rowing", "A boat is on a lake.", "she is a tree."),
        ("Rowing", "A boat is on a lake.", "she sings."),
    )
    assert (first.id, first.before, first.after) == ("h:0", 2, 0)
    assert (first.phenomenon, first.label) == ("story", "given")
    assert first.origin == second.origin == "h:0"  # they share a sentence
    assert (third.before, third.right[3:], third.wrong[1][3:]) == (3, ("Wait.", "Win."), ("Sink.", "Swim.", "Rest."))


def test_fewer_given_endings_than_there_are(corpus: Path) -> None:
    groups = task("story(negatives=1)").read([corpus], np.random.default_rng(0)).groups
    assert [len(group.wrong) for group in groups] == [1, 1, 1]


def test_endings_are_split_as_documents_are(tmp_path: Path) -> None:
    item = {"id": 0, "ctx": "Chess: Think. and move", "label": 0, "endings": ["well. then rest.", "ill. then weep."]}
    path = tmp_path / "h.jsonl"
    path.write_text(json.dumps(item), encoding="utf-8")
    (plain,) = task("story").read([path], np.random.default_rng(0)).groups
    (split,) = task("story(split=spacy)").read([path], np.random.default_rng(0)).groups
    assert plain.right[plain.before :] == ("and move well. then rest.",)  # a small letter begins no sentence by rule
    assert split.right[split.before :] == ("and move well.", "then rest.")
    assert split.wrong[0][split.before :] == ("and move ill.", "then weep.")
    assert split.right[: split.before] == ("Chess", "Think.")


def test_endings_that_differ_in_spaces_only(tmp_path: Path) -> None:
    values = {"label": 0, "endings": ["Go. Stop.", "Go.  Stop.", "Sit.", " Sit."]}
    items = [{"id": 0, "ctx": "Chess: Think."} | values, {"id": 1, "ctx": "Go: Wait."} | values]
    items[1]["endings"] = ["Sit.", "Sit. "]
    path = tmp_path / "h.jsonl"
    path.write_text("\n".join(map(json.dumps, items)), encoding="utf-8")
    found = task("story").read([path], np.random.default_rng(0))
    assert [group.wrong for group in found.groups] == [(("Chess", "Think.", "Sit."),)]
    assert [(one.where, one.reason) for one in found.left_out] == [("h:1", "no wrong endings are given")]


def test_documents_without_given_endings() -> None:
    with pytest.raises(DataError, match="expected at least one group, got none: no wrong endings are given"):
        task("story").instances([Document.of("a", ["One.", "Two."])], np.random.default_rng(0))


def test_random_endings_are_those_of_other_origins() -> None:
    documents = [Document.of(f"d{n}", [f"Begin {n}.", f"End {n}."]) for n in range(6)]
    documents += [Document.of("twin", ["Begin.", "End 0."])]
    documents[1] = Document("d1", documents[1].text, documents[1].segments, {"origin": "log"})
    documents[2] = Document("d2", documents[2].text, documents[2].segments, {"origin": "log"})
    found = task("story(ending=random)").instances(documents, np.random.default_rng(0))
    others = {group.id: {variant[-1] for variant in group.wrong} for group in found.groups}
    assert others["d0"] == {f"End {n}." for n in (1, 2, 3, 4, 5)}  # not that of its twin, which is its own
    assert others["d1"] == {f"End {n}." for n in (0, 3, 4, 5)}
    assert all(group.before == 1 and group.label == "random" for group in found.groups)
    few = task("story(ending=random, negatives=2)").instances(documents, np.random.default_rng(0))
    assert {len(group.wrong) for group in few.groups} == {2}


def test_a_single_story_has_no_other_ending() -> None:
    with pytest.raises(DataError, match="no other document has another ending"):
        task("story(ending=random)").instances([Document.of("a", ["One.", "Two."])], np.random.default_rng(0))


def test_random_endings_do_not_depend_on_the_order_of_documents() -> None:
    documents = [Document.of(f"d{n}", ["Begin.", f"End {n}."]) for n in range(300)]
    one, other = (
        task("story(ending=random)").instances(ds, np.random.default_rng(1)).groups
        for ds in (documents, documents[::-1])
    )
    assert one == other[::-1]


def test_hellaswag(shared: Path) -> None:
    path = shared / "data" / "hellaswag" / "hellaswag_val.jsonl.gz"
    parts = {
        part: task(f"story(part={part})").read([path], np.random.default_rng(0)).groups
        for part in ("train", "dev", "test")
    }
    assert sum(map(len, parts.values())) == len(read_texts([path]).documents) == 10_042
    assert all(len(group.wrong) == 3 for groups in parts.values() for group in groups)
    origins = [{group.origin for group in groups} for groups in parts.values()]
    assert sum(map(len, origins)) == len(set().union(*origins))
    assert 0.12 < len(parts["test"]) / 10_042 < 0.18


def test_a_bench_of_given_endings(corpus: Path) -> None:
    assert coheval.bench(corpus, "lc", task="story", resamples=10).count() == 3
