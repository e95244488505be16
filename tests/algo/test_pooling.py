"""Aggregation over layers and n-grams, by hand and by brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coheval.algo.matching import normalise
from coheval.algo.pooling import Array, ngrams, power_means, routing

seeds = st.integers(0, 2**32 - 1)


def some_layers(seed: int, count: int, tokens: int = 4, d: int = 6) -> Array:
    """Unit vectors that lie near one another, as a token's layers do."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(tokens, d))
    return np.stack([normalise(base + 0.5 * rng.normal(size=base.shape)) for _ in range(count)])


def test_power_means_by_hand() -> None:
    layers = np.array([[[1.0, 5.0]], [[3.0, -2.0]], [[2.0, 0.0]]])  # three layers of one token
    assert power_means(layers).tolist() == [[1.0, -2.0, 2.0, 1.0, 3.0, 5.0]]


@given(seeds)
def test_routing_of_one_layer_is_that_layer(seed: int) -> None:
    layers = some_layers(seed, 1)
    assert routing(layers) == pytest.approx(layers[0], abs=1e-12)


@given(seeds)
def test_routing_of_equal_layers_points_their_way(seed: int) -> None:
    layer = some_layers(seed, 1)[0]
    pooled = routing(np.stack([layer] * 3))
    assert normalise(pooled) == pytest.approx(layer, abs=1e-12)


@settings(max_examples=20)
@given(seeds, st.permutations(range(4)))
def test_routing_does_not_see_the_order_of_layers(seed: int, order: list[int]) -> None:
    layers = some_layers(seed, 4)
    assert routing(layers[order]) == pytest.approx(routing(layers), abs=1e-9)


@settings(max_examples=10)
@given(seeds)
def test_routing_treats_each_token_by_itself(seed: int) -> None:
    layers = some_layers(seed, 3)
    alone = [routing(layers[:, [token]])[0] for token in range(layers.shape[1])]
    assert routing(layers) == pytest.approx(np.array(alone), abs=1e-12)


def test_routing_stops_where_nothing_moves() -> None:
    """Equal layers settle in the second round; later rounds would change nothing, and there are none."""
    layers = np.stack([some_layers(0, 1)[0]] * 3)
    assert (routing(layers, rounds=10**9) == routing(layers, rounds=2)).all()


@given(seeds)
def test_routing_ends_on_one_layer(seed: int) -> None:
    """γ grows for ever, so that in the end the densest layer has it all: v = z k / Σ k, along that layer."""
    layers = some_layers(seed, 3, tokens=1)
    pooled = routing(layers, rate=1000.0, rounds=50)
    assert (normalise(pooled) @ layers[:, 0].T).max() == pytest.approx(1.0, abs=1e-9)


def test_one_round_of_routing_by_hand() -> None:
    """Two layers of one token in one dimension, 0 and 1: v = Σ ½ k z / Σ k from their mean, where both k are equal."""
    layers = np.array([[[0.0]], [[1.0]]])
    assert routing(layers, rounds=1) == pytest.approx(np.array([[0.25]]))


@given(seeds, st.integers(1, 7), st.integers(1, 9))
def test_ngrams_by_brute_force(seed: int, size: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    vectors, weights = rng.normal(size=(count, 3)), rng.uniform(size=count)
    sums, masses = ngrams(vectors, weights, size)
    width = min(size, count)
    starts = range(count - width + 1)
    expected = [sum(weights[i] * vectors[i] for i in range(s, s + width)) for s in starts]
    assert sums == pytest.approx(np.array(expected), abs=1e-12)
    assert masses == pytest.approx([weights[s : s + width].sum() for s in starts], abs=1e-12)
