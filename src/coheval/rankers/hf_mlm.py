"""Any masked language model of transformers, by folder or hub name: `hf_mlm(model='roberta-base')`. Needs `torch`.

The place is filled with as many masks as the candidate has tokens, and the model reads the sentence once:

    score(candidate) = 1/n Σ_t log p(token_t | the sentence with n masks)

The mean, since candidates of one and of several tokens are compared. A candidate is natural if each of its tokens is
among the `top` likeliest of the whole vocabulary in its place; others have the score -inf. The paper (Pishdad et al.
2020) takes the 20 likeliest of one mask and so knows no connective of several tokens.

A sentence that is longer than the model's window is read around the place. Weights are read from safetensors, code that
comes with a model is never run, numbers are fp32 on the CPU.
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
from coheval.encoders._tokens import frame_of
from coheval.encoders._transformer import padded
from coheval.errors import ResourceError
from coheval.rankers import Choice, Ranker
from coheval.rankers._loaded import Loaded, load

_LOGITS = 2**25  # numbers of one batch's logits (128 MB)

Tokens = tuple[int, ...]
Masked = tuple[Tokens, int, int]  # the sentence, and where the masks start and stop


@dataclass(frozen=True, kw_only=True)
class HF_MLM(Ranker):  # noqa: N801
    model: str  # a folder, or a name on the hub
    revision: str | None = None  # branch, tag or commit on the hub
    top: int | None = 20  # a candidate's tokens must be among so many likeliest; None: all candidates are natural

    libraries: ClassVar[tuple[str, ...]] = ("torch", "transformers", "tokenizers")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.top is None or self.top >= 1, f"top must be at least 1, got {self.top}")

    def digest(self) -> str:
        return weights.digest(*model_files(self._folder()))

    def scores(self, choices: Sequence[Choice]) -> list[NDArray[np.float64]]:
        loaded = self._loaded()
        if loaded.special["mask"] is None:
            raise ResourceError(
                "the tokenizer has no mask",
                where=self.model,
                hint="give a masked language model, or use hf_lm(model=…)",
            )
        asked = [[_asked(loaded, choice, candidate) for candidate in choice.candidates] for choice in choices]
        wanted: dict[Masked, dict[Tokens, float]] = {}
        for masked, tokens in (one for row in asked for one in row):
            wanted.setdefault(masked, {})[tokens] = -np.inf
        for masked, logprobs in _filled(loaded.network, list(wanted)):
            for tokens in wanted[masked]:
                wanted[masked][tokens] = self._score(logprobs, tokens)
        return [np.array([wanted[masked][tokens] for masked, tokens in row]) for row in asked]

    def _score(self, logprobs: NDArray[np.float32], tokens: Tokens) -> float:
        """`logprobs` are [masks, vocabulary]."""
        if not tokens:
            return -np.inf
        chosen = logprobs[np.arange(len(tokens)), list(tokens)]
        likelier = (logprobs > chosen[:, None]).sum(axis=1)
        natural = self.top is None or bool((likelier < self.top).all())
        return float(chosen.mean(dtype=np.float64)) if natural else -np.inf

    def _loaded(self) -> Loaded:
        return load(self._folder(), modified(self._folder()), "AutoModelForMaskedLM")

    def _folder(self) -> Path:
        return model_folder(self.model, self.revision, who="hf_mlm")


def _asked(loaded: Loaded, choice: Choice, candidate: str) -> tuple[Masked, Tokens]:
    """The sentence with masks in the place, within the window, and the candidate's tokens."""
    encoded = loaded.tokenizer.encode(choice.before + candidate + choice.after, add_special_tokens=False)
    start, stop = len(choice.before.rstrip()), len(choice.before) + len(candidate)  # a blank may be a token, too
    own = [n for n, (a, b) in enumerate(encoded.offsets) if a < stop and b > start]
    first, last = (own[0], own[-1] + 1) if own else (0, 0)
    frame = frame_of(loaded.tokenizer)
    room = max(loaded.window - len(frame) - (last - first), 0)
    left = min(first, max(room // 2, room - (len(encoded.ids) - last)))
    before, after = encoded.ids[first - left : first], encoded.ids[last : last + room - left]
    mask = int(loaded.special["mask"] or 0)
    place = len(frame.before) + left
    row = frame.around([*before, *[mask] * (last - first), *after])
    return (tuple(row), place, place + last - first), tuple(encoded.ids[first:last])


def _filled(network: Any, asked: Sequence[Masked]) -> Iterator[tuple[Masked, NDArray[np.float32]]]:
    """For each sentence the log-probabilities [masks, vocabulary]."""
    import torch

    budget = _LOGITS // len(network.get_output_embeddings().weight)
    order = sorted(asked, key=lambda masked: len(masked[0]))
    while order:
        batch = order[-max(1, budget // len(order[-1][0])) :]
        del order[-len(batch) :]
        ids, mask = padded([row for row, _, _ in batch])
        with torch.inference_mode():
            logits = network(input_ids=torch.from_numpy(ids), attention_mask=torch.from_numpy(mask)).logits
        for number, masked in enumerate(batch):
            yield masked, logits[number, masked[1] : masked[2]].log_softmax(dim=1).numpy()
