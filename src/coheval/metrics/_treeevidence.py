"""Which subtrees of two texts match, and which do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coheval.algo.compiledtrees import LEAF, CompiledTree, Vocabulary
from coheval.algo.treekernel import Shared, shared
from coheval.annotators import Annotated
from coheval.metrics import Evidence
from coheval.metrics._trees import Part, Shape, discourse_tree

_NOTHING = [Part("", 0, (0, 0))]  # stands for the tree of a text without words: a leaf matches nothing


def told(candidate: Annotated, reference: Annotated, number: int, *, shape: Shape, decay: float) -> Evidence:
    """Both discourse trees, and all nodes with children of the labelled trees that the kernel compared.

    Such a node has its production, its characters, the node of the other tree with which it has most in common
    (`partner`, its number in the other list; None where no node has this production) and ln C with that. `share` is the
    part of the kernel that it brings with all nodes of the other tree; the shares of a tree add up to 1.
    """
    vocabulary = Vocabulary()
    parts = [shape.parts(candidate) or _NOTHING, shape.parts(reference) or _NOTHING]
    ours, theirs = (vocabulary.compile([part[:2] for part in side]) for side in parts)
    in_common = shared((ours, theirs), decay)
    return {
        "kind": "trees",
        "candidate": _tree(candidate) | {"subtrees": _subtrees(parts[0], ours, in_common[0], _places(theirs))},
        "reference": {"number": number}
        | _tree(reference)
        | {"subtrees": _subtrees(parts[1], theirs, in_common[1], _places(ours))},
    }


def _tree(annotated: Annotated) -> dict[str, object]:
    tree = discourse_tree(annotated)
    return {"edus": [list(span) for span in tree.edus], "nodes": [list(node[:5]) for node in tree.nodes]}


def _places(tree: CompiledTree) -> dict[int, int]:
    """Where each distinct subtree occurs first among the nodes with children."""
    inner = [subtree for subtree in tree.subtree.tolist() if subtree != LEAF]
    return {subtree: place for place, subtree in reversed(list(enumerate(inner)))}


def _subtrees(
    parts: Sequence[Part], tree: CompiledTree, found: Shared, others: Mapping[int, int]
) -> list[dict[str, object]]:
    partner, log_c, share = (values.tolist() for values in found)
    nodes = zip(parts, _productions(parts), tree.subtree.tolist(), strict=True)
    return [
        {
            "production": production,
            "span": list(part.span),
            "partner": others.get(partner[subtree]),
            "log_c": None if partner[subtree] == LEAF else log_c[subtree],
            "share": share[subtree],
        }
        for part, production, subtree in nodes
        if subtree != LEAF
    ]


def _productions(parts: Sequence[Part]) -> list[str]:
    """Of each node: its label and its children's."""
    found: list[str] = []
    waiting: list[str] = []  # labels of nodes whose parent is still to come, the leftmost last
    for label, size, _ in reversed(parts):
        below = [waiting.pop() for _ in range(size)]
        found.append(" ".join([label, "→", *below]))
        waiting.append(label)
    return found[::-1]
