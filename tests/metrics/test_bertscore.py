"""BERTScore by hand on vectors of the unit circle, where a similarity is the cosine of an angle."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

import coheval
from coheval.errors import DataError

Score = Callable[..., float | None]


def cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))


def test_precision_recall_and_f(score: Score, compass: str) -> None:
    """north matches northish (10°), its best; eastish has no partner nearer than north (100°)."""
    precision = cos(10)
    recall = (cos(10) + cos(100)) / 2
    expected = {"precision": precision, "recall": recall, "f": 2 * precision * recall / (precision + recall)}
    for form, value in expected.items():
        spec = f"bertscore({compass}, form='{form}')"
        assert score(spec, "north", "northish eastish") == pytest.approx(value, abs=1e-6)


def test_idf_weights_both_sides(score: Score, compass: str, tmp_path: Path) -> None:
    table = tmp_path / "idf.json"
    table.write_text('{"default": 1.0, "weights": {"northish": 3.0}}', encoding="utf-8")
    spec = f"bertscore({compass}, form='recall', idf={str(table)!r})"
    assert score(spec, "north", "northish eastish") == pytest.approx((3 * cos(10) + cos(100)) / 4, abs=1e-6)


def test_best_reference_for_each_number(score: Score, compass: str) -> None:
    spec = f"bertscore({compass})"
    assert score(spec, "north", "east", "north") == pytest.approx(1.0, abs=1e-6)
    averaged = score(f"bertscore({compass}, references='mean')", "north", "east", "north")
    assert averaged == pytest.approx(0.5, abs=1e-6)


def test_baseline_rescales(score: Score, compass: str, tmp_path: Path) -> None:
    """(x − b) / (1 − b) with the layer's row."""
    path = tmp_path / "baseline.csv"
    path.write_text("LAYER,P,R,F\n0,0.1,0.1,0.1\n1,0.5,0.25,0.2\n", encoding="utf-8")
    spec = f"bertscore({compass}, form='precision', baseline={str(path)!r})"
    assert score(spec, "north", "northish") == pytest.approx((cos(10) - 0.5) / 0.5, abs=1e-6)
    assert "sha256=" in coheval.metric(spec).signature


def test_broken_baseline_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "baseline.csv"
    path.write_text("LAYER,P,R\n6,0.5,0.25\n", encoding="utf-8")
    with pytest.raises(DataError, match="expected columns LAYER,P,R,F"):
        coheval.metric(f"bertscore(baseline={str(path)!r})")
    with pytest.raises(DataError, match="cannot be read"):
        coheval.metric("bertscore(baseline='nowhere.csv')")


def test_empty_side_by_variant(score: Score) -> None:
    """bert_score answers 0; strict says that there is nothing to compare."""
    assert score("bertscore(variant='code')", "", "a dog") == 0.0
    result = coheval.score([""], ["a dog"], metrics=["bertscore"])
    assert result["bertscore"].segments == [None]
    assert result["bertscore"].reasons == ["the candidate is empty"]


def test_strict_ignores_specials(score: Score) -> None:
    """Only `code` lets a word match [CLS] or [SEP], so it can only be higher."""
    strict = score("bertscore(form='precision')", "dog", "economics of space travel")
    code = score("bertscore(form='precision', variant='code')", "dog", "economics of space travel")
    assert strict is not None
    assert code is not None
    assert strict <= code + 1e-9


def test_evidence_names_each_best_match(compass: str) -> None:
    spec = f"bertscore({compass})"
    evidence = coheval.score(["north"], ["eastish northish"], metrics=[spec], evidence=True)[spec].evidence[0]
    assert evidence["kind"] == "matches"
    (match,) = evidence["precision"]
    assert match["to"] == 1
    assert match["similarity"] == pytest.approx(cos(10), abs=1e-6)
    assert [m["to"] for m in evidence["recall"]] == [0, 0]


def test_empty_side_is_rescaled_as_bert_score_does(score: Score, tmp_path: Path) -> None:
    """bert_score rescales its 0 for an empty side too: (0 − .3) / .7."""
    path = tmp_path / "baseline.csv"
    path.write_text("LAYER,P,R,F\n6,0.3,0.3,0.3\n", encoding="utf-8")
    spec = f"bertscore(variant='code', baseline={str(path)!r})"
    assert score(spec, "", "a dog") == pytest.approx(-0.3 / 0.7)
    before = score(spec, "a dog", "a dog")
    path.write_text("LAYER,P,R,F\n6,0.5,0.5,0.5\n", encoding="utf-8")
    assert score(spec, "", "a dog") == pytest.approx(-1)  # the file is read anew
    assert before == pytest.approx(1.0)
    path.write_text("LAYER,P,R,F\n6,1,1,1\n", encoding="utf-8")
    with pytest.raises(DataError, match="between -1 and 1"):
        coheval.metric(spec)


def test_f_is_bounded_where_precision_and_recall_have_opposite_signs(compass: str) -> None:
    """By hand: "south" meets "east" at cos 90° = 0 and "eastish" at cos 80° = .17, so P = .17; R is the mean of these
    and of cos 180° for "north": (0 + .17 - 1) / 3 < 0."""
    candidate, reference = "south", "east eastish north"
    p, r, f = (
        coheval.score([candidate], [reference], metrics=[spec])[spec].segments[0]
        for spec in (f"bertscore({compass}, form={form!r})" for form in ("precision", "recall", "f"))
    )
    assert p == pytest.approx(math.cos(math.radians(80)))
    assert r == pytest.approx((math.cos(math.radians(80)) - 1) / 3)
    assert f == 0.0
    code = f"bertscore({compass}, variant='code')"
    assert coheval.score([candidate], [reference], metrics=[code])[code].segments[0] == pytest.approx(
        2 * p * r / (p + r)
    )


def test_code_says_why_it_answers_zero() -> None:
    spec = "bertscore(variant='code')"
    result = coheval.score(["a cat"], [["", "a cat"]], metrics=[spec], evidence=True)[spec]
    first, second = result.evidence[0]["each"]
    assert first == {"kind": "nothing", "reason": "the reference is empty"}
    assert second["kind"] == "matches"
