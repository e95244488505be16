"""A toy parser, whose trees can be told from the text: EDUs end at commas, semicolons and full stops.

Each EDU is joined with all that follows it: by Contrast, two nuclei, if what follows begins with "but"; by Cause, the
left one the nucleus, if with "because"; by Condition, the right one the nucleus, if the EDU itself begins with "if"; by
Elaboration otherwise. Every sentence ends with a full stop or at a line's end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from coheval.annotators import Annotated, Annotator, Layer, number_sentences, sentence_spans
from coheval.data.rsttree import Node, RstTree


@dataclass(frozen=True, kw_only=True)
class Commas(Annotator):
    chance: float | None = None  # the probability of every node

    def annotate(self, texts: Sequence[str], *, layers: Sequence[Layer] = ()) -> list[Annotated]:
        return [self._one(text, "rst" in layers) for text in texts]

    def _one(self, text: str, with_tree: bool) -> Annotated:
        spans = np.array([m.span() for m in re.finditer(r"\w+|[^\w\s]", text)], dtype=np.int32).reshape(-1, 2)
        words = tuple(text[start:stop] for start, stop in spans.tolist())
        ends = np.cumsum([0, *(word == "." for word in words)])[:-1]
        sentence = number_sentences(text, spans, ends.tolist())
        sentences = sentence_spans(spans, sentence)
        return Annotated(words, spans, sentence, sentences, tree=self._tree(text) if with_tree else None)

    def _tree(self, text: str) -> RstTree:
        edus = [m.span() for m in re.finditer(r"\w[^,.;\n]*[,.;]?", text)]
        beginnings = [text[start:stop].split()[0].lower() for start, stop in edus]
        nodes = [
            Node(k, k + 1, len(edus), *_label(beginnings[k], beginnings[k + 1]), self.chance)
            for k in range(len(edus) - 1)
        ]
        return RstTree(text, tuple(edus), tuple(nodes))


def _label(left: str, right: str) -> tuple[Literal["NS", "SN", "NN"], str]:
    if right == "but":
        return "NN", "Contrast"
    if right == "because":
        return "NS", "Cause"
    return ("SN", "Condition") if left == "if" else ("NS", "Elaboration")
