"""Long short-term memory (LSTM), read in both directions, for several networks and several sequences side by side.

    i, f, o = σ(…), g = tanh(…)  of  W x_t + U h_{t-1} + b;    c_t = f c_{t-1} + i g;    h_t = o tanh(c_t)

Hochreiter & Schmidhuber 1997; gates are stored in torch's order i, f, g, o. M members of an ensemble cost little more
than one, since each step is one product for all of them. Sequences stand one behind the other; each step reads the next
place of all that are not over, so that nothing is padded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Recurrence:
    """One layer of M networks. Axis 0 is the direction: forward, backward."""

    read: Array  # [2, M, d, 4 h]
    recall: Array  # [2, M, h, 4 h]
    bias: Array  # [2, M, 1, 4 h]

    @classmethod
    def of(cls, read: Array, recall: Array, bias: Array) -> Recurrence:
        """From torch's matrices [2, M, 4 h, d], [2, M, 4 h, h] and the sum of both biases [2, M, 4 h].

        σ(x) = (1 + tanh(x / 2)) / 2, so with halves stored for the three gates each step needs one tanh for all four.
        """
        half = np.repeat(np.array([0.5, 0.5, 1, 0.5], np.float32), recall.shape[-1])
        rows = half[:, None]
        return cls(
            np.ascontiguousarray((read * rows).swapaxes(2, 3)),
            np.ascontiguousarray((recall * rows).swapaxes(2, 3)),
            (bias * half)[:, :, None],
        )

    def run(self, x: Array, lengths: Sequence[int]) -> Array:
        """[M, n, d] -> [M, n, 2 h] the states at each place, forward ones first; n is the sum of the lengths."""
        size = self.recall.shape[2]
        gates = x @ self.read  # [2, M, n, 4 h]
        gates += self.bias
        states = np.empty((*gates.shape[:3], size), np.float32)
        hidden = cell = np.zeros((*gates.shape[:2], len(lengths), size), np.float32)
        for ahead, behind in _steps(lengths):
            live = len(ahead)
            now = np.stack([gates[0][:, ahead], gates[1][:, behind]]) + hidden[:, :, :live] @ self.recall
            np.tanh(now, out=now)
            opened = (now + 1) * 0.5  # of g this is nonsense, and not used
            kept = opened[..., size : 2 * size] * cell[:, :, :live]
            cell = kept + opened[..., :size] * now[..., 2 * size : 3 * size]
            hidden = opened[..., 3 * size :] * np.tanh(cell)
            states[0][:, ahead], states[1][:, behind] = hidden
        return np.concatenate([states[0], states[1]], axis=2)


def _steps(lengths: Sequence[int]) -> list[tuple[Places, Places]]:
    """The places that each step reads from the front and from the back of all sequences, the longest sequence first."""
    sizes = np.array(lengths, dtype=np.int64)
    starts = np.cumsum(sizes) - sizes
    order = np.argsort(-sizes, kind="stable")
    starts, stops, sizes = starts[order], (starts + sizes)[order], sizes[order]
    longest = int(sizes[0]) if len(sizes) else 0
    live = np.searchsorted(-sizes, -np.arange(longest), side="left")  # sequences longer than t
    return [(starts[:count] + t, stops[:count] - 1 - t) for t, count in enumerate(live.tolist())]
