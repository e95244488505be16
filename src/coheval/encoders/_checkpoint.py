"""The encoder inside a COMET checkpoint: its weights from the checkpoint, architecture and tokenizer from the backbone.

`MixedEncoder` hands out the mix of its layers that the checkpoint learned, as one layer: to keep all of them for every
text would take as much memory as the encoder has layers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from coheval.algo.layermix import mix, softmax, sparsemax
from coheval.data import Passage, weights
from coheval.encoders import Encoded, Encoder
from coheval.encoders._cometfolder import Settings, settings, tensors, weights_file
from coheval.encoders._hub import LOADED, engine, loading, model_files, model_folder, modified, window
from coheval.encoders._transformer import Layers, TransformerEncoder
from coheval.errors import ResourceError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_PREFIX = "encoder.model."
_MIX = "layerwise_attention.scalar_parameters."
_TYPED = ("BERT",)  # the encoders that tell the texts of a joint sequence apart by token types; RemBERT is not told
_CHUNK = 8_192  # characters whose layers are all kept until they are mixed


@dataclass(frozen=True, kw_only=True)
class CheckpointEncoder(TransformerEncoder):
    folder: str
    backbone: str | None = None

    libraries: ClassVar[tuple[str, ...]] = ("torch", "transformers", "tokenizers")

    @property
    def depth(self) -> int:
        return self.loaded().depth

    @property
    def window(self) -> int:
        return self.loaded().window

    def digest(self) -> str:
        folder = Path(self.folder)
        files = [folder / "hparams.yaml", weights_file(folder)]
        return weights.digest(*files, *model_files(self._backbone(), weights=False))

    def tokenizer(self) -> Tokenizer:
        return self.loaded().tokenizer

    def forward(self, ids: NDArray[np.int64], mask: NDArray[np.int64], layers: Sequence[int]) -> Layers:
        return self.forward_typed(ids, mask, np.zeros_like(ids), layers)

    def forward_typed(
        self, ids: NDArray[np.int64], mask: NDArray[np.int64], types: NDArray[np.int64], layers: Sequence[int]
    ) -> Layers:
        """As `forward`, of sequences whose parts have token types, where the encoder knows of them."""
        import torch

        loaded = self.loaded()
        inputs = {"input_ids": ids, "attention_mask": mask, **({"token_type_ids": types} if loaded.typed else {})}
        with torch.inference_mode():
            out = loaded.network(**{k: torch.from_numpy(v) for k, v in inputs.items()}, output_hidden_states=True)
        return {layer: out.hidden_states[layer].numpy() for layer in layers}

    def loaded(self) -> Loaded:
        folder = Path(self.folder)
        backbone = self._backbone()
        times = weights_file(folder).stat().st_mtime_ns, modified(backbone, weights=False)
        return _load(folder, backbone, settings(folder), times)

    def _backbone(self) -> Path:
        if self.backbone is not None:
            return model_folder(self.backbone, who="comet", weights=False)
        name = settings(Path(self.folder)).backbone
        for inside in (Path(self.folder) / name, Path(self.folder) / Path(name).name):
            if inside.is_dir():
                return model_folder(str(inside), who="comet", weights=False)
        try:
            return model_folder(name, who="comet", weights=False)
        except ResourceError as error:
            raise ResourceError(
                f"the checkpoint was made from {name!r}, and its configuration and tokenizer are not here: "
                f"{error.message}",
                where=self.folder,
                hint=f"give them as backbone='FOLDER', or put them into {Path(name).name}/ in the checkpoint's folder",
            ) from error


@dataclass(frozen=True, eq=False)
class Loaded:
    network: Any  # a torch.nn.Module
    tokenizer: Tokenizer
    depth: int
    window: int
    width: int  # of its vectors
    typed: bool
    mixing: Mapping[int, float]  # γ times the weight of each layer that has one; empty without a mix


@lru_cache(maxsize=LOADED)
def _load(folder: Path, backbone: Path, said: Settings, modified: tuple[int, int]) -> Loaded:
    from transformers import MODEL_MAPPING, AutoConfig, AutoTokenizer, XLMRobertaTokenizer

    found = tensors(folder)
    state = {name.removeprefix(_PREFIX): value for name, value in found.items() if name.startswith(_PREFIX)}
    with loading(backbone):
        config = AutoConfig.from_pretrained(backbone, trust_remote_code=False)
        # The program reads MiniLM, a BERT by its configuration, with XLM-R's words.
        words = XLMRobertaTokenizer if said.encoder == "MiniLM" else AutoTokenizer
        tokenizer = words.from_pretrained(backbone, trust_remote_code=False)
        architecture: Any = MODEL_MAPPING[type(config)]
        network, report = architecture.from_pretrained(
            None,
            config=config,
            state_dict=state,
            dtype="float32",
            output_loading_info=True,
            ignore_mismatched_sizes=True,  # they are refused below, by name
        )
    _check(report, folder, backbone)
    depth = int(config.num_hidden_layers)
    return Loaded(
        network.eval(),
        engine(tokenizer, network, backbone),
        depth,
        window(network, tokenizer),
        int(config.hidden_size),
        said.encoder in _TYPED,
        _mixing(said, found, depth, str(folder)),
    )


def _check(report: Mapping[str, Any], folder: Path, backbone: Path) -> None:
    for flaw, key in (("lacks", "missing"), ("has superfluous", "unexpected"), ("misshapes", "mismatched")):
        names = [name if isinstance(name, str) else name[0] for name in report[f"{key}_keys"]]
        names = sorted(_PREFIX + name for name in names if "pooler" not in name)  # few checkpoints have or read one
        if names:
            raise ResourceError(
                f"the checkpoint {flaw} parameters of its backbone {backbone}: {len(names)}, such as {names[0]!r}",
                where=str(folder),
                hint="is this backbone the one that hparams.yaml names, and was the checkpoint copied whole?",
            )


def _mixing(said: Settings, found: Mapping[str, Any], depth: int, where: str) -> dict[int, float]:
    if said.layer is not None:
        return {}
    names = [f"{_MIX}{k}" for k in range(depth + 1)]
    for name in (*names, "layerwise_attention.gamma"):
        if name not in found or found[name].numel() != 1:
            raise ResourceError(
                f"a mix of {depth + 1} layers needs the number {name!r}, and the checkpoint has "
                + ("none" if name not in found else f"{found[name].numel()} of it"),
                where=where,
                hint="was the checkpoint copied whole?",
            )
    if (more := f"{_MIX}{depth + 1}") in found:
        raise ResourceError(
            f"the checkpoint mixes more than the {depth + 1} layers that its backbone has: {more!r}",
            where=where,
            hint="is this backbone the one that hparams.yaml names?",
        )
    learned = np.array([found[name].item() for name in names], dtype=np.float64)
    shares = sparsemax(learned) if said.sparse else softmax(learned)
    gamma = found["layerwise_attention.gamma"].item()
    return {k: gamma * float(share) for k, share in enumerate(shares) if share}


@dataclass(frozen=True, kw_only=True)
class MixedEncoder(Encoder):
    """The checkpoint's mix of layers, under the number of the last one.

    The released program took mean and variance of a normed layer over a mini-batch, later over each text; here they
    are of one text, its context included.
    """

    inner: CheckpointEncoder

    @property
    def depth(self) -> int:
        return self.inner.depth

    def ready(self, layers: Sequence[int]) -> None:
        self.inner.ready(layers)

    def tokenize(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        return self.inner.tokenize(texts)

    def encode(self, texts: Sequence[str], *, layers: Sequence[int] | None = None) -> list[Encoded]:
        return self.encode_passages([Passage(text) for text in texts], layers=layers)

    def context_flaw(self, sentences: int) -> str | None:
        return self.inner.context_flaw(sentences)

    def encode_passages(self, passages: Sequence[Passage], *, layers: Sequence[int] | None = None) -> list[Encoded]:
        mixing = self.inner.loaded().mixing
        found: dict[int, Encoded] = {}
        for chunk in _chunks([len("".join((*p.before, p.text, *p.after))) for p in passages]):
            whole = [replace(passages[i], with_neighbours=True) for i in chunk]  # a layer is normed over all it read
            for i, one in zip(chunk, self.inner.encode_passages(whole, layers=list(mixing)), strict=True):
                mixed = self._mixed(one, mixing)
                found[i] = mixed if passages[i].with_neighbours else mixed.without_context()
        return [found[i] for i in range(len(passages))]

    def _mixed(self, encoded: Encoded, mixing: Mapping[int, float]) -> Encoded:
        mixed = mix(encoded.vectors, mixing, normed=settings(Path(self.inner.folder)).normed)
        return replace(encoded, vectors={self.depth: mixed.astype(np.float32)})


def _chunks(sizes: Sequence[int]) -> Iterator[list[int]]:
    """Texts of about equal length together, so that little of a batch is padding."""
    chunk: list[int] = []
    held = 0
    for i in sorted(range(len(sizes)), key=sizes.__getitem__):
        if chunk and held + sizes[i] > _CHUNK:
            yield chunk
            chunk, held = [], 0
        chunk.append(i)
        held += sizes[i]
    if chunk:
        yield chunk
