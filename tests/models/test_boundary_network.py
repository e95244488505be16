"""Boundary's network beside the same formulas written out in numpy, one document and one sentence at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra torch")

from coheval.models._networks.boundary import SHARPNESS, BoundaryNetwork, also_in, backwards  # noqa: E402

WIDTH, HIDDEN = 6, 4
DOCUMENTS = [[0, 1, 2], [3, 2, 5, 4, 0, 1, 6], [4, 5], [2, 2, 0, 3], [6]]

Weights = dict[str, np.ndarray]


@pytest.fixture(scope="module")
def vectors() -> np.ndarray:
    return np.random.default_rng(3).normal(size=(7, WIDTH)).astype(np.float32)


@pytest.fixture(scope="module")
def network() -> Any:
    """Weights that are neither 0 nor 1 anywhere, those of the edge and of normalisation included."""
    torch.manual_seed(5)
    made = BoundaryNetwork(WIDTH, HIDDEN)
    for name, value in made.state_dict().items():
        if value.is_floating_point():
            value.copy_(torch.rand_like(value) + 0.5 if "running_var" in name else torch.randn_like(value) * 0.5)
    return made.eval()


@pytest.fixture(scope="module")
def weights(network: Any) -> Weights:
    return {name: value.double().numpy() for name, value in network.state_dict().items()}


def arrays(vectors: np.ndarray, documents: list[list[int]]) -> dict[str, Any]:
    places = np.zeros((len(documents), max(map(len, documents))), dtype=np.int64)
    for row, document in zip(places, documents, strict=True):
        row[: len(document)] = document
    counts = np.array(list(map(len, documents)))
    named = {"vectors": vectors, "sentences": places, "sentence_counts": counts}
    return {name: torch.from_numpy(array) for name, array in named.items()}


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def gru(weights: Weights, name: str, sentences: list[np.ndarray]) -> list[np.ndarray]:
    """The state behind each sentence (Cho et al. 2014, as torch's page has it)."""
    h, found = np.zeros(HIDDEN), []
    for x in sentences:
        of_x = np.split(weights[f"{name}.weight_ih_l0"] @ x + weights[f"{name}.bias_ih_l0"], 3)
        of_h = np.split(weights[f"{name}.weight_hh_l0"] @ h + weights[f"{name}.bias_hh_l0"], 3)
        reset, update = sigmoid(of_x[0] + of_h[0]), sigmoid(of_x[1] + of_h[1])
        h = (1 - update) * np.tanh(of_x[2] + reset * of_h[2]) + update * h
        found.append(h)
    return found


def local_scores(weights: Weights, sentences: np.ndarray) -> list[float]:
    normal = (sentences - weights["normal.running_mean"]) / np.sqrt(weights["normal.running_var"] + 1e-3)
    x = list(np.maximum(0, normal @ weights["narrow.weight"].T + weights["narrow.bias"]))
    nothing = np.zeros(HIDDEN)
    ahead = [nothing, *gru(weights, "ahead", x)]  # behind t sentences
    back = [*gru(weights, "back", x[::-1])[::-1], nothing]  # from the end to sentence t
    around = [weights["edge"], *x, weights["edge"]]
    found = []
    for t in range(len(x) + 1):
        f, b, left, right = ahead[t], back[t], around[t], around[t + 1]
        seen = np.concatenate([f, b, f * b, abs(f - b), left * right, abs(left - right)])
        hidden = np.maximum(0, weights["meet.0.weight"] @ seen + weights["meet.0.bias"])
        found.append(float(weights["meet.2.weight"][0] @ hidden + weights["meet.2.bias"][0]))
    return found


def test_local_scores_and_their_mean(network: Any, weights: Weights, vectors: np.ndarray) -> None:
    scores, local = (found.detach().numpy() for found in network(**arrays(vectors, DOCUMENTS)))
    assert local.shape == (len(DOCUMENTS), 8)
    for score, row, document in zip(scores, local, DOCUMENTS, strict=True):
        expected = local_scores(weights, vectors[document].astype(np.float64))
        assert row[: len(document) + 1] == pytest.approx(expected, abs=1e-5)
        assert not row[len(document) + 1 :].any()
        assert score == pytest.approx(np.mean(expected), abs=1e-5)


def test_alone_as_in_company(network: Any, vectors: np.ndarray) -> None:
    together = network(**arrays(vectors, DOCUMENTS))[0].tolist()
    alone = [network(**arrays(vectors, [document]))[0].item() for document in DOCUMENTS]
    assert together == pytest.approx(alone, abs=1e-5)


def meets(document: list[int], t: int) -> tuple[int | None, int | None]:
    """The sentences on both sides of boundary t; None is the edge."""
    return document[t - 1] if t else None, document[t] if t < len(document) else None


def test_which_boundaries_are_natural_by_brute_force() -> None:
    chance = np.random.default_rng(8)
    documents = [chance.integers(0, 5, size=chance.integers(1, 7)).tolist() for _ in range(60)]
    others = [chance.integers(0, 5, size=chance.integers(1, 7)).tolist() for _ in range(60)]
    own, theirs = arrays(np.zeros((5, 1)), documents), arrays(np.zeros((5, 1)), others)
    found = also_in(own["sentences"], own["sentence_counts"], theirs["sentences"], theirs["sentence_counts"])
    seen = set()
    for row, document, other in zip(found.tolist(), documents, others, strict=True):
        for t in range(len(document) + 1):
            expected = any(meets(document, t) == meets(other, u) for u in range(len(other) + 1))
            assert row[t] == expected
            seen.add(expected)
    assert seen == {True, False}


def test_backwards_by_hand() -> None:
    assert backwards(torch.tensor([3, 1, 4]), 4).tolist() == [[2, 1, 0, 3], [0, 1, 2, 3], [3, 2, 1, 0]]


def test_loss_by_hand(network: Any, weights: Weights, vectors: np.ndarray) -> None:
    """Mean of log(1 + e^(5 (wrong − right))), and cross-entropy over all boundaries of both sides of all pairs."""
    documents = [[0, 1, 2, 3], [0, 2, 1, 3], [0, 1, 5], [4, 5], [5, 4]]
    right, wrong = [0, 0, 3], [1, 2, 4]
    local = [local_scores(weights, vectors[document].astype(np.float64)) for document in documents]
    scores = list(map(np.mean, local))
    ranking = np.mean(
        [np.log1p(np.exp(SHARPNESS * (scores[w] - scores[r]))) for r, w in zip(right, wrong, strict=True)]
    )
    told = []
    for compared, original in zip([*right, *wrong], right * 2, strict=True):
        document, other = documents[compared], documents[original]
        for t, score in enumerate(local[compared]):
            natural = any(meets(document, t) == meets(other, u) for u in range(len(other) + 1))
            told.append(np.log1p(np.exp(-score if natural else score)))
    found = network.loss(arrays(vectors, documents), torch.tensor(right), torch.tensor(wrong))
    assert found.item() == pytest.approx(ranking + np.mean(told), abs=1e-5)
