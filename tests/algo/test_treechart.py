"""Distributions over binary trees against the sum over all trees, each written out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coheval.algo.treechart import Split, all_trees, best_tree


def every_tree(first: int, stop: int) -> Iterator[list[Split]]:
    """All binary trees over some leaves, parents first and left before right."""
    if stop - first == 1:
        yield []
    for middle in range(first + 1, stop):
        for left in every_tree(first, middle):
            for right in every_tree(middle, stop):
                yield [(first, middle, stop), *left, *right]


def random_scores(leaves: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(leaves + 1,) * 3) * 2


def test_there_are_as_many_trees_as_catalan_says() -> None:
    assert [len(list(every_tree(0, n))) for n in range(1, 7)] == [1, 1, 2, 5, 14, 42]


@given(st.integers(1, 6), st.integers(0, 1000))
def test_sums_over_all_trees(leaves: int, seed: int) -> None:
    scores = random_scores(leaves, seed)
    trees = list(every_tree(0, leaves))
    weights = np.exp([sum(scores[k, i, j] for i, k, j in tree) for tree in trees])
    nodes = np.zeros_like(scores)
    for tree, weight in zip(trees, weights, strict=True):
        for i, k, j in tree:
            nodes[k, i, j] += weight / weights.sum()
    found = all_trees(scores)
    assert found.log_total == pytest.approx(np.log(weights.sum()), abs=1e-12)
    np.testing.assert_allclose(found.nodes, nodes, atol=1e-12)


@given(st.integers(1, 6), st.integers(0, 1000))
def test_the_best_tree_is_the_best_of_all(leaves: int, seed: int) -> None:
    values = random_scores(leaves, seed)[0]
    worth = [sum(values[i, j] for i, _, j in tree) for tree in every_tree(0, leaves)]
    found = best_tree(values)
    assert found in list(every_tree(0, leaves))
    assert sum(values[i, j] for i, _, j in found) == pytest.approx(max(worth), abs=1e-12)


def test_large_scores_do_not_overflow() -> None:
    """Every tree of 40 leaves has 39 nodes, so adding 100 to each node adds 3,900 to the sum's logarithm."""
    scores = random_scores(40, 1)
    low, high = all_trees(scores), all_trees(scores + 100)
    assert high.log_total == pytest.approx(low.log_total + 3900, abs=1e-8)
    np.testing.assert_allclose(high.nodes, low.nodes, atol=1e-9)
    assert low.nodes.sum() == pytest.approx(39, abs=1e-9)
