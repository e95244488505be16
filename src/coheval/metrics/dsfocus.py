"""DS-Focus: do candidate and reference speak of the same things, as often and in the same sense?

Zhao, Strube, Eger (2023), DiscoScore: Evaluating Text Generation with BERT and Discourse Coherence. A focus is what a
text speaks of (see `focus`); its vector F is the sum over its mentions of their token vectors, so that it knows how
often the focus is mentioned and in which contexts.

    distance = 1/N · Σ over shared foci of ‖F(candidate) − F(reference)‖

with N the number of the candidate's foci (`form='precision'`), of the reference's ('recall'), or the mean of both
distances ('f', the paper's DS-Focus*). Lower is better; `scale='inverse'` turns it into 1/(1 + distance).

Only shared foci count. A text that shares few and has many others comes close to 0: the distance says whether what both
speak of is spoken of alike, not whether the candidate says enough. Read it beside a metric that does.

| variant | a mention's vector | token vectors | distance | mentions | text | nothing shared |
|---|---|---|---|---|---|---|
| `coheval` | mean of its pieces | unit length | squared | all | as it is | undefined |
| `paper` | sum of its pieces | as they are | Euclidean | all | as it is | undefined |
| `code` | its last piece | unit length | squared | bare | lower-cased | 0 |

`pooling`, `unit_length`, `distance` and `mentions` change these one by one. With `mentions='bare'` a noun counts only
where it stands in its base form and touches no punctuation: fewer foci, none for a text of plurals, but vectors that
differ by what is said alone. docs/results.md has both.

With `focus='entity'`, `matching='joint'` clusters the nouns of both texts together; 'own' those of each by itself, so
that entities match only if all their nouns are the same.

`code` is the released program: bare is what stands between two blanks there, wherever a noun's lemma does; [CLS] opens
the text and no [SEP] closes it, and the perfect 0 is also the score of texts that share nothing. Its attention mask was
all zeros: up to transformers 4.20 that meant full attention (`attention='legacy'`, here the same as 'ones': the
program's rounding, up to 3e-5, is not imitated), later uniform attention ('finfo'). The program cannot read more than
512 pieces; here they are read in windows.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from coheval.algo.matching import normalise
from coheval.annotators import Annotated
from coheval.encoders import Encoded
from coheval.metrics import Evidence, Row, undefined
from coheval.metrics._discourse import Text
from coheval.metrics._encoded import EncodedMetric, Pieces
from coheval.metrics._features import spans_of
from coheval.metrics._foci import Foci, Mention, find, lemma, merged

Array = NDArray[np.float64]
Pooling = Literal["mean", "sum", "first", "last"]
Distance = Literal["squared", "euclidean"]

_SETTINGS: dict[str, tuple[Pooling, bool, Distance]] = {
    "coheval": ("mean", True, "squared"),
    "paper": ("sum", False, "euclidean"),
    "code": ("last", True, "squared"),
}


@dataclass(frozen=True, eq=False, slots=True)
class Prepared:
    """A text's foci, and the vectors [k, d] of those that the encoder knows."""

    foci: Foci
    vectors: Array
    place: dict[str, int]  # of a focus among the vectors

    def renamed(self, names: Mapping[str, str]) -> Prepared:
        """Foci that get the same name become one; their vectors add up."""
        place = {name: i for i, name in enumerate(dict.fromkeys(names[key] for key in self.place))}
        vectors = np.zeros((len(place), self.vectors.shape[1]))
        np.add.at(vectors, [place[names[key]] for key in self.place], self.vectors)
        return Prepared(merged(self.foci, names), vectors, place)


