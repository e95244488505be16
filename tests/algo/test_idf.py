"""Inverse document frequencies against the formula, and their files."""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.algo import idf
from coheval.algo.idf import UNIFORM, Idf
from coheval.errors import DataError

corpora = st.lists(st.lists(st.sampled_from("abcdef"), max_size=8), max_size=8)


def test_worked_example() -> None:
    """Three texts: "the" is in all, "cat" in two, "dog" in one, "owl" in none."""
    table = Idf.of([["the", "cat"], ["the", "cat", "cat"], ["the", "dog"]])
    assert table(["the", "cat", "dog", "owl"]) == pytest.approx([0.0, log(4 / 3), log(4 / 2), log(4)])


@given(corpora)
def test_formula_by_brute_force(texts: list[list[str]]) -> None:
    table = Idf.of(texts)
    for piece in "abcdefg":
        frequency = sum(piece in text for text in texts)
        expected = log((len(texts) + 1) / (frequency + 1))
        assert table([piece])[0] == pytest.approx(expected, abs=1e-12)


@given(corpora)
def test_specials_weigh_nothing(texts: list[list[str]]) -> None:
    table = Idf.of([["[CLS]", *text, "[SEP]"] for text in texts])
    assert not table(["[CLS]", "[SEP]"]).any()


def test_uniform_weighs_everything_alike() -> None:
    assert list(UNIFORM(["a", "[CLS]"])) == [1.0, 1.0]
    assert UNIFORM([]).dtype == np.float64


@given(corpora, corpora)
def test_files_keep_every_digit(
    tmp_path_factory: pytest.TempPathFactory, left: list[list[str]], right: list[list[str]]
):
    path = str(tmp_path_factory.getbasetemp() / "idf.json")
    idf.write(path, Idf.of(left), Idf.of(right))
    assert idf.read(path) == (Idf.of(left), Idf.of(right))


def test_one_table_serves_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "idf.json"
    path.write_text('{"default": 2, "weights": {"ü": 0.5}}', encoding="utf-8")
    candidates, references = idf.read(str(path))
    assert candidates == references == Idf({"ü": 0.5}, 2.0)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{",
        '{"weights": {}}',
        '{"default": "1", "weights": {}}',
        '{"default": 1, "weights": []}',
        '{"default": 1, "weights": {"a": "b"}}',
        '{"default": 1, "weights": {"a": NaN}}',
        '{"default": 1, "weights": {"a": -1}}',
        '{"default": Infinity, "weights": {}}',
        json.dumps({"candidates": {"default": 1, "weights": {}}}),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "idf.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=r"idf\.json"):
        idf.read(str(path))


def test_undecodable_and_missing_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "idf.json"
    path.write_bytes(b'{"default": 1, "weights": {"\xff": 1}}')
    with pytest.raises(DataError, match="not JSON"):
        idf.read(str(path))
    with pytest.raises(DataError, match="cannot be read"):
        idf.read(str(tmp_path / "absent.json"))
