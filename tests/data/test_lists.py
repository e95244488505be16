"""Lists: every shape that the front door takes, and the ones it must not guess about."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from coheval.data.lists import from_lists
from coheval.errors import DataError


def test_plain_lists() -> None:
    records = list(from_lists(["a", "b"], references=["r", "q"], sources=["s", "t"], system="A"))
    assert [(r.system, r.candidate, r.references, r.source, r.document, r.segment) for r in records] == [
        ("A", "a", ("r",), "s", None, None),
        ("A", "b", ("q",), "t", None, None),
    ]
    assert [r.where for r in records] == ["candidates[0]", "candidates[1]"]


def test_several_systems_with_documents_and_unequal_references() -> None:
    records = list(
        from_lists({"A": ["a", "b"], "B": ("c", "d")}, references=[["r", "q"], []], documents=["d", "d"]),
    )
    assert [(r.system, r.candidate, r.references, r.document, r.segment) for r in records] == [
        ("A", "a", ("r", "q"), "d", 0),
        ("B", "c", ("r", "q"), "d", 0),
        ("A", "b", (), "d", 1),
        ("B", "d", (), "d", 1),
    ]
    assert records[1].where == "candidates['B'][0]"


def test_arrays_and_columns() -> None:
    frame = pd.DataFrame({"mt": ["a", "b"], "ref": ["r", "q"], "doc": [1, 2]}, index=[7, 3])
    for column in (lambda name: frame[name], lambda name: frame[name].to_numpy(), lambda name: tuple(frame[name])):
        records = list(from_lists(column("mt"), references=column("ref"), documents=column("doc")))
        assert [(r.candidate, r.references, r.document) for r in records] == [("a", ("r",), "1"), ("b", ("q",), "2")]
    (record,) = from_lists(np.array(["a"]), references=[np.array(["r", "q"])])
    assert {type(text) for text in (record.candidate, *record.references)} == {str}


def test_square_references_are_taken_as_documented() -> None:
    records = from_lists(["a", "b"], references=[["1", "2"], ["3", "4"]])
    assert [r.references for r in records] == [("1", "2"), ("3", "4")]


@pytest.mark.parametrize(
    ("given", "where", "says", "hint"),
    [
        ({"candidates": "text"}, "candidates", "expected a list … got str 'text'", "[text]"),
        ({"candidates": []}, "candidates", "expected at least one text, got none", "list of texts"),
        ({"candidates": {}}, "candidates", "expected at least one text, got none", "list of texts"),
        ({"candidates": None}, "candidates", "expected a list … got NoneType", "list("),
        ({"candidates": {"a", "b"}}, "candidates", "expected a list … got set", "list("),
        ({"candidates": (text for text in "ab")}, "candidates", "expected a list … got generator", "list("),
        (
            {"candidates": np.array([["a"]])},
            "candidates",
            "expected a list with one dimension … got ndarray",
            ".tolist()",
        ),
        ({"candidates": pd.DataFrame({"mt": ["a"]})}, "candidates", "one dimension, got DataFrame", ".tolist()"),
        ({"candidates": ["a", None]}, "candidates[1]", "expected text, got NoneType None", '""'),
        ({"candidates": [float("nan")]}, "candidates[0]", "expected text, got float nan", '""'),
        ({"candidates": [b"a"]}, "candidates[0]", "expected text, got bytes b'a'", '""'),
        ({"candidates": [3]}, "candidates[0]", "expected text, got int 3", '""'),
        (
            {"candidates": {"A": ["a"], "B": []}},
            "candidates['B']",
            "expected 1 entries as in candidates['A'], got 0",
            "n",
        ),
        ({"candidates": {"A": ["a"], "B": "b"}}, "candidates['B']", "got str 'b'", "[text]"),
        ({"candidates": {3: ["a"]}}, "candidates[3]", "a system's name must be text … got int 3", "name"),
        ({"candidates": ["a"], "system": " "}, "candidates", "a system's name must be text … got str ' '", "name"),
        ({"references": "ab"}, "references", "expected a list … got str 'ab'", "[text]"),
        ({"references": ["r"]}, "references", "expected 2 entries as in candidates, got 1", "position n"),
        ({"references": [["r", "q"]]}, "references", "expected 2 lists … got 1 lists of 2", "list(zip(*references))"),
        (
            {"references": [["r", "q"]] * 3},
            "references",
            "expected 2 lists … got 3 lists of 2",
            "list(zip(*references))",
        ),
        ({"references": [["r"], "q"]}, "references[1]", "expected a list … got str 'q'", "[text]"),
        ({"references": ["r", ["q"]]}, "references[1]", "expected text, got list ['q']", "every entry is a list"),
        ({"references": ["r", None]}, "references[1]", "expected text, got NoneType", '""'),
        ({"references": [["r"], [None]]}, "references[1][0]", "expected text, got NoneType", '""'),
        ({"references": {"A": ["r", "q"]}}, "references", "expected a list … got dict", "list("),
        ({"sources": ["s"]}, "sources", "expected 2 entries as in candidates, got 1", "position n"),
        ({"sources": "st"}, "sources", "expected a list … got str 'st'", "[text]"),
        ({"documents": ["d"] * 3}, "documents", "expected 2 entries as in candidates, got 3", "position n"),
        ({"documents": ["d", None]}, "documents[1]", "text or a whole number, got NoneType", "name every"),
        ({"documents": ["d", True]}, "documents[1]", "text or a whole number, got bool", "name every"),
        ({"documents": ["d", ""]}, "documents[1]", "expected a document id, got ''", "every line"),
    ],
)
def test_refused(refused: Any, given: dict[str, Any], where: str, says: str, hint: str) -> None:
    refused(lambda: from_lists(**{"candidates": ["a", "b"], **given}), where=where, says=says, hint=hint)


def test_checks_come_before_the_first_record() -> None:
    with pytest.raises(DataError):
        from_lists(["a", 3])  # type: ignore[list-item]
