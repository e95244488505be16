"""Lisp trees: GUM's and the treebank's ways of writing, and what is wrong with a file."""

from __future__ import annotations

import pytest

from coheval.data.rsttree import Node
from coheval.data.treefiles import dis, read_trees
from coheval.errors import DataError
from rsttrees import tree

RAIN = """( Root (span 1 3)
  ( Satellite (leaf 1) (rel2par context-circumstance) (text _!When it rained (again) ,_!) )
  ( Nucleus (span 2 3) (rel2par span)
    ( Nucleus (leaf 2) (rel2par joint-list) (text _!we stayed_!) )
    ( Nucleus (leaf 3) (rel2par joint-list) (text _!and read ._!) )
  )
)
"""
TEXT = "When it rained (again), we stayed and read."
NESTED = ("SN", "context-circumstance", 0, ("NN", "joint-list", 1, 2))
EXPECTED = tree(TEXT, ["When it rained (again),", "we stayed", "and read."], NESTED)


def test_a_tree_over_its_text():
    assert dis.read(RAIN, text=TEXT, path="a.dis") == EXPECTED


def test_what_is_written():
    tokens = tree(
        "When it rained (again) , we stayed and read .", ["When it rained (again) ,", "we stayed", "and read ."], NESTED
    )
    assert dis.written(tokens) == RAIN


def test_layout_does_not_matter():
    for source in (RAIN.replace("\n", " "), RAIN.replace(" ", "\n\n"), RAIN.replace("( ", "(").replace(" )", ")")):
        assert dis.read(source, text=TEXT, path="a.dis") == EXPECTED


def test_remarks_and_paragraphs_of_the_treebank_are_left_out():
    source = RAIN.replace(",_!) )", ",<P>_!) )//TT_ERR").replace("._!", ".<P>_!")
    assert dis.read(source, text=TEXT, path="a.dis") == EXPECTED


def test_a_text_that_ends_like_a_paragraph_comes_back():
    found = tree("the tag <P> and <P>", ["the tag <P>", "and <P>"], ("NN", "joint-list", 0, 1))
    assert dis.read(dis.written(found), text=found.text, path="a.dis") == found


def test_a_text_with_the_end_of_a_text_in_it_cannot_be_written():
    with pytest.raises(DataError, match="cannot be written"):
        dis.written(tree("a (b_! ) c", ["a (b_! ) c"]))


def leaf(number: int, kind: str, relation: str) -> str:
    return f"( {kind} (leaf {number}) (rel2par {relation}) (text _!w{number}_!) )"


def many(*children: tuple[str, str]) -> str:
    """A root with such children."""
    leaves = [leaf(number, kind, relation) for number, (kind, relation) in enumerate(children, 1)]
    return f"( Root (span 1 {len(children)}) {' '.join(leaves)} )"


N, S = "Nucleus", "Satellite"


@pytest.mark.parametrize(
    ("children", "expected"),
    [
        # n nuclei branch to the right
        ([(N, "a")] * 4, [(0, 1, 4, "NN", "a"), (1, 2, 4, "NN", "a"), (2, 3, 4, "NN", "a")]),
        # satellites on the right: the nearest is joined first
        ([(N, "span"), (S, "b"), (S, "c")], [(0, 2, 3, "NS", "c"), (0, 1, 2, "NS", "b")]),
        # and on the left
        ([(S, "b"), (S, "c"), (N, "span")], [(0, 1, 3, "SN", "b"), (1, 2, 3, "SN", "c")]),
        # on both sides: the right one is joined first
        ([(S, "b"), (N, "span"), (S, "c")], [(0, 1, 3, "SN", "b"), (1, 2, 3, "NS", "c")]),
        # nuclei with a satellite behind, and between
        ([(N, "a"), (N, "a"), (S, "c")], [(0, 2, 3, "NS", "c"), (0, 1, 2, "NN", "a")]),
        ([(N, "a"), (S, "b"), (N, "a")], [(0, 1, 3, "NN", "a"), (1, 2, 3, "SN", "b")]),
        # one nucleus names the relation
        ([(N, "span"), (N, "a")], [(0, 1, 2, "NN", "a")]),
    ],
)
def test_more_than_two_children(children, expected):
    found = dis.read(many(*children), text=None, path="a.dis")
    assert found.nodes == tuple(Node(*node) for node in expected)


