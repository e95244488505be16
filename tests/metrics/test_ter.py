"""TER against sacreBLEU's TER, the oracle of every number that is not counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import ter as sacre

from coheval.errors import SpecError
from coheval.metrics.ter import TER
from support import assert_equals_sacrebleu, item, rows, total

CANDIDATES = ["at noon the Ferry leaves, again", "two words", "x", "", "...", "(在公園) Снег идёт"]
REFERENCES = [
    ["The ferry leaves again at noon", "Again the ferry leaves at noon."],
    ["not two words"],
    ["x", "y", "y z"],
    ["gone"],
    ["", "..."],
    ["在公園 снег пошёл", "(在公園)"],
]
OPTIONS: list[dict[str, object]] = [
    {},
    {"normalized": True},
    {"normalized": True, "asian_support": True},
    {"no_punct": True, "asian_support": True},
    {"case_sensitive": True, "no_punct": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_segments_and_system_are_the_oracles(options: dict[str, object]) -> None:
    metric, oracle = TER(**options), sacre.TER(**options)  # type: ignore[arg-type]
    assert_equals_sacrebleu(metric, oracle, CANDIDATES, REFERENCES)


@given(st.lists(st.tuples(st.text("ab c", max_size=20), st.text("ab c", max_size=20)), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_random_corpora(pairs: list[tuple[str, str]]) -> None:
    candidates, references = [c for c, _ in pairs], [r for _, r in pairs]
    score = TER().combine(total(rows(TER(), candidates, [[r] for r in references])), len(pairs))
    assert score == pytest.approx(sacre.TER().corpus_score(candidates, [references]).score, abs=1e-12)


def test_edits_by_hand() -> None:
    """One shift ("at noon" to the end) and nothing else: 1 edit in 6 reference words."""
    (row,) = TER().measure([item(["at noon the ferry leaves again"], [REFERENCES[0][:1]])], evidence=True)[0].rows
    assert row.evidence == {"kind": "edits", "edits": 1, "reference_length": 6.0}
    assert row.values is not None
    assert TER().combine(row.values, 1) == pytest.approx(100 / 6)


def test_lower_is_better_and_identity_is_perfect() -> None:
    (row,) = rows(TER(), ["the same words"], [["the same words"]])
    assert row.values is not None
    assert TER().combine(row.values, 1) == TER.perfect == 0
    assert not TER.higher_is_better


def test_halves_add_up() -> None:
    whole = total(rows(TER(), CANDIDATES, REFERENCES))
    first, second = (total(rows(TER(), CANDIDATES[s], REFERENCES[s])) for s in (slice(0, 3), slice(3, 6)))
    assert whole == pytest.approx([a + b for a, b in zip(first, second, strict=True)])


def test_a_text_above_the_limit_is_undefined_and_says_so() -> None:
    (row,) = rows(TER(), ["word " * 100_000], [["word"]])
    assert row.values is None
    assert row.reason == "a text has 100,000 words and the search for shifts is limited to 500 (longest=)"


def test_the_limit_is_a_parameter() -> None:
    assert rows(TER(longest=2), ["a b c"], [["a"]])[0].values is None
    assert rows(TER(longest=3), ["a b c"], [["a"]])[0].values == (2.0, 1.0)
    with pytest.raises(SpecError, match="longest"):
        TER(longest=0)
