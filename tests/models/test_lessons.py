"""Lessons: what a file says of which corpora are for which tasks, what is never learnt from, and a training."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the extra torch")
pytest.importorskip("onnxscript", reason="needs the extra torch")

from coheval.data.parts import of_part
from coheval.errors import CohevalError, DataError
from coheval.models import model
from coheval.models._file import read_facts
from coheval.run.coherence.lessons import Lessons
from tinycoherence import STEPS, encoder, made_corpus

TWO = """
[[lesson]]
files = ["texts.txt"]
tasks = ["order(negatives=3)", "topic(negatives=2)"]
documents = 20
held_out = 4

[[lesson]]
files = ["more.txt"]
tasks = ["intrusion"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made_corpus(tmp_path)
    more = "\n\n".join("\n".join(f"Text {n} says {letter}." for letter in "abcd") for n in range(40))
    (tmp_path / "more.txt").write_text(more + "\n", encoding="utf-8")
    return tmp_path


def read(folder: Path, content: str) -> Lessons:
    path = folder / "lessons.toml"
    path.write_text(content, encoding="utf-8")
    return Lessons.read(path, folder)


def test_each_lesson_has_its_own_files_and_tasks(folder: Path) -> None:
    lessons = read(folder, TWO)
    groups = lessons.training(1)
    assert {group.phenomenon for group in groups} == {"order", "topic", "intrusion"}
    by_file = {"more" if group.right[0].startswith("Text") else "texts": group.phenomenon for group in groups}
    assert by_file["more"] == "intrusion"
    assert sum(group.phenomenon == "order" for group in groups) == 20
    learnt, held = (of_part(lessons.parts[1].texts.documents, part) for part in ("train", "dev"))
    assert sum(group.phenomenon == "intrusion" for group in groups) == len(learnt)
    held_out = lessons.held_out()
    assert sum(group.phenomenon == "order" for group in held_out) == 4
    assert sum(group.phenomenon == "intrusion" for group in held_out) == len(held)
    assert not {group.right for group in groups} & {group.right for group in held_out}
    first, second = lessons.provenance()["lessons"]  # type: ignore[misc]
    assert [Path(name).name for name in first["files"]] == ["texts.txt"]
    assert (first["documents"], second["documents"]) == (20, len(learnt))


def test_what_is_never_learnt_from(folder: Path) -> None:
    """A document that shares a sentence, whatever its capitals and signs; one too short to tell says nothing."""
    probes = [
        {"right": ["Nobody here.", "A long sentence, that both of them have!"], "wrong": ["Other.", "Words."]},
        {"right": "Yes.", "wrong": "No."},
    ]
    lines = [{**one, "id": str(n), "right": one["right"], "wrong": [one["wrong"]]} for n, one in enumerate(probes)]
    (folder / "probes.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    texts = ["a LONG sentence that both of them have\nIt goes on.", "Yes.\nThis one may stay."]
    texts += [f"Number {n} begins.\nNumber {n} ends." for n in range(18)]
    (folder / "own.txt").write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    lesson = '[[lesson]]\nfiles = ["own.txt"]\ntasks = ["order"]\n'
    (everything,) = read(folder, lesson).parts
    (kept,) = read(folder, f'never = ["probes.jsonl"]\n{lesson}').parts
    gone = {one.text for one in everything.texts.documents} - {one.text for one in kept.texts.documents}
    assert gone == {everything.texts.documents[0].text}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "expected lessons, got none"),
        ("lesson = 3", "expected lessons, got none"),
        ("[[lesson]\n", "expected TOML, got"),
        ('nevr = ["a.jsonl"]\n' + TWO, "expected never and lesson, got 'nevr'"),
        ('never = "a.jsonl"\n' + TWO, "expected never as a list of texts, got 'a.jsonl'"),
        ('never = ["nowhere.jsonl"]\n' + TWO, "nowhere.jsonl"),
        ('[[lesson]]\nfile = ["texts.txt"]', "lesson 1: expected files, tasks, documents, held_out, got 'file'"),
        ('[[lesson]]\nfiles = "texts.txt"\ntasks = ["order"]', "expected files as a list of texts, got 'texts.txt'"),
        ('[[lesson]]\nfiles = ["texts.txt"]', "expected tasks as a list of texts, got None"),
        ('[[lesson]]\nfiles = ["texts.txt"]\ntasks = [1]', "expected tasks as a list of texts, got [1]"),
        ('[[lesson]]\nfiles = ["text.txt"]\ntasks = ["order"]', "there is no such file or folder"),
        ('[[lesson]]\nfiles = ["texts.txt"]\ntasks = ["order"]\ndocuments = 0', "whole number from 1, got 0"),
        ('[[lesson]]\nfiles = ["texts.txt"]\ntasks = ["order"]\nheld_out = true', "whole number from 1, got True"),
        ('[[lesson]]\nfiles = ["texts.txt"]\ntasks = ["ordr"]', "no task is called 'ordr'"),
        ('[[lesson]]\nfiles = ["texts.txt"]\ntasks = ["order(part=test)"]', "got part=test"),
    ],
)
def test_what_is_wrong_with_a_file(folder: Path, content: str, message: str) -> None:
    with pytest.raises(CohevalError) as told:
        read(folder, content)
    assert message in str(told.value)
    assert told.value.hint


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the file cannot be read: No such file"):
        Lessons.read(tmp_path / "lessons.toml", tmp_path)


