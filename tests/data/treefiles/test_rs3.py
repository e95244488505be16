"""XML of rstWeb: how groups and satellites make a tree, and what is wrong with a file."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given

from coheval.data.treefiles import read_trees, rs3
from coheval.errors import DataError
from rsttrees import tree, trees

HEADER = """<header><relations>
<rel name="cause" type="rst"/><rel name="frame" type="rst"/><rel name="list" type="multinuc"/>
<rel name="restatement" type="rst"/><rel name="restatement" type="multinuc"/>
</relations></header>"""


def xml(*units: str, header: str = HEADER, more: str = "") -> str:
    return f"<rst>{header}<body>{''.join(units)}{more}</body></rst>"


def segment(id: int, parent: int | None = None, relation: str = "", text: str = "") -> str:
    link = "" if parent is None else f' parent="{parent}" relname="{relation}"'
    return f'<segment id="{id}"{link}>{text or f"w{id}"}</segment>'


def group(id: int, kind: str, parent: int | None = None, relation: str = "") -> str:
    link = "" if parent is None else f' parent="{parent}" relname="{relation}"'
    return f'<group id="{id}" type="{kind}"{link}/>'


def nodes(source: str) -> list[tuple[int, int, int, str, str]]:
    return [node[:5] for node in rs3.read(source, text=None, path="a.rs3").nodes]


def test_a_nucleus_and_its_satellite():
    source = xml(segment(1, 3, "span", "It rained ,"), segment(2, 1, "cause", "so we left ."), group(3, "span"))
    found = rs3.read(source, text="It rained, so we left.", path="a.rs3")
    assert found == tree("It rained, so we left.", ["It rained,", "so we left."], ("NS", "cause", 0, 1))


def test_a_group_of_nuclei_with_a_satellite():
    # 1 frames the list of 2, 3 and 4
    source = xml(
        segment(1, 5, "frame"),
        *(segment(number, 5, "list") for number in (2, 3, 4)),
        group(5, "multinuc", 6, "span"),
        group(6, "span"),
    )
    assert nodes(source) == [(0, 1, 4, "SN", "frame"), (1, 2, 4, "NN", "list"), (2, 3, 4, "NN", "list")]


def test_several_satellites_of_one_nucleus():
    # 3 is the nucleus of 1, 2 (left) and 4, 5 (right): right ones first, near before far
    source = xml(
        segment(1, 3, "frame"),
        segment(2, 3, "cause"),
        segment(3, 6, "span"),
        segment(4, 3, "cause"),
        segment(5, 3, "frame"),
        group(6, "span"),
    )
    assert nodes(source) == [
        (0, 1, 5, "SN", "frame"),
        (1, 2, 5, "SN", "cause"),
        (2, 4, 5, "NS", "frame"),
        (2, 3, 4, "NS", "cause"),
    ]


def test_satellites_need_no_group_around_them():
    # RSTTool leaves out the outermost group: 2 hangs on 1, which is the root
    assert nodes(xml(segment(1), segment(2, 1, "cause"))) == [(0, 1, 2, "NS", "cause")]


def test_a_relation_of_both_kinds_joins_nuclei_under_a_group_of_nuclei():
    source = xml(
        segment(1, 4, "restatement"), segment(2, 4, "restatement"), segment(3, 4, "cause"), group(4, "multinuc")
    )
    assert nodes(source) == [(0, 2, 3, "NS", "cause"), (0, 1, 2, "NN", "restatement")]
    source = xml(segment(1, 3, "span"), segment(2, 1, "restatement"), group(3, "span"))
    assert nodes(source) == [(0, 1, 2, "NS", "restatement")]


def test_relations_that_no_header_lists():
    source = xml(segment(1, 3, "odd"), segment(2, 3, "odd"), group(3, "multinuc"), header="")
    assert nodes(source) == [(0, 1, 2, "NN", "odd")]
    # a satellite of two nuclei, and one of nuclei that the header lists
    for header in ("", HEADER):
        source = xml(*map(segment, (1, 2, 3), (9, 9, 9), ("list", "list", "odd")), group(9, "multinuc"), header=header)
        assert nodes(source) == [(0, 2, 3, "NS", "odd"), (0, 1, 2, "NN", "list")]


def test_secondary_edges_and_signals_are_not_read():
    more = '<secedges><secedge id="1-2" source="1" target="2" relname="cause"/></secedges><signals><signal/></signals>'
    assert nodes(xml(segment(1, 3, "list"), segment(2, 3, "list"), group(3, "multinuc"), more=more)) == [
        (0, 1, 2, "NN", "list")
    ]


@given(found=trees(relations=("restatement", "list")))
def test_one_relation_of_both_kinds_comes_back(found):
    """A satellite of a group of nuclei does not become one of them, though the relation's name fits."""
    assert rs3.read(rs3.written(found), text=found.text, path="a.rs3") == found


