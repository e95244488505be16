"""Candidates' features against their references'."""

from __future__ import annotations

import numpy as np
import pytest

from coheval.errors import DataError
from coheval.report import draw_features

from .conftest import offsets, texts


def test_points_and_diagonal() -> None:
    figure = draw_features([1, 2, 4], [2, 2, 3], feature="FREQ")
    (axes,) = figure.axes
    np.testing.assert_allclose(offsets(axes), [[2, 1], [2, 2], [3, 4]])
    assert axes.get_xlabel() == "FREQ of the reference"
    assert axes.get_ylabel() == "FREQ of the candidate"
    assert axes.get_xlim() == axes.get_ylim()
    (diagonal,) = axes.lines
    np.testing.assert_allclose(diagonal.get_xdata(), diagonal.get_ydata())
    box = axes.get_window_extent()
    assert box.width == pytest.approx(box.height, rel=0.01)


def test_means_of_systems_are_named() -> None:
    # the means of (1, 2), (3, 4) and of (5, 1), (7, 1)
    figure = draw_features([2, 1, 4, 1], [1, 5, 3, 7], systems=["a", "b", "a", "b"])
    axes = figure.axes[0]
    means = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines[1:]]
    assert means == [(2, 3), (6, 1)]
    assert len({(line.get_color(), line.get_marker()) for line in axes.lines[1:]}) == 2
    assert {"a", "b"} <= set(texts(figure))


def test_ratings_shade_points() -> None:
    figure = draw_features([1, 2, 4], [2, 2, 3], ratings=[1, 5, 3], aspect="coherence")
    axes, bar = figure.axes
    np.testing.assert_allclose(axes.collections[0].get_array(), [1, 5, 3])
    assert bar.get_ylabel() == "coherence"


def test_missing_values_are_left_out_and_counted() -> None:
    figure = draw_features([1, None, 4, 5, 6], [2, 2, None, 3, 3], ratings=[1, 2, 3, None, 4], systems=list("aabbb"))
    np.testing.assert_allclose(offsets(figure.axes[0]), [[2, 1], [3, 6]])
    assert "3 of 5 texts left out: no value or no rating." in texts(figure)
    assert "1 of 3 texts left out: no value." in texts(draw_features([1, None, 2], [1, 1, 2]))


def test_identical_values() -> None:
    axes = draw_features([1, 1], [1, 1], systems=["a", "b"]).axes[0]
    assert axes.get_xlim() == (0.5, 1.5)


def test_not_enough() -> None:
    with pytest.raises(DataError, match="at least 2 texts with all values, got 1"):
        draw_features([1, None], [1, 2])
    with pytest.raises(DataError, match="got 2 values of candidates, 1 values of references, 2 ratings, 1 systems"):
        draw_features([1, 2], [1], systems=["a"], ratings=[1, 2])
