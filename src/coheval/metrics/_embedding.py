"""What metrics over token vectors share: encoding a call's texts at once, IDF, several references, text filters."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Generic, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from coheval.algo import idf as idf_tables
from coheval.algo.idf import UNIFORM, Counts, Idf
from coheval.data import Item, Passage
from coheval.data.weights import digest
from coheval.encoders import Encoded, Encoder
from coheval.errors import DataError, MetricError
from coheval.metrics import Measurement, Row
from coheval.metrics._context import ContextMetric
from coheval.metrics._references import Rule, over_references
from coheval.spec import build, state

PUNCTUATION = frozenset(string.punctuation) | {""}  # "" is what is left of a lone mark such as "▁"


Side = Literal["candidate", "reference"]
P = TypeVar("P")  # what a metric makes of a text before it compares


@dataclass(frozen=True, kw_only=True)
class EmbeddingMetric(ContextMetric, Generic[P]):
    """Scores a candidate against each reference from their token vectors."""

    encoder: Encoder = field(default_factory=lambda: build(Encoder, "minilm"))
    references: Rule = "mean"

    several_references: ClassVar[str] = "mean of the references' scores; references='max' takes the best"

    def __post_init__(self) -> None:
        super().__post_init__()
        flaw = self.encoder.context_flaw(self.context + self.after) if self.in_context else None
        self.require(flaw is None, f"the encoder cannot read context: {flaw}")

    @property
    def layers(self) -> tuple[int, ...]:
        """The encoder's layers that the metric reads."""
        return (self.encoder.depth,)

    def reads(self) -> dict[Encoder, tuple[int, ...]]:
        return {self.encoder: self.layers}

    def prepare(self, encoded: Encoded, side: Side) -> P:
        """What `compare` needs of a text; made once for a reference that several systems share."""
        raise NotImplementedError(type(self).__name__)

    def compare(self, candidate: P, reference: P, evidence: bool) -> Row:
        """The row of one candidate against one reference."""
        raise NotImplementedError(type(self).__name__)

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        pairs = [[list(self._pairs(item, i)) for i in range(len(item))] for item in items]
        passages = dict.fromkeys(p for segments in pairs for segment in segments for pair in segment for p in pair)
        encoded = self._encoded(list(passages))
        shared: dict[Passage, P] = {}
        return [Measurement(tuple(self._rows(segments, encoded, shared, evidence))) for segments in pairs]

    def _pairs(self, item: Item, index: int) -> Iterator[tuple[Passage, Passage]]:
        """The candidate and each reference that the segment has, as they are read."""
        for reference in item.references:
            if reference[index] is not None:
                yield self.candidate_passage(item, index, reference), self.reference_passage(item, index, reference)

    def _encoded(self, passages: list[Passage]) -> dict[Passage, Encoded]:
        if self.in_context:
            found = self.encoder.encode_passages(passages, layers=self.layers)
        else:
            found = self.encoder.encode([passage.text for passage in passages], layers=self.layers)
        return dict(zip(passages, found, strict=True))

    def _rows(
        self,
        segments: Sequence[Sequence[tuple[Passage, Passage]]],
        encoded: dict[Passage, Encoded],
        shared: dict[Passage, P],
        evidence: bool,
    ) -> Iterator[Row]:
        for pairs in segments:
            candidates: dict[Passage, P] = {}  # one, unless references bring context of their own
            rows = []
            for candidate, reference in pairs:
                if candidate not in candidates:
                    candidates[candidate] = self.prepare(encoded[candidate], "candidate")
                if reference not in shared:
                    shared[reference] = self.prepare(encoded[reference], "reference")
                rows.append(self.compare(candidates[candidate], shared[reference], evidence))
            yield over_references(rows, self.references)


@dataclass(frozen=True, kw_only=True)
class WeightedMetric(EmbeddingMetric[P]):
    """An embedding metric whose tokens may be weighted by IDF: 'none', 'corpus', or the path of a table."""

    idf: str | None = None  # 'none', 'corpus' (of the call), or a file; None: what the variant says, or 'none'

    tables: tuple[Idf, Idf] | None = state()  # for candidates and references

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.idf is None:
            self.settle(idf=self.usual_idf)
        if self.idf == "none":
            self.settle(tables=(UNIFORM, UNIFORM))
        elif self.idf != "corpus":
            self.settle(tables=idf_tables.read(str(self.idf)))

    @property
    def usual_idf(self) -> str:
        """What `idf` is unless given."""
        return "none"

    def files(self) -> list[str]:
        """The user's files that the numbers depend on."""
        return [] if self.idf in ("none", "corpus") else [str(self.idf)]

    def digest(self) -> str | None:
        return digest(*map(Path, self.files())) if self.files() else None

    @property
    def needs_fit(self) -> bool:
        return self.idf == "corpus"

    def fit(self, items: Iterable[Item]) -> Self:
        if not self.needs_fit:
            return self
        candidates, references = Counts(), Counts()
        for item in items:
            for i in range(len(item)):
                if not self.fits_references_only:
                    candidates.add(*self.encoder.tokenize([item.candidate_text(i)]))
                for pieces in self.encoder.tokenize(item.reference_texts(i)):
                    references.add(pieces)
        return replace(self, tables=(candidates.idf(), references.idf()))

    def weights(self, encoded: Encoded, side: Side) -> NDArray[np.float64]:
        if self.tables is None:
            raise MetricError(
                "idf='corpus' needs the whole corpus first",
                where=type(self).name(),
                hint="call fit(items), or score through coheval.score, which does",
            )
        return self.tables[side == "reference"](encoded.pieces)


def lack(encoded: Encoded) -> str | None:
    """Why there is nothing to compare in a text, if so."""
    if encoded.nothing_known:
        return "has no word that the encoder knows"
    return None if encoded.own.any() else "is empty"


def kept(
    encoded: Encoded, *, specials: bool, punctuation: bool, subwords: bool, stop_words: frozenset[str]
) -> NDArray[np.intp]:
    """The positions that count, each of the four kinds of pieces kept or dropped."""
    keep = np.ones(len(encoded), dtype=np.bool_)
    if not specials:
        keep &= ~encoded.special
    if not subwords:
        keep &= ~encoded.continues
    dropped = stop_words if punctuation else stop_words | PUNCTUATION
    if dropped:
        keep &= np.array([piece.lstrip("▁Ġ").lower() not in dropped for piece in encoded.pieces], dtype=np.bool_)
    return np.flatnonzero(keep)


def read_stop_words(choice: str) -> frozenset[str]:
    """The stop words that a parameter names: 'none', 'english', or a file of words."""
    if choice == "none":
        return frozenset()
    if choice == "english":
        return ENGLISH
    try:
        return frozenset(Path(choice).read_text(encoding="utf-8").lower().split())  # pieces are compared so
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"the stop words cannot be read: {error}", where=choice, hint="stop_words is 'none', 'english' or a file"
        ) from None


# English function words: pronouns, auxiliaries, articles, conjunctions, prepositions, adverbs, and the stumps that
# tokenizers leave of contractions.
ENGLISH = frozenset(
    """
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it
    its itself they them their theirs themselves what which who whom this that these those am is are was were be been
    being have has had having do does did doing a an the and but if or because as until while of at by for with about
    against between into through during before after above below to from up down in out on off over under again
    further then once here there when where why how all any both each few more most other some such no nor not only own
    same so than too very s t can will just don should now d ll m o re ve y ain aren couldn didn doesn hadn hasn haven
    isn ma mightn mustn needn shan shouldn wasn weren won wouldn
    """.split()
)
