"""What an estimator learns from: pairs of texts that people judged, and what the network will see of each.

Ratings are brought to mean 0 and deviation 1 over their set, the mean over aspects where there are several. Preferences
say which of two candidates for the same text is better; a reference beside itself is better than any other candidate,
which people were not asked, and which a network would not know otherwise. A group is what is held out together in
cross-validation: a language pair, or a fifth of the documents of a set without groups. What other groups say of the
same references is held out with it: a third of the references of one language pair of WMT17 are another's, too.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from coheval.data import Record
from coheval.data.datasets import Dataset
from coheval.data.judgements import Judgements
from coheval.encoders import Encoder
from coheval.errors import DataError
from coheval.metrics._cometembedded import LARGEST, Tokens
from coheval.metrics._cometembedded.network import LAYERS
from coheval.metrics._embedding import lack

Against = Literal["reference", "source"]
Pair = tuple[str, str]  # a candidate, and the text it is beside
Told = Callable[[str], None]

KEPT = 64  # principal directions of vectors, and of distances, that training sees
_FOLDS = 5
_CHUNK = 1500  # pairs whose tokens are in memory at once


@dataclass(slots=True)
class Judged:
    """Pairs by number, and judgements that name them so."""

    pairs: dict[Pair, int] = field(default_factory=dict)
    rated: list[int] = field(default_factory=list)
    ratings: list[float] = field(default_factory=list)
    rated_groups: list[str] = field(default_factory=list)
    preferred: list[tuple[int, int]] = field(default_factory=list)  # better, worse
    preferred_groups: list[str] = field(default_factory=list)
    perfect: list[tuple[int, int]] = field(default_factory=list)  # a text beside itself, a candidate beside that text

    def add(self, dataset: Dataset, against: Against) -> None:
        records = {(r.system, r.document, r.segment): r for r in dataset.records()}
        judgements = dataset.judgements()
        means = _standard(judgements)
        for (system, document, segment), value in means.items():
            record = records.get((system, document, segment))
            if record is not None and document is not None:
                for pair in _pairs(record, against):
                    self.rated.append(self._number(pair))
                    self.ratings.append(value)
                    self.rated_groups.append(_group(dataset, judgements, document))
                    if against == "reference" and pair[0] != pair[1]:
                        self.perfect.append((self._number((pair[1], pair[1])), self._number(pair)))
        for p in judgements.preferences:
            better, worse = (records[system, p.document, p.segment] for system in (p.better, p.worse))
            if not p.tie:
                for one, other in zip(_pairs(better, against), _pairs(worse, against), strict=True):
                    self.preferred.append((self._number(one), self._number(other)))
                    self.preferred_groups.append(_group(dataset, judgements, p.document))

    def apart(self, group: str) -> NDArray[np.bool_]:
        """[pairs] True where the text that a candidate is beside is none of the group's."""
        rated = (n for n, name in zip(self.rated, self.rated_groups, strict=True) if name == group)
        preferred = (
            n for p, name in zip(self.preferred, self.preferred_groups, strict=True) if name == group for n in p
        )
        pairs = list(self.pairs)
        theirs = {pairs[n][1] for n in (*rated, *preferred)}
        return np.array([other not in theirs for _, other in pairs], dtype=np.bool_)

    def _number(self, pair: Pair) -> int:
        return self.pairs.setdefault(pair, len(self.pairs))


def _standard(judgements: Judgements) -> dict[tuple[str, str | None, int | None], float]:
    """The mean over aspects of each unit that has them all, in standard deviations from the mean."""
    found = [judgements.means(aspect) for aspect in dict.fromkeys(rating.aspect for rating in judgements.ratings)]
    if not found:
        return {}
    means = {unit: np.mean([by[unit] for by in found]) for unit in found[0] if all(unit in by for by in found)}
    values = np.array(list(means.values()))
    spread = values.std() or 1.0
    return {unit: float((value - values.mean()) / spread) for unit, value in means.items()}


def _pairs(record: Record, against: Against) -> list[Pair]:
    texts: Iterable[str | None] = record.references if against == "reference" else (record.source,)
    found = [(record.candidate, text) for text in texts if text is not None]
    if not found:
        raise DataError(f"this text has no {against}", where=record.where, hint="train on sets that have one")
    return found


