"""Models of transformers that give a pair of texts a number: sequence classification with a single label.

Weights are read from safetensors, code that comes with a model is never run, numbers are fp32 on the CPU.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from coheval.data import Passage
from coheval.encoders._hub import LOADED, engine, loading, model_folder, modified, require_parameters, window
from coheval.encoders._joined import Joint, joined, padded
from coheval.errors import SpecError

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, eq=False)
class PairModel:
    network: Any  # a torch.nn.Module
    tokenizer: Tokenizer
    window: int
    pad: int
    typed: bool  # whether it tells the two texts apart by token types

    def join(self, pairs: Sequence[tuple[Passage, Passage]]) -> list[Joint | None]:
        """The sequences it reads; None where a pair is longer than its window."""
        return joined(self.tokenizer, self.window, pairs)

    def scores(self, sequences: Sequence[Joint]) -> list[float]:
        import torch

        found = np.zeros(len(sequences))
        for batch, ids, mask, types in padded(sequences, self.pad):
            inputs = {"input_ids": ids, "attention_mask": mask, **({"token_type_ids": types} if self.typed else {})}
            with torch.inference_mode():
                out = self.network(**{name: torch.from_numpy(value) for name, value in inputs.items()})
            found[batch] = out.logits[:, 0].numpy()
        return [float(score) for score in found]


def pair_model(model: str) -> PairModel:
    """The model of a folder, or of a name on the hub."""
    folder = model_folder(model, who="learned")
    return _load(folder, modified(folder))


@lru_cache(maxsize=LOADED)
def _load(folder: Path, modified: int) -> PairModel:
    from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

    with loading(folder):
        config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
        _check(config, str(folder))
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
        network, report = AutoModelForSequenceClassification.from_pretrained(
            folder, trust_remote_code=False, use_safetensors=True, dtype="float32", output_loading_info=True
        )
    require_parameters(report["missing_keys"], folder)
    _check_padding(tokenizer, str(folder))
    return PairModel(
        network.eval(),
        engine(tokenizer, network, folder),
        window(network, tokenizer),
        int(config.pad_token_id or 0),
        "token_type_ids" in tokenizer.model_input_names
        and getattr(config, "type_vocab_size", 2) > 1
        and "token_type_ids" in inspect.signature(network.forward).parameters,
    )


def _check_padding(tokenizer: Any, where: str) -> None:
    """Models that pad on the left take the last token for the whole, which here would be padding."""
    if tokenizer.padding_side != "right":
        raise SpecError(
            f"the tokenizer must pad on the right, got {tokenizer.padding_side}",
            where=where,
            hint="use a model such as BERT or RoBERTa with a regression head",
        )


def _check(config: Any, where: str) -> None:
    if config.num_labels != 1:
        raise SpecError(
            f"the model must give a pair one number, got {config.num_labels} labels",
            where=where,
            hint="use a regression model, whose config.json has a single label",
        )
    if config.is_encoder_decoder:
        raise SpecError(
            f"the model must be an encoder, got {config.model_type}, which decodes as well",
            where=where,
            hint="use a model such as BERT or RoBERTa with a regression head",
        )
