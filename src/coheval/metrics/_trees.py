"""Discourse trees as labelled trees that a kernel can compare: DR, DR-LEX, their variants and ablations.

Nodes are listed with their labels and numbers of children, parents first and left before right, and with the characters
that they stand for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from coheval.algo.compiledtrees import CompiledTree, Vocabulary
from coheval.annotators import Annotated
from coheval.data.rsttree import Constituent, RstTree, Span
from coheval.errors import SpecError

Condition = Literal["full", "no_rel", "no_nuc", "no_nuc_no_rel", "no_discourse"]
Variant = Literal["nolex", "lex", "lexe", "lex1", "lex1.1"]

ANY = "*"  # for a label that is left out
DUMMY = "*d*"  # below every word, so that words have a production


class Part(NamedTuple):
    """A node of a labelled tree."""

    label: str
    size: int  # children
    span: Span


@dataclass(frozen=True, slots=True)
class Shape:
    """How a discourse tree becomes a labelled tree."""

    variant: Variant
    condition: Condition
    lowercase: bool = True

    def parts(self, annotated: Annotated) -> list[Part]:
        """The labelled tree of a text; nothing for a text without words."""
        tree = discourse_tree(annotated)
        if not tree.edus:
            return []
        if self.condition == "no_discourse":
            return list(self._ngram(annotated, slice(None), tree.span(0, len(tree)), ""))
        if self.variant == "nolex":
            return [self._bare(tree, found) for found in tree.constituents()]
        return list(self._lexical(annotated, tree))

    def _bare(self, tree: RstTree, found: Constituent) -> Part:
        name = "EDU" if found.node is None else self._relation(found.node.relation)
        size = 0 if found.node is None else 2
        return Part(f"{name}-{self._role(found)}", size, tree.span(found.first, found.stop))

    def _lexical(self, annotated: Annotated, tree: RstTree) -> Iterator[Part]:
        words, parents = _words(annotated, tree), _parents(tree)
        for found in tree.constituents():
            span, role = tree.span(found.first, found.stop), self._role(found)
            status = (Part("NUC", 1, span), Part(role, 0, span))
            if found.node is not None:
                relation = self._relation(found.node.relation)
                yield from (Part("SPAN", 4, span), *status, Part("REL", 1, span), Part(relation, 0, span))
            else:
                yield from (Part("EDU", 2, span), *status)
                tag = self._tag(role, parents.get(found.first))
                yield from self._ngram(annotated, words[found.first], span, tag)

    def _ngram(self, annotated: Annotated, words: slice, span: Span, tag: str) -> Iterator[Part]:
        spans = annotated.spans[words].tolist()
        yield Part(f"NGRAM-{tag}" if tag and self.variant != "lexe" else "NGRAM", len(spans), span)
        for word, (start, stop) in zip(annotated.words[words], spans, strict=True):
            spelled = word.lower() if self.lowercase else word
            yield Part(f"{tag}:{spelled}" if tag else spelled, 1, (start, stop))
            yield Part(DUMMY, 0, (start, stop))

    def _tag(self, role: str, relation: str | None) -> str:
        """What a word must share with another, besides its letters, to match it."""
        if self.variant == "lex1.1" and relation is not None:
            return f"{role}-{self._relation(relation)}"
        return {"lex": "", "lexe": "EDU"}.get(self.variant, role)

    def _role(self, found: Constituent) -> str:
        if self.condition in ("no_nuc", "no_nuc_no_rel"):
            return ANY
        return "ROOT" if found.role == "Root" else found.role

    def _relation(self, relation: str) -> str:
        return ANY if self.condition in ("no_rel", "no_nuc_no_rel") else relation


def discourse_tree(annotated: Annotated) -> RstTree:
    if annotated.tree is None:
        raise SpecError(
            "the annotator gives no discourse trees", hint="use annotator=rst, or replay of a file that has them"
        )
    return annotated.tree


def compiled(texts: Sequence[Annotated], shape: Shape) -> list[CompiledTree | None]:
    """The labelled trees of some texts, kept with their annotations; None for a text without words."""
    vocabulary = _vocabulary()
    return [_compiled(text, shape, vocabulary) for text in texts]


def _compiled(annotated: Annotated, shape: Shape, vocabulary: Vocabulary) -> CompiledTree | None:
    key = repr(shape)
    kept: tuple[Vocabulary, CompiledTree | None] | None = annotated.derived.get(key)
    if kept is None or kept[0] is not vocabulary:
        parts = shape.parts(annotated)
        kept = vocabulary, vocabulary.compile([part[:2] for part in parts]) if parts else None
        annotated.derived[key] = kept
    return kept[1]


_shared = [Vocabulary()]
_LARGEST = 1_000_000  # productions, some 200 MB


def _vocabulary() -> Vocabulary:
    """One for all metrics, so that they share trees; begun anew, with all trees, before it takes too much memory."""
    if len(_shared[0]) > _LARGEST:
        _shared[0] = Vocabulary()
    return _shared[0]


def _words(annotated: Annotated, tree: RstTree) -> list[slice]:
    """The words of each EDU; one that begins between two belongs to the former."""
    starts = [start for start, _ in tree.edus[1:]]
    bounds = [0, *np.searchsorted(annotated.spans[:, 0], starts).tolist(), len(annotated)]
    return [slice(first, stop) for first, stop in pairwise(bounds)]


def _parents(tree: RstTree) -> dict[int, str]:
    """The relation of the node above each EDU."""
    below = ((node.relation, (node.first, node.split), (node.split, node.stop)) for node in tree.nodes)
    return {first: relation for relation, *spans in below for first, stop in spans if stop - first == 1}
