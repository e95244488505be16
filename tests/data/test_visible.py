"""Places that do not depend on white space."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given

from coheval.data.visible import counted, edu_starts, visible, visible_nodes
from rsttrees import tree, trees

RAIN = tree("It rained,\n so we left.", ["It rained,", "so we left."], ("NS", "Cause", 0, 1))


def test_by_hand():
    # "Itrained," has 9 visible characters, "soweleft." 9 more
    assert visible(RAIN.text) == "Itrained,soweleft."
    assert edu_starts(RAIN) == [0, 9]
    assert visible_nodes(RAIN) == [(0, 9, 18, "NS", "Cause")]
    assert counted(RAIN.text, [0, 2, 3, 10, 11, 12, 23]) == [0, 2, 2, 9, 9, 9, 18]


def test_to_whom_a_blank_belongs_does_not_matter():
    wide = replace(RAIN, edus=((0, 12), (12, 23)))
    assert visible_nodes(wide) == visible_nodes(RAIN)


@given(found=trees())
def test_by_brute_force(found):
    """A place is the length of the text before it without its white space."""
    for start, (begin, _) in zip(edu_starts(found), found.edus, strict=True):
        assert start == len("".join(found.text[:begin].split()))
    for (start, split, stop, *labels), node in zip(visible_nodes(found), found.nodes, strict=True):
        left, right = found.span(node.first, node.split), found.span(node.split, node.stop)
        assert stop - start == len("".join(found.text[left[0] : right[1]].split()))
        assert split - start == len("".join(found.text[left[0] : left[1]].split()))
        assert labels == [node.nuclearity, node.relation]


def test_empty():
    assert visible_nodes(tree("", [])) == edu_starts(tree("", [])) == []
