"""A long sentence takes no memory for others: batches are bounded, and a document that is too large has no score."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coheval.data.groups import Group
from coheval.encoders import Encoder
from coheval.models import _trained, model
from coheval.models._inputs import Sentences
from coheval.models._load import ALONE, LONGEST, Load
from coheval.models._trained import TrainedModel
from coheval.spec import build

LONG = " ".join(["boat"] * (LONGEST + 1))


@pytest.fixture
def sentences(tmp_path: Path) -> Sentences:
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps({"boat": [1.0, 0.0], "left": [0.0, 1.0]}), encoding="utf-8")
    return Sentences(build(Encoder, f"static(file={str(file)!r})"), (1,))


def named(name: str) -> TrainedModel:
    found = model(name)
    assert isinstance(found, TrainedModel)
    return found


def test_what_a_batch_asks_for(sentences: Sentences) -> None:
    documents = [("boat", "left boat"), ("left boat", "boat", "boat left boat")]
    sentences.add(documents)
    assert sentences.load(documents) == Load(2, 3, 3)  # a sentence that two have is there once
    assert Load(1, 2, 30) + Load(2, 5, 7) == Load(3, 7, 30)
    assert named("unc").places(Load(2, 3, 3), {}) == 9
    # 2 documents of 20 sentences, 48 words in the longest, 96 + 48 numbers for each: 276,480 / 384
    assert named("cohlstm").places(Load(2, 6, 48), {"sentences": 20, "hidden": 96}) == 720


def test_a_document_that_is_too_large() -> None:
    unc = named("unc")
    assert unc.too_large(Load(1, 2, LONGEST), {}) is None
    assert unc.too_large(Load(1, 2, 5000), {}) == (
        "the model reads sentences of 4,096 tokens, the document has one of 5,000"
    )
    assert unc.too_large(Load(1, ALONE // 128, 128), {}) is None
    assert "4,097 sentences, the longest of 128 tokens" in str(unc.too_large(Load(1, 1 + ALONE // 128, 128), {}))
    # Sentences of `boundary` are one vector each, however long they are.
    assert named("boundary").pooled


def test_a_long_sentence_is_in_a_batch_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_trained, "_PLACES", 100)
    documents = [("a",) * 2] * 6
    loads = dict(enumerate([Load(1, 2, 10)] * 3 + [Load(1, 2, 90)] + [Load(1, 2, 10)] * 2))
    batches = list(named("unc")._batches(documents, loads, {}))
    assert batches == [[0, 1, 2], [3], [4, 5]]
    assert all(len(b) == 1 or len(b) * 2 * max(loads[n].longest for n in b) <= 100 for b in batches)


def test_scoring(sentences: Sentences, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 300 documents one has a long sentence: it has a reason, and the network never sees it."""
    unc = named("unc")
    seen: list[int] = []

    class Graph:
        def run(self, outputs: list[str], inputs: dict[str, Any]) -> list[Any]:
            seen.append(inputs["words"].size)
            return [np.ones(len(inputs["sentences"]), dtype=np.float32)]

    facts = {"sizes": {}, "encoder": sentences.encoder.signature, "layers": [1]}
    monkeypatch.setattr(_trained, "graph_of", lambda path: Graph())
    monkeypatch.setattr(type(unc), "facts", lambda self: facts)
    monkeypatch.setattr(type(unc), "reads", lambda self: {sentences.encoder: (1,)})
    documents = [("boat " * n, "left") for n in range(1, 300)]
    found = unc.score([("boat", LONG), *documents])
    assert found[0].value is None
    assert "4,097" in str(found[0].reason)
    assert [one.value for one in found[1:]] == [1.0] * 299
    assert max(seen) <= 2**16


def test_training(sentences: Sentences) -> None:
    pytest.importorskip("torch", reason="needs the extra torch")
    from coheval.run.coherence.examples import Layout

    def group(*right: str) -> Group:
        return Group(id=right[-1], phenomenon="order", right=right, wrong=(right[::-1],))

    usual = [group("boat", f"left {'boat ' * n}") for n in range(300)]
    long = [group("left", "boat " * (LONGEST - n)) for n in range(3)]
    too_long = group("boat", LONG)
    groups = [*usual, *long, too_long]
    sentences.add(variant for one in groups for variant in one.variants)
    layout = Layout(named("unc"), {}, sentences)
    told: list[str] = []
    assert layout.fitting(groups, told.append) == [*usual, *long]
    assert told == [
        "1 of 304 groups are left out, the first because the model reads sentences of 4,096 tokens, the document has "
        "one of 4,097"
    ]
    steps = layout.steps([*usual, *long], 200, None, np.random.default_rng(1))
    assert sorted(right for chosen in steps for right, _ in chosen) == sorted(one.right for one in (*usual, *long))
    assert len(steps) > 2
    for step in (*map(layout.step, steps), *layout.held_out([*usual, *long], 200)):
        assert step.inputs["words"].size <= ALONE
