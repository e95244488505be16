"""Encoder-decoders as two ONNX graphs: `input_ids, attention_mask -> last_hidden_state`, and `input_ids,
encoder_hidden_states, encoder_attention_mask -> logits`, as exporters of transformers models write them.

Pairs are run one by one. Quantised graphs take the scale of an activation over the whole tensor, so that in a batch a
score would depend on its neighbours and on padding. The encoder runs once for each distinct source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from coheval.decoders._forced import ForcedDecoder, Ids
from coheval.encoders._session import run, run_on, session
from coheval.errors import ResourceError

_HINT = "export the decoder without a cache of past keys and values, with transformers' usual input names"


@dataclass(frozen=True, slots=True)
class Graphs:
    encoder: Path
    decoder: Path
    start: int  # the token that the decoder begins with


@dataclass(frozen=True, kw_only=True)
class OnnxDecoder(ForcedDecoder):
    libraries: ClassVar[tuple[str, ...]] = ("onnxruntime", "tokenizers")

    def graphs(self) -> Graphs:
        raise NotImplementedError(type(self).__name__)

    def ready(self) -> None:
        super().ready()
        graphs = self.graphs()
        _ = _output(graphs.encoder, "last_hidden_state"), _output(graphs.decoder, "logits")

    def logprobs(self, pairs: Sequence[tuple[Ids, Ids]]) -> list[NDArray[np.float64]]:
        graphs = self.graphs()
        found: list[NDArray[np.float64]] = [np.empty(0)] * len(pairs)
        targets: dict[Ids, list[int]] = {}  # of each source, so that no more than one encoded source is kept
        for i, (source, _) in enumerate(pairs):
            targets.setdefault(source, []).append(i)
        for source, places in targets.items():
            states = _encoded(graphs, source)
            for i in places:
                found[i] = _forced(graphs, states, pairs[i][1])
        return found


def _encoded(graphs: Graphs, source: Ids) -> NDArray[np.float32]:
    """[1, s, d]"""
    ids = np.array([source], dtype=np.int64)
    (states,) = run(graphs.encoder, ids, np.ones_like(ids), [_output(graphs.encoder, "last_hidden_state")])
    return states


def _forced(graphs: Graphs, states: NDArray[np.float32], target: Ids) -> NDArray[np.float64]:
    known: dict[str, NDArray[Any]] = {
        "input_ids": np.array([(graphs.start, *target[:-1])], dtype=np.int64),
        "encoder_hidden_states": states,
        "encoder_attention_mask": np.ones(states.shape[:2], dtype=np.int64),
    }
    (logits,) = run_on(graphs.decoder, known, [_output(graphs.decoder, "logits")], hint=_HINT)
    if logits.shape[:2] != (1, len(target)) or logits.shape[2] <= max(target):
        raise ResourceError(
            f"logits must have the shape [1, {len(target)}, more than {max(target)}], got {list(logits.shape)}",
            where=str(graphs.decoder),
            hint="do the graph and tokenizer.json belong together?",
        )
    scores = logits[0]  # [t, vocabulary]
    best = scores.max(axis=1)
    total = np.log(np.exp(scores - best[:, None]).sum(axis=1, dtype=np.float64))
    chosen: NDArray[np.float64] = scores[np.arange(len(target)), target] - best - total
    return chosen.clip(max=0.0)


def _output(path: Path, name: str) -> str:
    outputs = [output.name for output in session(path).get_outputs()]
    if name not in outputs:
        raise ResourceError(
            f"the graph has no output called {name!r}; there are {', '.join(outputs)}",
            where=str(path),
            hint="export encoder and decoder each by itself, with transformers' usual names",
        )
    return name
