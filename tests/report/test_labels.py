"""Names beside points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.text import Annotation

from coheval.report import _style, draw_agreement
from coheval.report._labels import _cross, _meets, _shared
from coheval.report._style import style
from coheval.report._text import points_wide, printable, short, signed, wrap

from .conftest import LONG

NAMES = "BART T5 Pegasus GPT2 Improve-abs UniLM Multi-task Closed-book Bottom-Up Fast-abs-rl Pointer-Gen STRASS".split()


def boxes_of_names(figure):
    with style():
        figure.draw_without_rendering()
        notes = [note for note in figure.axes[0].texts if isinstance(note, Annotation) and note.get_text()]
        return {note.get_text(): note.get_window_extent() for note in notes}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("spread", [0.1, 1.0])
def test_names_hide_neither_each_other_nor_points(seed: int, spread: float) -> None:
    rng = np.random.default_rng(seed)
    ratings = np.append(rng.normal(size=11) * spread, 4.0)  # one outlier pushes the others together
    figure = draw_agreement(ratings + 0.3 * spread * rng.normal(size=12), ratings, systems=NAMES)
    boxes = boxes_of_names(figure)
    assert list(boxes) == NAMES
    places = list(boxes.values())
    assert not [1 for i, a in enumerate(places) for b in places[:i] if a.overlaps(b)]
    axes = figure.axes[0]
    points = axes.transData.transform(axes.collections[0].get_offsets())
    assert not [1 for box in places for point in points if box.contains(*point)]
    frame = axes.bbox
    assert all(box.x0 >= frame.x0 - 1 and box.x1 <= frame.x1 + 1 for box in places)


def test_systems_at_the_same_place() -> None:
    places = list(boxes_of_names(draw_agreement([1, 1, 1, 2], [1, 1, 1, 2], systems=["a", "b", "c", "d"])).values())
    assert not [1 for i, a in enumerate(places) for b in places[:i] if a.overlaps(b)]


def test_shared_area() -> None:
    # 2x2 boxes at (0, 0) and (1, 1) share a unit square; a box that only touches shares nothing
    boxes = np.array([[0.0, 0, 2, 2], [5, 5, 6, 6]])
    np.testing.assert_allclose(_shared(boxes, np.array([[1.0, 1, 3, 3], [2, 0, 4, 2]])), [1, 0])


coordinates = st.integers(-8, 8).map(float)
places = st.tuples(coordinates, coordinates)


@given(places, places, places, places)
def test_line_meets_box_as_its_points_do(begin, end, corner, other) -> None:
    low, high = np.minimum(corner, other), np.maximum(corner, other) + 0.5
    line = np.array(begin) + np.linspace(0, 1, 4001)[:, None] * (np.array(end) - begin)
    inside = ((line > low + 0.02) & (line < high - 0.02)).all(axis=1).any()
    near = ((line > low - 0.02) & (line < high + 0.02)).all(axis=1).any()
    met = _meets(np.array([begin]), np.array([end]), np.concatenate([low, high])[None])[0, 0]
    assert inside <= met <= near


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        (((0, 0), (2, 2), (0, 2), (2, 0)), True),  # the diagonals of a square
        (((0, 0), (2, 0), (0, 1), (2, 1)), False),  # parallel
        (((0, 0), (1, 1), (3, 0), (0, 3)), False),  # would cross if the first were longer
        (((0, 0), (2, 2), (0, 0), (2, 0)), False),  # begin at the same point
    ],
)
def test_lines_cross(ends, expected: bool) -> None:
    assert _cross(*(np.array([end], dtype=float) for end in ends))[0, 0] == expected


@pytest.mark.parametrize("inches", [0.5, 1.0, 3.0])
def test_wrapped_lines_fit_and_lose_nothing(inches: float) -> None:
    with style():
        lines = wrap(LONG, inches, 6.5, most=100).split("\n")
        assert all(points_wide(line, 6.5) <= inches * 72 for line in lines)
    assert "".join(lines).replace(" ", "") == LONG.replace(" ", "")


def test_width_is_what_is_drawn() -> None:
    from matplotlib.figure import Figure

    with style():
        figure = Figure(dpi=720)
        drawn = figure.text(0, 0, "moverscore (v1)", fontsize=50).get_window_extent()
        assert points_wide("moverscore (v1)", 50) == pytest.approx(drawn.width / 10, rel=0.01)


def test_words_stay_whole_if_they_can() -> None:
    with style():
        inches = (points_wide("lexical chain", 7) + 1) / 72
        assert wrap("lexical chain of words", inches, 7).split("\n") == ["lexical chain", "of words"]
        assert wrap("one\ntwo", 5, 7) == "one\ntwo"
        assert wrap("", 1, 7) == ""


def test_too_many_lines_end_with_an_ellipsis() -> None:
    with style():
        text = wrap(LONG, 1.0, 7, most=2)
    assert text.count("\n") == 1
    assert text.endswith("…")


def test_letters_without_a_picture() -> None:
    assert printable("a\x1b[2Jb\tc\nd") == "a�[2Jb�c\nd"


def test_other_fonts_only_if_they_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_style, "_FALLBACKS", ("No Such Font", "STIXGeneral"))  # the second comes with matplotlib
    assert _style.families.__wrapped__() == ["DejaVu Sans", "STIXGeneral"]


def test_numbers() -> None:
    assert [signed(v) for v in (0.456, -0.5, -0.001, None, float("nan"))] == [
        "0.46", "−0.50", "0.00", "undefined", "undefined"
    ]  # fmt: skip
    assert [short(v) for v in (-0.33061, 4.0, 1234567.0)] == ["−0.331", "4", "1.23e+06"]
