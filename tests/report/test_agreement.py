"""Score against rating."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from coheval.errors import DataError
from coheval.report import draw_agreement, draw_agreement_by_system

from .conftest import offsets, texts, written

RNG = np.random.default_rng(3)
RATINGS = RNG.normal(size=40)
SCORES = 0.4 * RATINGS + RNG.normal(size=40)
SYSTEMS = [f"system {i % 4}" for i in range(40)]


def test_points_are_rating_and_score() -> None:
    figure = draw_agreement(SCORES, RATINGS, metric="bleu", aspect="coherence")
    (axes,) = figure.axes
    np.testing.assert_allclose(offsets(axes), np.column_stack([RATINGS, SCORES]))
    assert axes.get_xlabel() == "coherence"
    assert axes.get_ylabel() == "bleu (higher is better)"


def test_line_is_the_least_squares_fit() -> None:
    (line,) = draw_agreement(SCORES, RATINGS).axes[0].lines
    slope, intercept = np.polyfit(RATINGS, SCORES, 1)
    np.testing.assert_allclose(line.get_xdata(), [RATINGS.min(), RATINGS.max()])
    np.testing.assert_allclose(line.get_ydata(), intercept + slope * np.array(line.get_xdata()))


def test_corner_tells_r_and_n() -> None:
    expected = stats.pearsonr(RATINGS, SCORES).statistic
    assert f"r = {expected:.2f}\nn = 40" in texts(draw_agreement(SCORES, RATINGS))


def test_statistics_that_are_given_take_the_place_of_r() -> None:
    told = texts(draw_agreement(SCORES, RATINGS, statistics={"τ": -0.25, "ρ": None}))
    assert "τ = −0.25\nρ = undefined\nn = 40" in told


def test_lower_is_better_turns_axis_and_sign() -> None:
    figure = draw_agreement(SCORES, -RATINGS, metric="ter", higher_is_better=False)
    assert figure.axes[0].yaxis_inverted()
    assert figure.axes[0].get_ylabel() == "ter (lower is better, axis reversed)"
    expected = stats.pearsonr(RATINGS, SCORES).statistic
    assert f"r = {expected:.2f}" in written(figure)


@pytest.mark.parametrize("higher", [True, False])
def test_ratings_of_which_less_is_better_turn_their_axis(higher: bool) -> None:
    errors = 5 - RATINGS
    figure = draw_agreement(
        SCORES if higher else -SCORES, errors, aspect="errors", higher_is_better=higher, lower_ratings_are_better=True
    )
    (axes,) = figure.axes
    assert axes.xaxis_inverted()
    assert axes.yaxis_inverted() != higher
    assert axes.get_xlabel() == "errors (lower is better, axis reversed)"
    np.testing.assert_allclose(offsets(axes)[:, 0], errors)
    assert f"r = {stats.pearsonr(RATINGS, SCORES).statistic:.2f}" in written(figure)


def test_each_system_has_its_own_look() -> None:
    figure = draw_agreement(SCORES, RATINGS, systems=SYSTEMS)
    clouds = figure.axes[0].collections
    assert [len(cloud.get_offsets()) for cloud in clouds] == [10, 10, 10, 10]
    assert len({tuple(cloud.get_facecolor()[0]) for cloud in clouds}) == 4
    assert len({cloud.get_paths()[0].vertices.tobytes() for cloud in clouds}) == 4
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["system 0", "system 1", "system 2", "system 3"]


def test_forty_two_systems_all_differ() -> None:
    systems = [str(i // 2) for i in range(84)]
    clouds = draw_agreement(np.arange(84), np.arange(84), systems=systems).axes[0].collections
    looks = {(tuple(c.get_facecolor()[0]), c.get_paths()[0].vertices.tobytes()) for c in clouds}
    assert len(looks) == 42


def test_single_points_have_names() -> None:
    names = ["alpha", "beta", "gamma", "delta"]
    figure = draw_agreement([1, 2, 3, 5], [1, 2, 4, 3], systems=names)
    assert [text for text in texts(figure) if text in names] == names
    assert figure.legends == []


def test_missing_values_are_left_out_and_counted() -> None:
    figure = draw_agreement([1, None, 3, float("nan"), 5, float("inf")], [1, 2, None, 4, 5, 6])
    np.testing.assert_allclose(offsets(figure.axes[0]), [[1, 1], [5, 5]])
    assert "4 of 6 points left out: no score or no rating." in texts(figure)
    assert "n = 2" in written(figure)


def test_nothing_is_said_if_nothing_is_missing() -> None:
    assert "left out" not in written(draw_agreement(SCORES, RATINGS))


def test_many_points_are_small_and_drawn_as_pixels() -> None:
    few = draw_agreement(SCORES, RATINGS).axes[0].collections[0]
    many = draw_agreement(np.tile(SCORES, 100), np.tile(RATINGS, 100)).axes[0].collections[0]
    assert many.get_sizes()[0] < few.get_sizes()[0]
    assert many.get_alpha() < few.get_alpha()
    assert many.get_rasterized()
    assert not few.get_rasterized()


def test_identical_scores() -> None:
    figure = draw_agreement([0.5] * 5, range(5))
    assert "r = undefined" in written(figure)
    np.testing.assert_allclose(figure.axes[0].lines[0].get_ydata(), 0.5)


def test_identical_ratings_have_no_line() -> None:
    figure = draw_agreement(range(5), [3] * 5)
    assert "r = undefined" in written(figure)
    assert len(figure.axes[0].lines[0].get_xdata()) == 0


@pytest.mark.parametrize(("scores", "ratings"), [([], []), ([1], [2]), ([1, None], [1, 2])])
def test_too_few_points(scores: list[float | None], ratings: list[float | None]) -> None:
    with pytest.raises(DataError, match=r"at least 2 points with a score and a rating, got [01]\nhint: "):
        draw_agreement(scores, ratings)


def test_unequal_numbers() -> None:
    with pytest.raises(DataError, match="got 3 scores, 2 ratings, 1 systems"):
        draw_agreement([1, 2, 3], [1, 2], systems=["a"])


def test_no_numbers() -> None:
    with pytest.raises(DataError, match="scores must be numbers or None"):
        draw_agreement(["good", "bad"], [1, 2])  # type: ignore[list-item]
    with pytest.raises(DataError, match=r"ratings must be one row of numbers, got shape \(2, 2\)"):
        draw_agreement([1, 2], np.ones((2, 2)))


@pytest.mark.parametrize("count", [1, 2, 4, 5, 10])
def test_panels(count: int) -> None:
    systems = [f"system {i % count}" for i in range(40)]
    figure = draw_agreement_by_system(SCORES, RATINGS, systems=systems, metric="bleu", aspect="coherence")
    assert [axes.get_title(loc="left") for axes in figure.axes] == [f"system {i}" for i in range(count)]
    for i, axes in enumerate(figure.axes):
        np.testing.assert_allclose(offsets(axes), np.column_stack([RATINGS, SCORES])[i::count])
        expected = stats.pearsonr(RATINGS[i::count], SCORES[i::count]).statistic
        minus = f"{expected:.2f}".replace("-", "−")
        assert f"r = {minus}\nn = {len(SCORES[i::count])}" in [text.get_text() for text in axes.texts]
        assert axes.get_xlim() == figure.axes[0].get_xlim()
        assert axes.get_ylim() == figure.axes[0].get_ylim()
    assert "bleu (higher is better)" in texts(figure)
    assert "coherence" in texts(figure)


def test_a_panel_with_one_point() -> None:
    figure = draw_agreement_by_system([1, 2, 3], [1, 2, 3], systems=["a", "a", "b"], higher_is_better=False)
    assert "r = undefined\nn = 1" in texts(figure)
    assert all(axes.yaxis_inverted() for axes in figure.axes)
