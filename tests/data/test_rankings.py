"""Pairs, rankings and WMT's ranking files."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.data.judged import read_judgements


def pairs(judged: Any) -> list[tuple[Any, ...]]:
    return [(p.better, p.worse, p.tie) for p in judged.preferences]


def places(judged: Any) -> list[tuple[Any, ...]]:
    return [(p.document, p.segment, p.aspect, p.rater) for p in judged.preferences]


def test_better_and_worse(write: Any) -> None:
    path = write(
        "a.jsonl",
        '{"document": "d", "segment": 3, "better": "A", "worse": "B", "aspect": "coherence", "rater": "r"}\n'
        '{"document": 5, "better": "B", "worse": "A", "tie": true}\n'
        '{"doc_id": "d", "better": "B", "worse": "A", "tie": false, "src": "text"}\n',
    )
    judged = read_judgements(path)
    assert pairs(judged) == [("A", "B", False), ("B", "A", True), ("B", "A", False)]
    assert places(judged) == [
        ("d", 3, "coherence", "r"),
        ("5", None, "preference", None),
        ("d", None, "preference", None),
    ]
    assert [p.where for p in judged.preferences] == [f"{path}:{n}" for n in (1, 2, 3)]


def test_better_and_worse_as_a_table(write: Any) -> None:
    path = write("a.csv", "document,segment,better,worse,tie,rater\nd,0,A,B,,r\nd,1,A,B,True,r\nd,1,B,A,0,s\n")
    judged = read_judgements(path)
    assert pairs(judged) == [("A", "B", False), ("A", "B", True), ("B", "A", False)]
    assert places(judged) == [("d", 0, "preference", "r"), ("d", 1, "preference", "r"), ("d", 1, "preference", "s")]


def test_ranks_are_all_their_pairs(write: Any) -> None:
    path = write("a.jsonl", '{"document": "d", "ranks": {"A": 1, "B": 2, "C": 2, "D": null}, "rater": "r"}\n')
    judged = read_judgements(path)
    assert pairs(judged) == [("A", "B", False), ("A", "C", False), ("B", "C", True)]
    assert judged.missing == 1


@given(st.dictionaries(st.sampled_from("ABCDEF"), st.integers(1, 4) | st.none(), min_size=2))
def test_rankings_against_counting(tmp_path_factory: pytest.TempPathFactory, ranks: dict[str, int | None]) -> None:
    path = tmp_path_factory.mktemp("ranks") / "a.jsonl"
    sure = {"document": "e", "better": "A", "worse": "B", "aspect": "sure"}  # a file must have something
    path.write_text(json.dumps({"document": "d", "ranks": ranks}) + "\n" + json.dumps(sure) + "\n")
    judged = read_judgements(path)
    found = {frozenset((p.better, p.worse)): p for p in judged.preferences if p.aspect == "preference"}
    ranked = [system for system, rank in ranks.items() if rank is not None]
    assert found.keys() == {frozenset(pair) for pair in itertools.combinations(ranked, 2)}
    for p in found.values():
        assert p.tie == (ranks[p.better] == ranks[p.worse])
        assert (ranks[p.better] or 0) <= (ranks[p.worse] or 0)
    assert judged.missing == len(ranks) - len(ranked)


HEADER = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id,"
    "system3Number,system3Id,system1rank,system2rank,system3rank\n"
)


def test_rankings_of_wmt(write: Any) -> None:
    path = write("a.csv", HEADER + "cze,eng,7,doc,7,j1,1,A,2,B,3,C,2,1,2\ncze,eng,8,doc,8,j2,1,A,2,B,3,C,-1,3,1\n")
    judged = read_judgements(path)
    assert pairs(judged) == [("B", "A", False), ("A", "C", True), ("B", "C", False), ("C", "B", False)]
    assert places(judged) == [("7", None, "preference", "j1")] * 3 + [("8", None, "preference", "j2")]
    assert judged.missing == 1


def test_pairs_of_wmt16(write: Any) -> None:
    header = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"
    path = write(
        "a.csv", header + "cze,eng,1,1,judge1,x.A.cs-en,5,x.B.cs-en,3,1\ncze,eng,1,1,judge1,x.A.cs-en,4,x.B.cs-en,4,2\n"
    )
    judged = read_judgements(path)
    assert pairs(judged) == [("x.B.cs-en", "x.A.cs-en", False), ("x.A.cs-en", "x.B.cs-en", True)]


def test_fewer_systems_than_columns(write: Any) -> None:
    path = write("a.csv", HEADER + "cze,eng,7,doc,7,j1,1,A,2,B,,,2,1,\n")
    assert pairs(read_judgements(path)) == [("B", "A", False)]


def test_with_documents_a_line_is_a_segment(write: Any, refused: Any) -> None:
    path = write("a.csv", HEADER + "cze,eng,3,doc,7,,1,A,2,B,,,2,1,\n")
    documents = write("a.docs", "news\td\nnews\te\nnews\td\n")
    assert places(read_judgements(path, documents=documents)) == [("d", 1, "preference", None)]
    short = write("b.docs", "d\n")
    refused(
        lambda: read_judgements(path, documents=short).preferences,
        where=f"{path}:2",
        says="srcIndex is 3 … 1 lines",
        hint="",
    )


def test_one_language_pair_at_a_time(write: Any, refused: Any) -> None:
    path = write("a.csv", HEADER + "cze,eng,7,doc,7,j1,1,A,2,B,,,2,1,\neng,cze,7,doc,7,j1,1,C,2,D,,,2,1,\n")
    refused(
        lambda: read_judgements(path).preferences, where=str(path), says="found cze-eng, eng-cze", hint="name the pair"
    )
    assert pairs(read_judgements(path, pair="eng-cze")) == [("D", "C", False)]
    refused(
        lambda: read_judgements(path, pair="en-cze").preferences, where=str(path), says="'en-cze'", hint="'eng-cze'?"
    )


@pytest.mark.parametrize(
    ("line", "says", "hint"),
    [
        ('{"better": "A", "worse": "B"}', "a preference needs a document", "'document'"),
        ('{"document": "d", "better": "A"}', "expected a pair, got no 'worse'", "both"),
        ('{"document": "d", "worse": "A"}', "expected a pair, got no 'better'", "both"),
        ('{"document": "d", "better": "A", "worse": "A"}', "got 'A' compared with itself", "leave the pair out"),
        ('{"document": "d", "better": "A", "worse": 3}', "worse must be text that is not empty, got 3", ""),
        ('{"document": "d", "better": "A", "worse": "B", "tie": "no"}', 'tie must be true or false, got "no"', ""),
        ('{"document": "d", "ranks": {"A": 1}}', "the ranks of two systems or more, got 1", "leave the row out"),
        (
            '{"document": "d", "ranks": ["A", "B"]}',
            "ranks must be an object that is not empty, got a list",
            "for example",
        ),
        ('{"document": "d", "ranks": {"A": "1", "B": 2}}', 'ranks.A must be a finite number, got "1"', "null"),
        ('{"document": "d", "ranks": {"A": NaN, "B": 2}}', "ranks.A must be a finite number, got NaN", "null"),
    ],
)
def test_refused_with_its_line(write: Any, refused: Any, line: str, says: str, hint: str) -> None:
    path = write("a.jsonl", '{"document": "d", "better": "A", "worse": "B"}\n' + line + "\n")
    refused(lambda: read_judgements(path).preferences, where=f"{path}:2", says=says, hint=hint)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("cze,eng,0,doc,7,j1,1,A,2,B,3,C,2,1,2", "srcIndex must be a whole number from 1, got '0'"),
        ("cze,eng,x,doc,7,j1,1,A,2,B,3,C,2,1,2", "srcIndex must be a whole number from 1, got 'x'"),
        ("cze,eng,7,doc,7,j1,1,A,2,B,3,C,2,1,", "system3rank must be a whole number, got ''"),
        ("cze,eng,7,doc,7,j1,1,A,2,B,3,,2,1,2", "another system in system3Id, got ''"),
        ("cze,eng,7,doc,7,j1,1,A,2,B,3,A,2,1,2", "another system in system3Id, got 'A'"),
        ("cze,eng,7,doc,7,j1,1,A,2,,3,,2,,", "the ranks of two systems or more, got 1"),
        ("cze,eng,7,doc,7,j1,1,A,2,B", "expected 15 fields as in the header, got 10"),
    ],
)
def test_broken_rankings_of_wmt(write: Any, refused: Any, row: str, says: str) -> None:
    path = write("a.csv", HEADER + "cze,eng,7,doc,7,j1,1,A,2,B,3,C,2,1,2\n" + row + "\n")
    refused(lambda: read_judgements(path).preferences, where=f"{path}:3", says=says, hint="")
