"""Tiny random models: a causal one as GPT-2 is, one without a mark of the beginning, and a masked one as RoBERTa is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tinymodels import WINDOW, byte_pairs, saved, tiny_causal


@pytest.fixture(scope="session")
def tiny_lm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_causal(tmp_path_factory.mktemp("models") / "lm", {"bos_token": "<s>", "eos_token": "</s>"})


@pytest.fixture(scope="session")
def tiny_lm_without_beginning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_causal(tmp_path_factory.mktemp("models") / "lm", {})


@pytest.fixture(scope="session")
def tiny_mlm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    transformers = pytest.importorskip("transformers")
    tokenizer = byte_pairs()
    config = transformers.RobertaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=WINDOW + 2,
        initializer_range=0.4,
        pad_token_id=1,
    )
    names = {
        "pad_token": "<pad>",
        "unk_token": "<unk>",
        "mask_token": "<mask>",
        "cls_token": "<s>",
        "sep_token": "</s>",
    }
    return saved(tmp_path_factory.mktemp("models") / "mlm", config, tokenizer, names, "AutoModelForMaskedLM")
