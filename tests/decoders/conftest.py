"""Small decoders: tiny random models of three kinds that the tests make, and the files of the embedded one."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import carried_folder
from tinymodels import byte_pairs, saved

SIZES = {
    "d_model": 16,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 32,
    "decoder_ffn_dim": 32,
    "max_position_embeddings": 48,
    "init_std": 0.4,  # the usual 0.02 makes all tokens about equally likely
}
NAMES = {"pad_token": "<pad>", "unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@pytest.fixture(scope="session")
def t5_files() -> Path:
    return carried_folder("traceforge_title_model", "data/span")


@pytest.fixture(scope="session")
def tiny_t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Begins with the padding, closes with </s>, no tag."""
    transformers = pytest.importorskip("transformers")
    tokenizer = byte_pairs()
    tokenizer.post_processor = closing(tokenizer)
    config = transformers.T5Config(
        vocab_size=tokenizer.get_vocab_size(),
        d_model=16,
        d_kv=8,
        d_ff=32,
        num_layers=2,
        num_heads=2,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
    )
    return saved(tmp_path_factory.mktemp("models") / "t5", config, tokenizer, NAMES, "AutoModelForSeq2SeqLM")


@pytest.fixture(scope="session")
def tiny_bart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """<s> before a text, </s> behind it, 48 positions."""
    transformers = pytest.importorskip("transformers")
    tokenizer = byte_pairs()
    config = transformers.BartConfig(vocab_size=tokenizer.get_vocab_size(), **SIZES)
    return saved(tmp_path_factory.mktemp("models") / "bart", config, tokenizer, NAMES, "AutoModelForSeq2SeqLM")


@pytest.fixture(scope="session")
def tiny_mbart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """mBART-50's tokenizer over letters: a language before a text, </s> behind it."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    specials = [(token, 0.0) for token in ("<s>", "<pad>", "</s>", "<unk>")]
    pieces = [("▁the", -1.0), ("▁cat", -1.0), ("▁", -2.0), *((letter, -3.0) for letter in LETTERS)]
    tags = [(token, 0.0) for token in ("en_XX", "de_DE", "<mask>")]
    folder = tmp_path_factory.mktemp("models") / "mbart"
    tokenizer = transformers.MBart50Tokenizer(vocab=[*specials, *pieces, *tags])
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.MBartConfig(vocab_size=len(tokenizer), decoder_start_token_id=2, **SIZES)
    transformers.AutoModelForSeq2SeqLM.from_config(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_nllb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """NLLB's tokenizer over letters: a language before a text, </s> behind it; its model begins with </s>."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁", *LETTERS]
    folder = tmp_path_factory.mktemp("models") / "nllb"
    tokenizer = transformers.NllbTokenizer(vocab={piece: i for i, piece in enumerate(pieces)}, merges=[])
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.M2M100Config(vocab_size=len(tokenizer), decoder_start_token_id=2, **SIZES)
    transformers.AutoModelForSeq2SeqLM.from_config(config).save_pretrained(folder)
    return folder


def closing(tokenizer: object) -> object:
    from tokenizers import processors

    return processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", tokenizer.token_to_id("</s>"))])
