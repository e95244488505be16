"""Graphs of sentences that are linked by what they both speak of, and the numbers that sum them up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from coheval.algo.graphs import Edges, shared_edges
from coheval.annotators import Annotated, Layer
from coheval.metrics import Evidence, Row, undefined
from coheval.metrics._discourse import Text
from coheval.metrics._features import Feature, told_links

Average = Literal["outdegree", "matrix"]

_AVERAGES: dict[str, Average] = {"coheval": "outdegree", "paper": "matrix", "code": "outdegree"}
# What a word is to its clause, as Universal Dependencies, ClearNLP (spaCy's English) and TIGER (its German) call it.
_SUBJECT = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "sb", "sbp"})
_OBJECT = frozenset({"obj", "iobj", "dobj", "dative", "oa", "oa2", "da", "og"})
_COORDINATED = frozenset({"conj", "cj", "cd"})


@dataclass(frozen=True, kw_only=True)
class SentenceGraph(Feature):
    """One number of a text's graph. A text without any sentence has none; where no sentences are linked it is 0."""

    weighted: bool = False  # whether a link counts the foci that two sentences share

    def graph(self, text: Text) -> Edges:
        """The links with the weights that count."""
        raise NotImplementedError(type(self).__name__)

    def number(self, edges: Edges) -> float:
        raise NotImplementedError(type(self).__name__)

    def feature(self, text: Text) -> Row:
        if not text.sentences:
            return undefined("the text has no sentence")
        return Row((self.number(self.graph(text)),))

    def explain(self, text: Text) -> Evidence:
        return told_links(text, self.graph(text))


@dataclass(frozen=True, kw_only=True)
class ProjectedGraph(SentenceGraph):
    """The entity graph's projections: which sentences are linked, and how strongly."""

    syntactic: bool = False  # whether each shared focus counts its roles in the two sentences; they are weights then
    discounted: bool = True  # whether a link from sentence i to j is divided by j − i
    average: Average | None = None  # the sum of weights / sentences, or / sentences²; None: as the variant says
    variant: Literal["coheval", "paper", "code"] = "coheval"  # see above

    range: ClassVar[tuple[float, float]] = (0.0, math.inf)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.settle(average=self.average or _AVERAGES[self.variant], weighted=self.weighted or self.syntactic)
        if self.average == "matrix" and not self.weighted:
            self.settle(range=(0.0, greatest_mean(self.discounted)))

    @property
    def layers_of_annotation(self) -> tuple[Layer, ...]:
        mine: tuple[Layer, ...] = ("syntax",) if self.syntactic else ()
        return tuple(dict.fromkeys((*super().layers_of_annotation, *mine)))

    def graph(self, text: Text) -> Edges:
        edges = _by_roles(text) if self.syntactic else text.edges()
        edges = edges if self.weighted else edges.unweighted()
        return edges.discounted() if self.discounted else edges

    def number(self, edges: Edges) -> float:
        return edges.out_degree() if self.average == "outdegree" else edges.mean()


def greatest_mean(discounted: bool) -> float:
    """The bound of an unweighted matrix's mean, where all sentences are linked.

    Of s sentences, s(s − 1)/2 of s² places are filled with ones. With 1/(j − i) in them, three sentences have the most:
    (1 + 1 + 1/2) / 9.
    """
    return 5 / 18 if discounted else 1 / 2


def _by_roles(text: Text) -> Edges:
    mentions = text.foci.values()
    return shared_edges(
        ([m.sentence for m in each] for each in mentions),
        text.sentences,
        [[role(text.annotated, m.word) for m in each] for each in mentions],
    )


def role(annotated: Annotated, word: int) -> float:
    """3 for a subject, 2 for an object, 1 for anything else. Coordinated words have the role of the first of them."""
    passed: set[int] = set()  # heads that an annotator was given may lead round in a circle
    while annotated.heads is not None and _relation(annotated, word) in _COORDINATED and word not in passed:
        passed.add(word)
        word = int(annotated.heads[word])
    relation = _relation(annotated, word)
    return 3.0 if relation in _SUBJECT else 2.0 if relation in _OBJECT else 1.0


def _relation(annotated: Annotated, word: int) -> str:
    """Without its subtype: nsubj of nsubj:pass."""
    return annotated.relations[word].partition(":")[0] if annotated.relations else ""
