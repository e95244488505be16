"""XML of RSTTool and rstWeb (.rs3, .rs4).

    <rst>
      <header><relations><rel name="cause" type="rst"/></relations></header>
      <body>
        <segment id="1" parent="3" relname="span">It rained ,</segment>
        <segment id="2" parent="1" relname="cause">so we left .</segment>
        <group id="3" type="span"/>
      </body>
    </rst>

Segments are EDUs. A group of type "span" stands for its nucleus with that nucleus's satellites, one of type "multinuc"
for its nuclei; a satellite names its nucleus as its parent. Of several satellites of one nucleus those on its right
are joined to it first, near before far, then those on its left. (GUM's files never have several: there is a group for
each satellite, and all 237 documents become the trees that GUM publishes as lisp.) Secondary edges and signals of .rs4
are not part of the tree and not read. The header tells which relations join nuclei; one that it does not list does so
in a group of nuclei most of which have it. Files with a document type are refused: entities could make a small one
huge.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from coheval.data.lines import FilePath
from coheval.data.rsttree import RstTree
from coheval.data.treefiles._branches import NO_RELATION, Branch, Role, tree_of
from coheval.data.treefiles._rs3writing import written
from coheval.errors import DataError

__all__ = ["read", "written"]

_HINT = "open the file in rstWeb and see whether its tree is finished"


@dataclass(slots=True, eq=False)
class _Unit:
    """A segment or a group."""

    id: str
    kind: str  # segment, span or multinuc
    parent: str  # its id; empty for the root
    relation: str
    text: str
    place: int  # the number of segments before it
    nuclei: list[_Unit] = field(default_factory=list)
    satellites: list[_Unit] = field(default_factory=list)
    role: Role = "N"


def read(source: str, *, text: str | None, path: FilePath) -> RstTree:
    where = os.fspath(path)
    xml = _parsed(source, where)
    units = _units(xml, where)
    _link(units, _multinuclear(xml), where)
    order = _downward(units, where)
    branches: dict[str, Branch] = {}  # of each unit with its satellites
    for unit in reversed(order):
        branches[unit.id] = _branch(unit, branches, where)
    return tree_of(branches[order[0].id], text=text, where=where)


class _Builder(TreeBuilder):
    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise ValueError("it has a document type (<!DOCTYPE …>), which is not read")


def _parsed(source: str, where: str) -> Element:
    parser = XMLParser(target=_Builder())
    try:
        parser.feed(source)
        xml: Element = parser.close()
    except (ParseError, ValueError) as error:
        raise DataError(f"expected the XML of a tree: {error}", where=where, hint="is the file whole?") from None
    if xml.tag != "rst":
        raise DataError(f"expected XML with <rst> around it, got <{xml.tag}>", where=where, hint=_HINT)
    return xml


def _multinuclear(xml: Element) -> dict[str, bool]:
    """Whether a relation that the header lists may join nuclei; some names are there for both kinds."""
    found: dict[str, bool] = {}
    for relation in xml.iterfind("header/relations/rel"):
        name = relation.get("name", "")
        found[name] = found.get(name, False) or relation.get("type") == "multinuc"
    return found


def _units(xml: Element, where: str) -> dict[str, _Unit]:
    units: dict[str, _Unit] = {}
    segments = 0
    for element in xml.iterfind("body/*"):
        if element.tag not in ("segment", "group"):
            continue  # signals and secondary edges
        kind = "segment" if element.tag == "segment" else element.get("type", "span")
        parent, relation = element.get("parent", ""), element.get("relname", "")
        unit = _Unit(element.get("id", ""), kind, parent, relation, "".join(element.itertext()), segments)
        if unit.id in units or kind not in ("segment", "span", "multinuc"):
            raise DataError(
                f"the {element.tag} {unit.id!r} of type {kind!r} is there twice or unknown", where=where, hint=_HINT
            )
        units[unit.id] = unit
        segments += kind == "segment"
    return units


def _link(units: dict[str, _Unit], multinuclear: dict[str, bool], where: str) -> None:
    """Tells every unit its nuclei and satellites."""
    below: dict[str, list[_Unit]] = {}
    for unit in units.values():
        if not unit.parent:
            continue
        parent = units.get(unit.parent)
        if parent is None or not unit.relation:
            what = f"the parent {unit.parent!r}, which is not there" if parent is None else "a parent and no relation"
            raise DataError(f"{unit.id!r} has {what}", where=where, hint=_HINT)
        below.setdefault(parent.id, []).append(unit)
    for id, children in below.items():
        parent = units[id]
        nuclear = _nuclear(parent, [child.relation for child in children], multinuclear, where)
        parent.nuclei = [child for child in children if child.relation in nuclear]
        parent.satellites = [child for child in children if child.relation not in nuclear]
        for satellite in parent.satellites:
            satellite.role = "S"


def _nuclear(parent: _Unit, relations: list[str], multinuclear: dict[str, bool], where: str) -> set[str]:
    """Those relations of a unit's children by which they are its nuclei."""
    if parent.kind != "multinuc":
        return {NO_RELATION} if parent.kind == "span" else set()
    counts = Counter(relation for relation in relations if multinuclear.get(relation, True))
    listed = {relation for relation in counts if relation in multinuclear}
    most = {relation for relation in counts if counts[relation] == max(counts.values())}
    if len(most) > 1 and not most <= listed:
        # Nuclei of one group share a relation, so that of several unknown ones some are satellites'.
        raise DataError(
            f"which children of the group {parent.id!r} are nuclei cannot be told: as many have the relation "
            + " as ".join(map(repr, sorted(most))),
            where=where,
            hint="list the relations with their types in the header, <rel name=… type=…/>",
        )
    return listed | most


def _downward(units: dict[str, _Unit], where: str) -> list[_Unit]:
    """All units, parents first."""
    order = [unit for unit in units.values() if not unit.parent]
    if len(order) != 1:
        names = ", ".join(repr(unit.id) for unit in order[:5])
        raise DataError(f"expected one unit without a parent, got {len(order)}: {names}", where=where, hint=_HINT)
    for unit in order:  # grows as it is read
        order += unit.nuclei + unit.satellites
    lost = units.keys() - {unit.id for unit in order}
    if lost:
        raise DataError(f"{min(lost)!r} is below itself, or below one that is", where=where, hint=_HINT)
    return order


def _branch(unit: _Unit, branches: dict[str, Branch], where: str) -> Branch:
    """A unit with its satellites, once all below it is known."""
    core = Branch("N", NO_RELATION, unit.text, [], unit.place, unit.place + 1)
    if unit.kind != "segment":
        if not unit.nuclei or (unit.kind == "span" and len(unit.nuclei) > 1):
            message = f"the group {unit.id!r} of type {unit.kind!r} has {len(unit.nuclei)} nuclei"
            raise DataError(message, where=where, hint=_HINT)
        core = _joined([branches[nucleus.id] for nucleus in unit.nuclei], unit, where)
    if unit.satellites:
        core = _joined([core, *(branches[satellite.id] for satellite in unit.satellites)], unit, where)
    core.role, core.relation = unit.role, unit.relation
    return core


def _joined(parts: list[Branch], unit: _Unit, where: str) -> Branch:
    """Neighbours, as children of one branch in the order of the text."""
    parts = sorted(parts, key=lambda part: part.first)
    if any(left.stop != right.first for left, right in pairwise(parts)):
        raise DataError(
            f"what belongs to {unit.id!r} does not stand side by side in the text",
            where=where,
            hint="trees with crossing branches cannot be read; " + _HINT,
        )
    return Branch("N", NO_RELATION, None, parts, parts[0].first, parts[-1].stop)
