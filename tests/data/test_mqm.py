"""MQM annotations: weights, segments without errors, numbering, and rows that do not fit."""

from __future__ import annotations

from typing import Any

import pytest

from coheval.data.judged import read_judgements
from coheval.data.mqm import WEIGHTS
from coheval.errors import UsageError

HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"


def row(category: str, severity: str, *, system: str = "A", doc: str = "d", doc_id: int = 1, rater: str = "r") -> str:
    return f"{system}\t{doc}\t{doc_id}\t9\t{rater}\tsource\ttarget\t{category}\t{severity}\n"


def penalties(judged: Any) -> dict[tuple[Any, ...], float]:
    return {(r.system, r.document, r.segment, r.rater): r.value for r in judged.ratings}


def test_penalties_add_up_by_rater_and_segment(write: Any) -> None:
    path = write(
        "mqm.tsv",
        HEADER
        + row("Accuracy/Mistranslation", "Major")
        + row("Fluency/Grammar", "Minor")
        + row("Fluency/Punctuation", "Minor", rater="s")
        + row("No-error", "No-error", doc_id=2)
        + row("Non-translation!", "Major", system="B", doc="e", doc_id=12)
        + row("Style/Awkward", "Neutral", system="B"),
    )
    judged = read_judgements(path)
    assert penalties(judged) == {
        ("A", "d", 0, "r"): 6.0,  # 5 + 1
        ("A", "d", 0, "s"): 0.1,
        ("A", "d", 1, "r"): 0.0,
        ("B", "e", 11, "r"): 25.0,
        ("B", "d", 0, "r"): 0.0,
    }
    assert judged.aspects() == ["mqm"]
    assert judged.lower_is_better == {"mqm"}
    means = judged.means("mqm")
    assert means["A", "d", 0] == pytest.approx(-3.05)  # -(6 + 0.1) / 2
    assert means["A", "d", 1] == 0
    assert judged.ratings[0].where == f"{path}:2"


@pytest.mark.parametrize(
    ("category", "severity", "penalty"),
    [
        ("Fluency/Punctuation", "major", 5),
        ("fluency/punctuation", "MINOR", 0.1),
        ("Fluency/Punctuation/Comma", "Minor", 0.1),
        ("Punctuation", "Minor", 1),
        ("Non-translation", "Major", 25),
        ("Source error/-", "Minor", 1),
        ("No-error", "no-error", 0),
    ],
)
def test_the_most_specific_weight_counts(write: Any, category: str, severity: str, penalty: float) -> None:
    (rating,) = read_judgements(write("mqm.tsv", HEADER + row(category, severity))).ratings
    assert rating.value == penalty


def test_own_weights(write: Any) -> None:
    path = write("mqm.tsv", HEADER + row("Style", "Major") + row("Style/Awkward", "Critical"))
    judged = read_judgements(path, weights={**WEIGHTS, "Critical": 10, "Major/Style": 2})
    assert penalties(judged) == {("A", "d", 0, "r"): 12.0}
    with pytest.raises(UsageError, match="weight of 'major' must be a finite number"):
        read_judgements(path, weights={"major": float("inf")})


@pytest.mark.parametrize("names", [("docSegId", "globalSegId"), ("doc_seg_id", "global_seg_id")])
def test_columns_since_2023(write: Any, names: tuple[str, str]) -> None:
    """The header of generalMT2023 and generalMT2024: other names, and a column of metadata."""
    header = f"system\tdoc\t{names[0]}\t{names[1]}\trater\tsource\ttarget\tcategory\tseverity\tmetadata\n"
    line = row("Accuracy/Omission", "major", doc_id=3).replace("\n", '\t{"note": ""}\n')
    assert penalties(read_judgements(write("mqm.tsv", header + line))) == {("A", "d", 2, "r"): 5.0}


def test_doc_id_beside_the_segments_number_is_something_else(write: Any) -> None:
    content = HEADER.replace("seg_id", "docSegId") + "A\td\tname\t2\tr\ts\tt\tStyle\tMinor\n"
    assert penalties(read_judgements(write("mqm.tsv", content))) == {("A", "d", 1, "r"): 1.0}


def test_quotes_are_characters_in_tsv_and_quotes_in_csv(write: Any) -> None:
    line = row("Style", "Minor").replace("source", 'a "b').replace("target", '"')
    assert len(read_judgements(write("mqm.tsv", HEADER + line + "\n")).ratings) == 1
    content = (HEADER + row("Style", "Minor").replace("source", '"a, ""b"""')).replace("\t", ",")
    assert len(read_judgements(write("mqm.csv", content)).ratings) == 1


@pytest.mark.parametrize(
    ("line", "says", "hint"),
    [
        (row("Style", "Critical"), "no weight for the severity 'Critical' of 'Style'", '"critical": 0'),
        (row("Style", ""), "no weight for the severity ''", "known: major"),
        (row("Style", "Minor", doc_id=0), "doc_id must be a whole number from 1, got '0'", "'doc'"),
        (row("Style", "Minor", system=" "), "expected a system, got an empty field", "whole"),
        (row("Style", "Minor", rater=""), "expected a rater, got an empty field", "whole"),
        ("A\td\t1\n", "expected 9 fields as in the header, got 3", "whole"),
    ],
)
def test_refused_with_its_line(write: Any, refused: Any, line: str, says: str, hint: str) -> None:
    path = write("mqm.tsv", HEADER + row("Style", "Minor") + line)
    refused(lambda: read_judgements(path).ratings, where=f"{path}:3", says=says, hint=hint)


def test_columns_that_are_not_there(write: Any, refused: Any) -> None:
    path = write("mqm.tsv", "system\tdoc\tseg_id\trater\tcategory\tseverity\nA\td\t1\tr\tStyle\tMinor\n")
    refused(
        lambda: read_judgements(path).ratings,
        where=f"{path}:1",
        says="got no docSegId or doc_seg_id or doc_id",
        hint="Google",
    )
    path = write("b.tsv", HEADER)
    refused(lambda: read_judgements(path).ratings, where=str(path), says="got none", hint="whole")
