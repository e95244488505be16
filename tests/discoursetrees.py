"""Discourse trees written by hand, and an annotator that knows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import coheval
from coheval.annotators import Annotated, Annotator, Layer
from coheval.data.rsttree import Node, RstTree
from coheval.metrics._treemetric import TreeMetric
from coheval.metrics._trees import Condition, Shape, Variant
from coheval.spec import state
from trees import bracketed

Source = Sequence[Any]  # [relation, role, left, right], or ["edu", role, words]


@dataclass(frozen=True, kw_only=True)
class Known(Annotator):
    """Gives what it was given, by text."""

    texts: Mapping[str, Annotated] = state(dict)

    def annotate(self, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        return [self.texts[text] if text.strip() else annotated("", [], []) for text in texts]


def known(*sources: Source | Annotated) -> Known:
    found = [source if isinstance(source, Annotated) else parsed(source) for source in sources]
    return Known(texts={source.tree.text: source for source in found if source.tree})


def of(metric: type[TreeMetric], *sources: Source | Annotated, **parameters: Any) -> TreeMetric:
    """A metric that knows the trees of these texts."""
    return metric(annotator=known(*sources), **parameters)


def score(metric: TreeMetric, candidate: Source, *references: Source) -> float | None:
    result = coheval.score([text_of(candidate)], [[text_of(r) for r in references]], metrics=[metric])
    (only,) = result.values()
    return only.segments[0]


def shape(source: Source, variant: Variant, condition: Condition, **parameters: Any) -> str:
    """The labelled tree of a discourse tree, in brackets."""
    parts = Shape(variant, condition, **parameters).parts(parsed(source))
    return bracketed([part[:2] for part in parts])


def text_of(source: Source) -> str:
    return " ".join(_edus(source))


def parsed(source: Source) -> Annotated:
    """A tree whose words, EDUs and so all characters stand there, with blanks between words."""
    return annotated(text_of(source), list(_edus(source)), _nodes(source))


def annotated(text: str, edus: Sequence[str], nodes: Sequence[Node]) -> Annotated:
    """With words between blanks."""
    words = text.split()
    tree = RstTree(text, tuple(_found(text, edus)), tuple(nodes))
    spans = np.array(list(_found(text, words)), dtype=np.int32).reshape(-1, 2)
    return Annotated(
        words=tuple(words),
        spans=spans,
        sentence=np.zeros(len(words), np.int32),
        sentences=np.array([[0, len(text)]] if words else [], np.int32).reshape(-1, 2),
        tree=tree,
    )


def _found(text: str, parts: Sequence[str]) -> Iterator[tuple[int, int]]:
    at = 0
    for part in parts:
        start = text.index(part, at)
        at = start + len(part)
        yield start, at


def _edus(source: Source) -> Iterator[str]:
    if source[0] == "edu":
        yield source[2]
    else:
        for child in source[2:]:
            yield from _edus(child)


def _nodes(source: Source, first: int = 0) -> list[Node]:
    if source[0] == "edu":
        return []
    relation, _, left, right = source
    split, stop = first + len(list(_edus(left))), first + len(list(_edus(source)))
    nuclearity: Any = left[1][0] + right[1][0]
    return [Node(first, split, stop, nuclearity, relation), *_nodes(left, first), *_nodes(right, split)]
