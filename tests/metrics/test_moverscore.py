"""MoverScore by hand: static vectors make transport small enough to work out on paper."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

import coheval
from coheval.errors import CohevalError, SpecError, UsageError

Score = Callable[..., float | None]


def chord(degrees: float) -> float:
    return 2 * math.sin(math.radians(degrees) / 2)


def test_each_word_goes_to_its_nearest(score: Score, compass: str) -> None:
    expected = 1 - (chord(10) + chord(10)) / 2
    assert score(f"moverscore({compass})", "northish east", "eastish north") == pytest.approx(expected, abs=1e-6)


def test_optimal_differs_from_hard_alignment(score: Score, compass: str) -> None:
    """Both candidate words are nearest to north; transport must fill the second reference word as well."""
    candidate, reference = "north northish", "north south"
    optimal = 1 - (0 + chord(170)) / 2
    precision = 1 - (0 + chord(10)) / 2
    recall = 1 - (0 + chord(170)) / 2
    assert score(f"moverscore({compass})", candidate, reference) == pytest.approx(optimal, abs=1e-6)
    for form, expected in (
        ("precision", precision),
        ("recall", recall),
        ("f", (precision + recall) / 2),
    ):
        spec = f"moverscore({compass}, alignment='hard-{form}')"
        assert score(spec, candidate, reference) == pytest.approx(expected, abs=1e-6)


def test_unequal_numbers_of_words_share_their_mass(score: Score, compass: str) -> None:
    """One word against two: half of its mass goes to each."""
    expected = 1 - (0 + chord(90)) / 2
    assert score(f"moverscore({compass})", "north", "north east") == pytest.approx(expected, abs=1e-6)


def test_bigrams_are_sums_at_unit_length(score: Score, compass: str) -> None:
    """north+east points to 45°, east+south to 135°: one window each, 90° apart."""
    assert score(f"moverscore({compass}, ngram=2)", "north east", "east south") == pytest.approx(
        1 - chord(90), abs=1e-6
    )
    wider = score(f"moverscore({compass}, ngram=3)", "north east", "east south")
    assert wider == pytest.approx(1 - chord(90), abs=1e-6)  # fewer words than n: one window with all of them


def test_idf_weights_words(score: Score, compass: str, tmp_path: Path) -> None:
    """With north weighing 3 and east 1, a quarter of the mass moves from north to where it was missing."""
    table = tmp_path / "idf.json"
    table.write_text('{"default": 1.0, "weights": {"north": 3.0}}', encoding="utf-8")
    spec = f"moverscore({compass}, idf={str(table)!r})"
    assert score(spec, "north east", "north") == pytest.approx(1 - chord(90) / 4, abs=1e-6)
    assert "sha256=" in coheval.metric(spec).signature


def test_released_scales(score: Score, compass: str) -> None:
    """v2 scores 1/(1+EMD); v1 takes squared distances, here of a 10° chord (its epsilons stay below 1e-4)."""
    v2 = score(f"moverscore(variant='v2', idf='none', {compass})", "north", "northish")
    assert v2 == pytest.approx(1 / (1 + chord(10)), abs=1e-6)
    v1 = score(f"moverscore(variant='v1', idf='none', aggregation='last', {compass})", "north", "northish")
    assert v1 == pytest.approx(1 - chord(10) ** 2, abs=1e-4)


def test_references_by_mean_or_by_maximum(score: Score, compass: str) -> None:
    mean = score(f"moverscore({compass})", "north", "north", "east")
    best = score(f"moverscore({compass}, references='max')", "north", "north", "east")
    assert mean == pytest.approx(1 - chord(90) / 2, abs=1e-6)
    assert best == pytest.approx(1.0, abs=1e-9)


def test_evidence_tells_what_moved(compass: str) -> None:
    spec = f"moverscore({compass})"
    result = coheval.score(["northish east"], ["eastish north"], metrics=[spec], evidence=True)
    evidence = result[spec].evidence[0]
    assert evidence["kind"] == "transport"
    assert evidence["candidate"] == [[0, 8], [9, 13]]
    moved = {(m["from"], m["to"]): (m["mass"], m["cost"]) for m in evidence["moves"]}
    assert moved.keys() == {(0, 1), (1, 0)}
    assert moved[0, 1] == pytest.approx((0.5, chord(10)), abs=1e-6)


def test_evidence_tells_weights_and_what_is_charged_for_a_surplus() -> None:
    """Both words of the candidate stand in its only text, so that idf leaves it no weight; v1 then charges all that the
    reference weighs, 1 but for its epsilon, at the largest distance, which is all that the mean score lacks of 1."""
    spec = "moverscore(variant='v1')"
    result = coheval.score(["a cat"], [["a cat sat", "dogs run far"]], metrics=[spec], evidence=True)
    charges = []
    for evidence in result[spec].evidence[0]["each"]:
        assert evidence["moves"] == []
        assert evidence["weights"]["candidate"] == 0
        assert evidence["weights"]["reference"] > 0
        assert evidence["surplus"]["mass"] == pytest.approx(1, abs=1e-4)
        charges.append(evidence["surplus"]["mass"] * evidence["surplus"]["cost"])
    assert result[spec].segments == [pytest.approx(1 - sum(charges) / 2, abs=1e-12)]


def test_identical_text_is_exactly_perfect(score: Score) -> None:
    text = "Every spring the river flooded the garden, but the tree survived."
    for spec in ("moverscore", "moverscore(ngram=2)", "moverscore(variant='v2', idf='none')"):
        assert score(spec, text, text) == 1.0


def test_too_long_for_exact_transport_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coheval.metrics.moverscore.LARGEST", 10)
    result = coheval.score(["one two three four"], ["one two three four"], metrics=["moverscore"])
    assert result["moverscore"].segments == [None]
    assert "6 x 6 units are too many to align" in result["moverscore"].reasons[0]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("moverscore(ngram=0)", "ngram must be at least 1, got 0"),
        ("moverscore(variant='v2', ngram=2)", "unigrams only"),
        ("moverscore(variant='v3')", "variant must be 'coheval' or 'paper' or 'v1' or 'v2', got 'v3'"),
        ("moverscore(ngram=1.5)", "ngram must be a whole number, got 1.5"),
        ("moverscore(encoder=minilmm)", "did you mean 'minilm'"),
    ],
)
def test_wrong_parameters_are_told(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        coheval.metric(spec)


def test_wrong_aggregation_is_told(score: Score) -> None:
    with pytest.raises(SpecError, match="aggregation must be last"):
        score("moverscore(aggregation='first')", "a dog", "a cat")
    with pytest.raises(SpecError, match="layer must be 1 to 6, got 9"):
        score("moverscore(aggregation=layer(9))", "a dog", "a cat")


def test_layers_are_chosen_by_aggregation(score: Score) -> None:
    by_layer = [score(f"moverscore(aggregation=layer({k}))", "a small dog", "one little cat") for k in (1, 3, 6)]
    assert len(set(by_layer)) == 3
    assert by_layer[2] == score("moverscore", "a small dog", "one little cat")
    assert coheval.metric("moverscore(aggregation=pmeans(2, 4))").layers == (2, 4)
    assert coheval.metric("moverscore(aggregation=routing)").layers == (2, 3, 4, 5, 6)


def test_stop_words_from_a_file(tmp_path: Path) -> None:
    words = tmp_path / "stop.txt"
    words.write_text("small\nlittle one\n", encoding="utf-8")
    spec = f"moverscore(stop_words={str(words)!r}, specials=False)"
    result = coheval.score(["small little"], ["a dog"], metrics=[spec])
    assert result[spec].reasons == ["the candidate has nothing left after filtering"]


def test_scores_stay_in_range_whatever_the_alignment(score: Score) -> None:
    """Also where some scores are negative, of which a harmonic mean would be out of all bounds."""
    pairs = [("on hello stock mat world music apple", "apple house apple"), ("dog", "the economics of space travel")]
    for variant in ("coheval", "v1", "v2"):
        for alignment in ("optimal", "hard-precision", "hard-recall", "hard-f"):
            spec = f"moverscore(variant='{variant}', idf='none', alignment='{alignment}')"
            low, high = coheval.metric(spec).range
            for pair in pairs:
                assert low <= score(spec, *pair) <= high


def test_a_changed_file_of_stop_words_changes_score_and_signature(score: Score, tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    spec = f"moverscore(stop_words={str(path)!r})"
    seen = set()
    for words in ("cat", "a", ""):
        path.write_text(words, encoding="utf-8")
        seen.add((score(spec, "a cat", "a small dog"), coheval.metric(spec).signature))
    assert len({value for value, _ in seen}) == len({signature for _, signature in seen}) == 3
    with pytest.raises(CohevalError, match="stop words cannot be read"):
        coheval.metric("moverscore(stop_words='nowhere.txt')")


def test_words_that_the_encoder_does_not_know_are_not_equal() -> None:
    """All of them are one and the same [UNK] to the encoder, which would make different texts identical."""
    metrics = ["moverscore", "bertscore", "sbert", "sentencemover"]
    result = coheval.score(["🎉🎉 🎊", "tea ☕"], ["🔥🔥 💀", "tea"], metrics=metrics)
    for name in metrics:
        assert result[name].segments[0] is None
        assert result[name].reasons[0] == "the candidate has no word that the encoder knows"
        assert result[name].segments[1] is not None
        assert result[name].counts["unknown"] == 5


def test_bare_words_and_quoted_texts_are_one() -> None:
    assert coheval.metric("moverscore(variant=v2)") == coheval.metric("moverscore(variant='v2')")
    assert coheval.metric("moverscore(variant=v2)").aggregation == "last"


def test_sentence_mover_variants(score: Score, compass: str) -> None:
    """north+east against north: means (.5, .5) and (0, 1) are √.5 apart; sums (1, 1) and (0, 1) are 1 apart."""
    last = f"aggregation='last', {compass}"
    assert score(f"sentencemover({last})", "north east", "north") == pytest.approx(-math.sqrt(0.5), abs=1e-6)
    literal = score(f"sentencemover(variant='paper', idf='none', {last})", "north east", "north")
    assert literal == pytest.approx(-1, abs=1e-6)
    # unit length (√.5, √.5) against (0, 1), in L1
    service = score(f"sentencemover(variant='webservice', {last})", "north east", "north")
    assert service == pytest.approx(-(math.sqrt(0.5) + 1 - math.sqrt(0.5)), abs=1e-6)


def test_evidence_against_several_references_says_why_one_gave_none(compass: str) -> None:
    """A reference of unknown words has no score; with the best of them taken, the other's evidence still stands."""
    spec = f"moverscore({compass}, references='max')"
    result = coheval.score(["north"], [["nowhere", "northish"]], metrics=[spec], evidence=True)[spec]
    first, second = result.evidence[0]["each"]
    assert first == {"kind": "undefined", "reason": "the reference has no word that the encoder knows"}
    assert second["kind"] == "transport"


