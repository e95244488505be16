"""Continuation: how naturally each sentence goes on, from what a language model makes of it.

    local_i = a · x_i + MLP(x_i),  x_i the normalised vector of sentence i behind those before it
    score = mean of all local_i

The loss asks that the right variant of a document scores higher than a wrong one.
"""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional

from coheval.models._networks.network import Arrays, Network, mask

SHARPNESS = 5.0  # of the comparison of two documents, whose scores are means and so lie close together
EDGE = 1e-3  # added to variances: some dimensions hardly ever change


class ContinuationNetwork(Network):
    def __init__(self, width: int, hidden: int, *, dropout: float = 0.4) -> None:
        super().__init__()
        self.normal = nn.BatchNorm1d(width, eps=EDGE, affine=False)
        self.plain = nn.Linear(width, 1)
        self.deep = nn.Sequential(
            nn.Dropout(dropout), nn.Linear(width, hidden), nn.ReLU(), nn.Dropout(dropout), nn.Linear(hidden, 1)
        )

    def forward(self, vectors: Tensor, sentences: Tensor, sentence_counts: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors [s, d], documents [v, n] as places among them -> scores [v], local scores [v, n]."""
        x = self.normal(vectors)
        local = (self.plain(x) + self.deep(x))[:, 0][sentences]
        real = mask(sentence_counts, local.shape[1])
        return (local * real).sum(dim=1) / sentence_counts, local * real

    def loss(self, arrays: Arrays, right: Tensor, wrong: Tensor) -> Tensor:
        scores, _ = self(**arrays)
        return functional.softplus(SHARPNESS * (scores[wrong] - scores[right])).mean()
