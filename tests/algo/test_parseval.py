"""Parseval against trees whose shared constituents were counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given

from coheval.algo.parseval import LEVELS, Counts, marcu, original, segmentation, total
from coheval.data.visible import visible_nodes
from rsttrees import trees

# Gold, over EDUs 0 to 3:               Predicted:
#
#            Elaboration NS                        Elaboration NS
#           /              \                      /              \
#        Joint NN       Contrast SN             0             Joint SN
#        /     \         /      \                            /        \
#       0       1       2        3                          1      Contrast NS
#                                                                   /      \
#                                                                  2        3
GOLD = [(0, 2, 4, "NS", "Elaboration"), (0, 1, 2, "NN", "Joint"), (2, 3, 4, "SN", "Contrast")]
PREDICTED = [(0, 1, 4, "NS", "Elaboration"), (1, 2, 4, "SN", "Joint"), (2, 3, 4, "NS", "Contrast")]


def test_original_parseval_by_hand():
    # Spans of nodes: gold 0-4, 0-2, 2-4; predicted 0-4, 1-4, 2-4. Two are shared: 0-4 and 2-4.
    # 0-4 is NS Elaboration in both; 2-4 is Contrast in both, but SN in one and NS in the other.
    assert original(GOLD, PREDICTED) == {
        "span": Counts(2, 3, 3),
        "nuclearity": Counts(1, 3, 3),
        "relation": Counts(2, 3, 3),
        "full": Counts(1, 3, 3),
    }


def test_rst_parseval_by_hand():
    # Constituents but the root, with role and relation to the parent:
    #   gold       0-2 N span         2-4 S Elaboration  0-1 N Joint  1-2 N Joint  2-3 S Contrast  3-4 N span
    #   predicted  0-1 N span         1-4 S Elaboration  1-2 S Joint  2-4 N span   2-3 N span      3-4 S Contrast
    # Shared spans: 2-4, 0-1, 1-2, 2-3, 3-4. Same role: 0-1 (N). Same relation: 1-2 (Joint). Both: none.
    assert marcu(GOLD, PREDICTED) == {
        "span": Counts(5, 6, 6),
        "nuclearity": Counts(1, 6, 6),
        "relation": Counts(1, 6, 6),
        "full": Counts(0, 6, 6),
    }


def test_other_edus_by_places_in_the_text():
    # The text has 10 characters. Gold has EDUs 0-4, 4-7, 7-10; the prediction did not find the border at 7.
    #
    #     Cause NS                Cause NS
    #     /      \                /      \
    #   0-4    Joint NN         0-4     4-10
    #           /   \
    #         4-7   7-10
    gold = [(0, 4, 10, "NS", "Cause"), (4, 7, 10, "NN", "Joint")]
    predicted = [(0, 4, 10, "NS", "Cause")]
    # Nodes: 0-10 and 4-10 against 0-10; that 4-10 is an EDU there does not count.
    assert original(gold, predicted) == dict.fromkeys(LEVELS, Counts(1, 2, 1))
    # Constituents: 0-4 N span, 4-10 S Cause, 4-7 N Joint, 7-10 N Joint against 0-4 N span, 4-10 S Cause.
    assert marcu(gold, predicted) == dict.fromkeys(LEVELS, Counts(2, 4, 2))


def test_one_edu_has_nothing_to_find():
    for counted in (original, marcu):
        assert counted([], []) == dict.fromkeys(LEVELS, Counts(0, 0, 0))
        assert counted([], [(0, 1, 2, "NN", "Joint")])["span"].recall is None


def test_counts_are_added_up():
    documents = [original(GOLD, PREDICTED), original(GOLD, GOLD), original([], [])]
    found = total(documents)
    assert found["span"] == Counts(5, 6, 6)
    assert found["full"] == Counts(4, 6, 6)
    assert total([]) == dict.fromkeys(LEVELS, Counts(0, 0, 0))


def test_precision_recall_and_f1():
    counts = Counts(matched=3, gold=4, predicted=6)
    assert counts.precision == 0.5
    assert counts.recall == 0.75
    assert counts.f1 == pytest.approx(2 * 0.5 * 0.75 / (0.5 + 0.75))  # the harmonic mean


def test_undefined_is_none():
    assert (Counts().precision, Counts().recall, Counts().f1) == (None, None, None)
    nothing_found = Counts(0, 3, 0)
    assert (nothing_found.precision, nothing_found.recall, nothing_found.f1) == (None, 0, 0)


def test_segmentation():
    # Sentences begin at 0 and 20. Gold EDUs begin at 0, 5, 20, 26; found were 0, 5, 9, 20.
    gold, predicted = [0, 5, 20, 26], [0, 5, 9, 20]
    assert segmentation(gold, predicted) == Counts(3, 4, 4)
    assert segmentation(gold, predicted, given=[0, 20]) == Counts(1, 2, 2)


@given(tree=trees())
def test_a_tree_against_itself(tree):
    """A tree of n EDUs has n - 1 nodes and, without the root, 2n - 2 constituents; all of them match."""
    nodes, n = visible_nodes(tree), len(tree)
    assert original(nodes, nodes) == dict.fromkeys(LEVELS, Counts(n - 1, n - 1, n - 1))
    assert marcu(nodes, nodes) == dict.fromkeys(LEVELS, Counts(2 * n - 2, 2 * n - 2, 2 * n - 2))


@given(gold=trees(), predicted=trees())
def test_the_other_way_round(gold, predicted):
    a, b = visible_nodes(gold), visible_nodes(predicted)
    for counted in (original, marcu):
        there, back = counted(a, b), counted(b, a)
        for level in LEVELS:
            assert there[level] == Counts(back[level].matched, back[level].predicted, back[level].gold)
            assert there["full"].matched <= there[level].matched <= there["span"].matched
