"""Noisy copies keep EDUs, sentences and lines."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from coheval.run.rst.noise import Cut, noisy

TEXT = "Anna, who was late, ran to the bus.\n“No!” said the driver: it had left and (of course) it was full."
UNITS = (
    "Anna,",
    "who was late,",
    "ran to the bus.",
    "“No!”",
    "said the driver:",
    "it had left",
    "and (of course) it was full.",
)
EDUS = tuple((TEXT.index(unit), TEXT.index(unit) + len(unit)) for unit in UNITS)
CUT = Cut(TEXT, EDUS, frozenset({0, TEXT.index("“No")}))


@given(st.integers(0, 10_000))
def test_units_stay(seed: int) -> None:
    found = noisy(CUT, random.Random(seed))
    assert len(found.edus) == len(EDUS)
    assert [found.text[a:b].strip() != "" for a, b in found.edus] == [True] * len(EDUS)
    assert all(a < b for a, b in found.edus)
    assert all(b <= c for (_, b), (c, _) in zip(found.edus, found.edus[1:], strict=False))
    assert found.sentences == {found.edus[0][0], found.edus[3][0]}
    assert found.text.count("\n") == 1
    assert found.text[found.edus[2][1] : found.edus[3][0]] == "\n"


def test_something_happens_and_repeats() -> None:
    copies = {noisy(CUT, random.Random(seed)).text for seed in range(50)}
    assert len(copies) > 20
    assert any(copy == copy.lower() for copy in copies)
    assert noisy(CUT, random.Random(3)) == noisy(CUT, random.Random(3))


def test_no_word_is_invented() -> None:
    words = sorted(TEXT.lower().split())
    for seed in range(20):
        for word in noisy(CUT, random.Random(seed)).text.lower().split():
            assert any(word.strip("“”,.!:()") in known for known in words)
