"""LSTM by hand for one step, and against torch for sequences of unequal lengths."""

from __future__ import annotations

import math

import numpy as np
import pytest

from coheval.algo.recurrent import Recurrence


def test_one_step_by_hand() -> None:
    """One network of one unit, one input 2, weights 1 for i, f, g, o: every gate sees 2, there is nothing to recall."""
    ones, nothing = np.ones((2, 1, 4, 1), np.float32), np.zeros((2, 1, 4), np.float32)
    states = Recurrence.of(ones, ones, nothing).run(np.full((1, 1, 1), 2, np.float32), [1])
    gate = 1 / (1 + math.exp(-2))
    expected = gate * math.tanh(gate * math.tanh(2))
    np.testing.assert_allclose(states, [[[expected, expected]]], rtol=1e-6)


@pytest.mark.parametrize("lengths", [[1], [5], [3, 1, 7, 7, 2], [2] * 6])
def test_equals_torch(lengths: list[int]) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra torch")
    torch.manual_seed(1)
    networks = [torch.nn.LSTM(5, 4, bidirectional=True, batch_first=True) for _ in range(3)]

    def weights(part: str) -> np.ndarray:
        ends = ("_l0", "_l0_reverse")
        return np.stack([[getattr(net, part + end).detach().numpy() for net in networks] for end in ends])

    recurrence = Recurrence.of(weights("weight_ih"), weights("weight_hh"), weights("bias_ih") + weights("bias_hh"))
    x = np.random.default_rng(1).normal(size=(3, sum(lengths), 5)).astype(np.float32)
    found = recurrence.run(x, lengths)
    for member, net in enumerate(networks):
        parts = np.split(x[member], np.cumsum(lengths)[:-1])
        expected = np.concatenate([net(torch.from_numpy(part[None]))[0][0].detach().numpy() for part in parts])
        np.testing.assert_allclose(found[member], expected, atol=1e-6)


def test_no_sequence_no_state() -> None:
    ones = np.ones((2, 1, 4, 1), np.float32)
    assert Recurrence.of(ones, ones, np.zeros((2, 1, 4), np.float32)).run(np.zeros((1, 0, 1), np.float32), []).size == 0
