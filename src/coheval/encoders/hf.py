"""Any transformers model, by folder or hub name: `hf(model='bert-base-uncased', layer=8)`. Needs the `torch` extra.

Layer 0 is the embedding, 1 to L the blocks; of encoder-decoder models only the encoder is used. Weights are read from
safetensors, code that comes with a model is never run, numbers are fp32 on the CPU. A hub name is looked up in the
local cache first and downloaded only if it is not there and HF_HUB_OFFLINE is not set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from coheval.data import weights
from coheval.encoders._hub import (
    LOADED,
    engine,
    loading,
    model_files,
    model_folder,
    modified,
    require_parameters,
    window,
)
from coheval.encoders._transformer import Layers, TransformerEncoder
from coheval.errors import SpecError

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, kw_only=True)
class HF(TransformerEncoder):
    model: str  # a folder, or a name on the hub
    layer: int | None = None  # the last layer wanted; the blocks above it are not loaded
    revision: str | None = None  # branch, tag or commit on the hub

    libraries: ClassVar[tuple[str, ...]] = ("torch", "transformers", "tokenizers")
    located_by: ClassVar[tuple[str, ...]] = ("model", "revision")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.layer is None or self.layer >= 1, f"layer must be at least 1, got {self.layer}")

    @property
    def depth(self) -> int:
        return self._loaded().depth

    @property
    def window(self) -> int:
        return self._loaded().window

    def digest(self) -> str:
        return weights.digest(*model_files(model_folder(self.model, self.revision)))

    def tokenizer(self) -> Tokenizer:
        return self._loaded().tokenizer

    def forward(self, ids: NDArray[np.int64], mask: NDArray[np.int64], layers: Sequence[int]) -> Layers:
        import torch

        network = self._loaded().network
        with torch.inference_mode(), nullcontext() if mask.any() else _eager(network):
            out = network(
                input_ids=torch.from_numpy(ids), attention_mask=torch.from_numpy(mask), output_hidden_states=True
            )
        return {layer: out.hidden_states[layer].numpy() for layer in layers}

    def _loaded(self) -> _Loaded:
        folder = model_folder(self.model, self.revision)
        return _load(folder, modified(folder), self.layer)


@contextmanager
def _eager(network: Any) -> Iterator[None]:
    """Attention written out: where everything is masked it is uniform, as it was; the fused forms give nothing."""
    usual = network.config._attn_implementation
    network.set_attn_implementation("eager")
    try:
        yield
    finally:
        network.set_attn_implementation(usual)


@dataclass(frozen=True, eq=False)
class _Loaded:
    network: Any  # a torch.nn.Module
    tokenizer: Tokenizer
    depth: int
    window: int


@lru_cache(maxsize=LOADED)
def _load(folder: Path, modified: int, layer: int | None) -> _Loaded:
    from transformers import AutoModel, AutoTokenizer

    with loading(folder):
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
        network, report = AutoModel.from_pretrained(
            folder, trust_remote_code=False, use_safetensors=True, dtype="float32", output_loading_info=True
        )
    require_parameters((name for name in report["missing_keys"] if "pooler" not in name), folder)  # nothing reads it
    network = (network.get_encoder() if network.config.is_encoder_decoder else network).eval()
    depth = _cut(network, layer)
    return _Loaded(network, engine(tokenizer, network, folder), depth, window(network, tokenizer))


def _cut(network: Any, layer: int | None) -> int:
    """Drops the blocks above a layer, where they are a plain list; the number of the last layer that remains in use.

    One block more than asked for stays: models with a closing norm apply it to the last block only, and a layer must
    come out as it does from the whole model.
    """
    from torch.nn import ModuleList

    depth = int(network.config.num_hidden_layers)
    if layer is None:
        return depth
    if layer > depth:
        raise SpecError(
            f"layer must be at most {depth}, the model's last, got {layer}",
            where="hf",
            hint="leave it out for the last",
        )
    for module in network.modules():
        if isinstance(module, ModuleList) and len(module) == depth:
            del module[layer + 1 :]
            break
    return layer
