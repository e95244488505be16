"""The estimator that comes with coheval: a small network over two aligned English texts, on the default encoder.

COMET's estimators see a vector for each text. This one sees how the tokens of both texts align at all six layers of the
frozen encoder (`algo.alignment`), and learns which tokens count. It was trained on people's judgements of translations
into English, beside a reference (comet.safetensors); for the form without references also on summaries beside their
articles (cometqe.safetensors), with the English text that the candidate should agree with in the source's place. The
model card is comet.md beside this file. In context it reads the sentence's own tokens, whatever the variant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coheval.algo.alignment import Aligned, align, overall
from coheval.algo.matching import normalise
from coheval.data.weights import digest
from coheval.encoders import Encoded, Encoder
from coheval.errors import ResourceError
from coheval.metrics import Evidence, Row, undefined
from coheval.metrics._cometembedded.network import LAYERS, Network, load
from coheval.metrics._estimator import Estimator, Mask
from coheval.spec import build

LARGEST = 4_000_000  # pairs of tokens that are aligned at once, at six layers


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """A text's own tokens: unit vectors [L, n, d], pieces, character spans [n, 2]."""

    vectors: NDArray[np.float32]
    pieces: tuple[str, ...]
    spans: NDArray[np.int32]

    @classmethod
    def of(cls, encoded: Encoded) -> Tokens:
        own = encoded.own
        layers = np.stack([encoded.vectors[layer][own] for layer in LAYERS])
        pieces = tuple(piece for piece, mine in zip(encoded.pieces, own, strict=True) if mine)
        return cls(normalise(layers).astype(np.float32), pieces, encoded.offsets[own])

    def beside(self, other: Tokens) -> tuple[Aligned, Aligned, NDArray[np.float32]]:
        """What the network sees of two texts."""
        same = np.array(self.pieces)[:, None] == np.array(other.pieces)
        return *align(self.vectors, other.vectors, same), overall(self.pieces, other.pieces)


class Embedded(Estimator[Tokens]):
    libraries = ("numpy", "onnxruntime", "tokenizers")

    def __init__(self, path: Path, *, referenceless: bool) -> None:
        self.path = path
        self.needs = frozenset({"source"} if referenceless else {"references"})
        self._encoder = build(Encoder, "minilm")

    @property
    def encoder(self) -> Encoder:
        return self._encoder

    @property
    def layers(self) -> tuple[int, ...]:
        return LAYERS

    def digest(self) -> str:
        return digest(self.path)

    @property
    def network(self) -> Network:
        network = load(self.path)
        if network.encoder != self._encoder.digest():
            raise ResourceError(
                "the weights were trained with another encoder than minilm as it is here",
                where=str(self.path),
                hint="train them again with `coheval train comet`",
            )
        return network

    def prepare(self, encoded: Encoded, keep: Mask) -> Tokens:
        return Tokens.of(encoded)

    def _row(self, sides: Mapping[str, Tokens], evidence: bool) -> Row:
        beside = "source" if "source" in self.needs else "reference"
        candidate, other = sides["candidate"], sides[beside]
        sizes = len(candidate.pieces), len(other.pieces)
        if sizes[0] * sizes[1] > LARGEST:
            return undefined(
                f"{sizes[0]:,} x {sizes[1]:,} tokens are too many to align (at most {LARGEST:,} pairs); "
                "split the text into segments"
            )
        ours, theirs, whole = candidate.beside(other)
        score, gates = self.network(ours, theirs, whole)
        told = {"candidate": candidate, beside: other}
        return Row((score,), evidence=_explained(score, told, (ours, theirs), gates) if evidence else None)


def _explained(
    score: float,
    texts: Mapping[str, Tokens],
    aligned: tuple[Aligned, Aligned],
    gates: list[NDArray[np.float32]],
) -> Evidence:
    """For each token of both sides how much it counts, its match on the other side, and how near that is."""
    found: Evidence = {"kind": "estimate", "score": score}
    for (side, text), its, gate in zip(texts.items(), aligned, gates, strict=True):
        best = its.numbers[:, len(LAYERS) - 1]
        found[side] = [
            {"span": span, "match": match, "similarity": similarity, "weight": weight}
            for span, match, similarity, weight in zip(
                text.spans.tolist(), its.match.tolist(), best.tolist(), gate.tolist(), strict=True
            )
        ]
    return found


def embedded(file: str | None, *, referenceless: bool) -> Embedded:
    """The estimator of a file of `coheval train comet`, or the one that comes with coheval."""
    name = "cometqe.safetensors" if referenceless else "comet.safetensors"
    return Embedded(Path(file) if file else Path(__file__).with_name(name), referenceless=referenceless)
