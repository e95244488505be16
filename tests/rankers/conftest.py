"""Tiny random models: a causal one as GPT-2 is, one without a mark of the beginning, and a masked one as RoBERTa is."""

from __future__ import annotations

from pathlib import Path

import pytest
from tokenizers import Tokenizer

from tinymodels import byte_pairs, saved

SIZE = 24  # tokens of a window


@pytest.fixture(scope="session")
def tiny_lm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return causal(tmp_path_factory.mktemp("models") / "lm", {"bos_token": "<s>", "eos_token": "</s>"})


@pytest.fixture(scope="session")
def tiny_lm_without_beginning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return causal(tmp_path_factory.mktemp("models") / "lm", {})


def causal(folder: Path, names: dict[str, str]) -> Path:
    transformers = pytest.importorskip("transformers")
    tokenizer = plain(byte_pairs())
    config = transformers.GPT2Config(
        vocab_size=tokenizer.get_vocab_size(),
        n_positions=SIZE,
        n_embd=16,
        n_layer=2,
        n_head=2,
        initializer_range=0.4,  # the usual 0.02 makes all tokens about equally likely
        bos_token_id=0,
        eos_token_id=2,
    )
    return saved(folder, config, tokenizer, {"pad_token": "<pad>", **names}, "AutoModelForCausalLM")


def plain(tokenizer: Tokenizer) -> Tokenizer:
    """Without the marks that RoBERTa puts around a text."""
    from tokenizers import processors

    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


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
        max_position_embeddings=SIZE + 2,
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
