"""Any encoder-decoder of transformers, by folder or hub name: `hf_seq2seq(model='facebook/bart-large-cnn')`.

Needs the `torch` extra. Weights are read from safetensors, code that comes with a model is never run, numbers are fp32
on the CPU. A hub name is looked up in the local cache first and downloaded only if it is not there and HF_HUB_OFFLINE
is not set.

Models of many languages, such as mBART-50 and NLLB, want to be told which: `language='de_DE'` tags the target, and
the source too unless `source_language` says otherwise. The target is given as labels are in training, so that the model
makes what its decoder reads by its own rule, and predicts each token from those before it.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from coheval.data import weights
from coheval.decoders._forced import ForcedDecoder, Ids, Side
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
from coheval.encoders._tokens import Frame, frame_of
from coheval.encoders._transformer import padded
from coheval.errors import ResourceError, SpecError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_LOGITS = 2**25  # numbers of one batch's logits (128 MB), since some vocabularies have 250,000 tokens
_SHOWN = 8  # languages that an error lists


@dataclass(frozen=True, kw_only=True)
class HF_Seq2Seq(ForcedDecoder):  # noqa: N801
    model: str  # a folder, or a name on the hub
    revision: str | None = None  # branch, tag or commit on the hub
    language: str | None = None  # of the target, as the model's tokenizer names it: de_DE, deu_Latn
    source_language: str | None = None  # of the source; None: the same

    libraries: ClassVar[tuple[str, ...]] = ("torch", "transformers", "tokenizers")

    @property
    def window(self) -> int:
        return self._loaded().window

    def digest(self) -> str:
        return weights.digest(*model_files(self._folder()))

    def tokenizer(self) -> Tokenizer:
        return self._loaded().tokenizer

    def frame(self, side: Side) -> Frame:
        loaded = self._loaded()
        return loaded.target if side == "target" else loaded.source

    def logprobs(self, pairs: Sequence[tuple[Ids, Ids]]) -> list[NDArray[np.float64]]:
        network = self._loaded().network
        found: list[NDArray[np.float64]] = [np.empty(0)] * len(pairs)
        for batch in _batches(pairs, _LOGITS // len(network.get_output_embeddings().weight)):
            for i, row in zip(batch, _forced(network, [pairs[i] for i in batch]), strict=True):
                found[i] = row
        return found

    def _loaded(self) -> _Loaded:
        folder = self._folder()
        return _load(folder, modified(folder), self.language, self.source_language or self.language)

    def _folder(self) -> Path:
        return model_folder(self.model, self.revision, who="hf_seq2seq")


@dataclass(frozen=True, eq=False)
class _Loaded:
    network: Any  # a torch.nn.Module
    tokenizer: Tokenizer
    source: Frame
    target: Frame
    window: int


@lru_cache(maxsize=LOADED)
def _load(folder: Path, modified: int, language: str | None, source_language: str | None) -> _Loaded:
    network, tokenizer = _model(folder, modified)
    backend = engine(tokenizer, network, folder)
    if hasattr(tokenizer, "src_lang"):
        tokenizer.src_lang = _known(source_language, tokenizer, folder)
        tokenizer.tgt_lang = _known(language, tokenizer, folder)
    elif language or source_language:
        raise SpecError("the model knows no languages", where=str(folder), hint="leave language=… out")
    source, target = (_around(tokenizer, backend, side, folder) for side in ("source", "target"))
    return _Loaded(network, backend, source, target, window(network, tokenizer))


@lru_cache(maxsize=LOADED)
def _model(folder: Path, modified: int) -> tuple[Any, Any]:
    """Once for all languages."""
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    with loading(folder):
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
        network, report = AutoModelForSeq2SeqLM.from_pretrained(
            folder, trust_remote_code=False, use_safetensors=True, dtype="float32", output_loading_info=True
        )
    require_parameters(report["missing_keys"], folder)
    if "labels" not in inspect.signature(network.forward).parameters:
        raise ResourceError(
            f"{type(network).__name__} takes no labels, so that it cannot be told what to decode",
            where=str(folder),
            hint="use a model of the kind of T5, BART, mBART-50 or NLLB",
        )
    return network.eval(), tokenizer


def _known(language: str | None, tokenizer: Any, folder: Path) -> str:
    known = [t for t in tokenizer.extra_special_tokens if tokenizer.convert_tokens_to_ids(t) != tokenizer.unk_token_id]
    if language in known:
        return str(language)
    message = "the model must be told a language" if language is None else f"the model has no language {language!r}"
    near = get_close_matches(language or "", known, cutoff=0.5)  # de is half of de_DE
    shown = list(dict.fromkeys([*near, *known]))[:_SHOWN]
    more = f" and {len(known) - len(shown)} more" if len(known) > len(shown) else ""
    raise SpecError(message, where=str(folder), hint=f"give language=…, one of {', '.join(shown)}{more}")


def _around(tokenizer: Any, backend: Tokenizer, side: Side, folder: Path) -> Frame:
    """What the tokenizer puts around a text on that side: `text_target` is its door for the other."""
    usual = frame_of(backend)
    text = next(t for t in chain(["a"], backend.get_vocab()) if backend.encode(t, add_special_tokens=False).ids)
    inner = backend.encode(text, add_special_tokens=False).ids
    ids = tokenizer(**{"text" if side == "source" else "text_target": text})["input_ids"]
    start = next((i for i in range(len(ids)) if ids[i : i + len(inner)] == inner), None)
    if start is None:
        raise ResourceError(
            f"tokenizer.json reads {text!r} as {inner}, transformers' {type(tokenizer).__name__} as {ids}",
            where=str(folder),
            hint="do tokenizer.json and tokenizer_config.json belong together? save_pretrained writes both",
        )
    named = [(i, backend.id_to_token(i) or "") for i in ids]
    return replace(usual, before=named[:start], after=named[start + len(inner) :])


def _batches(pairs: Sequence[tuple[Ids, Ids]], budget: int) -> Iterator[list[int]]:
    """Pairs of about equal length, in batches whose padded targets and sources stay within a number of tokens."""
    order = sorted(range(len(pairs)), key=lambda i: (len(pairs[i][1]), len(pairs[i][0])))
    batch: list[int] = []
    longest = 0
    for i in order:
        longest = max(longest, *map(len, pairs[i]))
        if batch and (len(batch) + 1) * longest > budget:
            yield batch
            batch, longest = [], max(map(len, pairs[i]))
        batch.append(i)
    if batch:
        yield batch


def _forced(network: Any, pairs: Sequence[tuple[Ids, Ids]]) -> Iterator[NDArray[np.float64]]:
    import torch

    pad = int(network.config.pad_token_id or 0)
    sources, mask = padded([source for source, _ in pairs], pad)
    labels, _ = padded([target for _, target in pairs], pad)
    with torch.inference_mode():
        logits = network(
            input_ids=torch.from_numpy(sources), attention_mask=torch.from_numpy(mask), labels=torch.from_numpy(labels)
        ).logits  # [b, t, vocabulary]
        chosen = logits.gather(2, torch.from_numpy(labels)[:, :, None])[:, :, 0] - logits.logsumexp(dim=2)
    for row, (_, target) in zip(chosen.numpy().astype(np.float64), pairs, strict=True):
        yield np.minimum(row[: len(target)], 0.0)
