"""Agreement of metrics with its intervals."""

from __future__ import annotations

import numpy as np
import pytest

from coheval.errors import DataError
from coheval.report import draw_intervals

from .conftest import LONG, texts, written

NAMES = ["bleu", "moverscore", "ter", "chrf"]
VALUES = [0.3, 0.7, 0.1, 0.5]
LOW, HIGH = [0.2, 0.6, 0.0, 0.4], [0.4, 0.8, 0.2, 0.55]


def labels(figure) -> list[str]:
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def test_best_first_with_whiskers() -> None:
    figure = draw_intervals(NAMES, VALUES, LOW, HIGH, statistic="Pearson r with coherence")
    (axes,) = figure.axes
    assert labels(figure) == ["moverscore", "chrf", "bleu", "ter"]
    assert axes.yaxis_inverted()
    dots, _ = axes.lines[:2]
    np.testing.assert_allclose(dots.get_xdata(), [0.7, 0.5, 0.3, 0.1])
    np.testing.assert_allclose(dots.get_ydata(), axes.get_yticks())
    whiskers = axes.collections[0].get_segments()
    np.testing.assert_allclose(
        [segment[:, 0] for segment in whiskers], [[0.6, 0.8], [0.4, 0.55], [0.2, 0.4], [0.0, 0.2]]
    )
    assert axes.get_xlabel() == "Pearson r with coherence"
    assert "measured, with its 95% interval" in texts(figure)


def test_ties_keep_their_order() -> None:
    assert labels(draw_intervals(["a", "b", "c"], [0.5, 0.6, 0.5])) == ["b", "a", "c"]


def test_lines_between_clusters() -> None:
    figure = draw_intervals(NAMES, VALUES, LOW, HIGH, clusters=[2, 1, 3, 1])
    (axes,) = figure.axes
    ticks = axes.get_yticks()
    lines = [line.get_ydata()[0] for line in axes.lines[2:] if line.get_ydata()[0] == line.get_ydata()[1]]
    assert len(lines) == 2
    assert ticks[1] < lines[0] < ticks[2] < lines[1] < ticks[3]


def test_reported_values() -> None:
    figure = draw_intervals(NAMES, VALUES, LOW, HIGH, papers=[0.33, None, None, 0.9], level=0.9)
    reported = figure.axes[0].lines[1]
    np.testing.assert_allclose(reported.get_xdata(), [np.nan, 0.9, 0.33, np.nan])
    assert reported.get_markerfacecolor() == "none"
    assert {"reported in the paper", "measured, with its 90% interval"} <= set(texts(figure))


def test_without_intervals() -> None:
    told = texts(draw_intervals(NAMES, VALUES))
    assert "measured" in told
    assert "reported in the paper" not in told


def test_metrics_without_a_value_are_left_out_and_named() -> None:
    figure = draw_intervals(NAMES, [0.3, None, float("nan"), 0.5])
    assert labels(figure) == ["chrf", "bleu"]
    assert "2 of 4 metrics left out: no value for moverscore, ter." in written(figure)


def test_rows_are_as_high_as_their_names() -> None:
    figure = draw_intervals([LONG, "b", "c"], [3, 2, 1])
    (axes,) = figure.axes
    boxes = [label.get_window_extent() for label in axes.get_yticklabels()]
    assert labels(figure)[0].count("\n") >= 2
    assert boxes[0].y0 > boxes[1].y1
    first, second, third = axes.get_yticks()
    assert second - first > third - second


def test_zero_has_a_line_if_it_is_shown() -> None:
    def upright(values: list[float]) -> list[float]:
        lines = draw_intervals(["a", "b"], values).axes[0].lines
        return [x[0] for line in lines if len(x := line.get_xdata()) == 2 and x[0] == x[1]]

    assert upright([-0.5, 0.5]) == [0]
    assert upright([0.4, 0.5]) == []


@pytest.mark.parametrize(("names", "values"), [([], []), (["a"], [None])])
def test_no_values(names: list[str], values: list[float | None]) -> None:
    with pytest.raises(DataError, match="at least 1 metric with a value, got 0"):
        draw_intervals(names, values)


def test_unequal_numbers() -> None:
    with pytest.raises(DataError, match="got 2 names, 2 values, 1 low ends, 2 high ends"):
        draw_intervals(["a", "b"], [1, 2], [1], [1, 2])
