"""The network of the embedded estimate, in numpy, and the file it comes in.

Each token of both texts is a row t of what `algo.alignment` says of it. For either side, with its own weights,

    u = tanh(W t + b),   g = softplus(v u + c),   side = [Σ g u / Σ g; mean u]

and score = w tanh(W' [candidate; reference; overall] + b') + c', the mean over the members of an ensemble.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coheval.algo.alignment import OVERALL, Aligned, scalars
from coheval.data.packed import read_packed, write_packed
from coheval.data.weights import digest
from coheval.errors import ResourceError

Array = NDArray[np.float32]
Weights = Mapping[str, Array]  # by name, each [members, …]

FORMAT = "coheval comet 1"
SIDES = ("candidate", "reference")
LAYERS = (1, 2, 3, 4, 5, 6)  # of the encoder

_EXPECTED: dict[str, object] = {"format": FORMAT, "layers": list(LAYERS)}
_HINT = "make one with `coheval train comet`, or leave model out for the one that comes with coheval"


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    weights: Weights
    encoder: str  # digest of the encoder that it was trained with

    def __call__(self, candidate: Aligned, reference: Aligned, overall: Array) -> tuple[float, list[Array]]:
        """The score, and how much each token of candidate and reference counts; these sum to one on each side."""
        w = self.weights
        pooled, gates = [], []
        for side, text in zip(SIDES, (candidate, reference), strict=True):
            rows = np.concatenate([text.numbers, text.vectors, text.distances], axis=1)  # [n, k]
            hidden = np.tanh(rows @ w[f"{side}.weight"].transpose(0, 2, 1) + w[f"{side}.bias"][:, None])  # [M, n, h]
            raw = np.einsum("mnh,mh->mn", hidden, w[f"{side}.gate.weight"]) + w[f"{side}.gate.bias"][:, None]
            gate = np.logaddexp(0, raw)
            gate = gate / gate.sum(axis=1, keepdims=True)
            pooled += [np.einsum("mn,mnh->mh", gate, hidden), hidden.mean(axis=1)]
            gates.append(np.asarray(gate.mean(axis=0)))
        members = len(w["top.weight"])
        features = np.concatenate([*pooled, np.tile(overall, (members, 1))], axis=1)  # [M, 4h + 12]
        top = np.tanh(np.einsum("mof,mf->mo", w["top.weight"], features) + w["top.bias"])
        scores = np.einsum("mo,mo->m", w["last.weight"], top) + w["last.bias"]
        return float(scores.mean()), gates


def stacked(members: Sequence[Weights]) -> dict[str, Array]:
    return {name: np.stack([member[name] for member in members]) for name in members[0]}


def save(path: Path, weights: Weights, encoder: str) -> None:
    write_packed(path, weights, _EXPECTED | {"encoder": encoder})


def load(path: Path) -> Network:
    return _load(path, digest(path))


@lru_cache(maxsize=4)
def _load(path: Path, digest: str) -> Network:
    """The digest is asked for so that a file that has changed is read again."""
    weights, facts = read_packed(path, _EXPECTED, what="an estimator", hint=_HINT)
    _check_shapes(weights, path)
    return Network(weights, str(facts.get("encoder")))


def _check_shapes(weights: Weights, path: Path) -> None:
    first = weights.get("candidate.weight", np.zeros((0, 0, 0)))
    top = weights.get("top.bias", np.zeros((0, 0)))
    members, hidden, width = first.shape if first.ndim == 3 else (0, 0, 0)
    out = top.shape[-1]
    expected: dict[str, tuple[int, ...]] = {
        "top.weight": (members, out, 4 * hidden + OVERALL),
        "top.bias": (members, out),
        "last.weight": (members, out),
        "last.bias": (members,),
    }
    for side in SIDES:
        expected |= {f"{side}.weight": (members, hidden, width), f"{side}.bias": (members, hidden)}
        expected |= {f"{side}.gate.weight": (members, hidden), f"{side}.gate.bias": (members,)}
    found = {name: value.shape for name, value in weights.items()}
    if not members or width <= scalars(len(LAYERS)) or found != expected:
        wrong = next((n for n in sorted({*found, *expected}) if found.get(n) != expected.get(n)), "candidate.weight")
        raise ResourceError(
            f"the weights are not whole: {wrong!r} must have the shape {expected.get(wrong)}, got {found.get(wrong)}",
            where=str(path),
            hint=_HINT,
        )
