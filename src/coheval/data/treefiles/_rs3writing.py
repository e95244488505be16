"""A tree as the XML of rstWeb: every EDU is a segment, every node a group."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from coheval.data.rsttree import RstTree
from coheval.data.treefiles._branches import NO_RELATION, Branch, branches_of, downward
from coheval.errors import DataError

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def written(tree: RstTree) -> str:
    rst = Element("rst")
    relations = SubElement(SubElement(rst, "header"), "relations")
    for name, nuclei in sorted({(node.relation, node.nuclearity == "NN") for node in tree.nodes}):
        SubElement(relations, "rel", name=name, type="multinuc" if nuclei else "rst")
    body = SubElement(rst, "body")
    for unit in _Numbering(tree).units():
        body.append(unit)
    ElementTree.indent(rst)
    content = ElementTree.tostring(rst, encoding="unicode")
    if bad := _NOT_XML.search(content):
        raise DataError(f"XML cannot hold the character {bad[0]!r}", hint="write .dis or .json, which can")
    return content + "\n"


class _Numbering:
    """Which number each branch has, and what it hangs on by which relation."""

    def __init__(self, tree: RstTree) -> None:
        self.order = list(downward(branches_of(tree)))
        self.multinuclear = {node.relation for node in tree.nodes if node.nuclearity == "NN"}
        groups = iter(range(len(tree) + 1, 2 * len(tree)))
        self.numbers = {b: next(groups) if b.children else b.stop for b in self.order}
        self.links: dict[Branch, tuple[int, str]] = {}  # parent and relation
        self.wrappers: list[tuple[int, int]] = []  # groups around one group: number and parent
        for branch in self.order:
            self._link(branch)

    def units(self) -> Iterator[Element]:
        """Segments in the order of the text, then groups."""
        for branch in sorted(self.order, key=lambda b: self.numbers[b]):
            yield self._unit(branch)
        for number, parent in self.wrappers:
            yield Element("group", id=str(number), type="span", parent=str(parent), relname=NO_RELATION)

    def _link(self, branch: Branch) -> None:
        """Says what the children of a branch hang on."""
        here = self.numbers[branch]
        nucleus = next((child for child in branch.children if child.role == "N"), branch)
        for child in branch.children:
            self.links[child] = (here if child.role == "N" else self.numbers[nucleus], child.relation)
        satellite = next((child for child in branch.children if child.role == "S"), None)
        if satellite and _joins_nuclei(nucleus) and satellite.relation in self.multinuclear:
            # Hung on a group of nuclei, it would be read as one more of them: it hangs on a group around that one.
            number = 2 * len(self.numbers) + len(self.wrappers)
            self.wrappers.append((number, here))
            self.links |= {nucleus: (number, NO_RELATION), satellite: (number, satellite.relation)}

    def _unit(self, branch: Branch) -> Element:
        kind = {} if branch.edu else {"type": "multinuc" if _joins_nuclei(branch) else "span"}
        unit = Element("segment" if branch.edu else "group", {"id": str(self.numbers[branch]), **kind})
        unit.text = branch.edu
        if branch in self.links:
            parent, relation = self.links[branch]
            unit.attrib |= {"parent": str(parent), "relname": relation}
        return unit


def _joins_nuclei(branch: Branch) -> bool:
    return bool(branch.children) and all(child.role == "N" for child in branch.children)
