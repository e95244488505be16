"""Alignments with the fewest chunks, against trying every alignment."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coheval.algo import chunks
from coheval.algo.chunks import Alignment, TooManyLinks, align
from coheval.algo.stages import match

words = st.lists(st.sampled_from("aAbc"), min_size=1, max_size=6)


def quotas(left: list[str], right: list[str]) -> dict[tuple[str, str], int]:
    return {pair: count for stage in match(left, right, [str, str.lower]) for pair, count in stage.items()}


def fewest(left: list[str], right: list[str], wanted: Counter[tuple[str, str]]) -> int:
    """The fewest chunks of all alignments that meet the quotas."""
    found: list[int] = []

    def extend(i: int, pairs: list[tuple[int, int]]) -> None:
        if i == len(left):
            if Counter((left[a], right[b]) for a, b in pairs) == wanted:
                found.append(Alignment(pairs, True).chunks)
            return
        extend(i + 1, pairs)
        for j in range(len(right)):
            if j not in {b for _, b in pairs} and (left[i], right[j]) in wanted:
                extend(i + 1, [*pairs, (i, j)])

    extend(0, [])
    return min(found)


@given(words, words)
@settings(deadline=None, max_examples=150)
def test_no_alignment_has_fewer_chunks(left: list[str], right: list[str]) -> None:
    wanted = Counter(quotas(left, right))
    alignment = align(left, right, wanted)
    assert Counter((left[i], right[j]) for i, j in alignment.pairs) == wanted
    assert len({i for i, _ in alignment.pairs}) == len({j for _, j in alignment.pairs}) == len(alignment.pairs)
    assert alignment.fewest
    assert alignment.chunks == fewest(left, right, wanted)


def test_by_hand() -> None:
    """The b could go to either place; before the c it makes one chunk of two."""
    left, right = list("abc"), list("bxybc")
    assert align(left, right, quotas(left, right)).pairs == [(1, 3), (2, 4)]


def test_greed_alone_would_be_wrong() -> None:
    """The first of the longest runs, "b c d", leaves a and e alone: three chunks. "a b" and "c d e" are two."""
    left, right = list("abcde"), list("cdeXbcdXab")
    alignment = align(left, right, quotas(left, right))
    assert alignment.chunks == 2
    assert alignment.fewest


def test_identical_texts_are_one_chunk_at_any_length() -> None:
    text = [f"w{k * k % 997}" for k in range(3_000)]
    alignment = align(text, text, Counter(text_pairs(text)))
    assert alignment.chunks == 1
    assert alignment.fewest


def text_pairs(text: list[str]) -> list[tuple[str, str]]:
    return [(word, word) for word in text]


def test_a_search_that_gives_up_says_so_and_is_the_same_every_time() -> None:
    dice = random.Random(7)
    left, right = ([dice.choice("abcdefgh") for _ in range(200)] for _ in range(2))
    first, second = (align(left, right, quotas(left, right)) for _ in range(2))
    assert not first.fewest
    assert first == second


def test_texts_beyond_the_limit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "LINKS", 3)
    with pytest.raises(TooManyLinks, match="more than 3 ways"):
        align(["a"] * 3, ["a"] * 3, {("a", "a"): 3})


def test_nothing_to_align() -> None:
    assert align([], [], {}) == Alignment([], True)
    assert align(["a"], [], {}).chunks == 0
