"""Trees in letters."""

from __future__ import annotations

import pytest
from hypothesis import given

from coheval.data.rsttree import Node, RstTree
from coheval.report import tree_text
from coheval.report._wrapping import columns, width_of
from rsttrees import chain, tree, trees

TEXT = "The old bridge was closed in May when one of its piers began to sink; the new one is not ready."
EDUS = ["The old bridge was closed in May", "when one of its piers began to sink;", "the new one is not ready."]


def test_a_tree() -> None:
    made = tree(TEXT, EDUS, ("NN", "Contrast", ("NS", "Elaboration", 0, 1), 2))
    assert "\n".join(tree_text(made)) == (
        "Contrast\n"
        "├─N Elaboration\n"
        "│ ├─N 1 The old bridge was closed in May\n"
        "│ └─S 2 when one of its piers began to sink;\n"
        "└─N 3 the new one is not ready."
    )


def test_texts_are_wrapped_beside_their_lines() -> None:
    made = tree(TEXT, EDUS, ("SN", "Contrast", 0, ("NS", "Elaboration", 1, 2)))
    assert list(tree_text(made, 36)) == [
        "Contrast",
        "├─S 1 The old bridge was closed in",
        "│     May",
        "└─N Elaboration",
        "  ├─N 2 when one of its piers began to",
        "  │     sink;",
        "  └─S 3 the new one is not ready.",
    ]


def test_probabilities() -> None:
    made = RstTree("a b", ((0, 1), (2, 3)), (Node(0, 1, 2, "NS", "Cause", 0.834),))
    assert next(tree_text(made)) == "Cause (83%)"


def test_small_trees() -> None:
    assert list(tree_text(RstTree("", (), ()))) == ["(no words)"]
    assert list(tree_text(RstTree("word", ((0, 4),), ()))) == ["1 word"]
    assert list(tree_text(RstTree("\u200b", ((0, 1),), ()))) == ["1 "]


def test_nothing_moves_the_cursor() -> None:
    made = RstTree("a\x1b[2J b", ((0, 5), (6, 7)), (Node(0, 1, 2, "NS", "Ca\x1buse\n"),))
    assert list(tree_text(made)) == ["Ca�use", "├─N 1 a�[2J", "└─S 2 b"]


@given(trees())
def test_every_constituent_has_its_line(made: RstTree) -> None:
    lines = list(tree_text(made, 60))
    relations = [line for line in lines if line.endswith(("Contrast", "joint-list", "elaboration-additional"))]
    assert len(relations) == len(made.nodes)
    assert sum("─S" in line for line in lines) == sum(node.nuclearity != "NN" for node in made.nodes)
    assert all(width_of(line, columns) <= 60 for line in lines)


@pytest.mark.parametrize("left", [True, False])
def test_deep_trees_begin_at_the_left_again(left: bool) -> None:
    lines = list(tree_text(chain(2000, left=left), 80))  # 25 levels of 2 columns, and 30 for texts
    assert len(lines) == 2 * 2000 - 1
    assert max(map(len, lines)) <= 80
    deepest = [line for line in lines if line.startswith("⋯1975 ")]
    # levels 1975 to 1998 have two children each, and the last has no node below
    assert len(deepest) == 2 * 24
    assert deepest[0].startswith("⋯1975 ├─N ")
