"""Articles by sound; each is as a dictionary's pronunciation has it, none from the code."""

from __future__ import annotations

import pytest

from coheval.algo.article import article

A = """dog house university user European one unit useful euro urine utopia ukulele uterus uniform union unicorn usage
utility uranium Ukrainian unanimous eulogy ewe once one-way year hotel history yard heretic honey window usurper uvula
unilateral universe unique"""
AN = """animal hour uncle honest umbrella unimportant uninvited egg unidentified uninhabited unissued unusual unable
upheaval upset usher urge urchin ugly ulcer utterance onion only onerous oneiric heir heirloom honour honor honorary
hourglass udon apple elephant idea orange owl east error"""


@pytest.mark.parametrize("word", A.split())
def test_a(word: str) -> None:
    assert article(word) == "a"


@pytest.mark.parametrize("word", AN.split())
def test_an(word: str) -> None:
    assert article(word) == "an"
