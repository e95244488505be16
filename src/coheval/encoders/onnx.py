"""Any transformer that was exported to ONNX, without torch: `onnx(path='folder')`.

The folder holds `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`. Exporters give the last layer only; `outputs`
names the tensors that are the layers 1, 2, …, which may be any inner tensors of the graph:

    onnx(path='bert', outputs=['/encoder/layer.0/output/LayerNorm/…', '/encoder/layer.1/output/LayerNorm/…'])

Without `outputs` the graph's first output with three dimensions (text, token, vector) is the only layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from coheval.data import weights
from coheval.encoders._session import run, session
from coheval.encoders._tokens import read_tokenizer
from coheval.encoders._transformer import Layers, TransformerEncoder
from coheval.errors import ResourceError

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, kw_only=True)
class Onnx(TransformerEncoder):
    path: str  # the model, or the folder that holds it
    tokenizer_path: str | None = None  # None: the tokenizer.json beside the model
    outputs: tuple[str, ...] = ()  # tensors, one a layer
    max_length: int = 512  # tokens that the model reads at once, specials included

    libraries: ClassVar[tuple[str, ...]] = ("onnxruntime", "tokenizers")
    located_by: ClassVar[tuple[str, ...]] = ("path", "tokenizer_path")
    first_layer: ClassVar[int] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.max_length >= 1, f"max_length must be at least 1, got {self.max_length}")

    @property
    def depth(self) -> int:
        return max(1, len(self.outputs))

    @property
    def window(self) -> int:
        return self.max_length

    def digest(self) -> str:
        model = self._model()
        beside = [model.with_name(model.name + suffix) for suffix in ("_data", ".data")]  # weights outside the graph
        return weights.digest(model, *(p for p in beside if p.exists()), self._tokenizer_file())

    def tokenizer(self) -> Tokenizer:
        return read_tokenizer(self._tokenizer_file())

    def ready(self, layers: Sequence[int]) -> None:
        super().ready(layers)
        session(self._model(), self.outputs)

    def forward(self, ids: NDArray[np.int64], mask: NDArray[np.int64], layers: Sequence[int]) -> Layers:
        model = self._model()
        names = self.outputs or (_only_layer(model),)
        arrays = run(model, ids, mask, [names[layer - 1] for layer in layers], self.outputs)
        for layer, array in zip(layers, arrays, strict=True):
            if array.shape[:2] != ids.shape or array.ndim != 3:
                raise ResourceError(
                    f"{names[layer - 1]!r} must have the shape [texts, tokens, d], got {list(array.shape)} "
                    f"for {ids.shape[0]} x {ids.shape[1]} tokens",
                    where=str(model),
                    hint="name a tensor with a vector for each token in outputs=[…]",
                )
        return dict(zip(layers, arrays, strict=True))

    def _model(self) -> Path:
        path = Path(self.path)
        if not path.exists():
            raise ResourceError("there is no such file or folder", where=self.path, hint="check path")
        if path.is_file():
            return path
        return _first_of(path / "model.onnx", path / "onnx" / "model.onnx", hint="give the path of the .onnx file")

    def _tokenizer_file(self) -> Path:
        if self.tokenizer_path is not None:
            return Path(self.tokenizer_path)
        folder = self._model().parent
        hint = "give its path: tokenizer_path='…/tokenizer.json'"
        return _first_of(folder / "tokenizer.json", folder.parent / "tokenizer.json", hint=hint)


def _first_of(*paths: Path, hint: str) -> Path:
    for path in paths:
        if path.exists():
            return path
    first, second = paths
    raise ResourceError(f"found neither {first.name} nor {second}", where=str(first.parent), hint=hint)


def _only_layer(model: Path) -> str:
    """The first output with a vector for each token."""
    outputs = session(model).get_outputs()
    for output in outputs:
        if len(output.shape) == 3:
            return str(output.name)
    raise ResourceError(
        "no output has three dimensions (text, token, vector); there are "
        + ", ".join(f"{o.name} {o.shape}" for o in outputs),
        where=str(model),
        hint="name an inner tensor: outputs=['…']",
    )
