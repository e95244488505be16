"""Judgement files: every form of ratings, what is counted as missing, and what is refused with its line."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.data.judged import read_judgements
from coheval.errors import CohevalError, UsageError


def units(judged: Any) -> list[tuple[Any, ...]]:
    return [(r.system, r.document, r.segment, r.aspect, r.value, r.rater) for r in judged.ratings]


def lines(*objects: dict[str, Any]) -> str:
    return "".join(json.dumps(o) + "\n" for o in objects)


def test_long_form(write: Any) -> None:
    path = write(
        "a.jsonl",
        lines(
            {"system": "A", "document": "d", "segment": 2, "aspect": "fluency", "rater": "r", "value": 4},
            {"system": "A", "document": 7, "score": 0.5, "candidate": "text", "lp": "en-de"},
            {"system": "A", "rating": 1, "annotator": 3},
            {"doc": "d", "human": -1},
        ),
    )
    judged = read_judgements(path)
    assert units(judged) == [
        ("A", "d", 2, "fluency", 4.0, "r"),
        ("A", "7", None, "score", 0.5, None),
        ("A", None, None, "rating", 1.0, "3"),
        ("system", "d", None, "human", -1.0, None),
    ]
    assert [r.where for r in judged.ratings] == [f"{path}:{n}" for n in (1, 2, 3, 4)]
    assert judged.missing == 0


@pytest.mark.parametrize("name", ["human", "ratings", "scores"])
def test_wide_form(write: Any, name: str) -> None:
    path = write("a.jsonl", lines({"model_id": "A", "doc_id": "d", name: {"coherence": 4, "fluency": 2.5}}))
    assert units(read_judgements(path)) == [
        ("A", "d", None, "coherence", 4.0, None),
        ("A", "d", None, "fluency", 2.5, None),
    ]


def test_realsumm_form(write: Any) -> None:
    row = {"doc_id": 52, "ref": "r", "system": "s.txt", "hyp": "h"}
    row |= {"human": {"litepyramid_recall": 0.3}, "metrics": {"rouge_1_f_score": 0.4}}
    assert units(read_judgements(write("a.jsonl", lines(row)))) == [
        ("s.txt", "52", None, "litepyramid_recall", 0.3, None)
    ]


SUMMEVAL = {
    "id": "dm-1",
    "model_id": "M0",
    "decoded": "text",
    "expert_annotations": [{"coherence": 2, "fluency": 4}, {"coherence": 1, "fluency": 5}],
    "turker_annotations": [{"coherence": 3, "fluency": 3}],
}
SHARED = {"doc_id": "dm-1", "system": "M0", "hyp": "text"}
SHARED |= {"expert": SUMMEVAL["expert_annotations"], "turker": SUMMEVAL["turker_annotations"]}


@pytest.mark.parametrize("row", [SUMMEVAL, SHARED])
def test_summeval_form(write: Any, row: dict[str, Any]) -> None:
    path = write("a.jsonl", lines(row))
    experts = [
        ("M0", "dm-1", None, "coherence", 2.0, "expert 1"),
        ("M0", "dm-1", None, "fluency", 4.0, "expert 1"),
        ("M0", "dm-1", None, "coherence", 1.0, "expert 2"),
        ("M0", "dm-1", None, "fluency", 5.0, "expert 2"),
    ]
    assert units(read_judgements(path)) == experts
    assert units(read_judgements(path, raters="expert")) == experts
    assert [r.rater for r in read_judgements(path, raters="turker").ratings] == ["turker 1"] * 2
    assert read_judgements(path).means("coherence") == {("M0", "dm-1", None): 1.5}


def test_turkers_count_where_there_are_no_experts(write: Any) -> None:
    row = {key: value for key, value in SUMMEVAL.items() if key != "expert_annotations"}
    assert [r.rater for r in read_judgements(write("a.jsonl", lines(row))).ratings] == ["turker 1"] * 2


def test_raters_of_two_kinds_are_not_mixed(write: Any, refused: Any) -> None:
    path = write("a.jsonl", lines(SUMMEVAL, {"id": "2", "turker_annotations": [{"coherence": 3}]}))
    refused(
        lambda: read_judgements(path).ratings, where=f"{path}:2", says="experts' annotations, got none", hint="turker"
    )


def test_kinds_of_raters_that_are_not_there(write: Any, refused: Any) -> None:
    path = write("a.jsonl", lines({"system": "A", "value": 1}))
    refused(
        lambda: read_judgements(path, raters="expert").ratings,
        where=str(path),
        says="by experts",
        hint="leave out",
        kind=UsageError,
    )
    refused(
        lambda: read_judgements(path, raters="experts").ratings,
        where=str(path),
        says="'experts'",
        hint="'expert'?",
        kind=UsageError,
    )


def test_fields_of_ones_own_are_ratings_when_they_are_named(write: Any) -> None:
    path = write("a.jsonl", lines({"system": "A", "document": "d", "da_z": 0.5, "raw": 70, "score": 3}))
    assert [(r.aspect, r.value) for r in read_judgements(path, aspects=["raw", "da_z"]).ratings] == [
        ("raw", 70.0),
        ("da_z", 0.5),
    ]


def test_aspects_are_chosen_and_missing_values_counted(write: Any) -> None:
    path = write(
        "a.jsonl",
        lines(
            {"system": "A", "document": "d", "human": {"coherence": 4, "fluency": None}},
            {"system": "B", "document": "d", "human": {"coherence": None, "fluency": None}},
            {"system": "C", "document": "d", "human": {"coherence": 1, "fluency": 2}},
        ),
    )
    assert read_judgements(path).missing == 3
    chosen = read_judgements(path, aspects=["coherence"])
    assert chosen.aspects() == ["coherence"]
    assert chosen.missing == 1
    with pytest.raises(UsageError, match="did you mean 'coherence'"):
        read_judgements(path, aspects=["coherense"])


def test_direction_of_a_scale(write: Any) -> None:
    path = write("a.jsonl", lines({"system": "A", "human": {"errors": 3, "fluency": 2}}))
    judged = read_judgements(path, lower_is_better=("errors",))
    assert judged.means("errors") == {("A", None, None): -3.0}
    assert judged.means("fluency") == {("A", None, None): 2.0}
    with pytest.raises(UsageError, match="'error'"):
        read_judgements(path, lower_is_better=("error",))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", '{"system": "A", "human": {"errors": 3, "fluency": 2}}\n'),
        ("b.jsonl", '{"system": "A", "errors": 3, "fluency": 2}\n'),
        ("c.jsonl", '{"system": "A", "human": {"errors": null, "fluency": 2}}\n'),
        ("a.csv", "system,errors,fluency\nA,3,2\n"),
        ("b.csv", "system,aspect,value\nA,errors,3\nA,fluency,2\n"),
    ],
)
def test_direction_of_a_scale_that_is_not_asked_for(write: Any, name: str, content: str) -> None:
    path = write(name, content)
    judged = read_judgements(path, aspects=["fluency"], lower_is_better=["errors"])
    assert units(judged) == [("A", None, None, "fluency", 2.0, None)]
    assert judged.lower_is_better == frozenset()
    both = read_judgements(path, aspects=["fluency"], lower_is_better=["errors", "fluency"])
    assert both.lower_is_better == {"fluency"}
    with pytest.raises(UsageError, match="'error'"):
        read_judgements(path, aspects=["fluency"], lower_is_better=["error"])


def test_groups(write: Any) -> None:
    rows = [
        {"document": d, "system": s, "group": g, "value": 1} for d, g in (("d", "cs-en"), ("e", "de-en")) for s in "AB"
    ]
    assert read_judgements(write("a.jsonl", lines(*rows))).groups == {"d": "cs-en", "e": "de-en"}


def test_id_is_a_row_number_beside_a_document(write: Any) -> None:
    path = write("a.jsonl", lines({"id": 5, "document": "d", "value": 1}, {"id": 6, "value": 2}))
    assert [r.document for r in read_judgements(path).ratings] == ["d", "6"]


def test_compressed_and_from_standard_input(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    content = lines({"system": "A", "value": 1}).encode()
    assert len(read_judgements(write("a.jsonl.gz", gzip.compress(content))).ratings) == 1
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    assert [r.where for r in read_judgements("-").ratings] == ["standard input:1"]


@pytest.mark.parametrize(
    ("line", "says", "hint"),
    [
        ('{"system": "A", "value": "4"}', 'value must be a finite number, got "4"', "null"),
        ('{"system": "A", "value": true}', "value must be a finite number, got true", "null"),
        ('{"system": "A", "value": NaN}', "value must be a finite number, got NaN", "null"),
        ('{"system": "A", "value": -Infinity}', "value must be a finite number, got -Infinity", "null"),
        ('{"system": "A", "value": ' + "9" * 400 + "}", "value must be a finite number, got 9999", "null"),
        ('{"system": "A", "human": {"fluency": [1]}}', "human.fluency must be a finite number, got a list", "null"),
        ('{"system": "A", "human": {}}', "human must be an object that is not empty", "for example"),
        ('{"system": "A", "human": {" ": 1}}', 'human must be text that is not empty, got " "', ""),
        ('{"system": "A", "human": "good"}', 'human must be a finite number, got "good"', "null"),
        ('{"system": "A", "score": 1, "human": {"a": 1}}', "'score' and 'human' could both be the rating", "rename"),
        ('{"system": "A", "aspect": "a", "human": {"b": 1}}', "an object in 'human'", "leave out 'aspect'"),
        ('{"system": "A", "bleu": 1}', "expected a rating or a preference, got 'system', 'bleu'", "value, score"),
        ("{}", "got nothing", "value, score"),
        ('{"system": "", "value": 1}', 'system must be text that is not empty, got ""', "fill it"),
        ('{"document": [1], "value": 1}', "document must be text that is not empty, got a list", "fill it"),
        ('{"document": "d", "segment": "1", "value": 1}', 'segment must be a whole number, got "1"', "0, 1, 2"),
        ('{"segment": 1, "value": 1}', "a segment number needs a document", "name the document"),
        ('{"system": "A", "group": "g", "value": 1}', "a group is one of documents", "name the document"),
        ('{"doc": "d", "doc_id": "e", "value": 1}', "'doc' and 'doc_id' are the same field", "keep one"),
        ('{"docment": "d", "value": 1}', "'docment' is not a known field", "did you mean 'document'?"),
        ('{"system": "A", "value": 1', "expected JSON", "whole JSON object"),
        ('{"id": "d", "expert": []}', "expert must be a list that is not empty", "each rater"),
        ('{"id": "d", "expert": [3]}', "expert[0] must be an object that is not empty, got 3", "for example"),
        ('{"id": "d", "expert": [{"a": "x"}]}', 'expert[0].a must be a finite number, got "x"', "null"),
        (
            '{"id": "d", "expert": [{"a": 1}], "expert_annotations": [{"a": 1}]}',
            "one list of experts' annotations",
            "one",
        ),
        (
            '{"document": "d", "system": "B", "group": "h", "value": 1}',
            "of group 'h' here and of 'g' before",
            "different",
        ),
        ('{"document": "d", "system": "A", "value": 2}', "'value' of system 'A', document 'd' is rated twice", "rater"),
    ],
)
def test_refused_with_its_line(write: Any, refused: Any, line: str, says: str, hint: str) -> None:
    first = '{"document": "d", "system": "A", "group": "g", "value": 1}\n'
    path = write("a.jsonl", first + "\n" + line + "\n")
    refused(lambda: read_judgements(path).ratings, where=f"{path}:3", says=says, hint=hint)


def test_a_rating_twice_names_the_other_line(write: Any, refused: Any) -> None:
    path = write("a.csv", "system,document,value\nA,d,1\nB,d,1\nA,d,3\n")
    refused(lambda: read_judgements(path).ratings, where=f"{path}:4", says=f"the other is at {path}:2", hint="rater")


def test_nothing_but_missing_values(write: Any, refused: Any) -> None:
    path = write("a.jsonl", lines({"system": "A", "value": None}))
    refused(lambda: read_judgements(path).ratings, where=str(path), says="got none; 1 values are missing", hint="whole")
    path = write("b.jsonl", " \n\n")
    refused(lambda: read_judgements(path).ratings, where=str(path), says="got none; 0 values", hint="whole")


def test_long_table(write: Any) -> None:
    path = write(
        "a.csv",
        "system,document,segment,aspect,rater,value,note\r\n"
        'A,d,0,fluency,r1,4,"a, b"\r\nA,d,0,fluency,r2,None,\r\nA,,,coherence,,2.5,7\r\n',
    )
    judged = read_judgements(path)
    assert units(judged) == [
        ("A", "d", 0, "fluency", 4.0, "r1"),
        ("A", None, None, "coherence", 2.5, None),
    ]
    assert judged.missing == 1
    assert [r.where for r in judged.ratings] == [f"{path}:2", f"{path}:4"]


def test_wide_table_takes_every_column_of_numbers_that_is_no_key(write: Any) -> None:
    path = write(
        "a.tsv", "system\tdoc\tmt\tcoherence\tfluency\tcomment\nA\td\t3\t4\t\tok\nB\td\ttext\t-1e1\t2\t5 to 6\n"
    )
    judged = read_judgements(path)
    assert units(judged) == [
        ("A", "d", None, "coherence", 4.0, None),
        ("B", "d", None, "coherence", -10.0, None),
        ("B", "d", None, "fluency", 2.0, None),
    ]
    assert judged.missing == 1


@pytest.mark.parametrize("missing", ["", "NA", "NaN", "nan", "null", "None", " NA "])
def test_what_stands_for_a_missing_value(write: Any, missing: str) -> None:
    """A first cell without a rating does not make the column disappear."""
    path = write("a.csv", f"system,document,coherence,fluency\nA,d,{missing},1\nB,d,2,{missing}\nC,d,4,5\n")
    judged = read_judgements(path)
    assert [(r.system, r.aspect, r.value) for r in judged.ratings] == [
        ("A", "fluency", 1.0),
        ("B", "coherence", 2.0),
        ("C", "coherence", 4.0),
        ("C", "fluency", 5.0),
    ]
    assert judged.missing == 2


def test_a_column_that_could_be_either_is_read_or_left_out_when_it_is_told(write: Any) -> None:
    path = write("a.csv", "system,document,fluency,comment\nA,d,1,good\nB,d,2,5\n")
    assert [(r.aspect, r.value) for r in read_judgements(path, aspects=["fluency"]).ratings] == [
        ("fluency", 1.0),
        ("fluency", 2.0),
    ]


def test_wide_table_with_named_columns(write: Any) -> None:
    path = write("a.csv.gz", gzip.compress(b"system,document,year,fluency,score\nA,d,2020,3,9\n"))
    assert units(read_judgements(path, aspects=["fluency"])) == [("A", "d", None, "fluency", 3.0, None)]
    assert units(read_judgements(path)) == [("A", "d", None, "score", 9.0, None)]


@pytest.mark.parametrize(
    "content",
    [
        "A\t0.5\nB\t-1\nC\tNone\n",
        "C\tNone\nA\t0.5\nB\t-1\n",
        "C\tNaN\nA\t0.5\nB\t-1\n",
        "system\tscore\nA\t0.5\nB\t-1\nC\t\n",
    ],
)
def test_system_and_score(write: Any, content: str) -> None:
    judged = read_judgements(write("a.tsv", content))
    assert units(judged) == [("A", None, None, "score", 0.5, None), ("B", None, None, "score", -1.0, None)]
    assert judged.missing == 1


@pytest.mark.parametrize(
    ("content", "line", "says", "hint"),
    [
        ("system,value\nA,1\nB,x\n", 3, "value must be a number, got 'x'", "empty"),
        ("system,fluency\nA,1\nB,good\n", 3, "fluency must be a number, got 'good'", "empty"),
        ("system,fluency,a\nA,1,2\nB,1,-\n", 3, "a must be a number, got '-'", "empty"),
        (
            "system,fluency,a\nA,1,NA\nB,1,-\nC,1,7\n",
            3,
            "a must be numbers or none, got '-' and, below it, '7'",
            "name",
        ),
        ("document,ranks\nd,A B\n", 2, "or better and worse, got 'document', 'ranks'", "JSONL"),
        ("system,group,value\nA,cs-en,1\n", 2, 'a group is one of documents, got "cs-en"', "leave out 'group'"),
        ("system,value\nA,1e999\n", 2, "value must be a finite number, got Infinity", ""),
        ("system,value\nA,1\nB\n", 3, "expected 2 fields as in the header, got 1", "quotes"),
        ('system,value\nA,1\n"B,2\n', 3, "matching quotes", ""),
        ("system,fluency,fluency\nA,1,2\n", 1, "the column 'fluency' is given twice", "keep one"),
        ("system,mt\nA,text\n", 2, "expected a column with ratings, got 'system', 'mt'", "aspects"),
        ("sytem,value\nA,1\n", 2, "'sytem' is not a known field", "did you mean 'system'?"),
        ("document,segment,value\nd,1.0,1\n", 2, 'segment must be a whole number, got "1.0"', ""),
        ("document,better,worse,tie\nd,A,B,maybe\n", 2, "tie must be true or false, got 'maybe'", ""),
        ("document,better\nd,A\n", 2, "expected a pair, got no 'worse'", "both"),
    ],
)
def test_tables_refused_with_their_line(
    write: Any, refused: Any, content: str, line: int, says: str, hint: str
) -> None:
    path = write("a.csv", content)
    refused(lambda: read_judgements(path).ratings, where=f"{path}:{line}", says=says, hint=hint)


def test_misspelt_columns_are_looked_at_too(write: Any, refused: Any) -> None:
    path = write("a.csv", "system,documents,value\nA,d,1\n")
    refused(lambda: read_judgements(path).ratings, where=f"{path}:2", says="'documents'", hint="'document'?")


def test_what_is_no_judgement_file(write: Any, refused: Any, tmp_path: Any) -> None:
    path = write("a.txt", "A 1\n")
    refused(lambda: read_judgements(path).ratings, where=str(path), says="ends in .jsonl", hint="rename")
    gone = tmp_path / "b.txt"
    refused(lambda: read_judgements(gone).ratings, where=str(gone), says="no such file", hint="a.txt")
    half = write("a.jsonl.gz", gzip.compress(b'{"system": "A", "value": 1}\n' * 9)[:-9])
    refused(lambda: read_judgements(half).ratings, where=str(half), says="whole gzip", hint="")


@pytest.mark.parametrize("option", [{"pair": "en-de"}, {"documents": "d"}, {"weights": {"major": 5}}])
def test_options_that_mean_nothing_for_a_file(write: Any, option: dict[str, Any]) -> None:
    path = write("a.jsonl", lines({"system": "A", "value": 1}))
    with pytest.raises(UsageError, match=f"'{next(iter(option))}' has a meaning for"):
        read_judgements(path, **option)


@given(st.text(), st.sampled_from(["a.jsonl", "a.csv", "a.tsv", "en-de.mqm.sys.score"]))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str, name: str) -> None:
    path = tmp_path_factory.mktemp("judged") / name
    path.write_bytes(text.encode())
    with suppress(CohevalError):
        read_judgements(path)


cells = st.sampled_from(
    ["system", "document", "value", "A", "1", "", "-1", "severity", "category", "doc", "doc_id", "rater"]
)
cells |= st.sampled_from(
    ["better", "worse", "tie", "system1Id", "system1rank", "system2Id", "system2rank", "srcIndex", '"']
)


@given(st.lists(st.lists(cells, min_size=1, max_size=6), min_size=1, max_size=4), st.sampled_from(",\t"))
def test_any_table_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], by: str) -> None:
    path = tmp_path_factory.mktemp("judged") / ("a.csv" if by == "," else "a.tsv")
    path.write_text("".join(by.join(row) + "\n" for row in rows))
    with suppress(CohevalError):
        read_judgements(path)


PAGE = Path(__file__).parents[2] / "docs" / "judgements.md"
EXAMPLES = re.findall(r"```(jsonl|csv|tsv)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(("ending", "content"), EXAMPLES)
def test_examples_of_the_page_are_read(write: Any, ending: str, content: str) -> None:
    judged = read_judgements(write(f"a.{ending}", content), aspects=["da_z"] if "da_z" in content else None)
    assert judged.ratings or judged.preferences


def test_numbers_of_the_page(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    content = next(text for _, text in EXAMPLES if "null" in text)
    monkeypatch.chdir(write("ratings.jsonl", content).parent)
    code = next(
        block
        for block in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
        if "ratings.jsonl" in block
    )
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["judged"].means("fluency") == {("A", "d1", 0): 4.0}
    assert names["judged"].missing == 1
    mqm = read_judgements(write("mqm.tsv", next(text for _, text in EXAMPLES if "severity" in text)))
    assert [(r.segment, r.value) for r in mqm.ratings] == [(0, pytest.approx(5.1)), (1, 0.0)]


def test_sets_of_the_page_are_all_there_are() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \| [\d,]+ ", text, re.MULTILINE) == [
        "summeval", "realsumm", "wmt17", "wmt19", "d2t", "topicalchat", "lmvlm"
    ]  # fmt: skip