@dataclass(frozen=True, kw_only=True)
class DSFocus(EncodedMetric[Prepared]):
    form: Literal["precision", "recall", "f"] = "precision"
    scale: Literal["distance", "inverse"] = "distance"
    pooling: Pooling | None = None  # how a mention's pieces become one vector; None: as the variant says
    unit_length: bool | None = None  # whether token vectors are brought to unit length; None: as the variant says
    distance: Distance | None = None  # None: as the variant says
    mentions: Literal["all", "bare"] | None = None  # which of a focus's mentions count; None: as the variant says
    matching: Literal["joint", "own"] | None = None  # of entities; None: 'own' in 'code', else 'joint'

    higher_is_better: ClassVar[bool] = False
    perfect: ClassVar[float | None] = 0.0
    range: ClassVar[tuple[float, float]] = (0.0, math.inf)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant == "code":
            self.require(self.mentions != "all", "variant 'code' counts bare mentions only")
            self.require(self.focus in ("noun", "entity"), f"variant 'code' knows no focus {self.focus!r}")
        pooling, unit_length, distance = _SETTINGS[self.variant]
        self.settle(
            pooling=self.pooling or pooling,
            unit_length=unit_length if self.unit_length is None else self.unit_length,
            distance=self.distance or distance,
            mentions=self.mentions or ("bare" if self.variant == "code" else "all"),
            matching=self.matching or ("own" if self.variant == "code" else "joint"),
        )
        if self.scale == "inverse":
            self.settle(higher_is_better=True, range=(0.0, 1.0), perfect=1.0)

    def foci(self, annotated: Annotated) -> Foci:
        """Nouns; they become entities when a text is prepared, or when it is compared."""
        return find(annotated, self.focus)

    def prepare(self, text: Text, encoded: Encoded) -> Prepared:
        found = _pooled(self._counted(text), encoded, self._layers[0], str(self.pooling), bool(self.unit_length))
        if self.focus == "entity" and self.matching == "own":
            return found.renamed(self.entities(found.foci))
        return found

    def _counted(self, text: Text) -> Foci:
        if self.variant == "code":
            return _between_blanks(text)
        return _bare(text) if self.mentions == "bare" else text.foci

    def compare(self, candidate: Prepared, reference: Prepared, evidence: bool) -> Row:
        if self.focus == "entity" and self.matching == "joint":
            names = self.entities([*candidate.foci, *reference.foci])
            candidate, reference = candidate.renamed(names), reference.renamed(names)
        shared = [key for key in candidate.place if key in reference.place]
        if not shared and self.variant != "code":
            return undefined(_lack(candidate, reference))
        apart = self._apart(candidate, reference, shared)
        total = float(apart.sum())
        precision, recall = (total / max(1, len(side.foci)) for side in (candidate, reference))
        distance = {"precision": precision, "recall": recall, "f": (precision + recall) / 2}[self.form]
        score = 1 / (1 + distance) if self.scale == "inverse" else distance
        told = _explain(candidate, reference, dict(zip(shared, apart.tolist(), strict=True))) if evidence else None
        return Row((score,), evidence=told)

    def _apart(self, candidate: Prepared, reference: Prepared, shared: Sequence[str]) -> Array:
        """The distance of each shared focus."""
        here, there = ([p.place[key] for key in shared] for p in (candidate, reference))
        difference = candidate.vectors[here] - reference.vectors[there]
        squared: Array = np.einsum("kd,kd->k", difference, difference)
        return squared if self.distance == "squared" else np.sqrt(squared)


def _between_blanks(text: Text) -> Foci:
    """The released program's foci: nouns whose lemma, letter by letter, stands between two blanks, wherever it does."""
    nouns = find(text.annotated, "noun")
    found: Foci = {}
    for match in re.finditer(r"\S+", text.text):
        if match[0] in nouns:
            found.setdefault(match[0], []).append(Mention(0, match.start(), match.end()))
    return found


def _bare(text: Text) -> Foci:
    """The mentions in their base form that touch no punctuation; foci without any are left out."""
    counted = {key: [m for m in mentions if _is_bare(text, m)] for key, mentions in text.foci.items()}
    return {key: mentions for key, mentions in counted.items() if mentions}


def _is_bare(text: Text, mention: Mention) -> bool:
    touching = text.text[max(0, mention.start - 1) : mention.start] + text.text[mention.stop : mention.stop + 1]
    inflected = text.annotated.words[mention.word].lower() != lemma(text.annotated, mention.word)
    return not inflected and all(unicodedata.category(c)[0] not in "PS" for c in touching)


def _pooled(foci: Foci, encoded: Encoded, layer: int, pooling: str, unit_length: bool) -> Prepared:
    """The sum of each focus's mentions; those without vectors (unknown to the encoder, or cut off) add nothing."""
    pieces = Pieces(encoded)
    places = iter(pieces.within([mention for mentions in foci.values() for mention in mentions]))
    rows: list[int] = []
    weights: list[float] = []
    starts: list[int] = []
    place: dict[str, int] = {}
    for key, mentions in foci.items():
        start = len(rows)
        for _, (first, last) in zip(mentions, places, strict=False):  # places go on with the next focus
            if first < last:
                first, last = {"first": (first, first + 1), "last": (last - 1, last)}.get(pooling, (first, last))
                rows.extend(range(first, last))
                weights.extend([1 / (last - first) if pooling == "mean" else 1.0] * (last - first))
        if len(rows) > start:
            place[key] = len(starts)
            starts.append(start)
    if not place:
        return Prepared(foci, np.zeros((0, encoded.vectors[layer].shape[1])), place)
    vectors: Array = encoded.vectors[layer][pieces.places[rows]].astype(np.float64)
    weighted = (normalise(vectors) if unit_length else vectors) * np.array(weights)[:, None]
    return Prepared(foci, np.add.reduceat(weighted, starts, axis=0), place)


def _lack(candidate: Prepared, reference: Prepared) -> str:
    for side, prepared in (("candidate", candidate), ("reference", reference)):
        if not prepared.foci:
            return f"the {side} has no focus"
        if not prepared.place:
            return f"the {side} has no focus that the encoder knows"
    return "candidate and reference share no focus"


def _explain(candidate: Prepared, reference: Prepared, apart: Mapping[str, float]) -> Evidence:
    """Every focus with its mentions on both sides; the shared ones with their distance and its share of the whole."""
    total = sum(apart.values())
    return {
        "kind": "foci",
        "foci": [
            {
                "focus": key,
                "candidate": spans_of(candidate.foci.get(key, ())),
                "reference": spans_of(reference.foci.get(key, ())),
                "distance": apart.get(key),
                "share": (apart[key] / total if total else 0.0) if key in apart else None,
            }
            for key in dict.fromkeys([*candidate.foci, *reference.foci])
        ],
    }
