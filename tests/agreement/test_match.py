"""Which judgement belongs to which text, and what happens to those that have none."""

from __future__ import annotations

import numpy as np
import pytest

from coheval.data.judgements import Judgements, Preference, Rating
from coheval.errors import DataError, UsageError
from coheval.run.agreement.match import match
from coheval.run.scoretable import ScoreTable

TABLE = ScoreTable.plain(
    {"m": {"A": [1, 2, 3, 4], "B": [4, 3, None, 1]}}, documents=["one", "one", "two", "three"]
)  # 'one' has two segments


def rated(*ratings: Rating, **more) -> Judgements:
    return Judgements(ratings=list(ratings), **more)


def test_ratings_stand_where_their_texts_are() -> None:
    judgements = rated(Rating("B", "one", 1, "x", 5), Rating("A", "three", 0, "x", 2), Rating("A", "one", 1, "x", 4))
    (grid,) = match(TABLE, judgements, "x", "segment", drop=False).grids
    assert [TABLE.units[n] for n in grid.items] == [("one", 1), ("three", 0)]
    np.testing.assert_array_equal(grid.human, [[4, 2], [5, np.nan]])
    np.testing.assert_array_equal(grid.scores(TABLE.columns["m"]), [[2, 4], [3, np.nan]])  # B's 'three' is not judged


def test_a_documents_rating_is_that_of_its_only_segment() -> None:
    judgements = rated(
        Rating("A", "two", None, "x", 5), Rating("B", "two", None, "x", 3), Rating("A", "three", 0, "x", 1)
    )
    (segments,) = match(TABLE, judgements, "x", "segment", drop=False).grids
    (documents,) = match(TABLE, judgements, "x", "document", drop=False).grids
    np.testing.assert_array_equal(segments.human, documents.human)
    np.testing.assert_array_equal(segments.human, [[5, 1], [3, np.nan]])


def test_a_document_without_a_rating_has_the_mean_of_its_segments() -> None:
    judgements = rated(Rating("A", "one", 0, "x", 1), Rating("A", "one", 1, "x", 4), Rating("B", "one", 1, "x", 3))
    (grid,) = match(TABLE, judgements, "x", "document", drop=False).grids
    np.testing.assert_array_equal(grid.human, [[2.5], [3]])


def test_systems_are_looked_at_through_the_texts_that_were_judged() -> None:
    """A: segments 0 and 3 of its scores 1, 2, 3, 4; B: segment 0 of 4, 3, None, 1."""
    judgements = rated(Rating("A", "one", 0, "x", 1), Rating("A", "three", 0, "x", 5), Rating("B", "one", 0, "x", 2))
    (grid,) = match(TABLE, judgements, "x", "system", drop=False).grids
    weights = np.ones((1, len(grid.documents)))
    np.testing.assert_allclose(grid.system_scores(TABLE.columns["m"], weights), [[2.5, 4]])
    np.testing.assert_allclose(grid.system_scores(TABLE.columns["m"], weights, of_means=True), [[2.5, 4]])
    np.testing.assert_allclose(grid.system_ratings(weights), [[3, 2]])


def test_ratings_of_systems_need_no_texts() -> None:
    judgements = rated(Rating("A", None, None, "x", 7), Rating("B", None, None, "x", 8))
    (grid,) = match(TABLE, judgements, "x", "system", drop=False).grids
    weights = np.ones((1, len(grid.documents)))
    np.testing.assert_array_equal(grid.system_ratings(weights), [[7, 8]])
    np.testing.assert_allclose(grid.system_scores(TABLE.columns["m"], weights), [[10 / 4, 8 / 3]])  # all their texts


def test_shares_of_comparisons_won() -> None:
    """A beats B twice and loses once: 2/3 and 1/3; a tie counts for nobody."""
    pairs = [
        Preference("A", "B", "one", 0, "x"),
        Preference("A", "B", "two", None, "x"),
        Preference("B", "A", "three", 0, "x"),
        Preference("A", "B", "one", 1, "x", tie=True),
    ]
    matched = match(TABLE, Judgements(preferences=pairs), "x", "system", drop=False)
    (grid,) = matched.grids
    np.testing.assert_allclose(grid.system_ratings(np.ones((1, len(grid.documents)))), [[2 / 3, 1 / 3]])
    assert matched.ties == 1


def test_groups_are_apart() -> None:
    judgements = rated(
        *(
            Rating(s, d, 0, "x", n)
            for n, (s, d) in enumerate([("A", "one"), ("B", "one"), ("A", "two"), ("A", "three")])
        ),
        groups={"one": "de-en", "two": "fr-en", "three": "fr-en"},
    )
    grids = {g.group: g for g in match(TABLE, judgements, "x", "segment", drop=False).grids}
    assert sorted(grids) == ["de-en", "fr-en"]
    assert grids["fr-en"].human.shape == (1, 2)  # only A was judged there


@pytest.mark.parametrize(
    "stray", [Rating("C", "one", 0, "x", 1), Rating("A", "four", None, "x", 1), Rating("A", "one", 2, "x", 1)]
)
def test_a_judgement_without_a_text_stops_the_run(stray: Rating) -> None:
    judgements = rated(Rating("A", "one", 0, "x", 1), stray)
    with pytest.raises(DataError, match="1 judgements are of texts that the run does not have") as error:
        match(TABLE, judgements, "x", "segment", drop=False)
    assert repr(stray.document) in str(error.value)
    assert "--drop-unmatched" in str(error.value)
    assert match(TABLE, judgements, "x", "segment", drop=True).dropped == 1


def test_a_system_without_the_text_is_told() -> None:
    """B has no third segment at all: its score is not undefined, it is not there."""
    table = ScoreTable.plain({"m": {"A": [1, 2], "B": [1, 2]}})
    table.present[1, 1] = False
    with pytest.raises(DataError, match="system 'B', document '2'"):
        match(table, rated(Rating("B", "2", None, "x", 1)), "x", "segment", drop=False)


def test_nothing_left_after_dropping() -> None:
    with pytest.raises(DataError, match="no text of the run has a judgement of 'x'"):
        match(TABLE, rated(Rating("C", "one", 0, "x", 1)), "x", "segment", drop=True)


def test_documents_were_judged_but_segments_are_asked_for() -> None:
    with pytest.raises(UsageError, match="people judged whole documents here"):
        match(TABLE, rated(Rating("A", "one", None, "x", 1)), "x", "segment", drop=False)


def test_texts_that_nobody_judged_are_counted() -> None:
    assert match(TABLE, rated(Rating("A", "one", 0, "x", 1)), "x", "segment", drop=False).unjudged == 7
