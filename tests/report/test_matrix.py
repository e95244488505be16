"""Correlation between metrics."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from coheval.algo.clustering import cluster_order
from coheval.errors import DataError
from coheval.report import draw_matrix
from coheval.report.matrix import colours

from .conftest import texts


def merged(correlations: np.ndarray) -> list[frozenset[int]]:
    """The clusters of average linkage, the slow way: the two whose members are nearest on average become one."""
    clusters = [frozenset([i]) for i in range(len(correlations))]
    found = []
    while len(clusters) > 1:
        pairs = [(a, b) for i, a in enumerate(clusters) for b in clusters[:i]]
        a, b = min(pairs, key=lambda p: np.mean([1 - abs(correlations[i, j]) for i in p[0] for j in p[1]]))
        clusters = [c for c in clusters if c not in (a, b)] + [a | b]
        found.append(a | b)
    return found


@pytest.mark.parametrize("seed", range(8))
def test_members_of_a_cluster_are_neighbours(seed: int) -> None:
    rng = np.random.default_rng(seed)
    correlations = np.corrcoef(rng.normal(size=(9, 3)) @ rng.normal(size=(3, 30)) + rng.normal(size=(9, 30)))
    order = cluster_order(correlations)
    assert sorted(order) == list(range(9))
    for cluster in merged(correlations):
        places = sorted(order.index(i) for i in cluster)
        assert places == list(range(places[0], places[0] + len(places)))


# a and c are alike, b and d too, and c is a little like b
NAMES = ["a", "b", "c", "d"]
FOUR = np.array([[1, 0.1, 0.9, 0.1], [0.1, 1, -0.3, 0.8], [0.9, -0.3, 1, 0.1], [0.1, 0.8, 0.1, 1]])


def test_order_by_hand() -> None:
    # the pairs (a, c) and (b, d) touch at c and b; a, which differs from the others by 0.1 + 0.9 + 0.9, comes before d,
    # which differs by 0.2 + 0.9 + 0.9
    assert cluster_order(FOUR) == [0, 2, 1, 3]
    backwards = [3, 2, 1, 0]
    assert [backwards[i] for i in cluster_order(FOUR[np.ix_(backwards, backwards)])] == [0, 2, 1, 3]


def cells(figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_rows_columns_and_values() -> None:
    figure = draw_matrix(NAMES, FOUR.tolist(), statistic="Kendall τ")
    axes, bar = figure.axes
    for labels in (axes.get_xticklabels(), axes.get_yticklabels()):
        assert [label.get_text() for label in labels] == ["a", "c", "b", "d"]
    assert cells(figure) == [
        "1", ".90", ".10", ".10",
        ".90", "1", "−.30", ".10",
        ".10", "−.30", "1", ".80",
        ".10", ".10", ".80", "1",
    ]  # fmt: skip
    np.testing.assert_allclose(axes.collections[0].get_array()[0], [1, 0.9, 0.1, 0.1])
    assert axes.yaxis_inverted()  # the first row is on top
    assert bar.get_ylabel() == "Kendall τ"


def test_an_order_that_is_given() -> None:
    figure = draw_matrix(NAMES, FOUR, order=[3, 0, 1, 2])
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["d", "a", "b", "c"]
    assert cells(figure)[:4] == ["1", ".10", ".80", ".10"]


def test_missing_values_are_hatched() -> None:
    values = FOUR.tolist()
    values[0][1] = values[1][0] = None
    figure = draw_matrix(NAMES, values)
    hatched = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle) and patch.get_hatch()]
    assert len(hatched) == 2
    assert len(cells(figure)) == 14
    order = cluster_order(np.array(values, dtype=float))
    place = (order.index(0), order.index(1))
    assert {patch.get_xy() for patch in hatched} == {place, place[::-1]}
    assert "Hatched: Pearson r is undefined." in texts(figure)


def test_an_undefined_metric_comes_last() -> None:
    values = FOUR.copy()
    values[0] = values[:, 0] = np.nan
    assert cluster_order(values)[-1] == 0
    assert draw_matrix(NAMES, values).axes[0].get_yticklabels()[-1].get_text() == "a"


def test_everything_undefined() -> None:
    assert cells(draw_matrix(["a", "b"], [[None, None], [None, None]])) == []


def test_cells_are_square_and_writing_fits() -> None:
    figure = draw_matrix([f"metric {i}" for i in range(40)], np.eye(40) * 1.5 - 0.5)
    axes = figure.axes[0]
    box = axes.get_window_extent()
    assert box.width == pytest.approx(box.height, rel=0.01)
    widest = max(text.get_window_extent().width for text in axes.texts)
    assert widest < box.width / 40
    assert axes.texts[0].get_fontsize() >= 5


def lightness(position: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """CIE L* of the colours, as someone sees them whose cones mix linear RGB by a matrix."""
    rgb = colours()(position)[:, :3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    light = np.clip(linear @ seen.T, 0, 1) @ [0.2126, 0.7152, 0.0722]
    return 116 * np.cbrt(light) - 16


# Machado, Oliveira and Fernandes (2009), complete dichromacy.
EYES = {
    "normal": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


@pytest.mark.parametrize("eyes", list(EYES))
def test_colours_darken_steadily(eyes: str) -> None:
    steps = lightness(np.linspace(0, 1, 21), np.array(EYES[eyes]))
    assert (np.diff(steps) < 0).all()
    assert steps[0] - steps[10] > 6
    assert steps[10] - steps[20] > 50


@pytest.mark.parametrize(
    ("names", "values", "message"),
    [
        (["a"], [[1]], "at least 2 metrics, got 1"),
        (["a", "b"], [[1, 0.5]], r"2 metrics need as many rows of 2 correlations, got rows of \[2\]"),
        (["a", "b"], [[1, 0.5], [0.5]], r"got rows of \[2, 1\]"),
        (["a", "b"], [[1, 0.5], [0.4, 1]], "the same on both sides of the diagonal"),
        (["a", "b"], [[1, None], [0.4, 1]], "the same on both sides of the diagonal"),
        (["a", "b"], [[1, 50], [50, 1]], "between −1 and 1, got 50"),
        (["a", "b"], [[1, "x"], ["x", 1]], "must be numbers or None"),
    ],
)
def test_what_is_no_correlation_matrix(names: list[str], values: list[list[float]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        draw_matrix(names, values)


def test_what_is_no_order() -> None:
    with pytest.raises(DataError, match=r"each row from 0 to 3 once, got \[0, 1, 1, 2\]"):
        draw_matrix(NAMES, FOUR, order=[0, 1, 1, 2])
