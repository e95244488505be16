"""Which rows of a matrix are whose, by counting; and that a text's numbers are the same to the bit, alone or not."""

from __future__ import annotations

import pytest

from coheval.annotators import spacy
from coheval.annotators._products import bounds


@pytest.mark.parametrize(
    ("rows", "lengths", "expected"),
    [
        (7, (3, 4), [0, 3, 7]),  # no padding
        (13, (3, 4), [0, 2, 5, 7, 11, 13]),  # two rows before, between and behind
        (8, (3, 4), None),  # one row too many for no padding, two too few for one each
        (6, (3, 4), None),  # rows of other texts
        (5, (), None),
    ],
)
def test_bounds(rows: int, lengths: tuple[int, ...], expected: list[int] | None) -> None:
    assert bounds(rows, lengths) == expected


def test_numbers_do_not_depend_on_company() -> None:
    model = spacy.Spacy()
    pipeline = spacy._pipeline(model.model, model.digest())
    texts = ["The dog barked at two cats.", "", "Rain.", "She left, and nobody who knew her ever said why.\nNobody."]
    together = spacy._read(pipeline, texts * 3)
    for text, doc in zip(texts * 3, together, strict=True):
        (alone,) = spacy._read(pipeline, [text])
        assert alone.tensor.tobytes() == doc.tensor.tobytes()
