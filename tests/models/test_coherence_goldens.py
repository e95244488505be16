"""The four networks on the weights of golden/coherence_models.json, whose outputs the released programs computed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coheval.models._inputs import Batch, padded, sentence_inputs
from coheval.models.cohlstm import carried_inputs

torch = pytest.importorskip("torch")

TOLERANCE = 1e-5


@pytest.fixture(scope="module")
def golden(shared: Path) -> dict[str, Any]:
    return dict(json.loads((shared / "golden" / "coherence_models.json").read_text(encoding="utf-8")))


def tensor(values: object) -> Any:
    return torch.tensor(values, dtype=torch.float32)


def tensors(arrays: dict[str, Any]) -> dict[str, Any]:
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def load(network: Any, weights: dict[str, object], names: dict[str, str]) -> Any:
    """Weights under the names of the released program; what the golden has and names do not is the embedding."""
    state = {}
    for name, value in weights.items():
        begin = next((old for old in names if name.startswith(old)), None)
        if begin is not None:
            state[names[begin] + name.removeprefix(begin)] = tensor(value)
    network.load_state_dict(state)
    return network.eval()


def batch_of(documents: list[list[list[int]]], table: np.ndarray) -> Batch:
    """Documents of word numbers; each sentence is one of its own."""
    sentences = [sentence for document in documents for sentence in document]
    numbers = iter(range(len(sentences)))
    return Batch(
        table[[word for sentence in sentences for word in sentence]],
        np.array([len(sentence) for sentence in sentences]),
        tuple(np.array([next(numbers) for _ in document]) for document in documents),
    )


def table_of(weights: dict[str, Any], name: str) -> np.ndarray:
    return np.array(weights[name], dtype=np.float32)


def check_classifier(network: Any, documents: Any, expected: dict[str, Any]) -> None:
    logits = network.logits(documents)
    assert torch.allclose(logits, tensor(expected["logits_before_softmax"]), atol=TOLERANCE)
    assert torch.allclose(network.released(logits), tensor(expected["code_output_softmax_dim0"]), atol=TOLERANCE)
    alone = torch.stack([network.released(logits[[n]]) for n in range(len(logits))])
    assert torch.allclose(alone, tensor(expected["code_output_batch_of_one"]), atol=TOLERANCE)


HEAD = {name: name for name in ("hidden_layer", "predict_layer", "bn.")}


def test_sentavg(golden: dict[str, Any]) -> None:
    from coheval.models._networks.sentavg import SentAvgNetwork

    expected = golden["LSTMSentAvg"]
    sizes, weights = expected["dims"], expected["state_dict"]
    network = load(
        SentAvgNetwork(sizes["emb"], sizes["lstm"], sizes["hidden"]), weights, {"lstm.": "word.lstm."} | HEAD
    )
    arrays = tensors(sentence_inputs(batch_of(expected["docs"], table_of(weights, "embeddings.weight"))))
    check_classifier(network, network.documents(**arrays), expected)
    scores = network(**arrays)
    logits = tensor(expected["logits_before_softmax"])
    assert torch.allclose(scores, logits[:, 1] - logits[:, 0], atol=TOLERANCE)


def test_parseq(golden: dict[str, Any]) -> None:
    from coheval.models._networks.parseq import ParSeqNetwork

    expected = golden["LSTMParSeq"]
    sizes, weights = expected["dims"], expected["state_dict"]
    names = {f"{short}_lstm.": f"{name}.lstm." for short, name in NAMES.items()} | HEAD
    network = load(ParSeqNetwork(sizes["emb"], sizes["lstm"], sizes["hidden"]), weights, names)
    paragraphs = [paragraph for document in expected["docs"] for paragraph in document]
    arrays = tensors(sentence_inputs(batch_of(paragraphs, table_of(weights, "embeddings.weight"))))
    numbers = iter(range(len(paragraphs)))
    places, counts = padded([np.array([next(numbers) for _ in document]) for document in expected["docs"]])
    found = network.of_paragraphs(
        **arrays, paragraphs=torch.from_numpy(places), paragraph_counts=torch.from_numpy(counts)
    )
    check_classifier(network, found, expected)


NAMES = {"word": "word", "sent": "sentence", "par": "paragraph"}


def test_cohlstm(golden: dict[str, Any]) -> None:
    from coheval.models._networks.cohlstm import CohLSTMNetwork

    expected = golden["CohLSTM"]
    sizes, weights = expected["dims"], expected["state_dict"] | expected["output_layer"]
    names = {name: name for name in ("lstm.", "conv.", "linear_5.", "linear.")}
    network = load(CohLSTMNetwork(sizes["emb"], sizes["lstm"], sizes["max_doc_len"]), weights, names)
    batch = batch_of(expected["docs"], table_of(weights, "embed.embed.weight"))
    arrays = tensors(carried_inputs(batch, sizes["max_doc_len"]))
    first = network.vectors(**arrays)[:, :8]
    assert torch.allclose(first, tensor(expected["coherence_vector_first8"]), atol=TOLERANCE)
    assert torch.allclose(network(**arrays)[:, None], tensor(expected["score"]), atol=TOLERANCE)


def test_unc(golden: dict[str, Any]) -> None:
    from coheval.models._networks.unc import UNCNetwork, different, ranking_loss

    expected = golden["UNC"]
    sizes = expected["dims"]
    network = UNCNetwork(2, sizes["hidden"], features=sizes["bilinear"], heads=sizes["heads"], original=True)
    weights = {f"convs.{n}.weight": expected["conv"][f"conv_layer_{n + 1}.weight"] for n in range(6)}
    weights |= {name.replace("biaffine", "bilinear"): value for name, value in expected["bilinear"].items()}
    weights |= {name.replace("linear_score", "scorer"): value for name, value in expected["scorer"].items()}
    missing = network.load_state_dict({name: tensor(value) for name, value in weights.items()}, strict=False)
    assert all(name.startswith(("ahead", "back")) for name in missing.missing_keys)
    assert not missing.unexpected_keys
    network.eval()

    states = tensor(expected["sentence_hidden"])  # [v, n, c]
    counts = torch.tensor(expected["lens"])
    places = torch.arange(states.shape[0] * states.shape[1]).view(states.shape[:2])
    found = {}
    for side, sentences in (("pos", places), ("neg", torch.gather(places, 1, torch.tensor(expected["neg_order"])))):
        flat = states.flatten(0, 1)
        whole = network.whole(flat[sentences], counts)
        assert torch.allclose(whole[:, None], tensor(expected[f"{side}_global"]), atol=TOLERANCE)
        features, scores = network.read(flat, sentences, counts)
        assert torch.allclose(scores[..., None], tensor(expected[f"{side}_local_scores"]), atol=TOLERANCE)
        assert torch.allclose(scores.sum(dim=1), tensor(expected[f"{side}_doc_score"]), atol=TOLERANCE)
        found[side] = features, scores
    differs = different(found["pos"][0], found["neg"][0])
    assert torch.equal(differs[..., None], tensor(expected["adaptive_mask"]))
    loss = ranking_loss(found["pos"][1], found["neg"][1], differs)
    assert loss.item() == pytest.approx(expected["loss"], abs=TOLERANCE)
