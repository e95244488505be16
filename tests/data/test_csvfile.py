"""CSV and TSV: quoting, line numbers, columns, and rows that do not fit."""

from __future__ import annotations

import csv
import gzip
import io
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.data.files import read_csv

cells = st.text(st.sampled_from(',\t"\r\n ;\x00\u2028\ufeff') | st.characters(exclude_categories=["Cs"]))


@given(st.lists(st.tuples(cells, cells, cells), min_size=1), st.sampled_from([".csv", ".tsv"]))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]], ending: str) -> None:
    path = tmp_path_factory.mktemp("csv") / f"a{ending}"
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t" if ending == ".tsv" else ",", quoting=csv.QUOTE_ALL)
        writer.writerows([("src", "mt", "ref"), *rows])
    assert [(r.source, r.candidate, r.references) for r in read_csv(path)] == [(s, c, (r,)) for s, c, r in rows]


def test_line_breaks_inside_fields_keep_line_numbers_right(write: Any) -> None:
    path = write("a.csv", 'mt,ref\r\n"one\r\n\ntwo",x\r\n\r\nthree,y\r\n')
    records = list(read_csv(path))
    assert [(r.candidate, r.where) for r in records] == [("one\r\n\ntwo", f"{path}:2"), ("three", f"{path}:6")]


def test_all_columns(write: Any) -> None:
    path = write("a.tsv", "system\tdoc\tsegment\tmt\tref\tref2\tnote\nA\td\t3\tc\tr\tq\tn\n\t\t\tc\tr\t\t\n")
    first, second = read_csv(path)
    assert (first.system, first.document, first.segment, first.references) == ("A", "d", 3, ("r", "q"))
    assert (second.system, second.document, second.segment, second.references) == ("system", None, None, ("r", None))


def test_a_cell_with_a_list_of_references(write: Any) -> None:
    (record,) = read_csv(write("a.csv", 'mt,references\nc,"[""r"", ""q""]"\n'))
    assert record.references == ("r", "q")


def test_a_field_of_any_length_and_the_limit_is_left_alone(write: Any) -> None:
    limit = csv.field_size_limit()
    (record,) = read_csv(write("a.csv.gz", gzip.compress(b"mt\n" + b"x" * 300_000 + b"\n")))
    assert len(record.candidate) == 300_000
    assert csv.field_size_limit() == limit


@pytest.mark.parametrize("separator", [",", "\t"])
def test_the_header_of_standard_input_tells_the_separator(monkeypatch: pytest.MonkeyPatch, separator: str) -> None:
    content = f"src{separator}mt\na{separator}b\n".encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    assert [(r.candidate, r.where) for r in read_csv("-")] == [("b", "standard input:2")]


@pytest.mark.parametrize(
    ("content", "line", "says", "hint"),
    [
        ("mt,ref\na,b\nc\n", 3, "expected 2 fields as in the header, got 1", "in quotes"),
        ('mt,ref\n"a\nb",c\nd,e,f\n', 4, "expected 2 fields as in the header, got 3", "in quotes"),
        ("one,two\nthree,four\n", 1, "expected a 'candidate' (or 'mt'), got 'one', 'two'", "known: candidate, mt"),
        ("mt,refrence\na,b\n", 1, "'refrence' is not a known field", "did you mean 'reference'?"),
        ("mt,ref2,ref_2\na,b,c\n", 1, "'ref2' and 'ref_2' are the same field", "keep one"),
        ('mt,ref\n"a" b,c\n', 2, "matching quotes", '"""So", she said."'),
        ('mt,ref\na,b\n"a,c\nd,e\n', 3, "matching quotes", '"""So", she said."'),
        ("mt,doc,segment\na,d,1.0\n", 2, 'segment must be a whole number, got "1.0"', "0, 1, 2"),
        ("mt,references\na,['r']\n", 2, "references must be a JSON list, got \"['r']\"", "ref, ref2"),
        ("mt,references\na,{}\n", 2, "references must be a list of texts, got an object", "'reference'"),
    ],
)
def test_refused(write: Any, refused: Any, content: str, line: int, says: str, hint: str) -> None:
    path = write("a.csv", content)
    refused(lambda: read_csv(path), where=f"{path}:{line}", says=says, hint=hint)


def test_a_header_alone(write: Any, refused: Any) -> None:
    path = write("a.csv", "mt,ref\n")
    refused(lambda: read_csv(path), where=str(path), says="expected rows under the header, got none", hint="")
