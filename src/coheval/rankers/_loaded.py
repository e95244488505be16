"""What rankers with a transformers model have in common: loading it by folder or hub name.

Weights are read from safetensors, code that comes with a model is never run, numbers are fp32 on the CPU. A hub name is
looked up in the local cache first and downloaded only if it is not there and HF_HUB_OFFLINE is not set.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from coheval.encoders._hub import LOADED, engine, loading, require_parameters, window

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, eq=False)
class Loaded:
    network: Any  # a torch.nn.Module
    tokenizer: Tokenizer  # without padding and truncation
    special: dict[str, int | None]  # the numbers of special tokens, where the tokenizer has them
    window: int


@lru_cache(maxsize=LOADED)
def load(folder: Path, modified: int, kind: Literal["AutoModelForCausalLM", "AutoModelForMaskedLM"]) -> Loaded:
    """`modified` is when the files were written, so that a model that has changed is loaded again."""
    import transformers

    with loading(folder):
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
        network, report = getattr(transformers, kind).from_pretrained(
            folder, trust_remote_code=False, use_safetensors=True, dtype="float32", output_loading_info=True
        )
    require_parameters(report["missing_keys"], folder)
    special = {name: getattr(tokenizer, f"{name}_token_id", None) for name in ("bos", "cls", "sep", "eos", "mask")}
    return Loaded(network.eval(), engine(tokenizer, network, folder), special, window(network, tokenizer))
