"""Shares of relations."""

from __future__ import annotations

import pytest

from coheval.errors import DataError
from coheval.report import draw_relations

from .conftest import texts, written


def test_bars_are_shares_in_percent_by_frequency_in_references() -> None:
    figure = draw_relations(["Cause", "Joint"], [0.25, 0.75], {"good": [0.4, 0.6], "bad": [0.125, 0.875]})
    (axes,) = figure.axes
    widths = [[round(bar.get_width(), 6) for bar in bars] for bars in axes.containers]
    assert widths == [[75, 25], [60, 40], [87.5, 12.5]]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Joint", "Cause"]
    assert {"references", "good", "bad"} <= set(texts(figure))
    tops = [[bar.get_y() for bar in bars] for bars in axes.containers]
    assert tops[0][0] < tops[1][0] < tops[2][0] < tops[0][1]  # the axis runs downwards


def test_bars_are_told_apart_without_colours() -> None:
    figure = draw_relations(["a"], [0.5], {str(n): [0.5] for n in range(6)})
    looks = {(bars[0].get_hatch() or "", bars[0].get_facecolor()) for bars in figure.axes[0].containers}
    assert len(looks) == 7
    assert len({hatch for hatch, _ in looks}) == 6


def test_missing_shares() -> None:
    figure = draw_relations(["a", "b", "c"], [0.5, None, None], {"x": [None, 0.5, None]})
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["a", "b"]
    assert "1 of 3 relations left out: no share." in written(figure)
    with pytest.raises(DataError, match="at least 1 relation with a share, got 0"):
        draw_relations(["a"], [None], {})
    with pytest.raises(DataError, match="got 1 relations, 2 shares of x"):
        draw_relations(["a"], [1.0], {"x": [0.5, 0.5]})
