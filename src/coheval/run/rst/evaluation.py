"""How good a discourse parser is, beside gold trees: segmentation, and Parseval at the levels of sentence and document.

    segmentation   F1 of the beginnings of EDUs, all of them but a text's first, and those within sentences alone
    sentence       trees of single sentences that are subtrees of their document, over gold EDUs
    document       trees of whole texts: over gold EDUs, and end to end from raw text, where nodes match if they
                   span the same characters

Constituents are counted as `algo.parseval.original` does, over all texts together. Relations are compared in the
18 classes of RST-DT, and in the classes of GUM, in which parsers that are trained on it are usually measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from threadpoolctl import threadpool_limits

from coheval.algo import parseval
from coheval.algo.parseval import Counts, Level, TreeNode
from coheval.annotators._rst.network import Words
from coheval.annotators._rst.reading import Reading
from coheval.annotators._rst.weights import Trained
from coheval.annotators.rst import parse, tree_of
from coheval.data.relations import coarse, gum_coarse
from coheval.data.rsttree import RstTree
from coheval.data.visible import counted, edu_starts, visible_nodes
from coheval.run.rst.instances import Instance

Tables = dict[str, dict[Level, Counts]]


@dataclass(frozen=True, slots=True)
class Measured:
    """Counts of one text, by what was counted."""

    borders: Counts
    within_sentences: Counts
    trees: Tables


@dataclass(frozen=True, slots=True)
class Figures:
    documents: Sequence[Measured]
    sentences: Sequence[Tables]

    def borders(self) -> dict[str, Counts]:
        """Counts of beginnings, by kind."""
        return {
            "all": sum((d.borders for d in self.documents), Counts()),
            "within sentences": sum((d.within_sentences for d in self.documents), Counts()),
        }

    def trees(self) -> dict[str, dict[Level, Counts]]:
        """Counts of constituents, by table and level."""
        found: dict[str, dict[Level, Counts]] = {}
        for tables in ([d.trees for d in self.documents], self.sentences):
            for name in tables[0] if tables else ():
                found[name] = parseval.total(table[name] for table in tables)
        return found

    def overall(self) -> float:
        """What epochs are chosen by: how good documents are end to end and sentences over gold EDUs."""
        trees = self.trees()
        parts = [self.borders()["all"], *trees["end to end"].values(), *trees.get("sentence", {}).values()]
        return sum(part.f1 or 0.0 for part in parts)

    def __str__(self) -> str:
        """F1 in percent; of trees span / nuclearity / relation / full."""
        shown = [f"borders {_percent(self.borders()['all'])}"]
        shown += [f"{n} {' / '.join(map(_percent, t.values()))}" for n, t in self.trees().items() if "GUM" not in n]
        return ", ".join(shown)


def measure(trained: Trained, documents: Iterable[Instance], sentences: Iterable[Instance]) -> Figures:
    """Figures of a parser on gold documents, and on gold sentences of more than one EDU."""
    with threadpool_limits(limits=1, user_api="blas"):
        return Figures(
            [_measure_document(trained, one) for one in documents],
            [_measure_sentence(trained, one) for one in sentences if one.nodes],
        )


def _percent(counts: Counts) -> str:
    return f"{100 * (counts.f1 or 0):.1f}"


def _measure_document(trained: Trained, instance: Instance) -> Measured:
    """End to end, and over gold EDUs."""
    words = trained.network.words([_full(instance)])
    cut = instance.gold.cut
    own = tree_of(trained, cut.text, _full(instance), words)
    gold = RstTree(cut.text, cut.edus, instance.nodes)
    sentences = counted(cut.text, sorted(cut.sentences))
    starts, found = edu_starts(gold), edu_starts(own)
    return Measured(
        parseval.segmentation(starts[1:], found[1:]),
        parseval.segmentation(starts, found, given=sentences),
        {
            **_compared("end to end", visible_nodes(gold), visible_nodes(own)),
            **_on_gold("gold EDUs", trained, words, instance),
        },
    )


def _measure_sentence(trained: Trained, instance: Instance) -> Tables:
    return _on_gold("sentence", trained, trained.network.words([_full(instance)]), instance)


def _on_gold(table: str, trained: Trained, words: Words, instance: Instance) -> Tables:
    own = parse(trained, words, instance.starts, instance.kinds)
    return _compared(table, [node[:5] for node in instance.nodes], [node[:5] for node in own])


def _full(instance: Instance) -> Reading:
    return replace(instance.reading, vectors=instance.reading.vectors.astype(np.float32))


def _compared(table: str, gold: Sequence[TreeNode], own: Sequence[TreeNode]) -> Tables:
    classes = [[(*node[:4], coarse(node[4])) for node in nodes] for nodes in (gold, own)]
    of_gum = [[(*node[:4], gum_coarse(node[4])) for node in nodes] for nodes in classes]
    return {table: parseval.original(*classes), f"{table}, classes of GUM": parseval.original(*of_gum)}
