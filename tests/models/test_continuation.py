"""Continuation: the network by hand, a trained file, and documents of any length."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra torch")
pytest.importorskip("onnxscript", reason="needs the extra torch")

import coheval  # noqa: E402
from coheval.algo.windows import windows  # noqa: E402
from coheval.data import Document, Item  # noqa: E402
from coheval.errors import ResourceError, SpecError  # noqa: E402
from coheval.models import CoherenceModel, model  # noqa: E402
from coheval.models._file import read_facts  # noqa: E402
from coheval.models._incontext import LIKELIHOOD  # noqa: E402
from coheval.models._networks.continuation import EDGE, SHARPNESS, ContinuationNetwork  # noqa: E402
from coheval.models._windowed import WINDOW  # noqa: E402
from coheval.run.coherence.train import Lesson, learner, train_coherence  # noqa: E402
from tinymodels import tiny_causal  # noqa: E402

WORDS = "the cat sat on a mat two dogs ran after it nobody said that they would not come back again".split()
RIGHT = ("the cat sat on a mat", "two dogs ran after it", "nobody said that", "they would not come back")


@pytest.fixture(scope="module")
def file(llama_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trained to tell the order of a story, of which only the last word differs."""
    folder = tmp_path_factory.mktemp("continuation")
    texts = ["\n".join(f"{sentence} {word}" for sentence in RIGHT) for word in WORDS]
    (folder / "texts.txt").write_text("\n\n".join(texts), encoding="utf-8")
    output = folder / "continuation.onnx"
    taught = learner(f"continuation(model={spec_of(llama_file)}, layers=[1, 2])")
    recipe = taught.recipe.changed(epochs=4, hidden=4, rate=1e-2)
    train_coherence(Lesson.of([folder / "texts.txt"], ["order(negatives=3)"]), taught, output, recipe=recipe)
    return output


@pytest.fixture(scope="module")
def trained(file: Path) -> CoherenceModel:
    return model(f"continuation(file={str(file)!r})")


def spec_of(path: Path) -> str:
    return f"smollm(file={str(path)!r})"


def text(sentences: int) -> tuple[str, ...]:
    chance = random.Random(sentences)
    return tuple(" ".join(chance.choices(WORDS, k=4)) for _ in range(sentences))


def local(scored: Any) -> tuple[float, ...]:
    assert scored.local is not None
    return tuple(scored.local)


# --------------------------------------------------------------------------------------------------------- the network


def network(width: int, hidden: int) -> ContinuationNetwork:
    """Weights that are neither 0 nor 1 anywhere."""
    torch.manual_seed(3)
    made = ContinuationNetwork(width, hidden)
    for name, value in made.state_dict().items():
        if value.is_floating_point():
            value.copy_(torch.rand_like(value) + 0.5 if "running_var" in name else torch.randn_like(value) * 0.5)
    return made.eval()


def by_hand(made: ContinuationNetwork, vectors: np.ndarray, document: list[int]) -> list[float]:
    weights = {name: value.double().numpy() for name, value in made.state_dict().items()}
    found = []
    for vector in vectors[document].astype(np.float64):
        x = (vector - weights["normal.running_mean"]) / np.sqrt(weights["normal.running_var"] + EDGE)
        hidden = np.maximum(0, weights["deep.1.weight"] @ x + weights["deep.1.bias"])
        plain = weights["plain.weight"][0] @ x + weights["plain.bias"][0]
        found.append(float(plain + weights["deep.4.weight"][0] @ hidden + weights["deep.4.bias"][0]))
    return found


def test_the_network_by_hand() -> None:
    made = network(6, 4)
    vectors = np.random.default_rng(1).normal(size=(5, 6)).astype(np.float32)
    documents = [[0, 1, 2], [3, 1, 4, 4, 0], [2]]
    places = np.array([row + [0] * (5 - len(row)) for row in documents])
    arrays = {"vectors": vectors, "sentences": places, "sentence_counts": np.array(list(map(len, documents)))}
    tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
    with torch.inference_mode():
        scores, locals_ = (found.numpy() for found in made(**tensors))
    expected = [by_hand(made, vectors, document) for document in documents]
    for score, row, own in zip(scores, locals_, expected, strict=True):
        assert row[: len(own)] == pytest.approx(own, abs=1e-5)
        assert not row[len(own) :].any()
        assert score == pytest.approx(np.mean(own), abs=1e-5)
    right, wrong = torch.tensor([0, 0]), torch.tensor([1, 2])
    means = list(map(np.mean, expected))
    loss = np.mean([math.log1p(math.exp(SHARPNESS * (means[w] - means[0]))) for w in (1, 2)])
    assert made.loss(tensors, right, wrong).item() == pytest.approx(loss, abs=1e-5)


# ------------------------------------------------------------------------------------------------------- a trained file


