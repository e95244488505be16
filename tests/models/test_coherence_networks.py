"""Each network beside the same architecture written out in numpy, one document and one word at a time."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from coheval.models._inputs import Batch, sentence_inputs
from coheval.models.cohlstm import carried_inputs

torch = pytest.importorskip("torch", reason="needs the extra torch")

from coheval.models._networks.cohlstm import CohLSTMNetwork  # noqa: E402
from coheval.models._networks.parseq import ParSeqNetwork  # noqa: E402
from coheval.models._networks.sentavg import SentAvgNetwork  # noqa: E402
from coheval.models._networks.unc import UNCNetwork, different, ranking_loss  # noqa: E402

WIDTH, HIDDEN = 5, 8
COUNTS = [3, 1, 4, 2, 6, 2]
DOCUMENTS = [[0, 1, 2], [3, 2, 5, 4, 0, 1], [4, 5], [2, 2, 0, 3]]

Weights = dict[str, np.ndarray]


@pytest.fixture(scope="module")
def batch() -> Batch:
    tokens = np.random.default_rng(3).normal(size=(sum(COUNTS), WIDTH)).astype(np.float32)
    return Batch(tokens, np.array(COUNTS), tuple(map(np.array, DOCUMENTS)))


def tensors(arrays: dict[str, Any]) -> dict[str, Any]:
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def with_chance(network: Any) -> tuple[Any, Weights]:
    """Weights that are neither 0 nor 1 anywhere, batch norm's included."""
    torch.manual_seed(5)
    for name, value in network.state_dict().items():
        if value.is_floating_point():
            value.copy_(torch.rand_like(value) + 0.5 if "running_var" in name else torch.randn_like(value) * 0.4)
    return network.eval(), {name: value.double().numpy() for name, value in network.state_dict().items()}


def words(batch: Batch, sentence: int) -> np.ndarray:
    start = batch.starts[sentence]
    return batch.tokens[start : start + batch.counts[sentence]].astype(np.float64)


