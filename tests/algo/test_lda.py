"""Topics: planted ones are found, and proportions are those of scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition import LatentDirichletAllocation

from coheval.algo.lda import proportions, topics


def planted(documents: int, *, seed: int) -> tuple[sp.csr_array, np.ndarray]:
    """Four topics of ten words each; a document has 60 words of one of them and 20 of any."""
    rng = np.random.default_rng(seed)
    about = rng.integers(4, size=documents)
    counts = rng.multinomial(20, np.full(40, 1 / 40), size=documents)
    for n, topic in enumerate(about):
        counts[n, 10 * topic : 10 * topic + 10] += rng.multinomial(60, np.full(10, 1 / 10))
    return sp.csr_array(counts.astype(float)), about


def test_planted_topics_are_found() -> None:
    counts, about = planted(1_500, seed=1)
    weights = topics(counts, 4, np.random.default_rng(2), passes=10)
    words = weights / weights.sum(axis=1, keepdims=True)
    blocks = words.reshape(4, 4, 10).sum(axis=2)  # [topic found, topic planted]
    assert sorted(blocks.argmax(axis=1)) == [0, 1, 2, 3]
    assert blocks.max(axis=1).min() > 0.8
    shares = proportions(counts, weights)
    assert (blocks.argmax(axis=1)[shares.argmax(axis=1)] == about).mean() > 0.99
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def oracle_with(weights: np.ndarray) -> LatentDirichletAllocation:
    """scikit-learn's model with given topics; it stops as ours does."""
    oracle = LatentDirichletAllocation(n_components=len(weights), max_iter=1)
    oracle.fit(np.ones((2, weights.shape[1])))
    oracle.components_ = weights
    expected = [[_psi(x) - _psi(row.sum()) for x in row] for row in weights]
    oracle.exp_dirichlet_component_ = np.exp(np.array(expected))
    return oracle


def test_proportions_are_those_of_scikit_learn() -> None:
    counts, _ = planted(300, seed=3)
    weights = np.random.default_rng(4).gamma(2.0, 1.0, (5, 40))
    np.testing.assert_allclose(proportions(counts, weights), oracle_with(weights).transform(counts), atol=1e-8)


def test_proportions_do_not_depend_on_other_documents() -> None:
    counts, _ = planted(30, seed=9)
    weights = np.random.default_rng(4).gamma(2.0, 1.0, (5, 40))
    alone = [proportions(counts[n : n + 1], weights)[0] for n in range(30)]
    np.testing.assert_allclose(proportions(counts, weights), alone, atol=1e-12)


def test_topics_are_as_likely_as_those_of_scikit_learn() -> None:
    counts, _ = planted(600, seed=5)
    held_out, _ = planted(300, seed=6)
    theirs = LatentDirichletAllocation(n_components=4, learning_method="online", max_iter=10, random_state=0)
    ours = oracle_with(topics(counts, 4, np.random.default_rng(7), passes=20))
    assert ours.perplexity(held_out) < 1.02 * theirs.fit(counts).perplexity(held_out)


def _psi(x: float) -> float:
    """The digamma function: by its recurrence up to 10, then by its asymptotic series."""
    shift = 0.0
    while x < 10:
        shift -= 1 / x
        x += 1
    return float(shift + np.log(x) - 1 / (2 * x) - 1 / (12 * x**2) + 1 / (120 * x**4) - 1 / (252 * x**6))


def test_the_same_generator_gives_the_same_topics() -> None:
    counts, _ = planted(50, seed=8)
    one, same, other = (topics(counts, 3, np.random.default_rng(seed), passes=1) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert not np.allclose(one, other)


def test_a_document_without_words() -> None:
    counts = sp.csr_array(np.array([[0.0, 0.0], [3.0, 1.0]]))
    weights = topics(counts, 4, np.random.default_rng(0), passes=1)
    assert proportions(counts, weights)[0] == pytest.approx([1 / 4] * 4)
