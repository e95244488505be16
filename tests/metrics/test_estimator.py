"""The seam between `comet`, `cometqe` and what they score with: a small estimator in the embedded one's place."""

from __future__ import annotations

import pytest

import coheval
from coheval.encoders import Encoded, Encoder
from coheval.metrics import Evidence, _cometembedded
from coheval.metrics._estimator import Estimator, Mask
from coheval.spec import build


class Toy(Estimator[int]):
    """The share of texts' lengths, from two layers."""

    range = (0.0, 1.0)
    perfect = 1.0
    layers = (2, 6)

    def __init__(self, referenceless: bool) -> None:
        self.needs = frozenset({"source" if referenceless else "references"})

    @property
    def encoder(self) -> Encoder:
        return build(Encoder, "minilm")

    def digest(self) -> str:
        return "0" * 64

    def prepare(self, encoded: Encoded, keep: Mask) -> int:
        assert set(self.layers) <= set(encoded.vectors)
        return int(keep.sum())

    def score(self, candidate: int, reference: int | None, source: int | None) -> tuple[float, Evidence]:
        assert reference is None or source is None
        other = source if reference is None else reference
        return min(candidate, other) / max(candidate, other), {"kind": "toy", "lengths": [candidate, other]}


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_cometembedded, "embedded", lambda file, *, referenceless: Toy(referenceless))


def lengths(spec: str, **more: object) -> list[list[int]]:
    texts = ["one two", "one two three"]
    result = coheval.score(texts, metrics=[spec], documents=["d", "d"], evidence=True, **more)[spec]
    return [evidence["lengths"] for evidence in result.evidence]


def test_comet_reads_references_and_no_source() -> None:
    """Each text has two specials."""
    found = lengths("comet", references=["one", "one two three four"], sources=["", ""])
    assert found == [[4, 3], [5, 6]]
    assert coheval.metric("comet").needs == {"references"}


def test_cometqe_reads_the_source() -> None:
    assert lengths("cometqe", sources=["one", "one"]) == [[4, 3], [5, 3]]
    assert coheval.metric("cometqe").needs == {"source"}


def test_context_is_not_kept() -> None:
    references = ["one", "one two three four"]
    assert lengths("comet(context=1)", references=references) == [[2, 1], [3, 4]]
    assert lengths("comet(context=1, variant='code')", references=references) == [[4, 3], [5, 6]]


def test_nature_is_the_estimators() -> None:
    metric = coheval.metric("comet")
    assert (metric.range, metric.perfect) == ((0.0, 1.0), 1.0)
    assert coheval.metric(metric.signature) == metric
    shared = coheval.score(["one"], ["one"], metrics=["comet", "sbert"])
    assert shared["comet"].segments == [1.0]
