"""Long short-term memory (LSTM), read in both directions, for several networks side by side.

    i, f, o = σ(…), g = tanh(…)  of  W x_t + U h_{t-1} + b;    c_t = f c_{t-1} + i g;    h_t = o tanh(c_t)

Hochreiter & Schmidhuber 1997; gates are stored in torch's order i, f, g, o. Networks are the first axis of every array:
M members of an ensemble cost little more than one, since each step is one product for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of M networks. Axis 1 is the direction: forward, backward."""

    read: Array  # [M, 2, d, 4 h]
    recall: Array  # [M, 2, h, 4 h]
    bias: Array  # [M, 2, 1, 4 h]

    @classmethod
    def of(cls, read: Array, recall: Array, bias: Array) -> Layer:
        """From torch's matrices [M, 2, 4 h, d], [M, 2, 4 h, h] and the sum of both biases [M, 2, 4 h].

        σ(x) = (1 + tanh(x / 2)) / 2, so with halves stored for the three gates each step needs one tanh for all four.
        """
        half = np.repeat(np.array([0.5, 0.5, 1, 0.5], np.float32), recall.shape[-1])
        rows = half[:, None]
        return cls(
            np.ascontiguousarray((read * rows).swapaxes(2, 3)),
            np.ascontiguousarray((recall * rows).swapaxes(2, 3)),
            (bias * half)[:, :, None],
        )


def run_both_ways(layers: Sequence[Layer], x: Array) -> Array:
    """[M, n, d] -> [M, n, 2 h] the states of the last layer, those of the forward direction first."""
    for layer in layers:
        x = _run(layer, x)
    return x


def _run(layer: Layer, x: Array) -> Array:
    members, length, _ = x.shape
    size = layer.recall.shape[2]
    both = np.stack([x, x[:, ::-1]], axis=1)  # the backward direction reads from the end
    gates = (both @ layer.read + layer.bias).reshape(2 * members, length, 4 * size)
    recall = layer.recall.reshape(2 * members, size, 4 * size)
    states = np.zeros((length, 2 * members, 1, size), np.float32)
    hidden = cell = np.zeros((2 * members, 1, size), np.float32)
    for t in range(length):
        now = np.tanh(gates[:, t, None] + hidden @ recall)
        opened = (now + 1) * 0.5  # of g this is nonsense, and not used
        cell = opened[..., size : 2 * size] * cell + opened[..., :size] * now[..., 2 * size : 3 * size]
        hidden = opened[..., 3 * size :] * np.tanh(cell)
        states[t] = hidden
    by_member = states[:, :, 0].transpose(1, 0, 2).reshape(members, 2, length, size)
    return np.concatenate([by_member[:, 0], by_member[:, 1, ::-1]], axis=2)