def test_spans_of_ngrams_leave_specials_out() -> None:
    """[CLS] two, two dogs, dogs ran, ran [SEP]: a special has no place, so the word beside it is the span."""
    result = coheval.score(["two dogs ran"], ["two dogs ran"], metrics=["moverscore(ngram=2)"], evidence=True)
    assert result["moverscore(ngram=2)"].evidence[0]["candidate"] == [[0, 3], [0, 8], [4, 12], [9, 12]]


def test_a_file_of_stop_words_is_read_in_any_case(tmp_path: Path) -> None:
    (tmp_path / "stop.txt").write_text("The\nCAT\n", encoding="utf-8")
    spec = f"moverscore(stop_words={str(tmp_path / 'stop.txt')!r})"
    assert coheval.score(["the cat sat"], ["sat"], metrics=[spec])[spec].segments[0] != pytest.approx(
        coheval.score(["the cat sat"], ["sat"])["moverscore"].segments[0], abs=1e-3
    )


def test_v1_refuses_what_would_not_fit_into_memory(compass: str) -> None:
    """It needs the distances within each text: 5,000 words have 25 million."""
    spec = f"moverscore({compass}, variant='v1', idf='none')"
    result = coheval.score(["north"], ["north " * 5_000], metrics=[spec])[spec]
    assert result.segments == [None]
    assert result.reasons[0].startswith("1 x 5,000 units are too many to align")
