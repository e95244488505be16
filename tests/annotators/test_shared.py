"""One annotator for a run: each text once, with all that anyone asked for, and no more kept than there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

import coheval
from coheval.annotators import Annotated, Annotator, Layer, _shared, number_sentences, sentence_spans
from coheval.annotators._shared import SharedAnnotator
from coheval.annotators.spacy import Spacy
from coheval.spec import state


@dataclass(frozen=True, kw_only=True)
class Words(Annotator):
    """Words between blanks; every second one is a noun, each is its own head. Notes what it was asked."""

    asked: list[tuple[list[str], tuple[Layer, ...]]] = state(list)

    def annotate(self, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        self.asked.append((list(texts), tuple(layers)))
        return [self._one(text).only(layers) for text in texts]

    def _one(self, text: str) -> Annotated:
        words = tuple(text.split(" ")) if text else ()
        ends = np.cumsum([len(word) + 1 for word in words], dtype=np.int32) - 1
        spans = np.stack([ends - [len(word) for word in words], ends], axis=1).astype(np.int32).reshape(-1, 2)
        sentence = number_sentences(text, spans, [0] * len(words))
        tags = tuple("NOUN" if i % 2 else "DET" for i in range(len(words)))
        own = np.arange(len(words), dtype=np.int32)
        return Annotated(words, spans, sentence, sentence_spans(spans, sentence), tags, words, own, tags, ())


def test_each_text_is_annotated_once() -> None:
    inner = Words()
    shared = SharedAnnotator(inner=inner, wanted=("tags",))
    first = shared.annotate(["a b", "c", "a b"], layers=["tags"])
    second = shared.annotate(["c", "d"])
    assert [texts for texts, _ in inner.asked] == [["a b", "c"], ["d"]]
    assert [a.words for a in first + second] == [("a", "b"), ("c",), ("a", "b"), ("c",), ("d",)]


def test_everything_is_asked_for_at_once_and_given_to_who_asked() -> None:
    inner = Words()
    shared = SharedAnnotator(inner=inner, wanted=("syntax", "tags"))
    (tagged,), (parsed,), (bare,) = (shared.annotate(["a b"], layers=some) for some in (["tags"], ["syntax"], []))
    assert inner.asked == [(["a b"], ("syntax", "tags"))]
    assert (tagged.tags, tagged.heads) == (("DET", "NOUN"), None)
    assert (parsed.tags, parsed.heads.tolist()) == (None, [0, 1])
    assert bare.tags is bare.lemmas is bare.heads is bare.relations is bare.chains is None


def test_what_was_not_foreseen_is_not_shared() -> None:
    inner = Words()
    shared = SharedAnnotator(inner=inner, wanted=("tags",))
    for _ in range(2):
        (found,) = shared.annotate(["a b"], layers=["coreference"])
        assert found.chains == ()
    assert inner.asked == [(["a b"], ("coreference",))] * 2
    assert not shared.memory


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_shared, "BUDGET", 5)
    inner = Words()
    shared = SharedAnnotator(inner=inner, wanted=())
    shared.annotate(["a b", "c d"])
    shared.annotate(["a b"])  # used again, so c d goes first
    shared.annotate(["e f"])
    assert list(shared.memory) == ["a b", "e f"]
    assert shared.memory.words == 4
    (large,) = shared.annotate(["1 2 3 4 5 6"])  # more than there is room for: given, not kept
    assert len(large) == 6
    assert list(shared.memory) == []
    assert shared.memory.words == 0
    shared.annotate(["a b"])
    assert [texts for texts, _ in inner.asked] == [["a b", "c d"], ["e f"], ["1 2 3 4 5 6"], ["a b"]]


def test_no_texts() -> None:
    assert SharedAnnotator(inner=Words(), wanted=()).annotate([]) == []


def test_a_run_shares_its_annotator(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    annotate = Spacy.annotate

    def counted(self: Spacy, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        seen.extend(texts)
        return annotate(self, texts, layers=layers)

    monkeypatch.setattr(Spacy, "annotate", counted)
    systems = {"a": ["The dog saw a cat."], "b": ["The cat saw a dog."], "c": ["The dog saw a cat."]}
    coheval.score(systems, [["A cat saw the dog.", "The dog saw a cat."]], metrics=["dsfocus", "dsfocus(focus=head)"])
    assert sorted(seen) == ["A cat saw the dog.", "The cat saw a dog.", "The dog saw a cat."]


def test_company_in_a_run_does_not_matter() -> None:
    """A metric that wants tags gets the same whether or not another one makes the annotator parse."""
    candidates, references = ["Anna's dog chased the cats. They ran."], ["The cats ran from Anna's dog."]
    alone = coheval.score(candidates, references, metrics=["dsfocus"])
    beside = coheval.score(candidates, references, metrics=["dsfocus", "dsfocus(focus=head)"])
    assert alone["dsfocus"].segments == beside["dsfocus"].segments
