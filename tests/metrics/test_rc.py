"""RC by hand and by counting; the released program itself is in test_goldens_discourse."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

import coheval
from cohesion import tagged
from coheval.errors import SpecError
from discourse import annotations

TEXT = "north here. north there. north and east. south."  # north three times, east and south once
PAPER = """\
The/DET runners/NOUN/runner were/AUX/be running/VERB/run fast/ADV
Fast/ADJ/fast runs/NOUN/run had/AUX/have been/AUX/be few/ADJ
Ada/PROPN/Ada slept/VERB/sleep"""


@pytest.mark.parametrize(
    ("variant", "expected"),
    [("coheval", 3 / 5), ("code", 3 / 3)],  # three mentions of north: of five mentions, of three nouns
)
def test_by_hand(tmp_path: Path, score, variant: str, expected: float) -> None:
    annotator = annotations(tmp_path, TEXT, nouns="north east south")
    assert score(f"rc(variant={variant!r}, annotator={annotator})", TEXT) == pytest.approx(expected, abs=1e-12)


def test_the_paper_counts_content_words_by_lemma(tmp_path: Path, score) -> None:
    """Content: runner, run, fast, fast, run, few, Ada, sleep; run and fast come twice, whatever their tags."""
    annotator, (text,) = tagged(tmp_path, PAPER)
    assert score(f"rc(variant='paper', annotator={annotator})", text) == pytest.approx(4 / 8, abs=1e-12)


def test_by_counting(tmp_path: Path) -> None:
    rng = random.Random(5)
    texts = [" ".join(rng.choices("ab cd ef gh ij kl x y .".split(), k=rng.randint(1, 40))) for _ in range(100)]
    annotator = annotations(tmp_path, *texts, nouns="ab cd ef gh ij kl")
    specs = [f"rc(variant={v!r}, annotator={annotator})" for v in ("coheval", "code")]
    found = coheval.score(texts, metrics=specs)
    for i, text in enumerate(texts):
        counts = Counter(word for word in text.split() if len(word) == 2)
        repeated = sum(n for n in counts.values() if n > 1)
        if not counts:
            assert [found[s].segments[i] for s in specs] == [None, None]
            continue
        assert found[specs[0]].segments[i] == pytest.approx(repeated / counts.total(), abs=1e-12)
        assert found[specs[1]].segments[i] == pytest.approx(repeated / len(counts), abs=1e-12)


def test_only_the_program_exceeds_one() -> None:
    assert coheval.metric("rc").range == (0, 1)
    assert coheval.metric("rc(variant='paper')").range == (0, 1)
    assert coheval.metric("rc(variant='code')").range == (0, float("inf"))


@pytest.mark.parametrize("text", ["", " \t ", "?!... --", "it was."])
@pytest.mark.parametrize(
    ("variant", "reason"),
    [
        ("coheval", "the text has no focus"),
        ("paper", "the text has no content word"),
        ("code", "the text has no focus; the released program divides by zero"),
    ],
)
def test_nothing_to_count(tmp_path: Path, text: str, variant: str, reason: str) -> None:
    spec = f"rc(variant={variant!r}, annotator={annotations(tmp_path, text, nouns='')})"
    result = coheval.score([text], metrics=[spec])[spec]
    assert result.segments == [None]
    assert result.reasons == [reason]


@pytest.mark.parametrize("text", ["кот. кот и дом.", "猫 。 猫 家 .", "بيت . بيت قط ."])
def test_other_scripts(tmp_path: Path, score, text: str) -> None:
    annotator = annotations(tmp_path, text, nouns="кот дом 猫 家 بيت قط")
    assert score(f"rc(annotator={annotator})", text) == pytest.approx(2 / 3, abs=1e-12)


def test_one_word(tmp_path: Path, score) -> None:
    assert score(f"rc(annotator={annotations(tmp_path, 'north', nouns='north')})", "north") == 0


def test_entities_repeat_across_their_nouns(tmp_path: Path, compass: str, score) -> None:
    text = "north. northish. east."  # 10° apart: one entity, mentioned twice
    vectors = compass.replace("encoder", "vectors")
    annotator = annotations(tmp_path, text, nouns="north northish east")
    for variant, expected in {"coheval": 2 / 3, "code": 2 / 2}.items():
        spec = f"rc(variant={variant!r}, focus='entity', {vectors}, annotator={annotator})"
        assert score(spec, text) == pytest.approx(expected, abs=1e-12)


def test_pronouns_repeat_where_coreference_is_known(tmp_path: Path, score) -> None:
    text = "the queen came. she left. the horse too."
    annotator = annotations(tmp_path, text, nouns="queen horse", the={"chains": [[[0, 9], [16, 19]]]})
    assert score(f"rc(annotator={annotator})", text) == 0
    assert score(f"rc(focus='coref', annotator={annotator})", text) == pytest.approx(2 / 3, abs=1e-12)


def test_the_paper_has_no_choice_of_focus() -> None:
    with pytest.raises(SpecError, match="focus cannot be chosen"):
        coheval.metric("rc(variant='paper', focus='head')")


@pytest.mark.parametrize("variant", ["coheval", "paper", "code"])
def test_evidence_names_what_repeats(tmp_path: Path, variant: str) -> None:
    """Townsend in sentences 0, 0 and 2, the coach once: 3 of 4 mentions."""
    annotator, (text,) = tagged(
        tmp_path, "Townsend/PROPN met/X Townsend/PROPN\nA/DET coach/NOUN\nTownsend/PROPN left/X"
    )
    spec = f"rc(variant={variant!r}, annotator={annotator})"
    (told,) = coheval.score([text], metrics=[spec], evidence=True)[spec].evidence
    assert told["kind"] == "foci"
    assert (told["counted"], told["of"]) == (3, 2 if variant == "code" else 4)
    townsend, coach = told["foci"]
    assert [text[a:b] for a, b in townsend["candidate"]] == ["Townsend"] * 3
    assert townsend["sentences"] == [0, 0, 2]
    assert townsend["ties"] == [{"relation": "repetition", "focus": "townsend"}]
    assert (coach["focus"], coach["sentences"], coach["ties"]) == ("coach", [1], [])
