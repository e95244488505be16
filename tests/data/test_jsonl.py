"""JSONL: the fields, their other names, and every way in which a line can be wrong."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.data import Record
from coheval.data.files import read_jsonl
from coheval.errors import DataError

texts = st.text(st.characters(exclude_categories=["Cs"]))
names = texts.filter(lambda name: name.strip())
objects = st.fixed_dictionaries(
    {"candidate": texts},
    optional={"references": st.lists(texts), "source": texts, "system": names, "document": names},
)


@given(st.lists(objects, min_size=1), st.booleans())
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, written: list[dict[str, Any]], ascii_only: bool) -> None:
    path = tmp_path_factory.mktemp("jsonl") / "a.jsonl"
    path.write_text("".join(json.dumps(o, ensure_ascii=ascii_only) + "\n" for o in written), "utf-8", newline="")
    assert list(read_jsonl(path)) == [
        Record(
            system=o.get("system", "system"),
            candidate=o["candidate"],
            references=tuple(o.get("references", [])),
            source=o.get("source"),
            document=o.get("document"),
            where=f"{path}:{number}",
        )
        for number, o in enumerate(written, start=1)
    ]


@given(st.text())
def test_text_that_is_no_jsonl_never_crashes(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("jsonl") / "a.jsonl"
    path.write_bytes(text.encode())
    with pytest.raises(DataError):
        list(read_jsonl(path))


def read_one(write: Any, line: str) -> Record:
    (record,) = read_jsonl(write("a.jsonl", line + "\n"))
    return record


def test_all_fields(write: Any) -> None:
    line = '{"system": "A", "document": 7, "segment": 2, "candidate": "c", "references": ["r", ""], "source": "s"}'
    record = read_one(write, line)
    assert (record.system, record.document, record.segment) == ("A", "7", 2)
    assert (record.candidate, record.references, record.source) == ("c", ("r", ""), "s")


def test_names_of_comet(write: Any) -> None:
    record = read_one(write, '{"src": "s", "mt": "c", "ref": "r", "doc_id": "d", "score": NaN, "lp": "en-de"}')
    assert (record.source, record.candidate, record.references, record.document) == ("s", "c", ("r",), "d")


def test_further_references_in_order(write: Any) -> None:
    assert read_one(write, '{"mt": "", "ref10": "d", "ref_2": "b", "ref": "a", "ref3": " "}').references == (
        "a",
        "b",
        None,
        "d",
    )


def test_null_is_the_same_as_nothing_where_a_field_may_be_left_out(write: Any) -> None:
    record = read_one(write, '{"candidate": "c", "source": null, "document": null, "segment": null, "system": null}')
    assert (record.source, record.document, record.segment, record.system) == (None, None, None, "system")


def test_a_field_of_ones_own_may_look_like_one_that_is_there(write: Any) -> None:
    assert read_one(write, '{"candidate": "c", "candidate_id": 3, "system": "A", "systems": 4}').candidate == "c"


def test_blank_lines_are_skipped_and_counted(write: Any) -> None:
    path = write("a.jsonl", '\n{"mt": "a"}\n  \n{"mt": "b"}\n\n')
    assert [r.where for r in read_jsonl(path)] == [f"{path}:2", f"{path}:4"]


def test_compressed_and_from_standard_input(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    content = b'{"mt": "a"}\n'
    assert [r.candidate for r in read_jsonl(write("a.jsonl.gz", gzip.compress(content)))] == ["a"]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    assert [r.where for r in read_jsonl("-")] == ["standard input:1"]


@pytest.mark.parametrize(
    ("line", "says", "hint"),
    [
        ('{"candidate": 3}', "candidate must be text, got 3", "quotes"),
        ('{"mt": null}', "mt must be text, got null", '""'),
        ('{"mt": NaN}', "mt must be text, got NaN", "quotes"),
        ('{"mt": ["a"]}', "mt must be text, got a list", "references"),
        ('{"mt": "a", "references": "r"}', 'references must be a list of texts, got "r"', "'reference'"),
        ('{"mt": "a", "references": null}', "references must be a list of texts, got null", "leave it out"),
        ('{"mt": "a", "references": ["r", null]}', "references[1] must be text, got null", "quotes"),
        ('{"mt": "a", "references": [["r"]]}', "references[0] must be text, got a list", ""),
        ('{"mt": "a", "ref": {}}', "ref must be text, got an object", "quotes"),
        ('{"mt": "a", "source": 1.5}', "source must be text, got 1.5", "quotes"),
        ('{"mt": "a", "system": ""}', 'system must be text that is not empty, got ""', "fill it"),
        ('{"mt": "a", "document": true}', "document must be text that is not empty, got true", "fill it"),
        ('{"mt": "a", "document": 1.0}', "document must be text that is not empty, got 1.0", "fill it"),
        ('{"mt": "a", "document": "d", "segment": "1"}', 'segment must be a whole number, got "1"', "0, 1, 2"),
        ('{"mt": "a", "document": "d", "segment": false}', "segment must be a whole number, got false", "0, 1, 2"),
        ('{"mt": "a", "candidate": "b"}', "'mt' and 'candidate' are the same field", "keep one"),
        ('{"mt": "a", "ref": "r", "references": []}', "'references' and 'ref' are both given", "keep one"),
        ('{"mt": "a", "mt": "b"}', "the key 'mt' is given twice", "keep one"),
        ('{"mt": "a", "extra": {"k": 1, "k": 2}}', "the key 'k' is given twice", "keep one"),
        ('{"canditate": "a"}', "'canditate' is not a known field", "did you mean 'candidate'?"),
        ('{"mt": "a", "Reference": "r"}', "'Reference' is not a known field", "did you mean 'reference'?"),
        ('{"mt": "a", "docment": "d"}', "'docment' is not a known field", "did you mean 'document'?"),
        ('{"output": "a"}', "expected a 'candidate' (or 'mt'), got 'output'", "known: candidate, mt"),
        ("{}", "got nothing", "known: candidate, mt"),
        ('{"mt": "a",}', "expected JSON, got … at column 12", "jq -c ."),
        ("{'mt': 'a'}", "expected JSON, got \"'mt' … at column 2", "jq -c ."),
        ('{"mt": "a"} {"mt": "b"}', "at column 13 (Extra data)", "one whole JSON object a line"),
        ("{", "expected JSON, got '' at column 2", "jq -c ."),
        ('["a"]', "expected a JSON object, got '[\"a\"]'", "jq -c .[]"),
        ("[" * 100_000, "nested too deeply", ""),
        ('{"mt": "a", "n": ' + "9" * 5000 + "}", "plain numbers", "quote long numbers"),
    ],
)
def test_refused(write: Any, refused: Any, line: str, says: str, hint: str) -> None:
    path = write("a.jsonl", '{"mt": "fine"}\n' + line + "\n")
    refused(lambda: read_jsonl(path), where=f"{path}:2", says=says, hint=hint)


def test_nothing_but_blank_lines(write: Any, refused: Any) -> None:
    path: Path = write("a.jsonl", "\n \n")
    refused(lambda: read_jsonl(path), where=str(path), says="blank lines only", hint="")
