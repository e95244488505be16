"""`coheval make`: groups of a corpus are kept, and a bench reads them."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import coheval
from coheval.data.contrastive import read_sets
from coheval.run.make import make
from coheval.tasks import task


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "logs.txt"
    path.write_text(
        "\n\n".join("\n".join(f"Boat {n} came at {k}." for k in range(5)) for n in range(4)) + "\n\nAlone.\n",
        encoding="utf-8",
    )
    return path


def run(*args: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "coheval", "make", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_make_and_bench(corpus: Path, tmp_path: Path) -> None:
    output = tmp_path / "groups.jsonl.gz"
    done = run(corpus, "--task", "order(negatives=3)", "-o", output, "--seed", "7")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "groups: 4  negatives: 12  left out: 1\n"
    assert "1 of 5 groups are left out: the document has fewer than 2 sentences; the first is at logs:5" in done.stderr
    with gzip.open(output, "rt", encoding="utf-8") as file:
        header = json.loads(next(file))
    assert (header["seed"], header["left_out"]) == (7, {"the document has fewer than 2 sentences": 1})
    assert task(header["task"]) == task("order(negatives=3)")
    expected = task("order(negatives=3)").read([corpus], np.random.default_rng(7))
    assert header["files"] == {corpus.name: expected.files[str(corpus)]}
    assert tuple(replace(group, where="") for group in read_sets([output]).groups) == expected.groups
    direct, kept = coheval.bench(corpus, "lc", task=header["task"], seed=7), coheval.bench(output, "lc", seed=7)
    assert direct.accuracy("lc", "with") == kept.accuracy("lc", "with")


def test_the_same_corpus_gives_the_same_bytes_wherever_it_lies(corpus: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere" / corpus.name
    moved.parent.mkdir()
    moved.write_bytes(corpus.read_bytes())
    make(corpus, "order", tmp_path / "a.jsonl")
    make(moved, "order", tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_from_python(corpus: Path, tmp_path: Path) -> None:
    made = make(corpus, "topic", tmp_path / "a.jsonl")
    assert made.groups == make([corpus], "topic", tmp_path / "b.jsonl").groups
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert made.groups != make([corpus], "topic", tmp_path / "c.jsonl", seed=1).groups


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--task", "order", "-o", "a.jsonl"], "expected a corpus, got none"),
        (["CORPUS", "-o", "a.jsonl"], "expected a task (--task), got none"),
        (["CORPUS", "--task", "order"], "expected a file to write (-o), got none"),
        (["CORPUS", "--task", "order", "-o", "a.txt"], "the file must end with .jsonl or .jsonl.gz, got '.txt'"),
        (["CORPUS", "--task", "ordr", "-o", "a.jsonl"], "did you mean 'order'?"),
    ],
)
def test_wrong_usage(corpus: Path, args: list[str], told: str) -> None:
    done = run(*(str(corpus) if arg == "CORPUS" else arg for arg in args))
    assert done.returncode == 2
    assert told in done.stderr
    assert "hint: " in done.stderr


def test_a_file_is_not_overwritten_unless_told(corpus: Path, tmp_path: Path) -> None:
    output = tmp_path / "a.jsonl"
    output.write_text("mine", encoding="utf-8")
    assert "the file exists already" in run(corpus, "--task", "order", "-o", output).stderr
    assert output.read_text(encoding="utf-8") == "mine"
    assert run(corpus, "--task", "order", "-o", output, "--overwrite").returncode == 0


def test_bad_data_is_told(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("Alone.\n", encoding="utf-8")
    done = run(tmp_path / "one.txt", "--task", "order", "-o", tmp_path / "a.jsonl")
    assert done.returncode == 3
    assert "expected at least one group, got none: the document has fewer than 2 sentences" in done.stderr
    assert not (tmp_path / "a.jsonl").exists()
