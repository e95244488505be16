"""Any transformers model, by folder or hub name: `hf(model='bert-base-uncased', layer=8)`. Needs the `torch` extra.

Layer 0 is the embedding, 1 to L the blocks; of encoder-decoder models only the encoder is used. Weights are read from
safetensors, code that comes with a model is never run, numbers are fp32 on the CPU. A hub name is looked up in the
local cache first and downloaded only if it is not there and HF_HUB_OFFLINE is not set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from coheval.data import weights
from coheval.encoders._transformer import Layers, TransformerEncoder
from coheval.errors import ResourceError, SpecError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_WEIGHTS = "*.safetensors"
_NEEDED = (_WEIGHTS, "*.json", "*.txt", "*.model")  # weights, configuration, tokenizer
_NO_LIMIT = 1_000_000  # transformers writes 1e30 where a tokenizer has no limit
_USUAL_WINDOW = 512  # of models whose positions have no limit
_TIMEOUT = 5.0  # seconds for the hub's first answer


@dataclass(frozen=True, kw_only=True)
class HF(TransformerEncoder):
    model: str  # a folder, or a name on the hub
    layer: int | None = None  # the last layer wanted; the blocks above it are not loaded
    revision: str | None = None  # branch, tag or commit on the hub

    libraries: ClassVar[tuple[str, ...]] = ("torch", "transformers", "tokenizers")

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
        folder = _folder(self.model, self.revision)
        return weights.digest(*sorted(p for pattern in _NEEDED for p in folder.glob(pattern)))

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
        return _load(_folder(self.model, self.revision), self.layer)


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


@cache
def _folder(model: str, revision: str | None) -> Path:
    """Where the model's files are: the folder itself, or the hub's snapshot in the local cache."""
    _require_torch()
    if Path(model).is_dir():
        return _with_weights(Path(model))
    from huggingface_hub import constants, snapshot_download
    from huggingface_hub.errors import HFValidationError

    def snapshot(*, cached: bool) -> Path:
        return Path(
            snapshot_download(
                model,
                revision=revision,
                allow_patterns=list(_NEEDED),
                ignore_patterns=["*/*"],
                etag_timeout=_TIMEOUT,
                local_files_only=cached,
            )
        )

    try:
        return _with_weights(snapshot(cached=True))
    except HFValidationError:
        raise ResourceError(
            "there is no such folder, and no hub model can be called so", where=model, hint="check the path"
        ) from None
    except (OSError, ResourceError):
        pass  # not in the cache, or without weights
    if constants.HF_HUB_OFFLINE:
        raise ResourceError(
            "the model is neither a folder nor in the local cache, and work is offline (HF_HUB_OFFLINE is set)",
            where=model,
            hint="give the model's folder, or allow the network (--online, or from Python HF_HUB_OFFLINE=0)",
        )
    try:
        folder = snapshot(cached=False)
    except Exception as error:  # the hub's errors and its HTTP library's share no base class but Exception
        message = f"the model is neither a folder nor in the local cache, and the hub says: {_first_line(error)}"
        raise _unreachable(model, message) from error
    return _with_weights(folder)


def _with_weights(folder: Path) -> Path:
    if not any(folder.glob(_WEIGHTS)):
        raise ResourceError(
            "the folder holds no *.safetensors",
            where=str(folder),
            hint="weights in other formats can run code; save_pretrained writes safetensors",
        )
    return folder


def _unreachable(model: str, message: str) -> ResourceError:
    hint = f"check the name, or run `hf download {model}` where there is a network and give its folder"
    return ResourceError(message, where=model, hint=hint)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def _require_torch() -> None:
    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if missing:
        raise ResourceError(
            f"hf needs {' and '.join(missing)}, not installed here",
            where="hf",
            hint="pip install torch transformers safetensors (what coheval[torch] brings)",
        )


@cache
def _load(folder: Path, layer: int | None) -> _Loaded:
    from transformers import AutoModel, AutoTokenizer

    try:
        with _quiet():
            tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
            network, report = AutoModel.from_pretrained(
                folder, trust_remote_code=False, use_safetensors=True, dtype="float32", output_loading_info=True
            )
    except Exception as error:  # a folder can be broken in as many ways as there are models
        raise ResourceError(
            f"transformers cannot load the model: {_first_line(error)}",
            where=str(folder),
            hint="the folder must hold the config, safetensors and tokenizer of a model that needs no code of its own",
        ) from error
    absent = [name for name in report["missing_keys"] if "pooler" not in name]  # what is missing would be random
    if absent:
        raise ResourceError(
            f"the weights lack {len(absent)} parameters of the model, such as {absent[0]!r}",
            where=str(folder),
            hint="do config.json and *.safetensors belong together?",
        )
    network = (network.get_encoder() if network.config.is_encoder_decoder else network).eval()
    depth = _cut(network, layer)
    return _Loaded(network, _backend(tokenizer, str(folder)), depth, _window(network, tokenizer))


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars and reports on stderr: what matters in them is checked here."""
    import transformers

    logging: Any = transformers.utils.logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


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


def _backend(tokenizer: Any, where: str) -> Tokenizer:
    """A copy of the fast tokenizer's engine that neither pads nor truncates."""
    from tokenizers import Tokenizer

    if not getattr(tokenizer, "is_fast", False):
        raise ResourceError(
            f"{type(tokenizer).__name__} knows no character offsets",
            where=where,
            hint="the folder must hold a tokenizer.json; AutoTokenizer.save_pretrained writes one for most models",
        )
    engine = Tokenizer.from_str(tokenizer.backend_tokenizer.to_str())
    engine.no_padding()
    engine.no_truncation()
    return engine


def _window(network: Any, tokenizer: Any) -> int:
    """The most tokens that both the tokenizer and the positions allow."""
    from torch.nn import Embedding

    positions = int(getattr(network.config, "max_position_embeddings", None) or 0)
    for name, module in network.named_modules():
        # RoBERTa and its kin begin to count after the padding's position.
        if name.endswith("position_embeddings") and isinstance(module, Embedding) and module.padding_idx is not None:
            positions = module.num_embeddings - module.padding_idx - 1
    limits = [n for n in (positions, int(tokenizer.model_max_length)) if 0 < n < _NO_LIMIT]
    return min(limits, default=_USUAL_WINDOW)
