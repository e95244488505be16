"""Perplexity against the loss of transformers, long documents, what has none."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import coheval
from coheval.errors import SpecError
from tinymodels import tiny_causal

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TEXTS = ["the cat sat on a mat", "two dogs ran after it", "nobody said that they would not come back"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_causal(tmp_path_factory.mktemp("lm"), {"bos_token": "<s>", "eos_token": "</s>"})


def loss(folder: Path, text: str) -> tuple[float, int]:
    """The mean by transformers, and of how many tokens."""
    network = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    ids = transformers.AutoTokenizer.from_pretrained(folder)(text, add_special_tokens=False)["input_ids"]
    row = torch.tensor([[0, *ids]])
    with torch.no_grad():
        return network(input_ids=row, labels=row).loss.item(), len(ids)


def spec(folder: Path) -> str:
    return f"perplexity(model=hf_lm(model={str(folder)!r}))"


def test_a_document_is_read_as_one_text(folder: Path) -> None:
    result = coheval.score(TEXTS, documents=["a", "a", "b"], metrics=[spec(folder)])
    (only,) = result.values()
    first, second = loss(folder, "\n".join(TEXTS[:2])), loss(folder, TEXTS[2])
    assert only.documents == pytest.approx({"a": math.exp(first[0]), "b": math.exp(second[0])}, rel=1e-5)
    mean = (first[0] * first[1] + second[0] * second[1]) / (first[1] + second[1])
    assert only.system == pytest.approx(math.exp(mean), rel=1e-5)
    assert not coheval.metric(spec(folder)).higher_is_better


def test_evidence_has_a_number_for_each_token(folder: Path) -> None:
    result = coheval.score(TEXTS[:1], metrics=[spec(folder)], evidence=True)
    (only,) = result.values()
    told = only.evidence[0]["candidate"]
    assert [piece.strip() for piece in told["pieces"]] == TEXTS[0].split()
    assert math.exp(-sum(told["logprobs"]) / 6) == pytest.approx(only.segments[0])


def test_a_long_document_is_read_in_windows_and_told(folder: Path) -> None:
    result = coheval.score([" ".join(TEXTS * 10)], metrics=[spec(folder)])
    (only,) = result.values()
    assert only.segments[0] > 1
    assert any("1 long texts were read in overlapping windows" in note for note in result.notes)


def test_no_text_has_no_perplexity(folder: Path, tmp_path: Path) -> None:
    result = coheval.score(["", TEXTS[0]], metrics=[spec(folder)])
    (only,) = result.values()
    assert only.segments[0] is None
    assert only.reasons[0] == "the candidate is empty"
    bare = tiny_causal(tmp_path, {})
    (only,) = coheval.score(["the"], metrics=[spec(bare)]).values()
    assert "nothing before it" in only.reasons[0]


def test_a_model_must_be_given() -> None:
    with pytest.raises(SpecError, match="'model' must be given"):
        coheval.metric("perplexity")
    with pytest.raises(SpecError, match="not a LanguageModel"):
        coheval.metric("perplexity(model=counts)")
