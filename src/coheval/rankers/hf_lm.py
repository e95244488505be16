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
from numpy.typing import NDArray

from coheval.data import weights
from coheval.encoders._hub import model_files, model_folder, modified
from coheval.encoders._transformer import padded
from coheval.rankers import Choice, LanguageModel, Predicted
from coheval.rankers._loaded import Loaded, load

_LOGITS = 2**25  # numbers of one batch's logits (128 MB)


@dataclass(frozen=True, kw_only=True)
class HF_LM(LanguageModel):  # noqa: N801
    model: str  # a folder, or a name on the hub
    revision: str | None = None  # branch, tag or commit on the hub

    libraries: ClassVar[tuple[str, ...]] = ("torch", "transformers", "tokenizers")

    def digest(self) -> str:
        return weights.digest(*model_files(self._folder()))

    def scores(self, choices: Sequence[Choice]) -> list[NDArray[np.float64]]:
        texts = list(dict.fromkeys(text for choice in choices for text in choice.texts))
        total = {text: float(found.logprobs.sum()) for text, found in zip(texts, self.predict(texts), strict=True)}
        return [np.array([total[text] for text in choice.texts]) for choice in choices]

    def predict(self, texts: Sequence[str]) -> list[Predicted]:
        loaded = self._loaded()
        begin = loaded.special["bos"] if loaded.special["bos"] is not None else loaded.special["eos"]
        marks = [] if begin is None else [begin]
        encoded = [loaded.tokenizer.encode(text, add_special_tokens=False) for text in texts]
        rows = [[*marks, *one.ids] for one in encoded]
        found = [np.empty(max(len(row) - 1, 0)) for row in rows]
        parts = [(n, part) for n, row in enumerate(rows) for part in _parts(len(row), loaded.window)]
        ids = [rows[n][start:stop] for n, (start, _, stop) in parts]
        for (n, (start, first, stop)), chosen in zip(parts, _forced(loaded, ids), strict=True):
            found[n][first - 1 : stop - 1] = chosen[first - 1 - start :]
        spans = [np.array(one.offsets[1 - len(marks) :], dtype=np.int32).reshape(-1, 2) for one in encoded]
        return [
            Predicted(values, own, len(row) > loaded.window)
            for values, own, row in zip(found, spans, rows, strict=True)
        ]

    def _loaded(self) -> Loaded:
        return load(self._folder(), modified(self._folder()), "AutoModelForCausalLM")

    def _folder(self) -> Path:
        return model_folder(self.model, self.revision, who="hf_lm")


def _parts(length: int, width: int) -> Iterator[tuple[int, int, int]]:
    """Windows that overlap by half: where each starts, the first token that it speaks for, where it stops."""
    first, stop = 1, min(length, width)
    while first < length:
        yield max(0, stop - width), first, stop
        first, stop = stop, min(length, stop + width - width // 2)


def _forced(loaded: Loaded, rows: Sequence[Sequence[int]]) -> list[NDArray[np.float64]]:
    """For each row the log-probability of each token but the first."""
    found: list[NDArray[np.float64]] = [np.empty(0)] * len(rows)
    budget = _LOGITS // len(loaded.network.get_output_embeddings().weight)
    order = sorted(range(len(rows)), key=lambda n: len(rows[n]))
    while order:
        longest = len(rows[order[-1]])
        batch = order[-max(1, budget // max(longest, 1)) :]
        del order[-len(batch) :]
        for n, row in zip(batch, _batch(loaded.network, [rows[n] for n in batch]), strict=True):
            found[n] = row
    return found


def _batch(network: Any, rows: Sequence[Sequence[int]]) -> Iterator[NDArray[np.float64]]:
    import torch

    ids, mask = padded([list(row) for row in rows], 0)
    with torch.inference_mode():
        logits = network(input_ids=torch.from_numpy(ids), attention_mask=torch.from_numpy(mask)).logits[:, :-1]
        wanted = torch.from_numpy(ids)[:, 1:, None]
        chosen = logits.gather(2, wanted)[:, :, 0] - logits.logsumexp(dim=2)  # [b, t - 1]
    for row, values in zip(rows, chosen.numpy().astype(np.float64), strict=True):
        yield np.minimum(values[: len(row) - 1], 0.0)