def test_a_training_from_lessons(folder: Path) -> None:
    (folder / "lessons.toml").write_text(TWO, encoding="utf-8")
    command = [sys.executable, "-m", "coheval", "train", "coherence", ".", "--lessons", "lessons.toml"]
    command += ["--model", f"boundary(encoder={encoder(folder)})", "-o", "mine.onnx", "--epochs", "2", "--hidden", "8"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "held-out pairs" in done.stdout
    facts = read_facts(folder / "mine.onnx", "boundary")
    assert len(facts["learnt_from"]["lessons"]) == 2
    right, wrong = model(f"boundary(file={str(folder / 'mine.onnx')!r})").score([STEPS, STEPS[::-1]])
    assert right.value is not None
    assert wrong.value is not None
    assert right.value != wrong.value


@pytest.mark.parametrize("more", ["--task order", "--max-documents 5", "--max-held-out 5"])
def test_what_lessons_say_is_not_said_twice(folder: Path, more: str) -> None:
    (folder / "lessons.toml").write_text(TWO, encoding="utf-8")
    command = [sys.executable, "-m", "coheval", "train", "coherence", ".", "--lessons", "lessons.toml", "-o", "m.onnx"]
    done = subprocess.run(
        [*command, "--model", "unc", *more.split()], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert "lessons say which files of one folder are read" in done.stderr


def test_what_a_lesson_holds_out_no_other_learns_from(folder: Path) -> None:
    """The second lesson has the first one's documents under other names, each with a sentence of its own before it."""
    texts = (folder / "more.txt").read_text(encoding="utf-8").strip().split("\n\n")
    long = ["\n".join(f"{line} It is said at length." for line in text.split("\n")) for text in texts]
    (folder / "one.txt").write_text("\n\n".join(long), encoding="utf-8")
    again = "\n\n".join(f"Copy {n} opens in its own way.\n{text}" for n, text in enumerate(long))
    (folder / "two.txt").write_text(again, encoding="utf-8")
    entries = "".join(f'[[lesson]]\nfiles = ["{name}.txt"]\ntasks = ["order"]\n' for name in ("one", "two"))
    lessons = read(folder, entries)
    held = {sentence for group in lessons.held_out() for sentence in group.right}
    learnt = {sentence for group in lessons.training(1) for sentence in group.right}
    assert held
    assert learnt
    assert not held & learnt