def test_a_node_with_one_child_is_the_child():
    source = f"( Root (span 1 2) ( Nucleus (span 1 2) (rel2par span) {leaf(1, N, 'a')} {leaf(2, N, 'a')} ) )"
    assert dis.read(source, text=None, path="a.dis").nodes == (Node(0, 1, 2, "NN", "a"),)


def test_one_flat_node_of_thousands():
    size = 5000
    found = dis.read(many(*[(N, "a")] * size), text=None, path="a.dis")
    assert found.nodes == tuple(Node(k, k + 1, size, "NN", "a") for k in range(size - 1))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            RAIN.replace("span 2 3", "span 2 4"),
            r"a\.dis:3: expected \(span 2 3\) by the EDUs in the file, got \(span 2 4\)",
        ),
        (RAIN.replace("leaf 3", "leaf 4"), r"a\.dis:5: expected \(leaf 3\) .* got \(leaf 4\)"),
        (RAIN.replace("(span 1 3)", ""), r"a\.dis:1: expected \(span 1 3\)"),
        (RAIN.replace("Satellite (leaf 1)", "Satellite (leaf 1) (leaf 1)"), r"a\.dis:2: the node already has"),
        (RAIN.replace("(rel2par span)", ""), r"a\.dis:3: the Nucleus has no \(rel2par …\)"),
        (RAIN.replace("( Nucleus (span", "( Root (span"), r"a\.dis:3: a Root stands within a node"),
        (RAIN + RAIN, r"a\.dis:8: expected one tree"),
        (RAIN + ")", r"a\.dis:8: expected one tree"),
        ("( Nucleus" + RAIN.removeprefix("( Root"), r"a\.dis:1: expected one tree"),
        (RAIN.replace("(leaf 2)", ""), r"a\.dis:4: expected a \(leaf …\) with \(text _!…_!\)"),
        (RAIN.replace("(text _!we stayed_!)", ""), r"a\.dis:4: expected a \(leaf …\) with \(text"),
        (RAIN.replace("_!and read ._!", "_!_!"), "EDU 3 has no text"),
        (RAIN.replace("joint-list", "two words"), r"a\.dis:4: expected a node, .* got '\(rel2par two words\)"),
        (many((S, "a"), (S, "b")), "the node over EDUs 1 to 2 has no nucleus"),
        (RAIN.rstrip().removesuffix(")"), r"a\.dis:1: the file ends within a tree, 1 nodes are not closed"),
        ("", r"a\.dis:1: the file ends within a tree"),
        ("(rel2par Root)" + RAIN, r"a\.dis:1: expected one tree \( Root …, got '\(rel2par Root\)"),
        ("(text _!Root_!)" + RAIN, r"a\.dis:1: expected one tree \( Root …, got '\(text _!Root_!\)"),
        (
            many((N, "span"), (N, "span")),
            r"a\.dis: expected a relation between the nuclei over EDUs 1 to 2, got 'span'",
        ),
        (many((N, "span"), (S, "b"), (N, "span")), "between the nuclei over EDUs 1 to 3, got 'span'"),
    ],
)
def test_wrong_files(source, message):
    with pytest.raises(DataError, match=message) as error:
        dis.read(source, text=None, path="a.dis")
    assert error.value.hint


def test_gum_is_binarised_as_its_publishers_do(gum_folder):
    """Trees with any number of children, read, are the binary trees that are published beside them."""
    binary = read_trees(gum_folder("rst_lisp_binary"))
    assert len(binary) == 237
    assert read_trees(gum_folder("rst_lisp_nary")) == binary
