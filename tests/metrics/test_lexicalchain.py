"""Lexical chains by hand and by counting; the released program itself is in test_goldens_discourse."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import coheval
from discourse import annotations

NOUNS = "north east south northish eastish"
# Chains of the reference: north in sentences 0, 1 and 3, east in 1 and 2. South is in one sentence, twice.
REFERENCE = "north. north east. east south south. north."
# Chains of the candidate: north in 0 and 3, south in 1 and 2. East is in one sentence.
CANDIDATE = "north north. south. south. north east."
ALONE = "north. east. south."


@pytest.mark.parametrize(
    ("variant", "expected"),
    # north: two of its three sentences; east is no chain in the candidate
    [("coheval", (2 / 3 + 0) / 2), ("paper", (2 / 3) / 1), ("code", 2 / 3)],
)
def test_by_hand(tmp_path: Path, score, variant: str, expected: float) -> None:
    annotator = annotations(tmp_path, CANDIDATE, REFERENCE, nouns=NOUNS)
    found = score(f"lexicalchain(variant={variant!r}, annotator={annotator})", CANDIDATE, REFERENCE)
    assert found == pytest.approx(expected, abs=1e-12)


def test_by_counting(tmp_path: Path) -> None:
    rng = random.Random(7)
    texts = [
        ". ".join(" ".join(rng.choices(["ab", "cd", "ef", "gh", "x"], k=rng.randint(1, 4))) for _ in range(n % 12 + 1))
        for n in range(100)
    ]
    annotator = annotations(tmp_path, *texts, nouns="ab cd ef gh")
    specs = [f"lexicalchain(variant={v!r}, annotator={annotator})" for v in ("coheval", "code")]
    references = [[texts[i - 1], texts[i - 2]] for i in range(len(texts))]
    found = coheval.score(texts, references, metrics=specs)

    def chains(text: str) -> dict[str, set[int]]:
        sentences = [s.split() for s in text.split(". ")]
        places = {w: {k for k, s in enumerate(sentences) if w in s} for w in ("ab", "cd", "ef", "gh")}
        return {word: numbers for word, numbers in places.items() if len(numbers) > 1}

    for i, text in enumerate(texts):
        sums, means = [], []
        for reference in references[i]:
            ours, theirs = chains(text), chains(reference)
            total = sum(len(ours.get(word, set()) & s) / len(s) for word, s in theirs.items())
            sums.append(total)
            means += [total / len(theirs)] if theirs else []
        assert found[specs[0]].segments[i] == (pytest.approx(max(means), abs=1e-12) if means else None)
        assert found[specs[1]].segments[i] == pytest.approx(max(sums), abs=1e-12)


def test_the_best_reference_counts(tmp_path: Path, score) -> None:
    annotator = annotations(tmp_path, CANDIDATE, REFERENCE, ALONE, nouns=NOUNS)
    spec = f"lexicalchain(annotator={annotator})"
    for references in ([REFERENCE, CANDIDATE, ALONE], [ALONE, CANDIDATE, REFERENCE]):
        assert score(spec, CANDIDATE, *references) == 1


def test_identical_texts(tmp_path: Path, score) -> None:
    """The program gives the number of chains."""
    annotator = annotations(tmp_path, REFERENCE, nouns=NOUNS)
    assert score(f"lexicalchain(annotator={annotator})", REFERENCE, REFERENCE) == 1
    assert score(f"lexicalchain(variant='code', annotator={annotator})", REFERENCE, REFERENCE) == 2
    assert coheval.metric("lexicalchain").perfect == 1
    assert coheval.metric("lexicalchain").range == (0, 1)
    assert coheval.metric("lexicalchain(variant='code')").perfect is None
    assert coheval.metric("lexicalchain(variant='code')").range == (0, float("inf"))


@pytest.mark.parametrize("text", ["", " \t ", "?!... --", "it was.", "north", ALONE, "north north north."])
def test_texts_without_a_chain(tmp_path: Path, text: str) -> None:
    """A candidate without one lacks all of the reference's; a reference without one asks for nothing."""
    annotator = annotations(tmp_path, text, REFERENCE, nouns=NOUNS)
    own, code = f"lexicalchain(annotator={annotator})", f"lexicalchain(variant='code', annotator={annotator})"
    result = coheval.score([text, REFERENCE, text], [[REFERENCE], [text], [text]], metrics=[own, code])
    assert result[own].segments == [0, None, None]
    assert result[own].reasons == [None] + ["no reference has a focus in two sentences"] * 2
    assert result[code].segments == [0, 0, 0]


def test_other_scripts(tmp_path: Path, score) -> None:
    reference, candidate = (
        "кот и дом. 猫. кот 猫. дом.",
        "кот. 猫. 猫. кот.",
    )  # of кот's 0 and 2 only 0; of 猫's both; no дом
    annotator = annotations(tmp_path, candidate, reference, nouns="кот дом 猫")
    assert score(f"lexicalchain(annotator={annotator})", candidate, reference) == pytest.approx(1.5 / 3, abs=1e-12)


def test_entities(tmp_path: Path, compass: str, score) -> None:
    """north and northish are one entity, of sentences 0 and 1 here, 0 and 1 there: but not of the same nouns."""
    candidate, reference = "north. north. east.", "north. northish. east."
    annotator = annotations(tmp_path, candidate, reference, nouns=NOUNS)
    parameters = f"focus='entity', {compass.replace('encoder', 'vectors')}, annotator={annotator}"
    assert score(f"lexicalchain({parameters})", candidate, reference) == 1
    assert score(f"lexicalchain(variant='code', {parameters})", candidate, reference) == 0
    assert score(f"lexicalchain(variant='code', {parameters})", reference, reference) == 1


def test_evidence_tells_both_sides(tmp_path: Path) -> None:
    annotator = annotations(tmp_path, CANDIDATE, REFERENCE, ALONE, nouns=NOUNS)
    spec = f"lexicalchain(annotator={annotator})"
    (told,) = coheval.score([CANDIDATE], [[ALONE, REFERENCE]], metrics=[spec], evidence=True)[spec].evidence
    assert (told["kind"], told["reference"]) == ("foci", 1)
    north, south, east = told["foci"]
    assert [text["focus"] for text in (north, south, east)] == ["north", "south", "east"]
    assert [CANDIDATE[a:b] for a, b in north["candidate"]] == ["north"] * 3
    assert [REFERENCE[a:b] for a, b in north["reference"]] == ["north"] * 3
    assert (north["candidate_sentences"], north["reference_sentences"]) == ([0, 0, 3], [0, 1, 3])
    assert (north["recall"], north["share"]) == (2 / 3, 1.0)
    assert (south["recall"], south["share"]) == (None, 0.0)  # no chain of the reference
    assert (east["recall"], east["share"]) == (0.0, 0.0)  # no chain of the candidate
    assert (east["candidate_sentences"], east["reference_sentences"]) == ([3], [1, 2])
