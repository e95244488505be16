"""Boundary: a file that scores as the network did, documents of any length in windows, and the embedded one."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra torch")
pytest.importorskip("onnxscript", reason="needs the extra torch")

from coheval.algo.windows import windows
from coheval.data.weights import digest
from coheval.errors import ResourceError
from coheval.models import CoherenceModel, model
from coheval.models._file import read_facts
from coheval.models._windowed import WINDOW
from coheval.models.boundary import Boundary
from coheval.run.coherence.train import Lesson, learner, train_coherence
from tinycoherence import STEPS, THINGS, encoder, made_corpus, tiny_boundary

DOCUMENTS = [
    ("First the crew woke.", "At noon the boat left."),
    tuple(f"{step} at last." for step in STEPS),
    ("A storm came.", "Unheard of!", "A storm came."),  # words without vectors; a sentence twice
    tuple(f"{step} then." for step in STEPS[::-1]),
]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Boundary:
    return model(f"boundary(file={str(tiny_boundary(tmp_path_factory.mktemp('boundary')))!r})")  # type: ignore[return-value]


def text(sentences: int, seed: int = 0) -> tuple[str, ...]:
    chance = random.Random(seed)
    return tuple(" ".join(chance.choices(THINGS, k=6)) + "." for _ in range(sentences))


def local(scored: Any) -> tuple[float, ...]:
    assert scored.local is not None
    return tuple(scored.local)


def test_it_has_learnt_the_order(trained: Boundary) -> None:
    stories = [tuple(f"{step} {first} {second}." for step in STEPS) for first in THINGS for second in THINGS]
    right, wrong = ([one.value or 0.0 for one in trained.score(some)] for some in (stories, [s[::-1] for s in stories]))
    assert np.mean(np.array(right) > np.array(wrong)) > 0.9


def test_value_and_local_scores(trained: Boundary) -> None:
    for document, found in zip(DOCUMENTS, trained.score(DOCUMENTS), strict=True):
        assert len(local(found)) == len(document) + 1
        assert found.value == pytest.approx(1 / (1 + math.exp(-sum(local(found)) / len(local(found)))), abs=1e-9)


def test_too_short(trained: Boundary) -> None:
    found = trained.score([("A storm came.",), (), *DOCUMENTS])
    assert [one.value for one in found[:2]] == [None, None]
    assert found[0].reason == found[1].reason == "coherence needs two sentences, the document has fewer"
    assert all(one.value is not None for one in found[2:])


def test_alone_as_in_company(trained: Boundary) -> None:
    documents = [*DOCUMENTS, text(80), text(3)]
    for together, document in zip(trained.score(documents), documents, strict=True):
        (alone,) = trained.score([document])
        assert local(together) == pytest.approx(local(alone), abs=1e-5)


def test_a_file_scores_as_the_network_does(tmp_path: Path) -> None:
    import torch

    from coheval.models._inputs import Sentences
    from coheval.run.coherence.training import tensors

    folder, output = made_corpus(tmp_path, documents=20), tmp_path / "model.onnx"
    taught = learner(f"boundary(encoder={encoder(folder)})")
    recipe = taught.recipe.changed(epochs=1, hidden=4)
    network = train_coherence(Lesson.of([folder / "texts.txt"], ["order"]), taught, output, recipe=recipe).network
    ((read, layers),) = taught.would_read().items()
    sentences = Sentences(read, layers, pooled=True)
    documents = [*DOCUMENTS, text(WINDOW)]
    sentences.add(documents)
    for document, found in zip(documents, model(f"boundary(file={str(output)!r})").score(documents), strict=True):
        with torch.inference_mode():
            _, expected = network(**tensors(taught.arrange(sentences.batch([document]), {})))
        assert local(found) == pytest.approx(expected[0].tolist(), abs=1e-5)


@pytest.mark.parametrize("length", [WINDOW - 1, WINDOW, WINDOW + 1, 2 * WINDOW - 5, 100])
def test_each_boundary_is_that_of_the_window_that_speaks_for_it(trained: Boundary, length: int) -> None:
    document = text(length)
    (found,) = trained.score([document])
    assert len(local(found)) == length + 1
    alone = [(w, local(trained.score([document[w.start : w.stop]])[0])) for w in windows(length, WINDOW)]
    for boundary, score in enumerate(local(found)):
        behind = min(boundary, length - 1)  # behind the last sentence stands none
        ((window, scores),) = [(w, scores) for w, scores in alone if w.first <= behind < w.last]
        assert score == pytest.approx(scores[boundary - window.start], abs=1e-5)


def test_ten_thousand_sentences(trained: Boundary, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read grows with the document: windows overlap by a quarter, so a third more than its sentences."""
    read: list[int] = []
    arrange = Boundary.arrange

    def counted(self: Boundary, batch: Any, sizes: Any) -> Any:
        read.extend(map(len, batch.documents))
        return arrange(self, batch, sizes)

    monkeypatch.setattr(Boundary, "arrange", counted)
    (found,) = trained.score([text(10_000)])
    assert len(local(found)) == 10_001
    assert max(read) == WINDOW
    assert sum(read) <= 10_000 * 4 / 3 + WINDOW


