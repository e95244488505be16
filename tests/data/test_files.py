"""`read` picks a reader by the path; mt-metrics-eval trees are read whole or say what is missing."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coheval.data.files import read, read_mt_metrics_eval
from coheval.errors import UsageError


@pytest.fixture
def tree(write: Any, tmp_path: Path) -> Path:
    write("wmt/documents/en-de.docs", "news\tone\nnews\tone\n")
    write("wmt/sources/en-de.txt", "s1\ns2\n")
    write("wmt/references/en-de.refB.txt", "q1\n\n")
    write("wmt/references/en-de.refA.txt", "r1\nr2\n")
    write("wmt/system-outputs/en-de/refA.txt", "r1\nr2\n")
    write("wmt/system-outputs/en-de/Online.txt", "a1\na2\n")
    return tmp_path / "wmt"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", b'{"mt": "x"}\n'),
        ("a.JSONL.gz", gzip.compress(b'{"mt": "x"}\n', mtime=0)),
        ("a.csv", b"src,mt\n,x\n"),
        ("a.tsv", b"src\tmt\n\tx\n"),
        ("a.tsv.gz", gzip.compress(b"src\tmt\n\tx\n", mtime=0)),
    ],
)
def test_the_ending_tells_the_reader(write: Any, name: str, content: bytes) -> None:
    assert [r.candidate for r in read(write(name, content))] == ["x"]


def test_standard_input_is_jsonl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b'{"mt": "x"}\n')))
    assert [r.candidate for r in read("-")] == ["x"]


def test_unknown_ending(write: Any, refused: Any) -> None:
    path = write("a.txt", "x\n")
    refused(lambda: read(path), where=str(path), says="ends in .jsonl, .csv or .tsv", hint="-c out.txt -r ref.txt")


def test_a_missing_folder(tree: Path, refused: Any) -> None:
    missing = tree.with_name("wmtt")
    refused(lambda: read(missing), where=str(missing), says="no such file or folder", hint=f"did you mean '{tree}'?")


def test_a_pair_needs_a_folder(write: Any, refused: Any) -> None:
    path = write("a.jsonl", '{"mt": "x"}\n')
    says, hint = "for a folder, got a file", "mt-metrics-eval"
    refused(lambda: read(path, pair="en-de"), where=str(path), says=says, hint=hint, kind=UsageError)


def test_a_judged_set_brings_its_own_references(write: Any, refused: Any) -> None:
    path = write("s/summeval_docs.jsonl", '{"doc_id": "d", "src": "s", "refs": ["r"]}\n').parent
    write("s/summeval_systems.jsonl", '{"doc_id": "d", "system": "M", "hyp": "x", "human": {"a": 1}}\n')
    says, hint = "its own references", "-r"
    refused(lambda: read(path, references=["refA"]), where=str(path), says=says, hint=hint, kind=UsageError)
    assert [r.references for r in read(path)] == [("r",)]


def test_a_tree_with_all_references(tree: Path) -> None:
    records = list(read(tree))
    assert [(r.system, r.candidate, r.references, r.source, r.document, r.segment) for r in records] == [
        ("Online", "a1", ("r1", "q1"), "s1", "one", 0),
        ("refA", "r1", ("r1", "q1"), "s1", "one", 0),
        ("Online", "a2", ("r2", None), "s2", "one", 1),
        ("refA", "r2", ("r2", None), "s2", "one", 1),
    ]


def test_a_tree_with_chosen_references(tree: Path) -> None:
    assert [r.references for r in read(tree, references=["refB"])][::2] == [("q1",), ("",)]
    assert {r.references for r in read(tree, pair="en-de", references=[])} == {()}


def test_several_pairs_must_be_chosen_from(tree: Path, write: Any, refused: Any) -> None:
    write("wmt/system-outputs/zh-en/A.txt", "x\n")
    refused(lambda: read(tree), where=str(tree), says="expected one language pair, found en-de, zh-en", hint="name the")
    refused(lambda: read(tree, pair="en-dd"), where=str(tree), says="'en-dd'", hint="did you mean 'en-de'?")


def test_an_unknown_reference(tree: Path, refused: Any) -> None:
    folder = tree / "references"
    says = f"no reference 'refC': expected {folder}/en-de.refC.txt"
    refused(lambda: read(tree, references=["refC"]), where=str(folder), says=says, hint="did you mean 'ref")


@pytest.mark.parametrize("part", ["documents/en-de.docs", "sources/en-de.txt"])
def test_a_missing_file_of_a_tree(tree: Path, refused: Any, part: str) -> None:
    path = tree / part
    path.unlink()
    refused(lambda: read(tree), where=str(path.parent), says=f"expected {path}", hint="system-outputs")


def test_a_tree_without_references(tree: Path, refused: Any) -> None:
    for path in (tree / "references").iterdir():
        path.unlink()
    folder = tree / "references"
    refused(lambda: read(tree), where=str(folder), says=f"expected {folder}/en-de.*.txt", hint="holds documents")


def test_a_folder_that_is_no_tree(tmp_path: Path, refused: Any) -> None:
    outputs = tmp_path / "system-outputs"
    refused(lambda: read(tmp_path), where=str(outputs), says=f"expected {outputs}", hint="one test set")
    missing = tmp_path.with_name(tmp_path.name + "x")
    refused(lambda: read_mt_metrics_eval(missing), where=str(missing), says="no such folder", hint="did you mean")
