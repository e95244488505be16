"""Judgements: means, raters, direction, and what is refused when they are put together."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.data.judgements import Judgements, Preference, Rating
from coheval.errors import DataError, UsageError


def rating(
    value: float, system: str = "A", document: str | None = "d", rater: str | None = None, **more: Any
) -> Rating:
    return Rating(system, document, more.pop("segment", None), more.pop("aspect", "fluency"), value, rater, **more)


def test_means_over_raters_of_each_unit() -> None:
    judged = Judgements(
        [
            rating(1, rater="r"),
            rating(2, rater="s"),
            rating(5, "B"),
            rating(9, aspect="coherence"),
            rating(3, segment=0),
        ]
    )
    assert judged.aspects() == ["fluency", "coherence"]
    assert judged.means("fluency") == {("A", "d", None): 1.5, ("B", "d", None): 5.0, ("A", "d", 0): 3.0}
    assert judged.means("coherence") == {("A", "d", None): 9.0}


def test_a_system_a_document_and_a_segment_are_three_units() -> None:
    judged = Judgements([rating(1, document=None), rating(2), rating(3, segment=0)])
    assert list(judged.means("fluency")) == [("A", None, None), ("A", "d", None), ("A", "d", 0)]


def test_where_lower_is_better_means_turn_round_and_raters_do_not() -> None:
    judged = Judgements(
        [rating(25), rating(0, "B"), rating(4, aspect="coherence")], lower_is_better=frozenset({"fluency"})
    )
    assert judged.means("fluency") == {("A", "d", None): -25.0, ("B", "d", None): 0.0}
    assert judged.means("coherence") == {("A", "d", None): 4.0}
    assert judged.raters("fluency")[1].tolist() == [[25.0, 0.0]]


def test_raters_as_a_table_with_gaps() -> None:
    judged = Judgements([rating(1, rater="r"), rating(2, "B", rater="s"), rating(3, "A", rater="s"), rating(4, "C")])
    raters, table = judged.raters("fluency")
    assert raters == ["r", "s", None]
    expected = [[1, np.nan, np.nan], [3, 2, np.nan], [np.nan, np.nan, 4]]  # units A, B, C
    np.testing.assert_array_equal(table, expected)


units = st.tuples(st.sampled_from("AB"), st.sampled_from([None, "d", "e"]), st.just(None))
keys = st.lists(st.tuples(units, st.sampled_from("xy"), st.sampled_from([None, "r", "s"])), unique=True, min_size=1)


@given(keys, st.randoms(use_true_random=False))
def test_table_of_raters_and_means_agree_with_counting(found: list[Any], rng: Any) -> None:
    ratings = [Rating(*unit, aspect, rng.randint(-5, 5), rater) for unit, aspect, rater in found]
    judged = Judgements(ratings)
    for aspect in judged.aspects():
        by_unit: dict[Any, list[float]] = defaultdict(list)
        for r in ratings:
            if r.aspect == aspect:
                by_unit[r.system, r.document, r.segment].append(r.value)
        means = judged.means(aspect)
        assert means == {unit: pytest.approx(statistics.mean(values)) for unit, values in by_unit.items()}
        raters, table = judged.raters(aspect)
        assert table.shape == (len(raters), len(means))
        assert [sorted(column[~np.isnan(column)]) for column in table.T] == [sorted(by_unit[u]) for u in means]


def test_preferences_may_repeat_and_contradict() -> None:
    judged = Judgements(
        preferences=[
            Preference("A", "B", "d", None, "p", "r"),
            Preference("A", "B", "d", None, "p", "r"),
            Preference("B", "A", "d", None, "p", "r", tie=True),
            Preference("B", "A", "d", None, "q"),
        ]
    )
    assert [(p.better, p.tie) for p in judged.preferences_of("p")] == [("A", False), ("A", False), ("B", True)]
    assert judged.aspects() == ["p", "q"]
    assert judged.means("p") == {}
    assert judged.raters("p")[1].shape == (0, 0)


def test_nothing_judged() -> None:
    assert Judgements().aspects() == []
    with pytest.raises(UsageError, match="nothing is judged for the aspect 'fluency'"):
        Judgements().means("fluency")


@pytest.mark.parametrize("method", ["means", "raters", "preferences_of"])
def test_unknown_aspects_are_refused_with_a_suggestion(method: str) -> None:
    with pytest.raises(UsageError) as caught:
        getattr(Judgements([rating(1)]), method)("fluence")
    assert "did you mean 'fluency'?" in str(caught.value)


def test_a_direction_of_an_aspect_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="'errors'"):
        Judgements([rating(1)], lower_is_better=frozenset({"errors"}))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_ratings_are_finite(value: float) -> None:
    with pytest.raises(DataError) as caught:
        Judgements([rating(value, where="a.jsonl:3")])
    assert caught.value.where == "a.jsonl:3"
    assert "finite" in caught.value.message


@pytest.mark.parametrize(
    ("of", "named"),
    [
        ({"document": None}, "'fluency' of system 'A' is rated twice"),
        ({}, "'fluency' of system 'A', document 'd' is rated twice"),
        ({"segment": 3, "rater": "r"}, "'fluency' of system 'A', document 'd', segment 3 by rater 'r' is rated twice"),
    ],
)
def test_a_rating_twice_names_both_places(of: dict[str, Any], named: str) -> None:
    with pytest.raises(DataError) as caught:
        Judgements([rating(1, where="a:1", **of), rating(1, where="a:7", **of)])
    assert caught.value.where == "a:7"
    assert caught.value.message == f"{named}; the other is at a:1"
    assert "rater" in (caught.value.hint or "")


def test_a_system_is_not_compared_with_itself() -> None:
    with pytest.raises(DataError, match="compared with itself"):
        Judgements(preferences=[Preference("A", "A", "d", None, "p", where="a:1")])
