"""Bracketed trees, nested or one constituent a line."""

from __future__ import annotations

import pytest

from coheval.data.rsttree import Node
from coheval.data.treefiles import brackets, read_tree
from coheval.errors import DataError
from rsttrees import tree

RAIN = r"""(SN-Background
  (EDU When it rained \(again\) ,)
  (NN-Joint
    (EDU we stayed)
    (EDU and read \\o/ .)
  )
)
"""
TEXT = "When it rained (again), we stayed and read \\o/."
EXPECTED = tree(
    TEXT,
    ["When it rained (again),", "we stayed", "and read \\o/."],
    ("SN", "Background", 0, ("NN", "Joint", 1, 2)),
)


def test_a_nested_tree_over_its_text():
    assert brackets.read(RAIN, text=TEXT, path="a.brackets") == EXPECTED
    assert brackets.read(" ".join(RAIN.split()), text=TEXT, path="a.brackets") == EXPECTED


def test_what_is_written():
    tokens = brackets.read(RAIN, text=None, path="a.brackets")
    assert tokens.text == "When it rained (again) , we stayed and read \\o/ ."
    assert brackets.written(tokens) == RAIN


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("(NNN-Joint (EDU a) (EDU b) (EDU c))", [(0, 1, 3, "NN", "Joint"), (1, 2, 3, "NN", "Joint")]),
        ("(SNS-Cause (EDU a) (EDU b) (EDU c))", [(0, 1, 3, "SN", "Cause"), (1, 2, 3, "NS", "Cause")]),
        ("(NS-manner-means (EDU a) (EDU b))", [(0, 1, 2, "NS", "manner-means")]),
        ("(EDU a)", []),
    ],
)
def test_labels(source, expected):
    assert brackets.read(source, text=None, path="a.brackets").nodes == tuple(Node(*node) for node in expected)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("(NS-Cause (EDU a)\n(EDU b)\n(EDU c))", r"a\.brackets:1: NS-Cause says that it has 2 children, got 3"),
        ("(NS-Cause (EDU a)\n(NN-Joint (EDU b)))", r"a\.brackets:2: NN-Joint says that it has 2 children, got 1"),
        ("(SS-Cause (EDU a) (EDU b))", "has no nucleus"),
        ("(NSN-Elab (EDU a) (EDU b) (EDU c))", "between the nuclei over EDUs 1 to 3, got 'span'"),
        ("(NNS-Elab (EDU a) (EDU b) (EDU c))", "between the nuclei over EDUs 1 to 2, got 'span'"),
        ("(NS-Cause (EDU a) (EDU b)))", "closed twice"),
        ("(EDU a) (EDU b)", "expected one whole tree, got 2"),
        ("(NS-Cause (EDU a)\n(NN-Joint (EDU b)", r"a\.brackets:2: expected one whole tree, got 1 of which 2 nodes"),
        ("(XY-Cause (EDU a) (EDU b))", r"got '\(XY-Cause"),
        ("(NS (EDU a) (EDU b))", r"got '\(NS"),
        ("(EDU (a))", r"got '\(EDU \(a\)\)'"),
        ("(EDU  )", "EDU 1 has no text"),
        ("(EDU )", r"got '\(EDU \)'"),
        ("(EDU a\\)", r"got '\(EDU a"),
        ("a", "got 'a'"),
    ],
)
def test_wrong_nested_trees(source, message):
    with pytest.raises(DataError, match=message) as error:
        brackets.read(source, text=None, path="a.brackets")
    assert error.value.hint


# The tree of EXPECTED, one constituent a line
LISTED = """((1, 1), 'Satellite', 'Background')
((2, 2), 'Nucleus', 'Joint')
((3, 3), 'Nucleus', 'Joint')
((2, 3), 'Nucleus', 'span')
"""
EDUS = "When it rained (again) ,\nwe stayed\n\nand read \\o/ .\n"


@pytest.fixture
def listed(tmp_path):
    def read(source, edus=EDUS, text=None):
        (tmp_path / "a.edus").write_text(edus, encoding="utf-8")
        (tmp_path / "a.brackets").write_text(source, encoding="utf-8")
        return read_tree(tmp_path / "a.brackets", text=text)

    return read


def test_one_constituent_a_line(listed):
    assert listed(LISTED, text=TEXT) == EXPECTED
    assert listed(LISTED + "((1, 3), 'Root', 'span')\n", text=TEXT) == EXPECTED
    assert listed("\n".join(sorted(LISTED.splitlines(), reverse=True)), text=TEXT) == EXPECTED
    assert listed(LISTED.replace("'", '"'), text=TEXT) == EXPECTED


def test_more_than_two_children_on_lines(listed):
    lines = "\n".join(f"(({n}, {n}), 'Nucleus', 'list')" for n in range(1, 6))
    expected = tuple(Node(k, k + 1, 5, "NN", "list") for k in range(4))
    assert listed(lines, "a\nb\nc\nd\ne").nodes == expected


def test_one_edu_is_the_root(listed):
    assert listed("((1, 1), 'Root', 'span')", "a b\n") == tree("a b", ["a b"])


def test_thousands_of_lines(listed):
    size = 3000
    lines = [f"(({n}, {n}), 'Nucleus', 'list')\n(({n}, {size}), 'Nucleus', 'list')" for n in range(1, size)]
    lines += [f"(({size}, {size}), 'Nucleus', 'list')"]
    found = listed("\n".join(lines), "\n".join("a" * size))
    assert found.nodes == tuple(Node(k, k + 1, size, "NN", "list") for k in range(size - 1))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (LISTED + "((1, 2), 'Nucleus', 'x')\n", "EDUs 2 to 3 crosses another"),
        (LISTED + "((2, 3), 'Nucleus', 'x')\n", "EDUs 2 to 3 crosses another, is there twice"),
        (LISTED + "((3, 3), 'Nucleus', 'x')\n", "EDUs 3 to 3 .* is there twice"),
        (LISTED + "((3, 2), 'Nucleus', 'x')\n", "has no EDUs"),
        (LISTED + "((0, 0), 'Nucleus', 'x')\n", "has no EDUs"),
        (LISTED + "((4, 4), 'Nucleus', 'x')\n", "EDUs 4 to 4 crosses"),
        (LISTED.replace("((3, 3), 'Nucleus', 'Joint')\n", ""), "EDUs 2 to 3 has parts that are not there"),
        (LISTED.replace("((1, 1), 'Satellite', 'Background')\n", ""), "EDUs 1 to 3 has parts that are not there"),
        (LISTED.replace("((2, 2)", f"((2, {'2' * 5000})"), r"brackets:2: expected \(\(first, last\)"),
        (LISTED.replace("'Joint'", "'span'"), "between the nuclei over EDUs 2 to 3, got 'span'"),
        (LISTED.replace("((2, 2), 'Nucleus", "((2, 2), 'Core"), r"brackets:2: expected \(\(first, last\)"),
    ],
)
def test_wrong_lines(listed, source, message):
    with pytest.raises(DataError, match=message) as error:
        listed(source)
    assert error.value.hint


def test_lines_without_edus(tmp_path):
    (tmp_path / "a.brackets").write_text(LISTED)
    with pytest.raises(DataError, match=r"a\.edus: there is no such file"):
        read_tree(tmp_path / "a.brackets")
