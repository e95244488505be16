"""Weights of the discourse parser: a .safetensors file that says what it was made for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coheval.annotators._rst.decoding import Label, Labels
from coheval.annotators._rst.network import Network
from coheval.annotators._rst.reading import CATEGORIES, LAYERS, MARKS
from coheval.data.packed import read_packed, write_packed
from coheval.data.relations import coarse
from coheval.data.weights import digest
from coheval.errors import CohevalError, ResourceError

FORMAT = "coheval rst 1"
EMBEDDED = Path(__file__).with_name("rst.safetensors")
INPUTS = [*LAYERS, MARKS, *CATEGORIES]  # what a network was trained to see

_EXPECTED: dict[str, object] = {"format": FORMAT, "inputs": INPUTS}
_HINT = "make one with `coheval train rst`, or leave model out for the one that comes with coheval"


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    network: Network
    labels: Labels
    encoder: str  # digest of the encoder that it was trained with


def save(path: Path, weights: Mapping[str, NDArray[np.float32]], labels: Sequence[Label], encoder: str) -> None:
    """Weights [M, …] by name, in half precision; `labels` are those of the network, in its order."""
    halves = {name: value.astype(np.float16) for name, value in weights.items()}
    write_packed(path, halves, _EXPECTED | {"labels": labels, "encoder": encoder})


def load(path: Path) -> Trained:
    return _load(path, digest(path))


@lru_cache(maxsize=2)
def _load(path: Path, digest: str) -> Trained:
    """The digest is asked for so that a file that has changed is read again."""
    weights, facts = read_packed(path, _EXPECTED, what="the discourse parser", hint=_HINT)
    try:
        labels = [(nuclearity, coarse(relation)) for nuclearity, relation in facts["labels"]]
        return Trained(Network(weights), Labels.of(labels), facts["encoder"])
    except (KeyError, ValueError, TypeError, CohevalError) as error:
        raise ResourceError(f"the weights are not complete: {error}", where=str(path), hint=_HINT) from None