def lstm(weights: Weights, name: str, vectors: Any, state: Any = None) -> tuple[np.ndarray, Any]:
    """All states [n, h], and the last with its cell."""
    h, c = state if state is not None else (0.0, 0.0)
    found = []
    for x in vectors:
        gates = weights[f"{name}.weight_ih_l0"] @ x + weights[f"{name}.bias_ih_l0"] + weights[f"{name}.bias_hh_l0"]
        gates = gates + weights[f"{name}.weight_hh_l0"] @ (np.zeros(HIDDEN) + h)
        i, f, g, o = np.split(gates, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        found.append(h)
    return np.array(found), (h, c)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def last(weights: Weights, name: str, vectors: Any) -> np.ndarray:
    return lstm(weights, name, vectors)[0][-1]


def logit_difference(weights: Weights, document: np.ndarray) -> float:
    top = np.maximum(0, weights["hidden_layer.weight"] @ document + weights["hidden_layer.bias"])
    top = (top - weights["bn.running_mean"]) / np.sqrt(weights["bn.running_var"] + 1e-5)
    logits = weights["predict_layer.weight"] @ (top * weights["bn.weight"] + weights["bn.bias"])
    logits = logits + weights["predict_layer.bias"]
    return float(logits[1] - logits[0])


def test_sentavg(batch: Batch) -> None:
    network, weights = with_chance(SentAvgNetwork(WIDTH, HIDDEN))
    found = network(**tensors(sentence_inputs(batch))).detach().numpy()
    for score, document in zip(found, DOCUMENTS, strict=True):
        summed = sum(last(weights, "word.lstm", words(batch, n)) for n in document)
        assert score == pytest.approx(logit_difference(weights, summed), abs=1e-5)


def test_parseq(batch: Batch) -> None:
    network, weights = with_chance(ParSeqNetwork(WIDTH, HIDDEN))
    found = network(**tensors(sentence_inputs(batch))).detach().numpy()
    for score, document in zip(found, DOCUMENTS, strict=True):
        sentences = [last(weights, "word.lstm", words(batch, n)) for n in document]
        paragraphs = [last(weights, "sentence.lstm", [sentence]) for sentence in sentences]
        assert score == pytest.approx(logit_difference(weights, last(weights, "paragraph.lstm", paragraphs)), abs=1e-5)


def test_sentavg_does_not_see_the_order(batch: Batch) -> None:
    network, _ = with_chance(SentAvgNetwork(WIDTH, HIDDEN))
    orders = [np.random.default_rng(n).permutation(len(COUNTS)) for n in range(20)]
    found = network(**tensors(sentence_inputs(Batch(batch.tokens, batch.counts, tuple(orders))))).tolist()
    assert len(set(found)) == 1


@pytest.mark.parametrize("network", [SentAvgNetwork, ParSeqNetwork])
def test_the_released_classifiers_rank_nothing(batch: Batch, network: Any) -> None:
    original, _ = with_chance(network(WIDTH, HIDDEN, original=True))
    assert original(**tensors(sentence_inputs(batch))).tolist() == [1.0] * len(DOCUMENTS)


def coh_score(weights: Weights, sentences: list[np.ndarray], length: int) -> float:
    """Of the words of each sentence; an empty one lets the LSTM begin anew."""
    states, state = [], None
    for sentence in sentences:
        found, state = lstm(weights, "lstm", sentence, state) if len(sentence) else (np.zeros((0, HIDDEN)), None)
        states.append(found)
    states += [np.zeros((0, HIDDEN))] * (length - len(sentences))
    means = []
    for a, b in pairwise(states):
        similar = np.abs(a @ b.T) / HIDDEN
        if similar.size == 0:  # one is empty: all similarities are 0, the first of them is taken, and half of it is 0
            means.append((np.concatenate([a, b, np.zeros((1, HIDDEN))])[0]) / 2)
            continue
        i, j = np.unravel_index(similar.argmax(), similar.shape)
        means.append((a[i] + b[j]) / 2)
    steps = np.array([abs(x @ y) / HIDDEN for x, y in pairwise(means)])
    kernel = weights["conv.weight"][0, 0]
    seen = np.tanh([kernel @ np.pad(steps, 1)[n : n + 3] + weights["conv.bias"][0] for n in range(len(steps))])
    pooled = [max(seen[n : n + 3]) for n in range(len(seen) - 2)]
    vector = np.tanh(weights["linear_5.weight"] @ pooled + weights["linear_5.bias"])
    return float(weights["linear.weight"][0] @ vector + weights["linear.bias"][0])


def test_cohlstm(batch: Batch) -> None:
    network, weights = with_chance(CohLSTMNetwork(WIDTH, HIDDEN, 7))
    found = network(**tensors(carried_inputs(batch, 7))).detach().numpy()
    for score, document in zip(found, DOCUMENTS, strict=True):
        assert score == pytest.approx(coh_score(weights, [words(batch, n) for n in document], 7), abs=1e-5)


def test_cohlstm_begins_anew_behind_an_empty_sentence(batch: Batch) -> None:
    network, weights = with_chance(CohLSTMNetwork(WIDTH, HIDDEN, 5))
    counts = np.array([3, 0, 4, 2])
    gap = Batch(batch.tokens[:9], counts, (np.array([0, 1, 2, 3]), np.array([2, 0])))
    sentences = np.split(batch.tokens[:9].astype(np.float64), [3, 3, 7])
    found = network(**tensors(carried_inputs(gap, 5))).detach().numpy()
    assert found[0] == pytest.approx(coh_score(weights, sentences, 5), abs=1e-5)
    assert found[1] == pytest.approx(coh_score(weights, [sentences[2], sentences[0]], 5), abs=1e-5)


def test_only_the_released_cohlstm_loses_its_dropout() -> None:
    for original in (False, True):
        network = CohLSTMNetwork(WIDTH, HIDDEN, 5, original=original)
        assert network.train().training
        network.eval()
        assert network.train().training != original


def light_conv(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """[n, c] with kernels [heads, 1, 5]; channels of a head are neighbours."""
    kernels = np.exp(weight[:, 0]) / np.exp(weight[:, 0]).sum(axis=1, keepdims=True)
    share = x.shape[1] // len(kernels)
    around = np.pad(x, ((3, 1), (0, 0)))
    return np.array([[around[n : n + 5, c] @ kernels[c // share] for c in range(x.shape[1])] for n in range(len(x))])


def unc_scores(weights: Weights, s: np.ndarray, positions: range) -> list[float]:
    x = s
    for block in range(3):
        inner = np.maximum(0, light_conv(x, weights[f"convs.{2 * block}.weight"]))
        x = np.maximum(0, x + light_conv(inner, weights[f"convs.{2 * block + 1}.weight"]))
    whole = x.mean(axis=0)
    bilinear = weights["bilinear.weight"]
    f = [np.einsum("i,kij,j->k", a, bilinear, b) + weights["bilinear.bias"] for a, b in pairwise(s)]
    f.append(np.zeros(len(bilinear)))  # two sentences have no second pair
    scorer = weights["scorer.weight"][0]
    return [scorer @ np.concatenate([f[t], f[t + 1], whole]) + weights["scorer.bias"][0] for t in positions]


def unc_sentences(weights: Weights, batch: Batch, document: list[int]) -> np.ndarray:
    read = [words(batch, n) for n in document]
    both = [(last(weights, "ahead.lstm", w), last(weights, "back.lstm", w[::-1])) for w in read]
    return np.array([np.concatenate(pair) for pair in both])


def test_unc(batch: Batch) -> None:
    network, weights = with_chance(UNCNetwork(WIDTH, HIDDEN, features=3, heads=4))
    found = network(**tensors(sentence_inputs(batch))).detach().numpy()
    for score, document in zip(found, DOCUMENTS, strict=True):
        local = unc_scores(weights, unc_sentences(weights, batch, document), range(max(1, len(document) - 2)))
        assert score == pytest.approx(sum(local), abs=1e-4)


def test_released_unc_without_padding(batch: Batch) -> None:
    network, weights = with_chance(UNCNetwork(WIDTH, HIDDEN, features=3, heads=4, original=True))
    for document in DOCUMENTS:
        alone = Batch(batch.tokens, batch.counts, (np.array(document),))
        (score,) = network(**tensors(sentence_inputs(alone))).tolist()
        local = unc_scores(weights, unc_sentences(weights, batch, document), range(len(document) - 2))
        assert score == pytest.approx(sum(local), abs=1e-4)
        assert len(document) > 2 or score == 0


def test_released_unc_counts_the_wrong_positions_of_a_single_sentence() -> None:
    network = UNCNetwork(WIDTH, HIDDEN, heads=4, original=True)
    found = network.positions(torch.tensor([1, 2, 3, 4]), 4)
    assert found.int().tolist() == [[1, 1, 1, 0], [0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0]]


def test_unc_learns_where_variants_differ() -> None:
    """By hand: positions 0 and 2 differ; 5 − (3 − 1) = 3 and 5 − (0 − 2) = 7, over two or over three positions."""
    right, wrong = torch.tensor([[3.0, 9.0, 0.0]]), torch.tensor([[1.0, 0.0, 2.0]])
    differs = different(torch.tensor([[[1.0], [2.0], [3.0]]]), torch.tensor([[[0.0], [2.0], [4.0]]]))
    assert differs.tolist() == [[1, 0, 1]]
    assert ranking_loss(right, wrong, differs).item() == pytest.approx(10 / 3)
    assert ranking_loss(right, wrong, differs, torch.tensor([[True, True, True]])).item() == pytest.approx(5)
    assert ranking_loss(right, wrong, differs, torch.tensor([[True, True, False]])).item() == pytest.approx(3)
