"""The folder of a published COMET checkpoint: what it says of itself, and its weights.

    hparams.yaml               what the model is made of
    model.safetensors          the weights by name, or
    checkpoints/model.ckpt     (or model.ckpt) what Lightning wrote: a dict whose `state_dict` has the weights

A .ckpt is a pickle, of which tensors and plain values are read; one that asks for anything else is refused, and nothing
of it is run. Rei et al. (2020), COMET: A Neural Framework for MT Evaluation; the format is that of the comet package.
"""

from __future__ import annotations

import pickle
import re
import warnings
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from coheval.algo.feedforward import ACTIVATIONS
from coheval.encoders._hub import first_line, require_torch
from coheval.errors import ResourceError

Kind = Literal["regression_metric", "referenceless_regression_metric", "unified_metric"]
KINDS = ("regression_metric", "referenceless_regression_metric", "unified_metric")
ENCODERS = ("BERT", "XLM-RoBERTa", "XLM-RoBERTa-XL", "MiniLM", "RemBERT")
POOLS = ("avg", "max", "cls", "default")
WEIGHTS = ("model.safetensors", "checkpoints/model.safetensors", "checkpoints/model.ckpt", "model.ckpt")
SEGMENTS = (("mt", "src"), ("mt", "ref"), ("mt", "src", "ref"))
_TRANSFORMATIONS = {"softmax": "softmax", "sparsemax": "sparsemax", "sparsemax_patch": "softmax"}  # as the program does


@dataclass(frozen=True, slots=True)
class Settings:
    """What hparams.yaml says that moves a score."""

    kind: Kind
    encoder: str  # one of ENCODERS
    backbone: str  # the name of the model that gave architecture and tokenizer
    layer: int | None  # None: a mix of all layers
    sparse: bool  # whether the mix is a sparsemax
    normed: bool  # whether layers are normed before they are mixed
    pool: str
    hidden: tuple[int, ...]
    activation: str
    final: str
    segments: tuple[str, ...]  # of a unified model: which texts it reads


