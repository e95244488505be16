"""Scores of good and bad texts."""

from __future__ import annotations

import numpy as np
import pytest

from coheval.errors import DataError, UsageError
from coheval.report import draw_distributions

from .conftest import texts, written


def shapes(axes) -> list[np.ndarray]:
    """The outlines of the histograms, best texts first."""
    return [patch.get_xy() for patch in axes.patches]


def area(outline: np.ndarray) -> float:
    x, y = outline.T
    return abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))) / 2


def medians(axes) -> list[float]:
    return [float(line.get_xdata()[0]) for line in axes.lines]


def test_thirds_by_hand() -> None:
    # of nine ratings, the third at either end has three; their scores' medians are in the middle
    ratings = [9, 8, 7, 6, 5, 4, 3, 2, 1]
    scores = [90, 70, 80, 0, 0, 0, 30, 10, 25]
    figure = draw_distributions({"bleu": scores}, ratings, aspect="coherence")
    (axes,) = figure.axes
    assert medians(axes) == [80, 25]
    assert "best third: coherence ≥ 7 (n = 3)" in texts(figure)
    assert "worst third: coherence ≤ 3 (n = 3)" in texts(figure)
    assert axes.get_xlabel() == "bleu (higher is better)"
    assert "Ticks at the top are medians." in texts(figure)


def test_histograms_have_the_area_one_and_the_same_range() -> None:
    rng = np.random.default_rng(1)
    ratings = rng.normal(size=300)
    (axes,) = draw_distributions({"m": ratings + rng.normal(size=300)}, ratings).axes
    best, worst = shapes(axes)
    assert area(best) == pytest.approx(1)
    assert area(worst) == pytest.approx(1)
    assert set(best[:, 0]) == set(worst[:, 0])
    looks = axes.patches
    assert looks[0].get_linestyle() != looks[1].get_linestyle()
    assert [bool(patch.get_hatch()) for patch in looks] == [False, True]


def test_ties_are_never_parted() -> None:
    # a third would be two texts; three have the worst rating
    figure = draw_distributions({"m": [1, 2, 3, 4, 5, 6]}, [1, 1, 1, 2, 3, 4])
    assert "worst 3 of 6: rating ≤ 1" in texts(figure)
    assert "best third: rating ≥ 3 (n = 2)" in texts(figure)
    assert medians(figure.axes[0]) == [5.5, 2]


def test_a_rating_that_most_texts_have() -> None:
    # both quantiles are 5: the best are those above it, or those that have it if none is above
    spared = draw_distributions({"m": range(10)}, [1, 2, 5, 5, 5, 5, 5, 5, 5, 6])
    assert "best 1 of 10: rating ≥ 6" in texts(spared)  # a third is 3.3
    assert "worst 2 of 10: rating ≤ 2" in texts(spared)
    needed = draw_distributions({"m": range(10)}, [1, 2, 5, 5, 5, 5, 5, 5, 5, 5])
    assert "best 8 of 10: rating ≥ 5" in texts(needed)
    assert "worst 2 of 10: rating ≤ 2" in texts(needed)


@pytest.mark.parametrize("count", range(2, 40))
def test_without_ties_it_is_always_the_share(count: int) -> None:
    told = written(draw_distributions({"m": range(count)}, range(count)))
    assert "best third" in told
    assert "worst third" in told


def test_missing_ratings_are_not_in_the_total() -> None:
    figure = draw_distributions({"m": range(8)}, [1, 1, 1, 2, 3, 4, None, None])
    assert "worst 3 of 6: rating ≤ 1" in texts(figure)


def test_ratings_of_which_less_is_better() -> None:
    # the three with the fewest errors are the best
    figure = draw_distributions(
        {"m": [90, 70, 80, 0, 0, 0, 30, 10, 25]}, range(1, 10), aspect="errors", lower_ratings_are_better=True
    )
    assert medians(figure.axes[0]) == [80, 25]
    assert "best third: errors ≤ 3 (n = 3)" in texts(figure)
    assert "worst third: errors ≥ 7 (n = 3)" in texts(figure)
    with pytest.raises(DataError, match="all texts are rated −2"):
        draw_distributions({"m": [1, 2]}, [-2, -2], lower_ratings_are_better=True)


@pytest.mark.parametrize(("share", "name", "count"), [(0.5, "half", 5), (0.25, "25%", 3)])
def test_other_shares(share: float, name: str, count: int) -> None:
    # the quarter's quantile of 1 … 10 is 3.25
    figure = draw_distributions({"m": range(10)}, range(1, 11), share=share)
    assert f"worst {name}: rating ≤ {count} (n = {count})" in texts(figure)


def test_a_panel_for_each_metric() -> None:
    scores = {name: range(9) for name in ("bleu", "ter", "chrf")}
    figure = draw_distributions(scores, range(9), lower_is_better={"ter"})
    assert [axes.get_xlabel() for axes in figure.axes] == [
        "bleu (higher is better)",
        "ter (lower is better,\naxis reversed)" if "\n" in figure.axes[1].get_xlabel() else
        "ter (lower is better, axis reversed)",
        "chrf (higher is better)",
    ]  # fmt: skip
    assert [axes.xaxis_inverted() for axes in figure.axes] == [False, True, False]


def test_missing_values_are_left_out_and_counted() -> None:
    ratings = [None, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    scores = [0, None, 8, 7, 6, 5, 4, 3, 2, 1]
    figure = draw_distributions({"m": scores}, ratings)
    assert "1 of 10 texts left out: no rating. 1 of 6 texts left out: no score of m." in written(figure)
    assert medians(figure.axes[0]) == [7.5, 2]


def test_identical_scores() -> None:
    (axes,) = draw_distributions({"m": [1] * 9}, range(9)).axes
    assert medians(axes) == [1, 1]
    assert area(shapes(axes)[0]) == pytest.approx(1)


def test_two_texts() -> None:
    assert medians(draw_distributions({"m": [3, 4]}, [1, 2]).axes[0]) == [4, 3]


def test_outlier_does_not_ask_for_endless_bins() -> None:
    scores = np.append(np.linspace(0, 1, 999), 1e12)
    assert len(shapes(draw_distributions({"m": scores}, np.arange(1000)).axes[0])[0]) < 200


@pytest.mark.parametrize(
    ("scores", "ratings", "message"),
    [
        ({}, [1, 2], "at least 1 metric, got 0"),
        ({"m": []}, [], "at least 2 rated texts, got 0"),
        ({"m": [1, 2]}, [1, None], "at least 2 rated texts, got 1"),
        ({"m": [1, 2, 3]}, [4, 4, 4], "all texts are rated 4"),
        ({"m": [1, 2]}, [1, 2, 3], "got 2 scores of m, 3 ratings"),
        ({"m": [1, 2, None]}, [1, 2, 3], "none of the best texts has a score of m"),
    ],
)
def test_not_enough(scores, ratings, message: str) -> None:
    with pytest.raises(DataError, match=message):
        draw_distributions(scores, ratings)


@pytest.mark.parametrize("share", [0, 0.6, -1])
def test_impossible_share(share: float) -> None:
    with pytest.raises(UsageError, match="above 0 and at most"):
        draw_distributions({"m": [1, 2]}, [1, 2], share=share)
