"""Texts and judgements put together: pairs, votes, groups, and what is refused."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.errors import DataError, UsageError
from coheval.run.sample import columns, connected, majority, of_pairs, of_rated_pairs, of_ratings, rated

seeds = st.integers(0, 2**32 - 1)


@given(seeds, st.integers(0, 20))
def test_rated_pairs_by_definition(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    ratings = rng.choice([1.0, 2.0, 3.0, np.nan], size=size)
    items = rng.integers(0, 4, size=size)
    expected = {
        (i, j) for i, j in itertools.permutations(range(size), 2) if items[i] == items[j] and ratings[i] > ratings[j]
    }
    found = list(zip(*rated(ratings, items).tolist(), strict=True))
    assert len(found) == len(expected)
    assert set(found) == expected


@given(seeds, st.integers(0, 40))
def test_majority_by_definition(seed: int, votes: int) -> None:
    rng = np.random.default_rng(seed)
    cast = [tuple(rng.choice(4, size=2, replace=False).tolist()) for _ in range(votes)]
    count = Counter(cast)
    expected = {pair for pair in count if count[pair] > count[pair[::-1]]}
    found = list(zip(*majority(np.array(cast, dtype=np.intp).reshape(-1, 2).T, 4).tolist(), strict=True))
    assert len(found) == len(expected)
    assert set(found) == expected


def test_connected_rows_are_one_group() -> None:
    # 0-1-2 and 3-4 are connected, 5 stands alone
    codes = connected(np.array([[0, 1, 4], [1, 2, 3]]), 6).tolist()
    assert len({codes[0], codes[3], codes[5]}) == 3
    assert codes[0] == codes[1] == codes[2]
    assert codes[3] == codes[4]


def test_a_part_keeps_the_pairs_within_it() -> None:
    scores = np.arange(5.0)[:, None]
    sample = of_pairs(scores, ([0, 3, 4], [1, 4, 1]), None)
    part = sample.only(np.array([False, True, False, True, True]))
    assert part.scores.ravel().tolist() == [1, 3, 4]
    assert sorted(zip(*part.pairs.tolist(), strict=True)) == [(1, 2), (2, 0)]  # 3 > 4 and 4 > 1, counted anew


def test_complete_rows() -> None:
    scores = np.array([[1.0, 2.0], [np.nan, 1.0], [1.0, 1.0]])
    assert of_ratings(scores, [1, 2, np.nan], None).complete().tolist() == [True, False, False]
    assert of_ratings(scores, None, None).complete().tolist() == [True, False, True]
    assert of_pairs(scores, ([0], [2]), None).complete().tolist() == [True, False, True]


def test_agreement_by_hand() -> None:
    pairs = of_pairs(np.zeros((4, 1)), ([0, 1, 2], [1, 2, 3]), None)
    # 0 > 1 right, 1 > 2 wrong, 2 > 3 a tie: (1 - 1) / 3; and two right, one tie: 2/3
    assert pairs.agreement(np.array([3.0, 1.0, 2.0, 2.0])) == 0
    assert pairs.agreement(np.array([3.0, 2.0, 1.0, 1.0])) == pytest.approx(2 / 3)
    rated = of_ratings(np.zeros((3, 1)), [1, 2, 4], None)
    scores = np.array([1.0, 0.0, 5.0])
    assert rated.agreement(scores) == pytest.approx(np.corrcoef(scores, [1, 2, 4])[0, 1])
    assert np.isnan(rated.agreement(np.ones(3)))


def test_the_digest_tells_data_apart() -> None:
    scores = np.arange(4.0)[:, None]
    digests = {
        of_ratings(scores, [1, 2, 3, 4], None).sha256(),
        of_ratings(scores, [1, 2, 3, 5], None).sha256(),
        of_ratings(scores + 1, [1, 2, 3, 4], None).sha256(),
        of_ratings(scores, [1, 2, 3, 4], ["a", "a", "b", "b"]).sha256(),
        of_pairs(scores, ([0], [1]), None).sha256(),
    }
    assert len(digests) == 5
    assert of_ratings(scores, [1, 2, 3, 4], None).sha256() in digests


def test_columns_of_a_table() -> None:
    frame = pandas.DataFrame({"chrf": [1, 2], "bleu": [3, 4]})
    assert columns(frame, None)[0] == ["chrf", "bleu"]
    names, table = columns(frame, ["bleu"])
    assert (names, table.tolist()) == (["bleu"], [[3.0], [4.0]])
    assert columns([[1, 2]], None)[0] == ["0", "1"]
    with pytest.raises(UsageError, match="no column 'blue'"):
        columns(frame, ["blue"])


@pytest.mark.parametrize("scores", [[1.0, 2.0], [[[1.0]]], [[]]])
def test_scores_must_be_rows(scores: list[object]) -> None:
    with pytest.raises(DataError, match="expected scores in rows"):
        columns(scores, None)


def test_members_must_be_as_many_as_columns() -> None:
    with pytest.raises(DataError, match="rows of 3 members, got an array of shape"):
        columns([[1.0, 2.0]], ["a", "b", "c"])


def test_numbers_must_be_numbers() -> None:
    assert np.isnan(columns([[1.0, None]], None)[1]).tolist() == [[False, True]]
    with pytest.raises(DataError, match="expected scores as numbers"):
        columns([["a", 1.0]], None)
    with pytest.raises(DataError, match="expected scores as finite numbers, got infinity"):
        columns([[np.inf, 1.0]], None)
    with pytest.raises(DataError, match="expected ratings as finite numbers"):
        of_ratings(np.zeros((1, 1)), [-np.inf], None)
    with pytest.raises(UsageError, match="members must be different, got a, a"):
        columns([[1.0, 2.0]], ["a", "a"])


def test_refusals() -> None:
    scores = np.zeros((3, 1))
    with pytest.raises(DataError, match="expected 3 ratings"):
        of_ratings(scores, [1.0], None)
    with pytest.raises(DataError, match="expected 3 groups"):
        of_ratings(scores, [1.0, 2.0, 3.0], ["a"])
    with pytest.raises(UsageError, match="neither items nor groups"):
        of_rated_pairs(scores, [1.0, 2.0, 3.0], None, None)
    with pytest.raises(DataError, match="rows 0 and 2 are compared with each other and belong to different groups"):
        of_pairs(scores, ([0], [2]), ["a", "a", "b"])
    with pytest.raises(DataError, match="two different rows from 0 to 2"):
        of_pairs(scores, ([0], [3]), None)
    with pytest.raises(DataError, match="two different rows"):
        of_pairs(scores, ([1], [1]), None)
    with pytest.raises(DataError, match="of one length"):
        of_pairs(scores, ([0, 1], [2]), None)
    with pytest.raises(DataError, match="of one length"):
        of_pairs(scores, ([0, 1, 2],), None)
    with pytest.raises(DataError, match="of one length"):
        of_pairs(scores, np.array([[0, 1], [1, 2], [0, 2]]), None)  # a row for each pair instead of two lists


@pytest.mark.parametrize("better", [[0.7], [0.0], [True], ["0"], [None], [[0, 1], [2]]])
def test_pairs_are_whole_numbers(better: list[object]) -> None:
    with pytest.raises(DataError, match="expected row numbers"):
        of_pairs(np.zeros((3, 1)), (better, [2]), None)


def test_no_pairs() -> None:
    assert of_pairs(np.zeros((3, 1)), ([], []), None).pairs.shape == (2, 0)


@pytest.mark.parametrize(("groups", "told"), [(["a", None, "b"], "None"), ([1.0, np.nan, 2.0], "nan")])
def test_every_row_has_a_group(groups: list[object], told: str) -> None:
    with pytest.raises(DataError, match=f"expected groups for every row, got {told} at row 1"):
        of_ratings(np.zeros((3, 1)), [1.0, 2.0, 3.0], groups)
    with pytest.raises(DataError, match=f"expected items for every row, got {told} at row 1"):
        of_rated_pairs(np.zeros((3, 1)), [1.0, 2.0, 3.0], groups, None)


def test_groups_of_two_kinds() -> None:
    with pytest.raises(DataError, match="expected groups of one kind"):
        of_ratings(np.zeros((3, 1)), [1.0, 2.0, 3.0], np.array(["a", 1, "b"], dtype=object))
