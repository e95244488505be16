"""Graphs against dense matrices that are filled pair by pair, and components against scipy's."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from coheval.algo import graphs
from coheval.algo.graphs import Edges, components, shared_edges

NODES = 9
Strong = list[list[tuple[int, float]]]  # the nodes of each group, with their strengths

strong_groups = st.lists(
    st.lists(st.tuples(st.integers(0, NODES - 1), st.sampled_from([1.0, 2.0, 3.0])), max_size=12), max_size=6
)
switch = st.booleans()


def matrix(groups: Strong, *, strengths: bool, counted: bool, near: bool) -> NDArray[np.float64]:
    """The adjacency matrix by its definition."""
    a = np.zeros((NODES, NODES))
    for group in groups:
        for i, j in combinations(sorted({node for node, _ in group}), 2):
            product = max(s for node, s in group if node == i) * max(s for node, s in group if node == j)
            a[i, j] += product if strengths else 1.0
    if not counted:
        a = (a > 0).astype(np.float64)
    if near:
        for i, j in combinations(range(NODES), 2):
            a[i, j] /= j - i
    return a


def made(groups: Strong, *, strengths: bool, counted: bool, near: bool) -> Edges:
    edges = shared_edges(
        [[node for node, _ in group] for group in groups],
        NODES,
        [[strength for _, strength in group] for group in groups] if strengths else (),
    )
    edges = edges if counted else edges.unweighted()
    return edges.discounted() if near else edges


def listed(edges: Edges) -> list[tuple[int, int, float]]:
    return [edge for block in edges.blocks() for edge in zip(*(x.tolist() for x in block), strict=True)]


@given(strong_groups, switch, switch, switch, st.sampled_from([1, 5, graphs._BLOCK]))
def test_edges_are_the_matrix(groups: Strong, strengths: bool, counted: bool, near: bool, block: int) -> None:
    a = matrix(groups, strengths=strengths, counted=counted, near=near)
    edges = made(groups, strengths=strengths, counted=counted, near=near)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graphs, "_BLOCK", block)
        found = listed(edges)
    places = [(i, j) for i, j, _ in found]
    assert places == [(i, j) for i, j in combinations(range(NODES), 2) if a[i, j]]  # in order, each pair once
    assert [weight for _, _, weight in found] == pytest.approx([a[place] for place in places], abs=1e-12)


@given(strong_groups, switch, switch)
def test_numbers_of_a_graph(groups: Strong, counted: bool, near: bool) -> None:
    a = matrix(groups, strengths=True, counted=counted, near=near)
    edges = made(groups, strengths=True, counted=counted, near=near)
    assert edges.out_degree() == pytest.approx(a.sum(axis=1).mean(), abs=1e-12)
    assert edges.mean() == pytest.approx(a.mean(), abs=1e-12)
    assert edges.count() == np.count_nonzero(a)
    assert edges.isolated() == [k for k in range(NODES) if not a[k].any() and not a[:, k].any()]


@given(strong_groups, st.integers(0, 40))
def test_the_strongest_edges(groups: Strong, limit: int) -> None:
    edges = made(groups, strengths=True, counted=True, near=True)
    by_weight = sorted(listed(edges), key=lambda edge: (-edge[2], edge[:2]))
    assert edges.strongest(limit) == sorted(by_weight[:limit])


@pytest.mark.parametrize("block", [1, 5, graphs._BLOCK])
@pytest.mark.parametrize("dense", [0, 1_000_000], ids=["node by node", "as a matrix"])
@given(strong_groups, st.integers(0, 2**32 - 1))
def test_aggregation_is_a_matrix_product(dense: int, block: int, groups: Strong, seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(NODES, 3))
    before = vectors.copy()
    a = matrix(groups, strengths=True, counted=True, near=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graphs, "_BLOCK", block)
        patch.setattr(graphs, "_DENSE", dense)
        found = made(groups, strengths=True, counted=True, near=True).aggregate(vectors)
    assert found == pytest.approx((a + np.eye(NODES)) @ vectors, abs=1e-12)
    assert (vectors == before).all()


def test_the_order_of_switches_does_not_matter() -> None:
    edges = shared_edges([[0, 2], [0, 2]], 3)
    assert listed(edges.discounted().unweighted()) == listed(edges.unweighted().discounted()) == [(0, 2, 0.5)]


@pytest.mark.parametrize("groups", [[], [[]], [[3]], [[3, 3, 3]]], ids=str)
def test_nothing_shared(groups: list[list[int]]) -> None:
    edges = shared_edges(groups, 4)
    assert (edges.out_degree(), edges.mean(), edges.count(), edges.strongest(5)) == (0, 0, 0, [])
    assert edges.isolated() == [0, 1, 2, 3]
    assert (edges.aggregate(np.ones((4, 2))) == 1).all()


def test_a_graph_where_all_are_linked_is_never_held_whole() -> None:
    """2,000 nodes have 1,999,000 edges: n − d of them at the distance d."""
    n = 2_000
    edges = shared_edges([range(n)], n).discounted()
    assert max(len(i) for i, _, _ in edges.blocks()) <= graphs._BLOCK + n
    assert edges.count() == n * (n - 1) // 2
    assert edges.out_degree() == pytest.approx(sum((n - d) / d for d in range(1, n)) / n)
    assert edges.unweighted().out_degree() == pytest.approx(edges.out_degree())


@given(st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=20))
def test_components_are_scipys(links: list[tuple[int, int]]) -> None:
    a, b = zip(*links, strict=True) if links else ((), ())
    _, labels = connected_components(coo_array((np.ones(len(links)), (a, b)), shape=(15, 15)), directed=False)
    smallest = {label: int(np.flatnonzero(labels == label)[0]) for label in labels.tolist()}
    assert components(links, 15) == [smallest[label] for label in labels.tolist()]


def test_components_of_nothing() -> None:
    assert components([], 0) == []
    assert components([], 2) == [0, 1]