def settings(folder: Path) -> Settings:
    path = folder / "hparams.yaml"
    try:
        return _settings(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise ResourceError(
            f"the folder of a COMET checkpoint must hold hparams.yaml: {error.strerror}",
            where=str(path),
            hint="give the folder above checkpoints/, as the hub has it",
        ) from None


@cache
def _settings(path: Path, modified: int) -> Settings:
    read = _Reader(_yaml(path), str(path))
    kind = read.one("class_identifier", KINDS)
    unified = kind == "unified_metric"
    layer = read.value("sent_layer" if unified else "layer", (int, str))
    if isinstance(layer, str) and layer != "mix":
        raise read.flaw("layer must be 'mix' or a number", layer)
    segments = tuple(read.value("input_segments", (list,), ["mt", "src", "ref"])) if unified else ()
    if unified and segments not in SEGMENTS:
        raise read.flaw("input_segments must be [mt, src], [mt, ref] or [mt, src, ref]", list(segments))
    hidden = tuple(read.value("hidden_sizes", (list,)))
    if not hidden or not all(isinstance(size, int) and size > 0 for size in hidden):
        raise read.flaw("hidden_sizes must be a list of numbers", list(hidden))
    transformation = read.one("layer_transformation", tuple(_TRANSFORMATIONS), "sparsemax" if unified else "softmax")
    return Settings(
        kind=kind,
        encoder=read.one("encoder_model", ENCODERS),
        backbone=read.value("pretrained_model", (str,)),
        layer=None if layer == "mix" else int(layer),
        sparse=_TRANSFORMATIONS[transformation] == "sparsemax",
        normed=read.value("layer_norm", (bool,), True),  # it always was before there was a choice
        pool="cls" if unified else read.one("pool", POOLS),
        hidden=hidden,
        activation=read.one("activations", tuple(ACTIVATIONS)),
        final=read.one("final_activation", tuple(ACTIVATIONS), "Identity"),
        segments=segments,
    )


def _yaml(path: Path) -> Mapping[str, object]:
    require_torch("comet")
    import yaml

    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ResourceError(
            f"this is not YAML of plain values: {' '.join(str(error).split())}",
            where=str(path),
            hint="copy the file again from where the checkpoint is published",
        ) from None
    if not isinstance(found, Mapping):
        raise ResourceError(
            f"expected settings by name, got {type(found).__name__}",
            where=str(path),
            hint="copy the file again from where the checkpoint is published",
        )
    return found


class _Reader:
    """Settings by name; what is missing or not as it must be is told."""

    def __init__(self, values: Mapping[str, object], where: str) -> None:
        self.values = values
        self.where = where

    def value(self, name: str, kinds: tuple[type, ...], default: object = None) -> Any:
        found = self.values.get(name)
        found = default if found is None else found
        if found is None:
            raise ResourceError(
                f"the setting {name!r} is missing",
                where=self.where,
                hint="copy the file again from where the checkpoint is published",
            )
        if not isinstance(found, kinds) or (isinstance(found, bool) and bool not in kinds):
            raise self.flaw(f"{name} must be {' or '.join(kind.__name__ for kind in kinds)}", found)
        return found

    def one(self, name: str, allowed: tuple[str, ...], default: str | None = None) -> Any:
        found = self.value(name, (str,), default)
        if found not in allowed:
            raise self.flaw(f"{name} must be one of {', '.join(allowed)}", found)
        return found

    def flaw(self, message: str, found: object) -> ResourceError:
        return ResourceError(
            f"{message}, got {found!r}",
            where=self.where,
            hint="coheval reads no other kinds of COMET checkpoints; is the file as it was published?",
        )


# ------------------------------------------------------------------------------------------------------- weights


def weights_file(folder: Path) -> Path:
    for name in WEIGHTS:
        if (folder / name).is_file():
            return folder / name
    raise ResourceError(
        f"the folder holds no weights: none of {', '.join(WEIGHTS)}",
        where=str(folder),
        hint="copy the checkpoint whole, as the hub has it",
    )


def tensors(folder: Path) -> Mapping[str, Any]:
    """The torch tensors of a checkpoint by name."""
    path = weights_file(folder)
    return _tensors(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _tensors(path: Path, modified: int) -> Mapping[str, Any]:
    import torch

    found = _safetensors(path) if path.suffix == ".safetensors" else _unpickled(path)
    for name, value in found.items():
        if not isinstance(name, str):
            raise _damaged(path, f"{name!r} is no name of a tensor")
        if not isinstance(value, torch.Tensor):
            raise _damaged(path, f"{name!r} is no tensor but {type(value).__name__}")
        if value.is_floating_point() and not value.isfinite().all():
            raise _damaged(path, f"{name!r} holds values that are no numbers")
    return found


def _safetensors(path: Path) -> Mapping[str, Any]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(path)
    except (SafetensorError, OSError) as error:
        raise _damaged(path, str(error)) from None


def _unpickled(path: Path) -> Mapping[str, Any]:
    import torch

    try:
        path.open("rb").close()
    except OSError as error:
        raise ResourceError(
            f"the checkpoint cannot be read: {error.strerror}", where=str(path), hint="may this user read it?"
        ) from None
    try:
        with warnings.catch_warnings(action="ignore"):  # of pickle's version: what cannot be read is told below
            # Mapped: what else Lightning stored, such as an optimizer's state, is never read.
            found = torch.load(path, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(path))
    except pickle.UnpicklingError as error:
        wanted = re.search(r"GLOBAL (\S+)", str(error))
        if wanted is None:
            raise _damaged(path, "it cannot be unpickled as tensors and plain values") from None
        raise ResourceError(
            f"the checkpoint asks for more than tensors and plain values, which could run code: {wanted[1]}",
            where=str(path),
            hint="store its state_dict as model.safetensors, on a machine where you trust the file",
        ) from None
    except Exception as error:  # torch raises RuntimeError, EOFError, OSError, KeyError … for what is cut short
        told = first_line(error)
        raise _damaged(path, "torch cannot read it to its end" + (f" ({told})" if told else "")) from None
    state = found.get("state_dict") if isinstance(found, Mapping) else None
    if not isinstance(state, Mapping):
        raise _damaged(path, "there is no state_dict in it")
    return state


def _damaged(path: Path, why: str) -> ResourceError:
    return ResourceError(
        f"this is no whole checkpoint: {why}",
        where=str(path),
        hint="copy the file again from where the checkpoint is published",
    )
