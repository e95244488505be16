"""Any causal language model of transformers, by folder or hub name: `hf_lm(model='gpt2')`. Needs the `torch` extra.

    score(candidate) = Σ_t log p(token_t | tokens before it),  over the whole sentence with the candidate in it

The beginning of a text is marked by the tokenizer's own beginning or, as GPT-2's means both, its end of text; with
neither, the first token has no probability. A text that is longer than the model's window is read in windows that
overlap by half: no token is left out, and each but the first window's is predicted from at least half a window before
it. Weights are read from safetensors, code that comes with a model is never run, numbers are fp32 on the CPU.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from coheval.data import weights
from coheval.encoders._hub import model_files, model_folder, modified
from coheval.encoders._transformer import padded
from coheval.rankers._causal import CausalModel, Forced, Reader, Row
from coheval.rankers._loaded import Loaded, load

_LOGITS = 2**25  # numbers of one batch's logits (128 MB)


@dataclass(frozen=True, kw_only=True)
class HF_LM(CausalModel):  # noqa: N801
    model: str  # a folder, or a name on the hub
    revision: str | None = None  # branch, tag or commit on the hub

    version: ClassVar[int] = 2
    libraries: ClassVar[tuple[str, ...]] = ("torch", "transformers", "tokenizers")
    located_by: ClassVar[tuple[str, ...]] = ("model", "revision")

    @property
    def depth(self) -> int:
        return int(self._loaded().network.config.num_hidden_layers)

    @property
    def width(self) -> int:
        return int(self._loaded().network.config.hidden_size)

    def digest(self) -> str:
        return weights.digest(*model_files(self._folder()))

    def reader(self) -> Reader:
        loaded = self._loaded()
        begin = loaded.special["bos"] if loaded.special["bos"] is not None else loaded.special["eos"]
        return Reader(loaded.tokenizer, begin, loaded.window)

    def forced(self, rows: Sequence[Row], layers: Sequence[int]) -> list[Forced]:
        network = self._loaded().network
        found: dict[int, Forced] = {}
        budget = _LOGITS // len(network.get_output_embeddings().weight)
        order = sorted(range(len(rows)), key=lambda n: len(rows[n]))
        while order:
            longest = len(rows[order[-1]])
            batch = order[-max(1, budget // max(longest, 1)) :]
            del order[-len(batch) :]
            found.update(zip(batch, _batch(network, [rows[n] for n in batch], layers), strict=True))
        return [found[n] for n in range(len(rows))]

    def _loaded(self) -> Loaded:
        return load(self._folder(), modified(self._folder()), "AutoModelForCausalLM")

    def _folder(self) -> Path:
        return model_folder(self.model, self.revision, who="hf_lm")


def _batch(network: Any, rows: Sequence[Row], layers: Sequence[int]) -> Iterator[Forced]:
    import torch

    ids, mask = padded([list(row) for row in rows], 0)
    with torch.inference_mode():
        out = network(
            input_ids=torch.from_numpy(ids),
            attention_mask=torch.from_numpy(mask),
            output_hidden_states=bool(layers),
        )
        logits = out.logits[:, :-1]
        wanted = torch.from_numpy(ids)[:, 1:, None]
        chosen = logits.gather(2, wanted)[:, :, 0] - logits.logsumexp(dim=2)  # [b, t - 1]
    for number, (row, values) in enumerate(zip(rows, chosen.numpy().astype(np.float64), strict=True)):
        states = {layer: out.hidden_states[layer][number, 1 : len(row)].numpy() for layer in layers}
        yield Forced(np.minimum(values[: len(row) - 1], 0.0), states)
