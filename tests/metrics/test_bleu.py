"""BLEU against sacreBLEU's own sentence_bleu and corpus_bleu, the oracle of every number here."""

from __future__ import annotations

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import bleu as sacre

from coheval.errors import ResourceError, SpecError
from coheval.metrics.bleu import BLEU
from support import item, rows, streams, total

CANDIDATES = [
    "The ferry leaves the old harbour at noon, and returns before dusk.",
    "Nobody had told the gardener that the well was dry .",
    "ok",
    "",
    "!!! ...",
    "Миша читает книгу 在公園裡 with\tgusto\x07",
]
REFERENCES = [
    ["The ferry leaves the harbour at noon and is back before dusk.", "At noon the ferry departs from the old port."],
    ["No one told the gardener that the well was dry."],
    ["ok", "fine", "all right then"],
    ["There should be something here."],
    ["!!! ...", ""],
    ["Миша читал книгу 在公園裡 with gusto", "Mischa read a book in the park"],
]


def test_segments_are_sentence_bleu() -> None:
    metric = BLEU()
    for row, candidate, references in zip(rows(metric, CANDIDATES, REFERENCES), CANDIDATES, REFERENCES, strict=True):
        assert row.values is not None
        assert metric.combine(row.values, 1) == sacrebleu.sentence_bleu(candidate, references).score


def test_the_system_is_corpus_bleu_with_unequal_numbers_of_references() -> None:
    score = BLEU().combine(total(rows(BLEU(), CANDIDATES, REFERENCES)), len(CANDIDATES))
    assert score == pytest.approx(sacrebleu.corpus_bleu(CANDIDATES, streams(REFERENCES)).score, abs=1e-12)
    assert score is not None
    assert 10 < score < 90


OPTIONS: list[dict[str, object]] = [
    {"tokenize": "intl"},
    {"tokenize": "char"},
    {"tokenize": "zh"},
    {"tokenize": "none", "lowercase": True},
    {"smooth_method": "floor"},
    {"smooth_method": "floor", "smooth_value": 0.5},
    {"smooth_method": "add-k", "smooth_value": 2.0},
    {"smooth_method": "none", "max_ngram_order": 2},
    {"max_ngram_order": 6},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("effective", [True, False])
def test_every_option_is_the_oracles(options: dict[str, object], effective: bool) -> None:
    metric = BLEU(effective_order=effective, **options)  # type: ignore[arg-type]
    oracle = sacre.BLEU(effective_order=effective, force=True, **options)  # type: ignore[arg-type]
    measured = rows(metric, CANDIDATES, REFERENCES)
    for row, candidate, references in zip(measured, CANDIDATES, REFERENCES, strict=True):
        assert row.values is not None
        expected = oracle.corpus_score([candidate], streams([references])).score
        assert metric.combine(row.values, 1) == pytest.approx(expected, abs=1e-12)
    expected = oracle.corpus_score(CANDIDATES, streams(REFERENCES)).score
    assert metric.combine(total(measured), len(measured)) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.tuples(st.text("ab .é你", max_size=30), st.text("ab .é你", max_size=30)), min_size=2, max_size=4))
@settings(max_examples=60, deadline=None)
def test_random_corpora(pairs: list[tuple[str, str]]) -> None:
    candidates, references = [c for c, _ in pairs], [[r] for _, r in pairs]
    score = BLEU().combine(total(rows(BLEU(), candidates, references)), len(pairs))
    assert score == pytest.approx(sacrebleu.corpus_bleu(candidates, streams(references)).score, abs=1e-12)


def test_a_single_short_segment_scores_as_a_segment() -> None:
    """The one case where the two conventions cannot both hold: the docstring says which one does."""
    (row,) = rows(BLEU(), ["two words"], [["two words"]])
    assert row.values is not None
    assert BLEU().combine(row.values, 1) == pytest.approx(100.0)
    assert BLEU(effective_order=False).combine(row.values, 1) == 0.0
    assert BLEU().combine([2 * value for value in row.values], 2) == 0.0


def test_combining_leaves_the_totals_alone() -> None:
    """sacreBLEU's add-k smoothing adds to the counts that it is given."""
    metric = BLEU(smooth_method="add-k")
    totals = total(rows(metric, CANDIDATES, REFERENCES))
    assert metric.combine(totals, 6) == metric.combine(totals, 6)


def test_halves_add_up() -> None:
    whole = total(rows(BLEU(), CANDIDATES, REFERENCES))
    first, second = (total(rows(BLEU(), CANDIDATES[s], REFERENCES[s])) for s in (slice(0, 3), slice(3, 6)))
    assert whole == [a + b for a, b in zip(first, second, strict=True)]


def test_a_segment_without_references_is_undefined() -> None:
    measured = rows(BLEU(), ["a", "b"], [["a"], []])
    assert measured[0].values is not None
    assert measured[1].values is None
    assert measured[1].reason == "the segment has no reference"


def test_evidence_names_the_ngrams() -> None:
    metric = BLEU(max_ngram_order=2)
    (row,) = metric.measure([item(["a b b"], [["a b c"]])], evidence=True)[0].rows
    assert row.evidence == {
        "kind": "ngrams",
        "matched": ["a", "b", "a b"],
        "missing": ["c", "b c"],
        "extra": ["b", "b b"],
    }


def test_a_tokenizer_that_would_download_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ResourceError, match="pip install sentencepiece"):
        rows(BLEU(tokenize="flores200"), ["a"], [["a"]])
    with pytest.raises(ResourceError, match=r"sacrebleu\[ja\]"):
        rows(BLEU(tokenize="ja-mecab"), ["a"], [["a"]])


def test_a_model_that_is_not_on_disk_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", str(tmp_path))
    with pytest.raises(ResourceError, match="needs its SentencePiece model"):
        rows(BLEU(tokenize="flores200"), ["a"], [["a"]])


@pytest.mark.parametrize(
    "wrong", [{"tokenize": "13b"}, {"max_ngram_order": 0}, {"smooth_value": 0.1}, {"effective_order": "yes"}], ids=str
)
def test_wrong_parameters_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(SpecError, match=next(iter(wrong))):
        BLEU(**wrong)  # type: ignore[arg-type]
