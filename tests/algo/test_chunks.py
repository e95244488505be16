"""Alignments with the fewest chunks, against trying every alignment."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coheval.algo import chunks
from coheval.algo.chunks import Alignment, Pair, TooManyLinks, align
from coheval.algo.stages import Group, Keys, match

SENSES = {"a": "x", "A": "xy", "b": "y", "B": "", "c": "x"}  # a and A share one of theirs, b and B none

words = st.lists(st.sampled_from("aAbBc"), min_size=1, max_size=5)
some_stages = st.permutations([str, str.lower, SENSES.__getitem__])


def groups(left: list[str], right: list[str]) -> list[Group]:
    return [group for stage in match(left, right, [str, str.lower]).stages for group in stage]


def alignments(left: list[str], right: list[str], stages: list[Keys]) -> set[tuple[Pair, ...]]:
    """All in which each stage matches as many words as it can of those that the stages before it left over."""

    def extend(done: tuple[Pair, ...], keys: Keys, i: int) -> Iterator[tuple[Pair, ...]]:
        if i == len(left):
            yield done
            return
        yield from extend(done, keys, i + 1)
        for j, word in enumerate(right):
            free = all(i != a and j != b for a, b in done)
            if free and not set(keys(left[i])).isdisjoint(keys(word)):
                yield from extend((*done, (i, j)), keys, i + 1)

    found: set[tuple[Pair, ...]] = {()}
    for keys in stages:
        longest: set[tuple[Pair, ...]] = set()
        for done in found:
            options = list(extend(done, keys, 0))
            most = max(map(len, options))
            longest |= {tuple(sorted(option)) for option in options if len(option) == most}
        found = longest
    return found


@given(words, words, some_stages)
@settings(deadline=None, max_examples=150)
def test_no_alignment_has_fewer_chunks(left: list[str], right: list[str], stages: list[Keys]) -> None:
    """Each stage always matches what it can; where the groups are forced, nothing has fewer chunks."""
    matched = match(left, right, stages)
    alignment = align(left, right, [group for stage in matched.stages for group in stage])
    possible = alignments(left, right, stages)
    assert tuple(alignment.pairs) in possible
    assert alignment.fewest
    if matched.forced:
        assert alignment.chunks == min(Alignment(list(pairs), True).chunks for pairs in possible)


def test_by_hand() -> None:
    """The b could go to either place; before the c it makes one chunk of two."""
    left, right = list("abc"), list("bxybc")
    assert align(left, right, groups(left, right)).pairs == [(1, 3), (2, 4)]


def test_words_of_a_group_pair_as_chunks_ask() -> None:
    """One of a and A can have the only a of the right. The A, after b, makes one chunk of two; if its limit allows."""
    left, right = list("axbA"), list("ba")
    alone = Group({"b": 1}, {"b": 1}, 1)
    assert align(left, right, [Group({"a": 1, "A": 1}, {"a": 1}, 1), alone]).pairs == [(2, 0), (3, 1)]
    assert align(left, right, [Group({"a": 1, "A": 0}, {"a": 1}, 1), alone]).pairs == [(0, 1), (2, 0)]


def test_greed_alone_would_be_wrong() -> None:
    """The first of the longest runs, "b c d", leaves a and e alone: three chunks. "a b" and "c d e" are two."""
    left, right = list("abcde"), list("cdeXbcdXab")
    alignment = align(left, right, groups(left, right))
    assert alignment.chunks == 2
    assert alignment.fewest


def test_identical_texts_are_one_chunk_at_any_length() -> None:
    text = [f"w{k * k % 997}" for k in range(3_000)]
    alignment = align(text, text, [Group({word: n}, {word: n}, n) for word, n in Counter(text).items()])
    assert alignment.chunks == 1
    assert alignment.fewest


def test_a_search_that_gives_up_says_so_and_is_the_same_every_time() -> None:
    dice = random.Random(7)
    left, right = ([dice.choice("abcdefgh") for _ in range(200)] for _ in range(2))
    first, second = (align(left, right, groups(left, right)) for _ in range(2))
    assert not first.fewest
    assert first == second


def test_texts_beyond_the_limit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "LINKS", 3)
    with pytest.raises(TooManyLinks, match="more than 3 ways"):
        align(["a"] * 3, ["a"] * 3, [Group({"a": 3}, {"a": 3}, 3)])


def test_nothing_to_align() -> None:
    assert align([], [], []) == Alignment([], True)
    assert align(["a"], [], []).chunks == 0
