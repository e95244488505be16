"""Order: what wrong variants are, by laws and by listing all of them."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.data import Document
from coheval.errors import DataError, SpecError
from coheval.tasks import Instances, task
from coheval.tasks.order import arrangements

texts = st.lists(st.sampled_from(["One.", "Two.", "Three.", "Four.", "Five."]), min_size=1, max_size=12)


def made(spec: str, *documents: list[str], seed: int = 0) -> Instances:
    found = [Document.of(f"d{n}", sentences) for n, sentences in enumerate(documents)]
    return task(spec).instances(found, np.random.default_rng(seed))


def numbered(count: int) -> list[str]:
    return [f"Sentence {n}." for n in range(count)]


@given(sentences=texts, kind=st.sampled_from(["random", "insertion", "window"]), seed=st.integers(0, 99))
def test_laws(sentences: list[str], kind: str, seed: int) -> None:
    found = made(f"order(kind={kind})", ["A.", "B.", *numbered(8)], sentences, seed=seed)
    assert len(found.groups) + len(found.left_out) == 2
    for group in found.groups:
        assert (group.phenomenon, group.label, group.origin, group.has_context) == ("order", kind, group.id, False)
        assert 1 <= len(group.wrong) <= 20
        assert group.right not in group.wrong  # as text
        assert len(set(group.wrong)) == len(group.wrong)
        assert all(sorted(variant) == sorted(group.right) for variant in group.wrong)


@given(sentences=texts)
def test_arrangements_by_listing_them(sentences: list[str]) -> None:
    few = tuple(sentences[:7])
    assert arrangements(few) == len(set(permutations(few)))


@pytest.mark.parametrize("sentences", [["a", "b"], ["a", "b", "c"], ["a", "b", "a", "b"], ["a", "a", "b"]])
def test_few_sentences_have_all_other_orders(sentences: list[str]) -> None:
    (group,) = made("order", sentences).groups
    assert set(group.wrong) == set(permutations(sentences)) - {tuple(sentences)}


def test_orders_are_drawn_evenly() -> None:
    """Each of the five other orders of three sentences is the first as often: 3,000 draws, 600 ± 4 deviations."""
    found = made("order(negatives=1)", *[["a", "b", "c"]] * 3_000)
    counts = {order: sum(group.wrong[0] == order for group in found.groups) for order in permutations("abc")}
    assert counts.pop(("a", "b", "c")) == 0
    assert all(abs(count - 600) < 4 * (3_000 * 0.2 * 0.8) ** 0.5 for count in counts.values())


def test_more_negatives_than_orders() -> None:
    (group,) = made("order(negatives=10_000)", numbered(6)).groups
    assert len(group.wrong) == 719
    (group,) = made("order(negatives=6_000)", numbered(8)).groups
    assert len(group.wrong) == 6_000


def test_a_long_document() -> None:
    for kind in ("random", "window", "insertion"):
        (group,) = made(f"order(kind={kind})", numbered(10_000)).groups
        assert len(group.wrong) == 20
    (group,) = made("order", ["Same."] * 2_000 + ["Other."]).groups
    assert len(group.wrong) == 20


def test_what_has_no_other_order_is_left_out() -> None:
    found = made("order", ["One.", "Two."], ["Same."] * 5, ["Alone."])
    assert [(one.where, one.reason) for one in found.left_out] == [
        ("d2", "the document has fewer than 2 sentences"),
        ("d1", "its sentences are the same in any other order"),
    ]
    with pytest.raises(DataError, match="expected at least one group, got none: its sentences are the same"):
        made("order(kind=insertion)", ["Same."] * 5)


def test_insertion_by_hand() -> None:
    (group,) = made("order(kind=insertion)", ["a", "b", "c"]).groups
    of_sentence = {
        "a": {("b", "a", "c"), ("b", "c", "a")},
        "b": {("b", "a", "c"), ("a", "c", "b")},
        "c": {("c", "a", "b"), ("a", "c", "b")},
    }
    assert set(group.wrong) in of_sentence.values()


def test_insertion_moves_one_sentence_to_every_other_place() -> None:
    (group,) = made("order(kind=insertion)", numbered(15)).groups
    assert len(group.wrong) == 14
    moved = [s for s in group.right if len({_without(v, s) for v in group.variants}) == 1]
    assert len(moved) == 1
    assert {variant.index(moved[0]) for variant in group.variants} == set(range(15))


def _without(variant: tuple[str, ...], sentence: str) -> tuple[str, ...]:
    return tuple(other for other in variant if other != sentence)


def test_windows_are_one_to_three_of_three_neighbours() -> None:
    wrong = [v for g in made("order(kind=window)", *[numbered(12)] * 30).groups for v in g.wrong]
    right = tuple(numbered(12))
    assert all(_is_made_of_windows(variant, right) for variant in wrong)
    assert {sum(a != b for a, b in zip(variant, right, strict=True)) for variant in wrong} == set(range(2, 10))


def _is_made_of_windows(variant: tuple[str, ...], right: tuple[str, ...], at: int = 0, left: int = 3) -> bool:
    """Whether up to three windows can be laid over all that differs, tried one after the other."""
    if variant[at:] == right[at:]:
        return True
    if left == 0 or at >= len(right):
        return False
    skipped = variant[at] == right[at] and _is_made_of_windows(variant, right, at + 1, left)
    here = sorted(variant[at : at + 3]) == sorted(right[at : at + 3])
    return skipped or (here and _is_made_of_windows(variant, right, at + 3, left - 1))


def test_windows_need_ten_sentences() -> None:
    found = made("order(kind=window)", numbered(9), numbered(10))
    assert [group.id for group in found.groups] == ["d1"]
    assert found.left_out[0].reason == "the document has fewer than 10 sentences"


def test_a_document_does_not_depend_on_its_neighbours() -> None:
    documents = [Document.of(f"d{n}", numbered(8)) for n in range(5)]
    one, other = (task("order").instances(ds, np.random.default_rng(3)) for ds in (documents, documents[::-1][:2]))
    assert [g for g in one.groups if g.id in ("d4", "d3")] == list(other.groups[::-1])
    assert one != task("order").instances(documents, np.random.default_rng(4))
    assert len({group.wrong for group in one.groups}) == 5


def test_wrong_parameters() -> None:
    with pytest.raises(SpecError, match="kind must be 'random' or 'window' or 'insertion', got all"):
        task("order(kind=all)")
    with pytest.raises(SpecError, match="negatives must be at least 1, got 0"):
        task("order(negatives=0)")
