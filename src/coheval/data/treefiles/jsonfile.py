"""Our own tree files (.json), which keep all that a tree has.

    {"text": "It rained, so we left.", "edus": [[0, 10], [11, 22]], "nodes": [[0, 1, 2, "NS", "Cause", 0.8]]}

EDUs are character spans. A node is the numbers, from 0, of its first EDU, of the one where its second child begins, and
of the one behind its last; then its nuclearity and relation, and its probability if there is one. Nodes stand parents
first and left before right. A list of one such tree, as `coheval parse --format json` prints it, is read, too.
"""

from __future__ import annotations

import json
import os
from typing import Any

from coheval.data.lines import FilePath
from coheval.data.rsttree import Node, RstTree
from coheval.data.treefiles._placing import moved
from coheval.errors import DataError

_HINT = 'expected {"text": "…", "edus": [[start, end], …], "nodes": [[first, split, stop, nuclearity, relation], …]}'


def read(source: str, *, text: str | None, path: FilePath) -> RstTree:
    where = os.fspath(path)
    try:
        values = json.loads(source)
    except (ValueError, RecursionError) as error:
        raise DataError(f"the file is not JSON: {error}", where=where, hint="was it written to its end?") from None
    if isinstance(values, list) and len(values) > 1:
        raise DataError(
            f"expected one tree, got a list of {len(values):,}",
            where=where,
            hint="coheval parse … --format json -o FOLDER writes each tree to a file of its own",
        )
    if isinstance(values, list) and values:
        values = values[0]
    if not isinstance(values, dict) or not isinstance(values.get("text"), str):
        raise DataError("the file is no tree with its text", where=where, hint=_HINT)
    tree = tree_from(values, values["text"], where=where)
    return tree if text in (None, tree.text) else moved(tree, text, where=where)


def written(tree: RstTree) -> str:
    return json.dumps({"text": tree.text, **values_of(tree)}, ensure_ascii=False) + "\n"


def values_of(tree: RstTree) -> dict[str, list[list[Any]]]:
    """What JSON says of a tree beside its text."""
    nodes = [list(node) if node.probability is not None else list(node[:-1]) for node in tree.nodes]
    return {"edus": [list(span) for span in tree.edus], "nodes": nodes}


def tree_from(values: Any, text: str, *, where: str | None = None) -> RstTree:
    """The tree over a text that such values are."""
    try:
        edus = tuple((start, stop) for start, stop in values["edus"])
        nodes = tuple(Node(*node) for node in values["nodes"])
    except (TypeError, KeyError, ValueError):
        raise DataError("EDUs or nodes are missing or no lists of lists", where=where, hint=_HINT) from None
    for place in (*(place for span in edus for place in span), *(place for node in nodes for place in node[:3])):
        if type(place) is not int:
            raise DataError(f"expected whole numbers for EDUs and nodes, got {place!r}", where=where, hint=_HINT)
    for node in nodes:
        _check_labels(node, where)
    try:
        return RstTree(text, edus, nodes)
    except DataError as error:
        raise DataError(error.message, where=where, hint=error.hint) from None


def _check_labels(node: Node, where: str | None) -> None:
    if not isinstance(node.relation, str):
        raise DataError(f"a relation is a text, got {node.relation!r}", where=where, hint=_HINT)
    chance = node.probability
    if chance is not None and (type(chance) not in (int, float) or not 0 <= chance <= 1):
        raise DataError(f"a probability is a number from 0 to 1, got {chance!r}", where=where, hint=_HINT)
