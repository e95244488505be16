"""Tiny random transformers models, and a tokenizer for them, that tests make and save."""

from __future__ import annotations

from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

WINDOW = 24  # tokens that the causal model reads
SENTENCES = [
    "the cat sat on a mat the cat sat",
    "two dogs ran after it",
    "nobody said that they would not come back again",
]


def byte_pairs() -> Tokenizer:
    """Byte-level pairs learned from three sentences, as RoBERTa has them."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=500,  # enough for each word to be one piece
        special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(SENTENCES * 3, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return tokenizer


def saved(folder: Path, config: object, tokenizer: Tokenizer, names: dict[str, str], kind: str = "AutoModel") -> Path:
    """A folder with a model of random weights, of one of transformers' Auto classes, and its tokenizer."""
    import torch
    import transformers

    torch.manual_seed(0)
    transformers.utils.logging.disable_progress_bar()
    getattr(transformers, kind).from_config(config).save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)
    return folder


def tiny_causal(folder: Path, names: dict[str, str]) -> Path:
    """A causal model as GPT-2 is; `names` are the special tokens that its tokenizer has."""
    import pytest

    transformers = pytest.importorskip("transformers")
    tokenizer = byte_pairs()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)  # nothing around a text
    config = transformers.GPT2Config(
        vocab_size=tokenizer.get_vocab_size(),
        n_positions=WINDOW,
        n_embd=16,
        n_layer=2,
        n_head=2,
        initializer_range=0.4,  # the usual 0.02 makes all tokens about equally likely
        bos_token_id=0,
        eos_token_id=2,
    )
    return saved(folder, config, tokenizer, {"pad_token": "<pad>", **names}, "AutoModelForCausalLM")
