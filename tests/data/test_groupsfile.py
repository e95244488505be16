"""Files of groups that were made: they are read back as they were, and half of one is refused."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.data.contrastive import read_sets
from coheval.data.groups import Group, Instances, LeftOut
from coheval.data.groupsfile import write_groups
from coheval.errors import DataError, UsageError

text = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=8).filter(str.strip)
segments = st.lists(text, min_size=1, max_size=4).map(tuple)


@st.composite
def groups(draw: st.DrawFn) -> Group:
    before, after = draw(st.lists(text, max_size=2).map(tuple)), draw(st.lists(text, max_size=2).map(tuple))
    inside = draw(st.lists(segments, min_size=2, max_size=5, unique=True))
    right, *wrong = ((*before, *one, *after) for one in inside)
    label, origin = draw(st.sampled_from(["", "random"])), draw(st.sampled_from(["", "log"]))
    return Group("one", "order", right, tuple(wrong), before=len(before), after=len(after), label=label, origin=origin)


def back(path: Path) -> Instances:
    found = read_sets([path])
    return replace(found, groups=tuple(replace(group, where="") for group in found.groups))


@given(group=groups(), packed=st.booleans())
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, group: Group, packed: bool) -> None:
    path = tmp_path_factory.mktemp("groups") / ("a.jsonl.gz" if packed else "a.jsonl")
    write_groups(path, Instances((group,), facts=("Told.",)), task="order(version=1)", seed=3)
    assert back(path).groups == (group,)
    assert back(path).facts == ("Told.",)


SHUFFLED = Group(
    "1", "order", ("One.", "Two.", "One."), (("Two.", "One.", "One."), ("One.", "One.", "Two.", "Mine.")), label="x"
)
STORY = Group("2", "story", ("Begin.", "End."), (("Begin.", "Stop."),), before=1, origin="log")
MADE = Instances((SHUFFLED, STORY), (LeftOut("d", "too short"), LeftOut("e", "too short")), {"a.txt": "0123"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    written = tmp_path / "made" / "groups.jsonl"
    write_groups(written, MADE, task="order(version=1)", seed=3)
    return written


def test_what_is_written(path: Path) -> None:
    header, first, second = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    told = {
        "format": "coheval groups",
        "version": 1,
        "task": "order(version=1)",
        "seed": 3,
        "files": {"a.txt": "0123"},
        "groups": 2,
        "negatives": 3,
        "left_out": {"too short": 2},
        "facts": [],
    }
    assert header | told == header
    assert header["coheval"]
    assert first == {
        "id": "1",
        "phenomenon": "order",
        "label": "x",
        "right": ["One.", "Two.", "One."],
        "wrong": [[1, 2, 2], [2, 2, 1, "Mine."]],
    }
    assert second == {
        "id": "2",
        "phenomenon": "story",
        "origin": "log",
        "context": ["Begin."],
        "right": "End.",
        "wrong": ["Stop."],
    }
    assert back(path).groups == MADE.groups
    assert [p.name for p in path.parent.iterdir()] == ["groups.jsonl"]


def test_the_same_groups_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        write_groups(tmp_path / name, MADE, task="order(version=1)", seed=3)
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


def refused(path: Path) -> str:
    with pytest.raises(DataError) as told:
        read_sets([path])
    assert told.value.hint
    return str(told.value)


def test_half_a_file_is_refused(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:2]), encoding="utf-8")
    assert f"{path}:1: expected 2 groups, as the header says, got 1" in refused(path)
    path.write_text("".join(lines)[:-20], encoding="utf-8")
    assert f"{path}:3: expected JSON" in refused(path)
    path.write_text(lines[0], encoding="utf-8")
    assert "expected 2 groups, as the header says, got 0" in refused(path)
    path.write_text("".join(lines).replace('["Stop."]', '["Stop.", "Rest."]'), encoding="utf-8")
    assert "expected 3 negatives, as the header says, got 4" in refused(path)


def test_half_a_gzip_file_is_refused(path: Path, tmp_path: Path) -> None:
    whole = gzip.compress(path.read_bytes())
    (tmp_path / "half.jsonl.gz").write_bytes(whole[:-30])
    assert "expected a whole gzip file" in refused(tmp_path / "half.jsonl.gz")


def test_another_version_is_refused(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace('"version": 1,', '"version": 2,', 1), encoding="utf-8")
    assert "expected version 1 of the format, got 2" in refused(path)


def test_what_was_there_stays_if_writing_fails(path: Path) -> None:
    content = path.read_bytes()
    sourced = Group("3", "pronoun", ("They.",), (("It.",),), sources=("Ils.",))
    with pytest.raises(UsageError, match="group '3' has sources or references"):
        write_groups(path, Instances((SHUFFLED, sourced)), task="t", seed=0)
    assert path.read_bytes() == content
    assert [p.name for p in path.parent.iterdir()] == ["groups.jsonl"]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"right": ["One.", "Two."], "wrong": [[1, 2]]}, "wrong must be lists of texts that are not blank, or numbers"),
        ({"right": ["One.", "Two."], "wrong": [[1, True]]}, "numbers from 0 to 1"),
        ({"right": ["One.", "Two."], "wrong": [[1, " "]]}, "wrong must be lists of texts"),
        ({"right": ["One.", "Two."], "wrong": [[]]}, "wrong must be a list of lists of texts, as right is a list"),
        ({"right": ["One.", "Two."], "wrong": ["Two."]}, "wrong must be a list of lists of texts, as right is a list"),
        ({"right": ["One.", "Two."], "wrong": "Two."}, "wrong must be a list of lists of texts, as right is a list"),
        ({"right": ["One.", ""], "wrong": [["Two."]]}, "right must be a list of texts that are not blank"),
        ({"right": [], "wrong": [["Two."]]}, "right must be a list of texts that are not blank, got an empty list"),
        ({"right": ["One.", "Two."], "wrong": [[1, 0]], "source": "x"}, "source must be left out"),
        ({"right": ["One.", "Two."], "wrong": [[0, 1]]}, "the right and a wrong variant are the same text"),
    ],
)
def test_several_segments_that_are_wrong(tmp_path: Path, values: object, told: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(values), encoding="utf-8")
    assert told in refused(path)
