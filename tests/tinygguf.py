"""A tiny random Llama: as transformers has it, and as a GGUF file that the package `gguf` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tinymodels import byte_pairs

WIDTH, FEED, HEADS, SHARED, BLOCKS = 32, 64, 4, 2, 3
WINDOW = 64


def tiny_llama() -> Any:
    torch = pytest.importorskip("torch", reason="needs the extra torch")
    transformers = pytest.importorskip("transformers", reason="needs the extra torch")
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=byte_pairs().get_vocab_size(),
        hidden_size=WIDTH,
        intermediate_size=FEED,
        num_hidden_layers=BLOCKS,
        num_attention_heads=HEADS,
        num_key_value_heads=SHARED,
        max_position_embeddings=WINDOW,
        initializer_range=0.4,  # the usual 0.02 makes all tokens about equally likely
        rms_norm_eps=1e-5,
        rope_parameters={"rope_type": "default", "rope_theta": 100000.0},
        tie_word_embeddings=True,
    )
    return transformers.LlamaForCausalLM(config).eval()


def written(path: Path, llama: Any, *, kind: str = "F32", more: dict[str, Any] | None = None, **facts: Any) -> Path:
    """The model in a file, matrices of one of GGUF's kinds; `facts` stand in for the usual ones, `more` are tensors."""
    gguf = pytest.importorskip("gguf", reason="the test writes GGUF with it")
    words = byte_pairs().get_vocab()
    writer = gguf.GGUFWriter(path, facts.get("architecture", "llama"))
    writer.add_block_count(facts.get("blocks", BLOCKS))
    writer.add_context_length(facts.get("window", WINDOW))
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(FEED)
    writer.add_head_count(facts.get("heads", HEADS))
    writer.add_head_count_kv(facts.get("shared", SHARED))
    writer.add_rope_freq_base(facts.get("base", 100000.0))
    if "turned" in facts:
        writer.add_rope_dimension_count(facts["turned"])
    if "scaling" in facts:
        writer.add_rope_scaling_type(gguf.RopeScalingType(facts["scaling"]))
    if facts.get("epsilon", 1e-5) is not None:
        writer.add_layer_norm_rms_eps(facts.get("epsilon", 1e-5))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(facts.get("pre", "smollm"))
    writer.add_token_list(facts.get("tokens", sorted(words, key=words.__getitem__)))
    writer.add_token_merges(facts.get("merges", [" ".join(pair) for pair in merges()]))
    writer.add_bos_token_id(facts.get("bos", 0))
    writer.add_unk_token_id(facts.get("unknown", 3))
    chosen = gguf.GGMLQuantizationType[kind]
    for name, array in (tensors(llama) | (more or {})).items():
        matrix = array.ndim == 2
        packed = gguf.quants.quantize(array, chosen) if matrix else array
        writer.add_tensor(name, packed, raw_dtype=chosen if matrix else None)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def merges() -> list[tuple[str, str]]:
    import json

    return [tuple(pair) for pair in json.loads(byte_pairs().to_str())["model"]["merges"]]


def tensors(llama: Any) -> dict[str, np.ndarray]:
    """By GGUF's names. Its heads hold neighbours where transformers' hold halves: as llama.cpp converts them."""
    found = {}
    for name, value in llama.state_dict().items():
        array = value.numpy()
        if name == "lm_head.weight":
            continue  # that of the embedding
        for heads, of in ((HEADS, "q_proj"), (SHARED, "k_proj")):
            if of in name:
                array = array.reshape(heads, 2, -1, WIDTH).swapaxes(1, 2).reshape(array.shape)
        for old, new in _NAMES.items():
            name = name.replace(old, new)
        found[name] = array
    return found


_NAMES = {
    "model.embed_tokens": "token_embd",
    "model.layers": "blk",
    "model.norm": "output_norm",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
