"""What the tree files have in common: branches with any number of children, and the binary tree that they are.

A branch with more than two children is binarised. Satellites come off first, from the left end and then from the right,
so that what is left is their nucleus; then nuclei from the left (right-branching), as in GUM's own binary trees. A
branch with one child is that child.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from coheval.data.rsttree import Node, RstTree
from coheval.data.treefiles._placing import place
from coheval.errors import DataError

Role = Literal["N", "S"]

ROLES: dict[str, tuple[Role, Role]] = {"NS": ("N", "S"), "SN": ("S", "N"), "NN": ("N", "N")}
NO_RELATION = "span"  # what files call the relation of a nucleus that stands beside a satellite
_DEEPEST = 60  # blanks before a line: those of a chain of thousands of EDUs would be longer than its text


@dataclass(slots=True, eq=False)
class Branch:
    role: Role  # to its parent; without meaning for the root
    relation: str  # to its parent, NO_RELATION for the nucleus of a satellite
    edu: str | None = None  # its text; None where there are children
    children: list[Branch] = field(default_factory=list)
    first: int = 0  # the EDUs that it has, once they are counted
    stop: int = 0


def tree_of(root: Branch, *, text: str | None, where: str) -> RstTree:
    """The binary tree over a text, or over the EDUs joined by blanks."""
    edus = _count_edus(root, where)
    text, spans = place(edus, text, where=where)
    return RstTree(text, spans, tuple(_nodes(root, where)))


def branches_of(tree: RstTree) -> Branch:
    """The root of a tree that is to be written; EDUs have single blanks."""
    _check_writable(tree)
    top = Branch("N", NO_RELATION)
    waiting: list[tuple[Branch, Role, str]] = [(top, "N", NO_RELATION)]  # a constituent's parent, role and relation
    for part in tree.constituents():
        parent, role, relation = waiting.pop()
        words = None if part.node else " ".join(tree.edu(part.first).split())
        branch = Branch(role, relation, words, [], part.first, part.stop)
        parent.children.append(branch)
        if part.node:
            left, right = ROLES[part.node.nuclearity]
            waiting.append((branch, right, NO_RELATION if left == "S" else part.node.relation))
            waiting.append((branch, left, NO_RELATION if right == "S" else part.node.relation))
    return top.children[0]


def _check_writable(tree: RstTree) -> None:
    if not all(tree.edu(number).strip() for number in range(len(tree))) or not tree.edus:
        raise DataError("a text or EDU without words cannot be written", hint="leave it out, or write .json, which can")
    for node in tree.nodes:
        if not re.fullmatch(r"[^\s()]+", node.relation) or node.relation == NO_RELATION:
            raise DataError(
                f"the relation {node.relation!r} cannot be written: expected a name without blanks and brackets that "
                f"is not {NO_RELATION!r}",
                hint="rename it, or write .json, which can",
            )


def downward(root: Branch) -> Iterator[Branch]:
    """Parents first, left before right."""
    waiting = [root]
    while waiting:
        branch = waiting.pop()
        yield branch
        waiting += reversed(branch.children)


def indented(root: Branch, shown: Callable[[Branch], str]) -> str:
    """A line for each branch, as it is shown, and one with the bracket that ends a branch with children."""
    lines = []
    waiting: list[tuple[Branch | None, int]] = [(root, 0)]
    while waiting:
        branch, depth = waiting.pop()
        lines.append(" " * min(2 * depth, _DEEPEST) + (shown(branch) if branch else ")"))
        if branch and branch.children:
            waiting.append((None, depth))
            waiting += [(child, depth + 1) for child in reversed(branch.children)]
    return "\n".join(lines) + "\n"


def _count_edus(root: Branch, where: str) -> list[str]:
    """The texts of the EDUs; every branch is told which it has."""
    order = list(downward(root))
    edus: list[str] = []
    for branch in order:
        branch.first = len(edus)
        if branch.edu is not None:
            edus.append(branch.edu)
        branch.stop = len(edus)
    for branch in reversed(order):
        if branch.children:
            branch.stop = branch.children[-1].stop
            _check_nuclei(branch, where)
    return edus


def _check_nuclei(branch: Branch, where: str) -> None:
    if len(branch.children) > 1 and all(child.role == "S" for child in branch.children):
        raise DataError(
            f"the node over EDUs {branch.first + 1} to {branch.stop} has no nucleus",
            where=where,
            hint="at least one child of every node is a nucleus",
        )


def _nodes(root: Branch, where: str) -> Iterator[Node]:
    """Nodes of the binary tree, parents first; a group is a part of a branch's children that is still to be split."""
    waiting = [(root.children, 0, len(root.children))]
    while waiting:
        children, start, stop = waiting.pop()
        if stop - start == 1:
            below = children[start].children
            waiting.append((below, 0, len(below)))
        elif stop - start > 1:
            left, right = children[start], children[stop - 1]
            middle = stop - 1 if (left.role, right.role) == ("N", "S") else start + 1
            yield _joined(left, right, children[middle].first, where)
            waiting += [(children, middle, stop), (children, start, middle)]


def _joined(left: Branch, right: Branch, split: int, where: str) -> Node:
    """The node over a group, by its first and last branch: what is left of a group always has a nucleus."""
    if left.role == "S":
        return Node(left.first, split, right.stop, "SN", left.relation)
    if right.role == "S":
        return Node(left.first, split, right.stop, "NS", right.relation)
    relation = right.relation if left.relation == NO_RELATION else left.relation
    if relation == NO_RELATION:
        raise DataError(
            f"expected a relation between the nuclei over EDUs {left.first + 1} to {right.stop}, got {NO_RELATION!r}",
            where=where,
            hint="nuclei that stand side by side need a node of their own that names their relation",
        )
    return Node(left.first, split, right.stop, "NN", relation)
