"""Texts in lines, for terminals and drawings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.report._wrapping import clean, columns, ems, width_of, wrap


def test_lines_break_at_blanks_and_hyphens() -> None:
    assert wrap("one two three-four", 9, columns) == ["one two", "three-", "four"]
    assert wrap("one two", 7, columns) == ["one two"]  # the blank behind a line's last word takes no room
    assert wrap("a\n b\t\tc", 80, columns) == ["a b c"]
    assert wrap("   ", 80, columns) == []


def test_long_words_are_cut() -> None:
    assert wrap("abcdefgh ij", 3, columns) == ["abc", "def", "gh", "ij"]
    assert wrap("雨が降った", 4, columns) == ["雨が", "降っ", "た"]  # two columns each
    assert wrap("e\u0301e\u0301e\u0301", 2, columns) == ["e\u0301e\u0301", "e\u0301"]  # a mark stays with its letter


def test_an_ellipsis_says_that_there_is_more() -> None:
    assert wrap("one two three", 5, columns, most=2) == ["one", "two…"]
    assert wrap("one three", 5, columns, most=1) == ["one…"]
    assert wrap("abcdefgh", 3, columns, most=1) == ["ab…"]
    assert wrap("one two", 5, columns, most=2) == ["one", "two"]


def test_what_has_no_picture() -> None:
    assert clean("a\x00b\x1b[31mc") == "a�b�[31mc"
    assert clean("half \ud800") == "half �"
    assert clean("\ufeffa\u202eb\u00adc") == "abc"  # marks that would turn or break what follows
    assert clean("می\u200cخواهم") == "می\u200cخواهم"  # a joiner is part of the spelling


@pytest.mark.parametrize("wide", [columns, ems])
@given(st.text(max_size=80), st.integers(2, 30))
def test_no_line_is_too_wide_and_no_letter_is_lost(wide, text: str, room: int) -> None:
    lines = wrap(text, room, wide)
    assert all(width_of(line, wide) <= room for line in lines)
    assert "".join("".join(lines).split()) == "".join(clean(text).split())


def test_letters_of_a_wide_font_fit() -> None:
    """Widths are not below those of DejaVu Sans, in which many see the drawings, but for a few percent."""
    matplotlib = pytest.importorskip("matplotlib")
    font = matplotlib.font_manager.get_font(matplotlib.font_manager.findfont("DejaVu Sans"))
    font.set_size(100, 72)

    def measured(text: str) -> float:
        font.set_text(text, flags=matplotlib.ft2font.LoadFlags.NO_HINTING)
        return float(font.get_width_height()[0]) / 64 / 100

    for text in (
        "The old bridge was closed in May because its northern pier had begun to sink",
        "WE WERE TOLD THAT MOST MEMBERS WOULD ACCEPT",
        "in 1999, 24 of 1,337 ships (2%) were lost — nobody knows why",
        "поскольку опоры ещё не осмотрены, движение закрыто",
        "γιατί κανείς δεν ξέρει τι έγινε",
    ):
        assert width_of(text, ems) > 0.97 * measured(text)
