"""Alignment of two texts against a loop over tokens, and by hand on two tokens."""

from __future__ import annotations

import math

import numpy as np
import pytest

from coheval.algo.alignment import OVERALL, align, overall, scalars


def units(rng: np.random.Generator, *shape: int) -> np.ndarray:
    x = rng.normal(size=shape).astype(np.float32)
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def test_two_tokens_by_hand() -> None:
    """One layer twice; a = (1, 0), b = (0, 1) beside b alone: a's cosine is 0, b's 1, at the only other token."""
    ours = np.array([[[1, 0], [0, 1]]] * 2, dtype=np.float32)
    theirs = np.array([[[0, 1]]] * 2, dtype=np.float32)
    candidate, reference = align(ours, theirs, np.array([[False], [True]]))
    # best at both layers, ahead of the second (none), shift and its amount, same, same looked at, before, behind, sure
    np.testing.assert_allclose(candidate.numbers[0], [0, 0, 0, 0, 0, 0, 0, 1, 0, 1])
    np.testing.assert_allclose(candidate.numbers[1], [1, 1, 1, 1, 1, 1, 1, 0, 1, 1])
    np.testing.assert_allclose(candidate.distances, [[1, 1], [0, 0]])
    assert candidate.match.tolist() == [0, 0]
    assert reference.match.tolist() == [1]
    sure = 1 / (1 + math.exp(-20))
    np.testing.assert_allclose(reference.numbers[0], [1, 1, 1, -1, 1, 1, sure, 0, 1, sure], atol=1e-6)


def test_against_a_loop() -> None:
    rng = np.random.default_rng(1)
    ours, theirs = units(rng, 6, 5, 8), units(rng, 6, 7, 8)
    same = rng.random((5, 7)) < 0.3
    found, _ = align(ours, theirs, same)
    assert found.numbers.shape == (5, scalars(6))
    for i in range(5):
        cosines = [[float(ours[k, i] @ theirs[k, j]) for j in range(7)] for k in range(6)]
        ranked = sorted(cosines[5], reverse=True)
        match = cosines[5].index(ranked[0])
        shares = np.exp(20 * np.array(cosines[5]))
        shares /= shares.sum()
        seen = sum(shares[j] * theirs[5, j] for j in range(7))
        beside = []
        for step in (-1, 1):
            mine, its = 0 <= i + step < 5, 0 <= match + step < 7
            both = float(ours[1, i + step] @ theirs[1, match + step]) if mine and its else float(not mine and not its)
            beside.append(both)
        shift = i / 4 - match / 6
        expected = [
            *(max(layer) for layer in cosines), ranked[0] - ranked[1], shift, abs(shift), same[i].any(),
            float(shares @ same[i]), *beside, shares.max(),
        ]  # fmt: skip
        np.testing.assert_allclose(found.numbers[i], expected, atol=1e-5)
        np.testing.assert_allclose(found.distances[i], np.abs(ours[5, i] - seen), atol=1e-5)


def test_overall_by_hand() -> None:
    """a b a beside a b: one-grams 2 of 3 and 2 of 2, two-grams 1 of 2 and 1 of 1, none that are longer."""
    ratio = math.log(3 / 2)
    expected = [2 / 3, 1, 1 / 2, 1, 0, 0, 0, 0, ratio, ratio, math.log(2), math.log(3)]
    assert overall("aba", "ab") == pytest.approx(expected)
    assert len(expected) == OVERALL