def test_it_has_learnt_the_order(trained: CoherenceModel) -> None:
    stories = [tuple(f"{sentence} {word}" for sentence in RIGHT) for word in WORDS]
    right, wrong = ([one.value or 0.0 for one in trained.score(some)] for some in (stories, [s[::-1] for s in stories]))
    assert np.mean(np.array(right) > np.array(wrong)) > 0.9


def test_value_and_local_scores(trained: CoherenceModel) -> None:
    documents = [RIGHT, text(3), ("né", "日本", "two dogs", "two dogs")]
    for document, found in zip(documents, trained.score(documents), strict=True):
        assert len(local(found)) == len(document)
        assert found.value == pytest.approx(1 / (1 + math.exp(-np.mean(local(found)))), abs=1e-9)


def test_alone_as_in_company(trained: CoherenceModel) -> None:
    documents = [RIGHT, RIGHT[:2], (*RIGHT, "again"), text(80), text(3), RIGHT[::-1]]
    for together, document in zip(trained.score(documents), documents, strict=True):
        (alone,) = trained.score([document])
        assert local(together) == pytest.approx(local(alone), abs=1e-4)
        assert together.value == pytest.approx(alone.value, abs=1e-5)


def test_too_short_and_blank(trained: CoherenceModel) -> None:
    found = trained.score([("two dogs",), (), ("", "two dogs", " "), ("", ""), RIGHT, ("", *RIGHT)])
    assert [one.value for one in found[:4]] == [None] * 4
    assert {one.reason for one in found[:4]} == {"coherence needs two sentences, the document has fewer"}
    assert all(one.value is not None and math.isfinite(one.value) for one in found[4:])


@pytest.mark.parametrize("length", [WINDOW, WINDOW + 1, 100])
def test_each_sentence_is_judged_in_the_window_that_speaks_for_it(trained: CoherenceModel, length: int) -> None:
    document = text(length)
    (found,) = trained.score([document])
    assert len(local(found)) == length
    for window in windows(length, WINDOW):
        (alone,) = trained.score([document[window.start : window.stop]])
        spoken = local(alone)[window.first - window.start : window.last - window.start]
        assert local(found)[window.first : window.last] == pytest.approx(spoken, abs=1e-4)


def test_a_metric_reads_it(file: Path) -> None:
    metric = coheval.metric(f"coherence(model=continuation(file={str(file)!r}))")
    result = coheval.score(list(RIGHT), documents=["d"] * 4, metrics=[metric])
    (only,) = result.values()
    (expected,) = metric.model.score([RIGHT])  # type: ignore[attr-defined]
    assert only.documents["d"] == pytest.approx(expected.value, abs=1e-6)
    assert coheval.metric(metric.signature).signature == metric.signature
    assert "smollm" in metric.signature
    (measured,) = metric.measure([Item("s", Document.of("d", list(RIGHT)))], evidence=True)
    told: Any = measured.rows[0].evidence
    assert (told["kind"], len(told["local"]), len(told["sentences"])) == ("sentences", 4, 4)


def test_layers_that_are_not_there(llama_file: Path) -> None:
    with pytest.raises(SpecError, match="layers must be from 0 to 3, got 99"):
        learner(f"continuation(model={spec_of(llama_file)}, layers=[99])").new_readings()


def test_another_language_model_than_it_was_trained_with(trained: CoherenceModel, file: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere.gguf"
    moved.write_bytes(Path(trained.model.file).read_bytes())  # type: ignore[attr-defined]
    same = model(f"continuation(file={str(file)!r}, model={spec_of(moved)})")
    assert same.score([RIGHT])[0].value == pytest.approx(trained.score([RIGHT])[0].value, abs=1e-6)
    with pytest.raises(ResourceError, match="the model was trained with encoder smollm") as error:
        model(f"continuation(file={str(file)!r}, model=smollm(file={str(moved)!r}, window=9))")
    assert error.value.hint == "leave model=… out"
    with pytest.raises(ResourceError, match=r"the model was trained with layers \[1, 2\], got \[1\]"):
        model(f"continuation(file={str(file)!r}, layers=[1])")


def test_any_language_model_can_be_learnt_on(tmp_path: Path) -> None:
    """At two thirds of its height, unless told: the first of two layers of 16, rounded."""
    folder = tiny_causal(tmp_path / "lm", {"bos_token": "<s>"})
    (tmp_path / "texts.txt").write_text("\n\n".join("\n".join(text(n)) for n in range(4, 40)), encoding="utf-8")
    taught = learner(f"continuation(model=hf_lm(model={str(folder)!r}))")
    output = tmp_path / "continuation.onnx"
    recipe = taught.recipe.changed(epochs=1, hidden=4)
    train_coherence(Lesson.of([tmp_path / "texts.txt"], ["order(negatives=1)"]), taught, output, recipe=recipe)
    facts = read_facts(output, "continuation")
    assert (facts["layers"], facts["sizes"]) == ([1], {"width": 2 * 16 + LIKELIHOOD, "hidden": 4})
    assert model(f"continuation(file={str(output)!r})").score([RIGHT])[0].value is not None
