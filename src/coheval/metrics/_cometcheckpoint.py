"""Published COMET checkpoints as estimators: a feed-forward network over pooled texts, or over a joint sequence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from coheval.algo.feedforward import FeedForward
from coheval.algo.layermix import mix
from coheval.data import Passage
from coheval.encoders import Encoded, Encoder
from coheval.encoders._checkpoint import CheckpointEncoder, MixedEncoder
from coheval.encoders._cometfolder import Settings, settings, tensors, weights_file
from coheval.encoders._hub import LOADED
from coheval.encoders._joined import Joint, context_flaw, flaws, joined, padded
from coheval.errors import ResourceError
from coheval.metrics import Evidence, Row, undefined
from coheval.metrics._estimator import Case, Estimator, Mask, missing

Vector = NDArray[np.float32]
Texts = tuple[Passage, ...]  # of a joint sequence
_PARTS = {"regression_metric": 6, "referenceless_regression_metric": 4, "unified_metric": 1}  # vectors in the features
_POOLER = "encoder.model.pooler.dense."


def checkpoint(
    model: str, backbone: str | None, *, referenceless: bool, refuse: Callable[[str, str], NoReturn]
) -> Estimator[object]:
    """The estimator of a folder; `refuse` is told why a checkpoint is for the other metric, and which."""
    folder = Path(model)
    if not model.strip() or not folder.is_dir():
        raise ResourceError(
            "expected 'embedded', a .safetensors file of `coheval train comet` or the folder of a COMET checkpoint, "
            f"got {model!r}, which is no folder",
            where="cometqe" if referenceless else "comet",
            hint="check the path; a checkpoint on the hub must be downloaded first (docs/comet.md)",
        )
    said = settings(folder)
    weights_file(folder)
    reads_reference = "ref" in said.segments or said.kind == "regression_metric"
    reads_source = "src" in said.segments or said.kind != "unified_metric"
    if referenceless and (said.kind == "regression_metric" or not reads_source):
        refuse("reads references", "comet")
    if not referenceless and not reads_reference:
        refuse("reads no references", "cometqe")
    encoder = CheckpointEncoder(folder=model, backbone=backbone)
    if said.kind == "unified_metric":
        return Unified(encoder, said, frozenset({"source"} if referenceless else {"references"}))
    return Regression(encoder, said)


class _Checkpoint(Estimator[object]):
    libraries = ("numpy", *CheckpointEncoder.libraries)

    def __init__(self, inner: CheckpointEncoder, said: Settings) -> None:
        self.inner = inner
        self.said = said

    def digest(self) -> str:
        return self.inner.digest()

    @property
    def head(self) -> FeedForward:
        return _head(self.inner, self.said, self._modified())

    @property
    def pooler(self) -> tuple[Vector, Vector] | None:
        """Of BERT, where its own way of pooling is asked for."""
        own = self.said.pool == "default" and self.said.encoder == "BERT"
        return _pooler(self.inner, self._modified()) if own else None

    def _modified(self) -> int:
        return weights_file(Path(self.inner.folder)).stat().st_mtime_ns

    def checked(self) -> int:
        """The number of the last layer, once the whole checkpoint is read and found to be of one piece."""
        depth = self.inner.depth
        if self.said.layer is not None and not 0 <= self.said.layer <= depth:
            raise ResourceError(
                f"layer must be 'mix' or 0 to {depth}, got {self.said.layer}",
                where=str(Path(self.inner.folder) / "hparams.yaml"),
                hint="is this backbone the one that hparams.yaml names?",
            )
        _ = self.head, self.pooler
        return depth


class Regression(_Checkpoint):
    """Each text pooled to a vector by itself."""

    def __init__(self, inner: CheckpointEncoder, said: Settings) -> None:
        super().__init__(inner, said)
        self.referenceless = said.kind == "referenceless_regression_metric"
        self.needs = frozenset({"source"} if self.referenceless else {"references", "source"})
        self.reads_source = True

    @property
    def encoder(self) -> Encoder:
        mixed = self.said.layer is None and self.said.pool != "default"  # which takes the last layer
        return MixedEncoder(inner=self.inner) if mixed else self.inner

    @property
    def layers(self) -> tuple[int, ...]:
        depth = self.checked()
        return (depth if self.said.layer is None or self.said.pool == "default" else self.said.layer,)

    def prepare(self, encoded: Encoded, keep: Mask) -> Vector:
        vectors = encoded.vectors[self.layers[0]]
        if pooler := self.pooler:
            weights, bias = pooler
            return np.asarray(np.tanh(weights @ vectors[0] + bias))
        return pool(vectors, keep, self.said.pool)

    def score(self, candidate: object, reference: object, source: object) -> tuple[float, Evidence]:
        h, s = np.asarray(candidate), np.asarray(source)
        if self.referenceless:
            features = [h, s, h * s, abs(h - s)]
            cosines = {"source": _cosine(h, s)}
        else:
            r = np.asarray(reference)
            features = [h, r, h * r, abs(h - r), h * s, abs(h - s)]
            cosines = {"reference": _cosine(h, r), "source": _cosine(h, s)}
        score = float(self.head(np.concatenate(features))[0])
        return score, {"kind": "estimate", "score": score, "cosine": cosines}


class Unified(_Checkpoint):
    """Candidate, source and reference in one sequence, of whose first token the score is made.

    Where the checkpoint reads both and both are given, the score is the mean of three: of the candidate with the
    source, with the reference, and with source and reference.
    """

    def __init__(self, inner: CheckpointEncoder, said: Settings, needs: frozenset[str]) -> None:
        super().__init__(inner, said)
        self.needs = needs
        self.reads_source = "src" in said.segments

    @property
    def encoder(self) -> Encoder:
        return self.inner

    def context_flaw(self, sentences: int) -> str | None:
        texts = 1 + self.reads_source + ("references" in self.needs)
        return context_flaw(self.inner.tokenizer(), self.inner.window, sentences, texts=texts)

    @property
    def layers(self) -> tuple[int, ...]:
        self.checked()
        return ()

    def rows(self, cases: Sequence[Case], reader: Encoder, *, own_only: bool, evidence: bool) -> list[Row]:
        distinct = list(dict.fromkeys(s for case in cases for s in _sequences(case).values()))
        found = dict(zip(distinct, joined(self.inner.tokenizer(), self.inner.window, distinct), strict=True))
        fitting = {texts: joint for texts, joint in found.items() if joint is not None}
        scores = dict(zip(fitting, self._scores(list(fitting.values())), strict=True))
        flawed = flaws(self.inner.tokenizer(), (passage for case in cases for _, passage in case.texts()))
        return [
            missing(case, self.needs, flawed) or self._row_of(case, scores, fitting, evidence=evidence)
            for case in cases
        ]

    def _row_of(
        self, case: Case, scores: Mapping[Texts, float], joints: Mapping[Texts, Joint], *, evidence: bool
    ) -> Row:
        sequences = _sequences(case)
        if not scores.keys() >= set(sequences.values()):
            return undefined(f"the texts together are longer than the {self.inner.window} tokens the model reads")
        each = {name: scores[texts] for name, texts in sequences.items()}
        score = sum(each.values()) / len(each)
        marks: Counter[str] = Counter()
        for texts in sequences.values():  # which hold the same texts: what happened to one is counted once
            marks |= Counter(joints[texts].marks)
        if self.reads_source and case.source is None:
            marks["sourceless"] = 1
        why: Evidence = {"kind": "estimate", "score": score, "inputs": each, "dropped": marks["dropped"]}
        return Row((score,), evidence=why if evidence else None, marks=marks)

    def _scores(self, sequences: Sequence[Joint]) -> list[float]:
        mixing = self.inner.loaded().mixing if self.said.layer is None else {self.said.layer: 1.0}
        normed = self.said.normed and self.said.layer is None
        found = [0.0] * len(sequences)
        for batch, ids, mask, types in padded(sequences):
            states = self.inner.forward_typed(ids, mask, types, list(mixing))
            for row, i in enumerate(batch):
                length = len(sequences[i].tokens)
                mixed = mix({k: v[row, :length] for k, v in states.items()}, mixing, normed=normed)
                found[i] = float(self.head(mixed[0].astype(np.float32))[0])
        return found


def _sequences(case: Case) -> dict[str, Texts]:
    """The joint sequences by what the candidate is read with."""
    found: dict[str, Texts] = {}
    if case.source is not None:
        found["source"] = (case.candidate, case.source)
    if case.reference is not None:
        found["reference"] = (case.candidate, case.reference)
    if case.source is not None and case.reference is not None:
        found["both"] = (case.candidate, case.source, case.reference)
    return found


def pool(vectors: NDArray[np.float32], keep: Mask, how: str) -> Vector:
    """[n, d] -> [d]: 'avg' and 'max' over the tokens that are kept; 'cls' and 'default' take the first token."""
    if how == "avg":
        return np.asarray(vectors[keep].mean(axis=0, dtype=np.float64), dtype=np.float32)
    return np.asarray(vectors[keep].max(axis=0) if how == "max" else vectors[0])


def _cosine(a: Vector, b: Vector) -> float:
    return float(a @ b / max(np.linalg.norm(a) * np.linalg.norm(b), np.finfo(np.float32).tiny))


@lru_cache(maxsize=LOADED)
def _head(encoder: CheckpointEncoder, said: Settings, modified: int) -> FeedForward:
    """The network over the features; dropout stands behind each activation, so that numbers go 0, 3, 6 …"""
    sizes = [_PARTS[said.kind] * encoder.loaded().width, *said.hidden, 1]
    layers = []
    expected = set()
    for number, (before, after) in enumerate(pairwise(sizes)):
        name = f"estimator.ff.{3 * number}."
        layers.append((_tensor(encoder, name + "weight", (after, before)), _tensor(encoder, name + "bias", (after,))))
        expected |= {name + "weight", name + "bias"}
    found = {name for name in tensors(Path(encoder.folder)) if name.startswith("estimator.")}
    if strange := sorted(found - expected):
        raise ResourceError(
            f"the checkpoint has parameters that hparams.yaml does not speak of, such as {strange[0]!r}",
            where=encoder.folder,
            hint="do hparams.yaml and the weights belong together?",
        )
    return FeedForward(layers, said.activation, said.final)


@lru_cache(maxsize=LOADED)
def _pooler(encoder: CheckpointEncoder, modified: int) -> tuple[Vector, Vector]:
    width = encoder.loaded().width
    return _tensor(encoder, _POOLER + "weight", (width, width)), _tensor(encoder, _POOLER + "bias", (width,))


def _tensor(encoder: CheckpointEncoder, name: str, shape: tuple[int, ...]) -> Vector:
    found = tensors(Path(encoder.folder)).get(name)
    if found is None or tuple(found.shape) != shape:
        got = "nothing" if found is None else list(found.shape)
        raise ResourceError(
            f"the parameter {name!r} must have the shape {list(shape)}, got {got}",
            where=encoder.folder,
            hint="do hparams.yaml, the weights and the backbone belong together?",
        )
    return np.array(found.float().numpy())
