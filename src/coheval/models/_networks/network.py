"""What training wants of a network: scores of variants, and a loss over pairs of a right and a wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

Arrays = dict[str, Tensor]  # by name, as `forward` takes them


class Network(nn.Module):
    if TYPE_CHECKING:

        def __call__(self, **arrays: Tensor) -> Tensor | tuple[Tensor, ...]: ...

    def scores(self, arrays: Arrays) -> Tensor:
        """[v] The first, or only, output of `forward`."""
        found = self(**arrays)
        return found if isinstance(found, Tensor) else found[0]

    def loss(self, arrays: Arrays, right: Tensor, wrong: Tensor) -> Tensor:
        """Of pairs: row right[p] of the variants is better than row wrong[p]."""
        raise NotImplementedError(type(self).__name__)


class FinalState(nn.Module):
    """The state of an LSTM behind the last real vector of each row; backwards, behind the first."""

    def __init__(self, width: int, hidden: int, *, backwards: bool = False) -> None:
        super().__init__()
        self.lstm = nn.LSTM(width, hidden, batch_first=True)
        self.backwards = backwards

    def forward(self, vectors: Tensor, rows: Tensor, counts: Tensor) -> Tensor:
        """Rows [r, t] of places among vectors [m, d], of which counts [r] are real -> [r, hidden]."""
        steps = torch.arange(rows.shape[1])
        if self.backwards:
            steps = torch.clamp(counts[:, None] - 1 - steps, min=0)  # [r, t]
            rows = torch.gather(rows, 1, steps)
        read = vectors[rows]  # [r, t, d]
        if torch.compiler.is_exporting():  # a graph cannot pack: it reads on, and the right state is looked up
            states, _ = self.lstm(read)  # [r, t, h]
            found: Tensor = states[torch.arange(states.shape[0]), counts - 1]
            return found
        packed = nn.utils.rnn.pack_padded_sequence(read, counts, batch_first=True, enforce_sorted=False)
        _, (last, _) = self.lstm(packed)
        final: Tensor = last[0]
        return final


def mask(counts: Tensor, length: int) -> Tensor:
    """[r, length] True at the first counts[r] places."""
    return torch.arange(length) < counts[:, None]
