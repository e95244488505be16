"""What tasks that make variants share: sentences, parts, provenance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from coheval.annotators import Annotated, Annotator, Layer
from coheval.data import Document
from coheval.errors import DataError, UsageError
from coheval.tasks import task
from coheval.tasks._made import Text, own_rng
from coheval.tasks._partners import Partners
from coheval.tasks.order import Order


@dataclass(frozen=True, kw_only=True)
class AtBars(Annotator):
    """Sentences end at |."""

    calls: ClassVar[list[int]] = []

    def annotate(self, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        self.calls.append(len(texts))
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> Annotated:
        parts = text.split("|")
        starts = np.cumsum([0, *(len(part) + 1 for part in parts[:-1])])
        spans = np.array([(a, a + len(p)) for a, p in zip(starts, parts, strict=True)], dtype=np.int32)
        return Annotated(tuple(parts), spans, np.arange(len(parts), dtype=np.int32), spans)


def test_segments_are_split_all_together() -> None:
    AtBars.calls.clear()
    documents = [Document.of(str(n), ["a|b", f"c{n}", " "]) for n in range(50)]
    found = Order(split=AtBars()).instances(documents, np.random.default_rng(0))
    assert found.groups[7].right == ("a", "b", "c7")
    assert AtBars.calls == [100]


def test_paragraphs_must_be_split(tmp_path: Path) -> None:
    path = tmp_path / "wiki.txt"
    path.write_text(" \n = Herring = \n \n It is a fish . It swims . \n", encoding="utf-8")
    with pytest.raises(UsageError, match="expected documents as sentences, got paragraphs") as told:
        task("order").read([path], np.random.default_rng(0))
    assert told.value.hint is not None
    assert "order(split=spacy)" in told.value.hint
    (group,) = task("order(split=spacy)").read([path], np.random.default_rng(0)).groups
    assert group.right == ("It is a fish .", "It swims .")
    assert group.origin == "wiki:1 Herring"


def test_what_readers_leave_out_is_told_with_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "DC_wiki_test.txt"
    path.write_text("0\ta\tb\tc\tx\te\tf\n1\ta\tb\tc\td\te\tf\n1\tz\tz\tz\tz\tz\tz\n", encoding="utf-8")
    found = task("order").read([path], np.random.default_rng(0))
    assert [one.reason for one in found.left_out] == [
        "the document has a sentence of another one",
        "its sentences are the same in any other order",
    ]
    assert found.files.keys() == {str(path)}


def test_parts_have_no_document_in_common(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n\n".join(f"Begin {n}.\nEnd {n}." for n in range(100)), encoding="utf-8")
    ids = [
        {group.id for group in task(f"order(part={part})").read([path], np.random.default_rng(0)).groups}
        for part in ("train", "dev", "test")
    ]
    assert all(ids)
    assert sum(map(len, ids)) == len(set().union(*ids)) == 100


def test_a_part_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("One.\nTwo.\n", encoding="utf-8")
    with pytest.raises(DataError, match="expected documents of the part 'test', got none of 1"):
        task("order(part=test)").read([tmp_path / "train.txt"], np.random.default_rng(0))


@pytest.mark.parametrize("count", [1, 2, 3, 40, 1_000])
def test_partners_are_each_drawn_once(count: int) -> None:
    texts = [Text(str(n), ("a", "b"), Document.of(str(n), ["a", "b"])) for n in range(count)]
    found = [other.id for other in Partners(texts).of(texts[0], own_rng(5, "0"))]
    assert sorted(found, key=int) == [text.id for text in texts[1:]]
    if count > 3:
        assert found != sorted(found, key=int)
