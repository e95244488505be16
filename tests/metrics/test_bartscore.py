"""BARTScore by hand on a decoder that counts, and against the loss that transformers computes for a tiny BART."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import coheval
from coheval.metrics.bartscore import BARTScore
from fakedecoder import Counting
from tinymodels import byte_pairs, saved


def segments(candidates: list[str], metric: object, **more: Any) -> list[float | None]:
    (only,) = coheval.score(candidates, metrics=[metric], **more).values()
    return only.segments


@pytest.mark.parametrize(
    ("form", "expected"),
    # <tag> −1, a −2, b −3, </s> −4; the reference has one more word
    [("precision", -2.5), ("recall", -3.0), ("f", -2.75), ("source", -2.5)],
)
def test_all_tokens_count(form: str, expected: float) -> None:
    metric = BARTScore(decoder=Counting(), form=form)
    assert segments(["a b"], metric, references=["a b c"], sources=["q"]) == [expected]


def test_in_context_only_the_sentence_and_its_end_count() -> None:
    """<tag> −1, x −2, </s> −3, a −4, b −5, </s> −6. The first sentence has no context, but is scored alike."""
    metric = BARTScore(decoder=Counting(), form="precision", context=1)
    found = segments(["p", "a b"], metric, references=["x", "y"], documents=["d", "d"])
    assert found == [-2.5, -5.0]  # (2 + 3) / 2, (4 + 5 + 6) / 3


@pytest.mark.xdist_group("encoders")
def test_the_loss_of_transformers(tmp_path: Path) -> None:
    """The released program averages the model's cross-entropy over the target's tokens: the loss itself."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    sizes = {f"{side}_{what}": 2 for side in ("encoder", "decoder") for what in ("layers", "attention_heads")}
    config = transformers.BartConfig(vocab_size=byte_pairs().get_vocab_size(), d_model=16, init_std=0.4, **sizes)
    names = {"pad_token": "<pad>", "unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
    folder = saved(tmp_path / "bart", config, byte_pairs(), names, "AutoModelForSeq2SeqLM")
    network = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    candidates, references = ["the cat sat", "two dogs ran after it"], ["the cat sat on a mat", "two dogs"]

    def loss(source: str, target: str) -> float:
        ids = (tokenizer(text, return_tensors="pt")["input_ids"] for text in (source, target))
        with torch.no_grad():
            return float(network(**dict(zip(("input_ids", "labels"), ids, strict=True))).loss)

    pairs = list(zip(candidates, references, strict=True))
    expected = {
        "precision": [-loss(r, c) for c, r in pairs],
        "recall": [-loss(c, r) for c, r in pairs],
        "f": [-(loss(r, c) + loss(c, r)) / 2 for c, r in pairs],
    }
    for form, numbers in expected.items():
        spec = f"bartscore(form={form}, decoder=hf_seq2seq(model={str(folder)!r}))"
        assert segments(candidates, spec, references=references) == pytest.approx(numbers, abs=1e-5)