# ------------------------------------------------------------------------------------------- embedded, or trained


def test_another_encoder_than_that_of_the_embedded_model_can_be_trained(
    trained: Boundary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Boundary, "embedded", trained.path)
    folder = made_corpus(tmp_path)
    (folder / "vectors.json").write_text('{"boat": [1, 2], "storm": [2, 1]}', encoding="utf-8")
    other = learner(f"boundary(encoder={encoder(folder)})")
    ((read, layers),) = other.would_read().items()
    assert (read.name(), layers) == ("static", (1,))
    with pytest.raises(ResourceError, match="the model was trained with encoder static"):
        other.ready()
    assert model("boundary").signature == model(model("boundary").signature).signature


def test_layers_unless_told() -> None:
    usual = {spec: learner(spec).would_read() for spec in ("boundary", "boundary(encoder=minilm)")}
    assert [list(reads.values()) for reads in usual.values()] == [[(2, 4, 6)]] * 2
    assert list(learner("unc(encoder=minilm)").would_read().values()) == [(6,)]


STORY = (
    "Mira found an old key under the floor of the barn.",
    "The key was rusty, and it fitted none of the doors in the house.",
    "So she asked her grandfather what it had once opened.",
    "He laughed and said that it belonged to a chest in the attic.",
    "Together they climbed the stairs and looked for the chest.",
    "When she turned the key in its lock, the lid sprang open.",
    "Inside lay the letters that her grandmother had written.",
)


@pytest.fixture(scope="module")
def embedded() -> CoherenceModel:
    return model("boundary()")


def test_the_embedded_model_prefers_a_story_as_it_is(embedded: CoherenceModel) -> None:
    chance = random.Random(3)
    shuffled = [tuple(chance.sample(STORY, len(STORY))) for _ in range(20)]
    right, *wrong = [one.value for one in embedded.score([STORY, *shuffled])]
    assert right is not None
    assert sum(right > (value or 0) for value in wrong) >= 18


def test_the_embedded_model_sees_where_a_text_breaks(embedded: CoherenceModel) -> None:
    broken = (*STORY[:4], "The committee approved the budget for road repairs.", *STORY[5:])
    whole, other = (local(one) for one in embedded.score([STORY, broken]))
    falls = np.array(whole) - np.array(other)
    assert int(falls.argmax()) in (4, 5)  # before the foreign sentence, or behind it


def test_the_embedded_file(embedded: CoherenceModel) -> None:
    assert Boundary.embedded is not None
    assert Boundary.embedded.stat().st_size < 10_000_000
    assert digest(Boundary.embedded)[:16] in embedded.signature
    assert model(embedded.signature) == embedded
    assert model(embedded.signature).signature == embedded.signature
    facts = read_facts(Boundary.embedded, "boundary")
    assert (facts["layers"], facts["variant"]) == ([2, 4, 6], "repaired")
    assert "/home/" not in str(facts)
    assert "/work/" not in str(facts)
