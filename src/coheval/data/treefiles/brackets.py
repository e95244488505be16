"""Bracketed trees (.brackets), in two ways.

Nested, with the texts of the EDUs; `written` writes these. A label says of each child whether it is a nucleus, and the
relation. A bracket or backslash of a text has a backslash before it.

    (NS-Cause
      (EDU It rained ,)
      (EDU so we left .)
    )

Or one constituent a line, in any order, by the numbers of its first and last EDU, as DPLP and its successors have them.
The root may be left out. The EDUs, one a line, are in a file of the same name that ends in .edus.

    ((1, 1), 'Nucleus', 'span')
    ((2, 2), 'Satellite', 'cause')
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from coheval.data.lines import FilePath, lines
from coheval.data.rsttree import RstTree
from coheval.data.treefiles._branches import NO_RELATION, Branch, branches_of, indented, tree_of
from coheval.data.treefiles._faults import fault, shown
from coheval.data.treefiles._listed import listed_root

_TOKEN = re.compile(
    r"""\s+
    | \( \s* EDU \s (?P<edu> (?: [^()\\] | \\. )+ ) \)
    | \( \s* (?P<open> [NS]+ - [^\s()]+ ) (?= \s )
    | (?P<close> \) )""",
    re.VERBOSE | re.DOTALL,
)
_SPECIAL = re.compile(r"([()\\])")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_BROKEN = "check whether the file is whole; a bracket within a text has a backslash before it"


def read(source: str, *, text: str | None, path: FilePath) -> RstTree:
    where = os.fspath(path)
    if source.lstrip().startswith("(("):
        edus = [edu for edu in lines(Path(path).with_suffix(".edus")) if edu.strip()]
        return tree_of(listed_root(source, edus, where=where), text=text, where=where)
    return tree_of(_nested_root(source, where), text=text, where=where)


def written(tree: RstTree) -> str:
    return indented(branches_of(tree), _line)


def _line(branch: Branch) -> str:
    if branch.edu is not None:
        return "(EDU " + _SPECIAL.sub(r"\\\1", branch.edu) + ")"
    roles = "".join(child.role for child in branch.children)
    relation = next(child.relation for child in branch.children if roles == "NN" or child.role == "S")
    return f"({roles}-{relation}"


def _nested_root(source: str, where: str) -> Branch:
    top = Branch("N", NO_RELATION)
    way, labels = [top], [("N-", 0)]  # branches that are not closed, with their labels and places in the file
    for kind, value, at in _tokens(source, where):
        if kind == "close":
            if len(way) == 1:
                raise fault("a bracket is closed twice", source=source, at=at, where=where, hint=_BROKEN)
            _label(way.pop(), *labels.pop(), source, where)
            continue
        edu = _ESCAPED.sub(r"\1", value) if kind == "edu" else None
        way[-1].children.append(Branch("N", NO_RELATION, edu))
        if kind == "open":
            way.append(way[-1].children[-1])
            labels.append((value, at))
    if len(way) > 1 or len(top.children) != 1:
        message = f"expected one whole tree, got {len(top.children)} of which {len(way) - 1} nodes are not closed"
        raise fault(message, source=source, at=labels[-1][1], where=where, hint=_BROKEN)
    return top.children[0]


def _label(branch: Branch, label: str, at: int, source: str, where: str) -> None:
    """Gives the children of a branch the roles and the relation that its label says."""
    roles, _, relation = label.partition("-")
    if len(roles) != len(branch.children):
        message = f"{label} says that it has {len(roles)} children, got {len(branch.children)}"
        raise fault(message, source=source, at=at, where=where, hint=_BROKEN)
    for child, role in zip(branch.children, roles, strict=True):
        child.role = "S" if role == "S" else "N"
        child.relation = NO_RELATION if role == "N" and "S" in roles else relation


def _tokens(source: str, where: str) -> Iterator[tuple[str, str, int]]:
    at = 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None:
            message = f"expected (EDU text), or a node such as (NS-Cause … …), got {shown(source, at)}"
            raise fault(message, source=source, at=at, where=where, hint=_BROKEN)
        if match.lastgroup is not None:
            yield match.lastgroup, match[match.lastgroup], at
        at = match.end()
