"""Lisp trees (.dis), as in the RST Discourse Treebank and in GUM.

    ( Root (span 1 2)
      ( Nucleus (leaf 1) (rel2par span) (text _!It rained ,_!) )
      ( Satellite (leaf 2) (rel2par causal-result) (text _!so we left ._!) )
    )

Nodes may have more than two children. The paragraph marks <P> of the treebank's texts and its remarks //TT_ERR are left
out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from coheval.data.lines import FilePath
from coheval.data.rsttree import RstTree
from coheval.data.treefiles._branches import NO_RELATION, Branch, branches_of, indented, tree_of
from coheval.data.treefiles._faults import fault, shown
from coheval.errors import DataError

_TOKEN = re.compile(
    r"""\s+ | //TT_ERR
    | \( \s* (?P<open> Root | Nucleus | Satellite ) \b
    | \( \s* span \s+ (?P<span> \d+ \s+ \d+ ) \s* \)
    | \( \s* leaf \s+ (?P<leaf> \d+ ) \s* \)
    | \( \s* rel2par \s+ (?P<relation> [^\s()]+ ) \s* \)
    | \( \s* text \s+ _! (?P<text> .*? ) _! \s* \)
    | (?P<close> \) )""",
    re.VERBOSE | re.DOTALL,
)
_TEXT_END = re.compile(r"_!\s*\)")
_PARAGRAPH = "<P>"
_KINDS = {"N": "Nucleus", "S": "Satellite"}
_BROKEN = "check whether the file is whole; its brackets and _! marks come in pairs"


def read(source: str, *, text: str | None, path: FilePath) -> RstTree:
    where = os.fspath(path)
    return tree_of(_Reading(source, where).root(), text=text, where=where)


def written(tree: RstTree) -> str:
    root = branches_of(tree)
    return indented(root, lambda branch: _line(branch, "Root" if branch is root else _KINDS[branch.role]))


def _line(branch: Branch, kind: str) -> str:
    relation = "" if kind == "Root" else f" (rel2par {branch.relation})"
    if branch.edu is None:
        return f"( {kind} (span {branch.first + 1} {branch.stop}){relation}"
    if _TEXT_END.search(branch.edu):
        raise DataError(
            f"the EDU {branch.edu[:60]!r} cannot be written: _!) ends a text there", hint="write .json, which can"
        )
    # Who reads the file leaves out one mark, so that a text that ends with one needs two.
    words = branch.edu + (_PARAGRAPH if branch.edu.endswith(_PARAGRAPH) else "")
    return f"( {kind} (leaf {branch.stop}){relation} (text _!{words}_!) )"


@dataclass(slots=True)
class _Open:
    """A node whose closing bracket has not come yet."""

    kind: str
    at: int  # its place in the file
    first: int  # the EDUs before it
    told: dict[str, str] = field(default_factory=dict)  # what stands there of span, leaf, relation, text
    children: list[Branch] = field(default_factory=list)


class _Reading:
    def __init__(self, source: str, where: str) -> None:
        self.source = source
        self.where = where
        self.edus = 0  # so far
        self.open: list[_Open] = []

    def root(self) -> Branch:
        root = None
        for kind, value, at in self._tokens():
            if root or (not self.open and (kind, value) != ("open", "Root")):
                raise self._fault(at, f"expected one tree ( Root …, got {shown(self.source, at)}")
            if kind == "open":
                self._enter(value, at)
            elif kind == "close":
                root = self._leave()
            elif kind in self.open[-1].told:
                raise self._fault(at, f"the node already has what {shown(self.source, at)} says")
            else:
                self.open[-1].told[kind] = value
        if root is None:
            at = self.open[-1].at if self.open else 0
            raise self._fault(at, f"the file ends within a tree, {len(self.open)} nodes are not closed")
        return root

    def _tokens(self) -> Iterator[tuple[str, str, int]]:
        at = 0
        while at < len(self.source):
            match = _TOKEN.match(self.source, at)
            if match is None:
                known = "a node, (span …), (leaf …), (rel2par …) or (text _!…_!)"
                raise self._fault(at, f"expected {known}, got {shown(self.source, at)}")
            if match.lastgroup is not None:
                yield match.lastgroup, match[match.lastgroup], at
            at = match.end()

    def _enter(self, kind: str, at: int) -> None:
        if kind == "Root" and self.open:
            raise self._fault(at, "a Root stands within a node, expected a Nucleus or Satellite")
        self.open.append(_Open(kind, at, self.edus))

    def _leave(self) -> Branch | None:
        """Closes a node; gives it if it was the root."""
        node = self.open.pop()
        is_leaf = "leaf" in node.told
        if is_leaf == bool(node.children) or is_leaf != ("text" in node.told):
            raise self._fault(node.at, "expected a (leaf …) with (text _!…_!), or a (span …) with children")
        if "relation" not in node.told and node.kind != "Root":
            raise self._fault(node.at, f"the {node.kind} has no (rel2par …)")
        self.edus += is_leaf
        self._check_numbers(node, [self.edus] if is_leaf else [node.first + 1, self.edus])
        branch = Branch(
            role="S" if node.kind == "Satellite" else "N",
            relation=node.told.get("relation", NO_RELATION),
            edu=node.told["text"].removesuffix(_PARAGRAPH) if is_leaf else None,
            children=node.children,
        )
        if not self.open:
            return branch
        self.open[-1].children.append(branch)
        return None

    def _check_numbers(self, node: _Open, expected: list[int]) -> None:
        name = "leaf" if "leaf" in node.told else "span"
        told = node.told.get(name, "").split()
        if told != [str(number) for number in expected]:
            there = " ".join(map(str, expected))
            raise self._fault(
                node.at, f"expected ({name} {there}) by the EDUs in the file, got ({name} {' '.join(told)})"
            )

    def _fault(self, at: int, message: str) -> DataError:
        return fault(message, source=self.source, at=at, where=self.where, hint=_BROKEN)
