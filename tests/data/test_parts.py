"""Parts of a corpus: shares, and texts that stay together."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from coheval.data import Document
from coheval.data.parts import SHARES, of_part, parts
from coheval.errors import DataError


def document(id: object, text: str, **layers: object) -> Document:
    plain = Document.of(str(id), [text])
    return Document(plain.id, plain.text, plain.segments, layers)


def texts(count: int) -> list[Document]:
    return [document(n, f"Text number {n}.") for n in range(count)]


def test_shares_are_as_chance_has_them() -> None:
    found = Counter(parts(texts(4_000)))
    for name, share in SHARES.items():  # four standard deviations of a binomial count
        assert abs(found[name] - share * 4_000) < 4 * (4_000 * share * (1 - share)) ** 0.5


def test_a_document_s_part_depends_on_nothing_beside_it() -> None:
    some = texts(200)
    assert parts(some[::3]) == parts(some)[::3]
    assert [parts([one])[0] for one in some] == parts(some)


def test_the_same_text_is_in_the_same_part() -> None:
    some = texts(60)
    again = [document(f"again {n}", one.text) for n, one in enumerate(some)]
    found = parts(some + again)
    assert found[:60] == found[60:] == parts(some)  # and counts once


def test_the_same_origin_is_in_the_same_part() -> None:
    some = [document(n, f"Text number {n}.", origin=f"book {n % 20}") for n in range(100)]
    of_origin: dict[str, set[str]] = {}
    for one, part in zip(some, parts(some), strict=True):
        of_origin.setdefault(str(one.layers["origin"]), set()).add(part)
    assert all(len(found) == 1 for found in of_origin.values())
    assert len({part for found in of_origin.values() for part in found}) > 1


def test_neither_order_nor_ids_count() -> None:
    some = texts(50)
    known = {one.text: part for one, part in zip(some, parts(some), strict=True)}
    turned = [document(f"x{n}", one.text) for n, one in enumerate(some)]
    random.Random(5).shuffle(turned)
    assert {one.text: part for one, part in zip(turned, parts(turned), strict=True)} == known


def test_a_corpus_keeps_its_own_parts() -> None:
    own = [document(f"own {n}", f"Own {n}.", part="test") for n in range(30)]
    found = parts(own + texts(20))
    assert found[:30] == ["test"] * 30
    assert found[30:] == parts(texts(20))


def test_parts_are_all_of_it_and_in_order() -> None:
    some = texts(40)
    three = {name: of_part(some, name) for name in ("train", "dev", "test")}
    assert sorted((one.id for own in three.values() for one in own), key=int) == [one.id for one in some]
    assert all([one.id for one in own] == sorted((one.id for one in own), key=int) for own in three.values())
    assert of_part(some, "all") == some


def test_an_empty_part_is_told() -> None:
    with pytest.raises(DataError, match="expected documents of the part 'dev', got none of 1"):
        of_part(texts(1), "dev")
    with pytest.raises(DataError, match="part 'train', got none of 0"):
        of_part([], "train")