def test_what_is_written():
    found = tree("a & b c", ["a &", "b", "c"], ("SN", "x", 0, ("NN", "y", 1, 2)))
    assert rs3.written(found) == (
        "<rst>\n  <header>\n    <relations>\n"
        '      <rel name="x" type="rst" />\n      <rel name="y" type="multinuc" />\n'
        "    </relations>\n  </header>\n  <body>\n"
        '    <segment id="1" parent="5" relname="x">a &amp;</segment>\n'
        '    <segment id="2" parent="5" relname="y">b</segment>\n'
        '    <segment id="3" parent="5" relname="y">c</segment>\n'
        '    <group id="4" type="span" />\n'
        '    <group id="5" type="multinuc" parent="4" relname="span" />\n'
        "  </body>\n</rst>\n"
    )


def test_characters_that_xml_has_not():
    with pytest.raises(DataError, match=r"cannot hold the character '\\x07'"):
        rs3.written(tree("a\x07", ["a\x07"]))


BOMB = (
    '<!DOCTYPE rst [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    '<rst><body><segment id="1">&b;</segment></body></rst>'
)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (BOMB, "document type"),
        ('<!DOCTYPE rst SYSTEM "file:///etc/hostname"><rst/>', "document type"),
        ('<?xml version="1.0"?><rst><body><segment id="1">&b;</segment></body></rst>', "undefined entity"),
        ("<html/>", "got <html>"),
        ("<rst><body>", "expected the XML of a tree: no element found"),
        (xml(), "expected one unit without a parent, got 0"),
        (xml(segment(1), segment(2)), "expected one unit without a parent, got 2: '1', '2'"),
        (xml(segment(1), segment(1)), "'1' of type 'segment' is there twice"),
        (xml(segment(1), group(2, "circle", 1, "cause")), "'2' of type 'circle' is there twice or unknown"),
        (xml(segment(1), segment(2, 9, "cause")), "'2' has the parent '9', which is not there"),
        (xml(segment(1), segment(2, 1, "")), "'2' has a parent and no relation"),
        (xml(segment(1), segment(2, 3, "cause"), segment(3, 2, "cause")), "'2' is below itself"),
        (xml(segment(1), segment(2, 2, "cause")), "'2' is below itself"),
        (xml(segment(1, 2, "cause"), group(2, "span")), "group '2' of type 'span' has 0 nuclei"),
        (xml(segment(1, 3, "span"), segment(2, 3, "span"), group(3, "span")), "type 'span' has 2 nuclei"),
        (xml(segment(1), group(2, "multinuc", 1, "cause")), "group '2' of type 'multinuc' has 0 nuclei"),
        (xml(segment(1), segment(2, 1, "cause", " ")), "EDU 2 has no text"),
        (
            xml(segment(1, 3, "odd"), segment(2, 3, "other"), group(3, "multinuc")),
            "which children of the group '3' are nuclei cannot be told: .* 'odd' as 'other'",
        ),
        (
            xml(*map(segment, (1, 2, 3), (9, 9, 9), ("odd", "list", "cause")), group(9, "multinuc")),
            "which children of the group '9' are nuclei cannot be told: .* 'list' as 'odd'",
        ),
        # 1 with 3, and 2 with 4
        (
            xml(
                *(segment(n, 5 + n % 2, "list") for n in (1, 2, 3, 4)),
                *(group(n, "multinuc", 7, "list") for n in (5, 6)),
                group(7, "multinuc"),
            ),
            "does not stand side by side",
        ),
    ],
)
def test_wrong_files(source, message):
    with pytest.raises(DataError, match=message) as error:
        rs3.read(source, text=None, path="a.rs3")
    assert error.value.where == "a.rs3"
    assert error.value.hint


def test_gum_agrees_with_its_own_lisp_trees(gum_folder):
    """All 237 documents have the same EDUs and nodes; the texts of two differ by a letter in the corpus itself."""
    found, binary = read_trees(gum_folder("rst_rstweb")), read_trees(gum_folder("rst_lisp_binary"))
    assert len(found) == 237
    assert {name: (t.edus, t.nodes) for name, t in found.items()} == {
        name: (t.edus, t.nodes) for name, t in binary.items()
    }
    assert sum(found[name].text != binary[name].text for name in found) == 2


def test_gum_has_no_nucleus_with_several_satellites(gum_folder):
    """So the order in which several are joined is our choice; counted here without the reader."""
    for path in gum_folder("rst_rstweb").glob("*.rs4"):
        root = ElementTree.parse(path).getroot()
        nuclear = {"span", *(rel.get("name") for rel in root.iter("rel") if rel.get("type") == "multinuc")}
        units = [*root.iter("segment"), *root.iter("group")]
        satellites = Counter(unit.get("parent") for unit in units if unit.get("relname", "span") not in nuclear)
        assert set(satellites.values()) <= {1}