def _group(dataset: Dataset, judgements: Judgements, document: str) -> str:
    fold = zlib.crc32(document.encode()) % _FOLDS
    return f"{dataset.name} {judgements.groups.get(document, f'fold {fold + 1}')}"


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What the network sees of all pairs, tokens one behind another: the candidate's of pair 0, the reference's, …

    Vectors and distances are seen along their principal directions only, `basis` [d, KEPT] each; a trained layer is
    turned back to whole vectors when it is stored.
    """

    numbers: NDArray[np.float32]  # [tokens, L + 8]
    vectors: NDArray[np.float32]  # [tokens, 2 KEPT]
    lengths: NDArray[np.int64]  # [pairs, 2]
    overall: NDArray[np.float32]  # [pairs, 12]
    basis: tuple[NDArray[np.float32], NDArray[np.float32]]
    scored: NDArray[np.bool_]  # [pairs] False where there is nothing to align


def inputs(pairs: Sequence[Pair], encoder: Encoder, tell: Told) -> Inputs:
    order = sorted(range(len(pairs)), key=lambda n: pairs[n][1])  # a reference's candidates together
    chunks = [order[at : at + _CHUNK] for at in range(0, len(order), _CHUNK)]
    basis = _basis(pairs, _sample(len(pairs)), encoder)
    found: dict[int, tuple[NDArray[np.float32], ...]] = {}
    parts: dict[int, tuple[tuple[NDArray[np.float32], NDArray[np.float32]], ...]] = {}
    for number, chunk in enumerate(chunks, start=1):
        for n, (texts, whole) in _aligned(pairs, chunk, encoder).items():
            parts[n] = tuple((t.numbers, _projected(t.vectors, t.distances, basis)) for t in texts)
            found[n] = (whole,)
        tell(f"aligned {min(number * _CHUNK, len(pairs)):,} of {len(pairs):,} pairs")
    some = next(iter(found.values()))[0]
    rows = [part for n in range(len(pairs)) for part in parts.get(n, ())]
    return Inputs(
        numbers=np.concatenate([numbers for numbers, _ in rows]),
        vectors=np.concatenate([vectors for _, vectors in rows]),
        lengths=np.array([[len(t[0]) for t in parts[n]] if n in parts else [0, 0] for n in range(len(pairs))]),
        overall=np.stack([found[n][0] if n in found else np.zeros_like(some) for n in range(len(pairs))]),
        basis=basis,
        scored=np.array([n in parts for n in range(len(pairs))]),
    )


def _aligned(pairs: Sequence[Pair], chosen: Sequence[int], encoder: Encoder) -> dict[int, tuple]:  # type: ignore[type-arg]
    """Both sides and the overall numbers of each pair that can be aligned."""
    texts = list(dict.fromkeys(text for n in chosen for text in pairs[n]))
    encoded = dict(zip(texts, encoder.encode(texts, layers=LAYERS), strict=True))
    tokens = {text: Tokens.of(e) for text, e in encoded.items() if not lack(e)}
    found = {}
    for n in chosen:
        candidate, other = (tokens.get(text) for text in pairs[n])
        if candidate and other and len(candidate.pieces) * len(other.pieces) <= LARGEST:
            ours, theirs, whole = candidate.beside(other)
            found[n] = ((ours, theirs), whole)
    return found


def _sample(count: int) -> list[int]:
    return [int(n) for n in np.random.default_rng(0).permutation(count)[: 2 * _CHUNK]]


def _basis(
    pairs: Sequence[Pair], chosen: Sequence[int], encoder: Encoder
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    sides = [texts[0] for texts, _ in _aligned(pairs, chosen, encoder).values()]
    if not sides:
        raise DataError("no pair of texts can be aligned", hint="are the judged texts empty?")
    return _directions([s.vectors for s in sides]), _directions([s.distances for s in sides])


def _directions(rows: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """The principal directions [d, KEPT]."""
    _, vectors = np.linalg.eigh(np.cov(np.concatenate(rows).T))
    return np.asarray(vectors[:, ::-1][:, :KEPT], dtype=np.float32)


def _projected(
    vectors: NDArray[np.float32], distances: NDArray[np.float32], basis: tuple[NDArray[np.float32], NDArray[np.float32]]
) -> NDArray[np.float32]:
    return np.concatenate([vectors @ basis[0], distances @ basis[1]], axis=1)
