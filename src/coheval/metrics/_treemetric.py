"""What DR and DR-LEX share: discourse trees of texts, compiled once, compared by a kernel, with what they share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import ClassVar, NamedTuple

from coheval.algo.compiledtrees import CompiledTree
from coheval.algo.treekernel import Normalise, Pair, similarities
from coheval.annotators import Annotated, Annotator, Layer
from coheval.data import Item
from coheval.metrics import Measurement, Metric, Row, Unit, undefined
from coheval.metrics._discourse import PARTIAL
from coheval.metrics._treeevidence import told
from coheval.metrics._trees import Condition, Shape, compiled
from coheval.spec import build


class Compared(NamedTuple):
    """A text, those that it is compared with by their number, and why these are none if they are."""

    candidate: str
    references: Mapping[int, str]
    lack: str


class Text(NamedTuple):
    annotated: Annotated
    tree: CompiledTree | None  # None: it has no word


@dataclass(frozen=True, kw_only=True)
class TreeMetric(Metric):
    """How much the discourse trees of candidate and reference have in common."""

    annotator: Annotator = field(default_factory=lambda: build(Annotator, "rst"))
    condition: Condition = "full"  # which labels of the tree are left out
    decay: float = 0.01  # a fragment of n productions counts decay^n; with 1 all fragments count alike
    normalise: Normalise = "cosine"  # what is made of the kernel; 'none' leaves it as it is
    level: Unit = "segment"  # or 'document': one tree over the whole document, which goes beyond the papers

    libraries: ClassVar[tuple[str, ...]] = ("numpy",)
    several_references: ClassVar[str] = "the reference with the highest score counts"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(0 < self.decay <= 1, f"decay must be above 0 and at most 1, got {self.decay:g}")
        self.settle(unit=self.level)
        if self.normalise == "none":
            self.settle(range=(0.0, math.inf), perfect=None)

    @property
    def shape(self) -> Shape:
        """The labelled trees that are compared."""
        raise NotImplementedError(type(self).__name__)

    def consults(self) -> dict[Annotator, tuple[Layer, ...]]:
        return {self.annotator: ("rst",)}

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        units = [list(self._units(item)) for item in items]
        rows = self._rows([unit for found in units for unit in found], evidence)
        return [Measurement(tuple(islice(rows, len(found)))) for found in units]

    def _units(self, item: Item) -> Iterator[Compared]:
        if self.level == "document":
            whole = {k: r.text for k, r in enumerate(item.references) if r.whole}
            yield Compared(item.candidate.text, whole, PARTIAL if item.references else "no reference")
            return
        for i in range(len(item)):
            present = {k: text for k, r in enumerate(item.references) if (text := r[i]) is not None}
            yield Compared(item.candidate_text(i), present, "no reference")

    def _rows(self, units: Sequence[Compared], evidence: bool) -> Iterator[Row]:
        texts = self._read(text for unit in units for text in (unit.candidate, *unit.references.values()))
        pairs = [_pairs(unit, texts) for unit in units]
        scores = iter(self._scores([pair for found in pairs for pair in found.values()]))
        for unit, found in zip(units, pairs, strict=True):
            own = dict(zip(found, islice(scores, len(found)), strict=True))
            yield self._row(unit, texts, own, evidence)

    def _read(self, texts: Iterable[str]) -> dict[str, Text]:
        distinct = list(dict.fromkeys(texts))
        annotated = self.annotator.annotate(distinct, layers=("rst",))
        trees = compiled(annotated, self.shape)
        return {t: Text(a, tree) for t, a, tree in zip(distinct, annotated, trees, strict=True)}

    def _scores(self, pairs: Sequence[Pair]) -> list[float]:
        """Of each pair; texts of one EDU are alike, and unlike all others, where no fragment can tell."""
        found = similarities(pairs, decay=self.decay, normalise=self.normalise).tolist()
        return [
            float(len(a.subtree) == len(b.subtree) == 1) if math.isnan(score) else score
            for score, (a, b) in zip(found, pairs, strict=True)
        ]

    def _row(self, unit: Compared, texts: Mapping[str, Text], scores: Mapping[int, float], evidence: bool) -> Row:
        known = [k for k, text in unit.references.items() if texts[text].tree is not None]
        if not known:
            return undefined("no reference has a word" if unit.references else unit.lack)
        # A candidate without a word has no tree, and so nothing in common with its reference.
        best = max(scores, key=lambda k: scores[k], default=known[0])
        score = scores.get(best, 0.0)
        if math.isinf(score):
            return undefined("the kernel is too large for a number; normalise='log' or 'cosine' can take it")
        if not evidence:
            return Row((score,))
        ours, theirs = (texts[text].annotated for text in (unit.candidate, unit.references[best]))
        return Row((score,), evidence=told(ours, theirs, best, shape=self.shape, decay=self.decay))


def _pairs(unit: Compared, texts: Mapping[str, Text]) -> dict[int, Pair]:
    """The candidate's tree with each reference's, where both have one."""
    candidate = texts[unit.candidate].tree
    if candidate is None:
        return {}
    trees = {k: texts[text].tree for k, text in unit.references.items()}
    return {k: (candidate, tree) for k, tree in trees.items() if tree is not None}
