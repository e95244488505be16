"""CohLSTM: the two most similar words of neighbouring sentences, how similar one such pair is to the next, and a CNN.

x_t = (h + h′) / 2 of the pair h of sentence t, h′ of sentence t + 1 whose |h · h′| / H is largest
d_t = |x_t · x_{t+1}| / H
v   = tanh(W maxpool₃(tanh(conv₃(d))) + b), the score is a · v + c
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from coheval.models._networks.network import Arrays, Network

VECTOR = 100  # width of the coherence vector
MARGIN = 1.0


class CohLSTMNetwork(Network):
    def __init__(
        self, width: int, hidden: int, sentences: int, *, original: bool = False, dropout: float = 0.5
    ) -> None:
        super().__init__()
        self.lstm = nn.LSTM(width, hidden, batch_first=True)
        self.conv = nn.Conv1d(1, 1, kernel_size=3, padding=1)
        self.linear_5 = nn.Linear(sentences - 4, VECTOR)
        self.linear = nn.Linear(VECTOR, 1)
        self.dropout = nn.Dropout(dropout)
        self.original, self._evaluated = original, False

    def train(self, mode: bool = True) -> CohLSTMNetwork:
        """The released program evaluates once and never trains with dropout again: `original` does the same."""
        self._evaluated |= not mode
        return super().train(mode and not (self.original and self._evaluated))

    def states(self, tokens: Tensor, words: Tensor, places: Tensor) -> Tensor:
        """The LSTM reads runs of sentences, carrying its state: words [r, w] into tokens [m, d].

        Its states are looked up by places [v, n, t] among the r (w + 1), the last of each run being zero, to give
        [v, n, t, h].
        """
        read, _ = self.lstm(tokens[words])  # [r, w, h]
        zeros = torch.zeros_like(read[:, :1])
        rows = torch.cat([read, zeros], dim=1).flatten(0, 1)  # [r (w + 1), h]
        return rows[places]

    def vectors(self, tokens: Tensor, words: Tensor, places: Tensor) -> Tensor:
        """The coherence vector of each document [v, 100]."""
        states = self.states(tokens, words, places)  # [v, n, t, h]
        hidden, longest = states.shape[3], places.shape[2]
        first, second = states[:, :-1], states[:, 1:]  # [v, n - 1, t, h]
        similar = self.dropout((first @ second.transpose(2, 3) / hidden).abs())  # [v, n - 1, t, t]
        best = similar.flatten(2).argmax(dim=2)  # [v, n - 1]
        row = best // longest
        x = (_looked_up(first, row) + _looked_up(second, best - row * longest)) / 2  # [v, n - 1, h]
        transitions = self.dropout(((x[:, :-1] * x[:, 1:]).sum(dim=2) / hidden).abs())  # [v, n - 2]
        seen = torch.tanh(self.conv(transitions[:, None]))  # [v, 1, n - 2]
        pooled = functional.max_pool1d(seen, kernel_size=3, stride=1)[:, 0]  # [v, n - 4]
        found: Tensor = torch.tanh(self.linear_5(pooled))
        return found

    def forward(self, tokens: Tensor, words: Tensor, places: Tensor) -> Tensor:
        scores: Tensor = self.linear(self.vectors(tokens, words, places))[:, 0]
        return scores

    def loss(self, arrays: Arrays, right: Tensor, wrong: Tensor) -> Tensor:
        scores = self.scores(arrays)
        return functional.relu(scores[wrong] - scores[right] + MARGIN).mean()


def _looked_up(states: Tensor, places: Tensor) -> Tensor:
    """The state [v, n, h] at a place [v, n] of each sentence's states [v, n, t, h]."""
    at = places[..., None, None].expand(-1, -1, 1, states.shape[3])
    return torch.gather(states, 2, at)[:, :, 0]
