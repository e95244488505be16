"""Line-aligned files: several systems and references, documents, and files that do not match."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coheval.data.files import read_aligned, system_files
from coheval.errors import UsageError


def test_systems_references_source_and_documents_stand_side_by_side(write: Any) -> None:
    first, second = write("first.txt", "a1\na2\na3\n"), write("second.txt", "b1\nb2\nb3")
    records = list(
        read_aligned(
            {"first": first, "second": second},
            references=[write("ref.txt", "r1\nr2\nr3\n")],
            source=write("src.txt", "s1\ns2\ns3\n"),
            documents=write("docs.txt", "news\nnews\nblog\n"),
        )
    )
    assert [(r.system, r.candidate, r.references, r.source, r.document, r.segment) for r in records] == [
        ("first", "a1", ("r1",), "s1", "news", 0),
        ("second", "b1", ("r1",), "s1", "news", 0),
        ("first", "a2", ("r2",), "s2", "news", 1),
        ("second", "b2", ("r2",), "s2", "news", 1),
        ("first", "a3", ("r3",), "s3", "blog", 0),
        ("second", "b3", ("r3",), "s3", "blog", 0),
    ]
    assert [r.where for r in records[:3]] == [f"{first}:1", f"{second}:1", f"{first}:2"]


def test_without_documents_each_line_is_its_own(write: Any) -> None:
    (record,) = read_aligned({"s": write("a.txt", "text\n")})
    assert (record.document, record.segment, record.references, record.source) == (None, None, (), None)


def test_of_several_references_a_blank_one_is_missing(write: Any) -> None:
    first, second, third = write("1.txt", "a\n\n\n"), write("2.txt", "\nb\n  \n"), write("3.txt", "x\ny\n\n")
    records = read_aligned({"s": write("c.txt", "1\n2\n3\n")}, references=[first, second, third])
    assert [r.references for r in records] == [("a", None, "x"), (None, "b", "y"), ("",)]
    records = read_aligned({"s": write("c.txt", "1\n2\n3\n")}, references=[first])
    assert [r.references for r in records] == [("a",), ("",), ("",)]


def test_unequal_lines_are_counted_to_the_end(write: Any, refused: Any) -> None:
    candidates, reference = write("c.txt", "text\n" * 1200), write("r.txt", "text\n" * 7)
    expected = "expected 1,200 lines as in " + str(candidates)
    refused(
        lambda: read_aligned({"s": candidates}, references=[reference]),
        where=str(reference),
        says=f"{expected}, got 7",
        hint="line by line",
    )
    refused(
        lambda: read_aligned({"s": reference}, references=[candidates]),
        where=str(candidates),
        says=f"expected 7 lines as in {reference}, got 1,200",
        hint="line by line",
    )


def test_domains_before_document_ids(write: Any) -> None:
    documents = write("de.docs", "news\tone\nnews\tone\nspeech\ttwo\n")
    records = read_aligned({"s": write("a.txt", "1\n2\n3\n")}, documents=documents)
    assert [(r.document, r.segment) for r in records] == [("one", 0), ("one", 1), ("two", 0)]


@pytest.mark.parametrize(
    ("documents", "line", "says", "hint"),
    [
        ("news\ta\nblog\ta\nblog\tb\n", 2, "document 'a' is of domain 'blog' here", "different names"),
        ("a\n\nb\n", 2, "expected a document id, got ''", "every line"),
        ("a\nx\ty\tz\nb\n", 2, "got 2 tabs", "one tab"),
    ],
)
def test_document_ids_that_would_mislead(
    write: Any, refused: Any, documents: str, line: int, says: str, hint: str
) -> None:
    candidates, path = write("a.txt", "1\n2\n3\n"), write("docs.txt", documents)
    refused(lambda: read_aligned({"s": candidates}, documents=path), where=f"{path}:{line}", says=says, hint=hint)


def test_standard_input_once(monkeypatch: pytest.MonkeyPatch, write: Any, refused: Any) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"one\n")))
    (record,) = read_aligned(system_files(["-"]), references=[write("r.txt", "uno\n")])
    assert (record.system, record.candidate, record.where) == ("stdin", "one", "standard input:1")
    refused(
        lambda: read_aligned({"s": "-"}, references=["-"]),
        where=None,
        says="standard input … more than once, expected at most once",
        hint="to a file",
    )


def test_no_candidates(refused: Any) -> None:
    refused(lambda: read_aligned({}), where=None, says="got none", hint="at least one file")


def test_systems_are_named_after_files_or_by_hand(write: Any) -> None:
    odd = str(write("a=b.txt", "text\n"))
    assert system_files(["out/base.txt", "big.de.txt.gz", "raw.hyp", "mine=out/other.txt", odd]) == {
        "base": "out/base.txt",
        "big.de": "big.de.txt.gz",
        "raw.hyp": "raw.hyp",
        "mine": "out/other.txt",
        "a=b": odd,
    }


def test_two_files_with_one_name(refused: Any) -> None:
    refused(
        lambda: system_files(["x/out.txt", "y/out.txt.gz"]),
        where=None,
        says="system name 'out': x/out.txt and y/out.txt.gz",
        hint="out2=y/out.txt.gz",
    )


@pytest.mark.parametrize("argument", ["=path.txt", "name=", "="])
def test_half_a_name(refused: Any, argument: str) -> None:
    refused(lambda: system_files([argument]), where=None, says=repr(argument), hint="baseline=", kind=UsageError)


@pytest.mark.parametrize("name", ["data.jsonl", "data.csv.gz", "data.tsv"])
def test_files_of_records_are_no_plain_text(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"expected plain text.*\n.*without -c"):
        list(read_aligned({"a": tmp_path / name}))
