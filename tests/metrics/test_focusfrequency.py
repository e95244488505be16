"""FREQ by hand and by counting."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

import coheval
from discourse import annotations

OFTEN = "north. north. north and east. east. south."  # north three times, east twice: 5 mentions of 2 foci
SELDOM = "north. south. north."  # north twice
NEVER = "north. south."
NOUNS = "north east south"


def test_by_hand(tmp_path: Path, score) -> None:
    spec = f"focusfrequency(annotator={annotations(tmp_path, OFTEN, SELDOM, nouns=NOUNS)})"
    assert score(spec, OFTEN) == pytest.approx(5 / 2, abs=1e-12)
    assert score(spec, SELDOM) == pytest.approx(2 / 1, abs=1e-12)


def test_by_counting(tmp_path: Path) -> None:
    rng = random.Random(6)
    texts = [" ".join(rng.choices("ab cd ef gh ij kl x y .".split(), k=rng.randint(1, 40))) for _ in range(100)]
    spec = f"focusfrequency(annotator={annotations(tmp_path, *texts, nouns='ab cd ef gh ij kl')})"
    for text, found in zip(texts, coheval.score(texts, metrics=[spec])[spec].segments, strict=True):
        counts = [n for word, n in Counter(text.split()).items() if n > 1 and len(word) == 2]
        assert found == (pytest.approx(sum(counts) / len(counts), abs=1e-12) if counts else None)


def test_discriminativeness_is_the_mean_distance_from_the_references(tmp_path: Path, score) -> None:
    annotator = annotations(tmp_path, OFTEN, SELDOM, NEVER, nouns=NOUNS)
    spec = f"focusfrequency(form='discriminativeness', annotator={annotator})"
    assert score(spec, OFTEN, SELDOM) == pytest.approx(0.5, abs=1e-12)
    assert score(spec, OFTEN, OFTEN) == 0
    assert score(spec, OFTEN, OFTEN, SELDOM, NEVER) == pytest.approx(0.25, abs=1e-12)  # NEVER has no value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the text has no focus"),
        (" \t ", "the text has no focus"),
        ("?!... --", "the text has no focus"),
        ("it was.", "the text has no focus"),
        ("north", "the text mentions no focus more than once"),
        (NEVER, "the text mentions no focus more than once"),
    ],
)
def test_nothing_to_count(tmp_path: Path, text: str, reason: str) -> None:
    annotator = annotations(tmp_path, text, SELDOM, nouns=NOUNS)
    value, apart = (
        f"focusfrequency(annotator={annotator})",
        f"focusfrequency(form='discriminativeness', annotator={annotator})",
    )
    result = coheval.score([text, SELDOM], [[SELDOM], [text]], metrics=[value, apart])
    assert result[value].reasons == [reason, None]
    assert result[apart].reasons == [f"candidate: {reason}", f"reference: {reason}"]


def test_other_scripts(tmp_path: Path, score) -> None:
    text = "кот. кот и дом. 猫 猫 猫."
    assert score(f"focusfrequency(annotator={annotations(tmp_path, text, nouns='кот дом 猫')})", text) == 5 / 2


def test_evidence_tells_how_often_on_both_sides(tmp_path: Path) -> None:
    annotator = annotations(tmp_path, OFTEN, SELDOM, nouns=NOUNS)
    spec = f"focusfrequency(form='discriminativeness', annotator={annotator})"
    (told,) = coheval.score([OFTEN], [[SELDOM]], metrics=[spec], evidence=True)[spec].evidence
    assert (told["value"], told["references"]) == (5 / 2, [2.0])
    for text, side, evidence, times in (
        (OFTEN, "candidate", told["candidate"], 3),
        (SELDOM, "reference", told["each"][0], 2),
    ):
        north = next(f for f in evidence["foci"] if f["focus"] == "north")
        assert [text[a:b] for a, b in north[side]] == ["north"] * times
