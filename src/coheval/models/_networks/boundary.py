"""Boundary: how natural it is that one sentence follows another, at each place of a document.

    x_i = ReLU(W · normalised vector of sentence i)
    f_i, b_i = states of a GRU that has read sentences 1…i, and n…i
    local_t = MLP([f_{t-1}; b_t; f_{t-1}·b_t; |f_{t-1} − b_t|; x_{t-1}·x_t; |x_{t-1} − x_t|]),  t = 1…n+1
    score = mean of all local_t

Before the first and behind the last sentence stands a learnt vector. The loss asks two things: that the right variant
of a document scores higher than a wrong one, and that a boundary is told natural where both of its sentences also meet
in the right variant, unnatural where they do not.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from coheval.models._networks.network import Arrays, Network, mask

SHARPNESS = 5.0  # of the comparison of two documents, whose scores are means and so lie close together
EDGE = 1e-3  # added to variances: some dimensions of an encoder never change


class BoundaryNetwork(Network):
    def __init__(self, width: int, hidden: int, *, dropout: float = 0.1) -> None:
        super().__init__()
        self.hidden = hidden
        self.normal = nn.BatchNorm1d(width, eps=EDGE, affine=False)
        self.dropout = nn.Dropout(dropout)
        self.narrow = nn.Linear(width, 2 * hidden)
        self.edge = nn.Parameter(torch.zeros(2 * hidden))
        self.ahead = nn.GRU(2 * hidden, hidden, batch_first=True)
        self.back = nn.GRU(2 * hidden, hidden, batch_first=True)
        self.meet = nn.Sequential(nn.Linear(8 * hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, vectors: Tensor, sentences: Tensor, sentence_counts: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors [s, d], documents [v, n] as places among them -> scores [v], local scores [v, n + 1]."""
        local = self.local(vectors, sentences, sentence_counts)
        real = mask(sentence_counts + 1, local.shape[1])
        return (local * real).sum(dim=1) / (sentence_counts + 1), local * real

    def local(self, vectors: Tensor, sentences: Tensor, counts: Tensor) -> Tensor:
        """[v, n + 1], also of boundaries that a document has not."""
        x = torch.relu(self.narrow(self.dropout(self.normal(vectors))))[sentences]  # [v, n, 2h]
        real = mask(counts, x.shape[1])
        ahead = _states(self.ahead, x)  # [v, n, h]
        turned = backwards(counts, x.shape[1])  # [v, n]
        back = _taken(_states(self.back, _taken(x, turned)), turned) * real[..., None]  # [v, n, h]
        edge = self.edge.expand(x.shape[0], 1, -1)
        nothing = torch.zeros_like(ahead[:, :1])
        left, right = torch.cat([edge, x], dim=1), torch.cat([torch.where(real[..., None], x, self.edge), edge], dim=1)
        before, behind = torch.cat([nothing, ahead], dim=1), torch.cat([back, nothing], dim=1)  # [v, n + 1, …]
        pairs = [before, behind, before * behind, (before - behind).abs(), left * right, (left - right).abs()]
        found: Tensor = self.meet(torch.cat(pairs, dim=2))[..., 0]
        return found

    def loss(self, arrays: Arrays, right: Tensor, wrong: Tensor) -> Tensor:
        sentences, counts = arrays["sentences"], arrays["sentence_counts"]
        scores, local = self(**arrays)
        ranking = functional.softplus(SHARPNESS * (scores[wrong] - scores[right])).mean()
        compared = torch.cat([right, wrong])
        natural = also_in(sentences[compared], counts[compared], sentences[right.repeat(2)], counts[right.repeat(2)])
        real = mask(counts[compared] + 1, local.shape[1]).float()
        told = functional.binary_cross_entropy_with_logits(local[compared], natural.float(), reduction="none")
        return ranking + (told * real).sum() / real.sum()


def _states(gru: nn.GRU, x: Tensor) -> Tensor:
    """[v, n, h] behind each sentence."""
    if not torch.compiler.is_exporting():
        found: Tensor = gru(x)[0]
        return found
    # Where the exporter meets torch's GRU, it takes the number of sentences that it sees for a law: ONNX has its own.
    of_x, of_h, bias_x, bias_h = map(_gates, gru.all_weights[0])
    states = torch.onnx.ops.symbolic(
        "GRU",
        [x.transpose(0, 1), of_x, of_h, torch.cat([bias_x, bias_h], dim=1)],
        {"hidden_size": gru.hidden_size, "linear_before_reset": 1},
        dtype=x.dtype,
        shape=(x.shape[1], 1, x.shape[0], gru.hidden_size),
    )
    return states[:, 0].transpose(0, 1)


def _gates(weights: Tensor) -> Tensor:
    """[1, 3h, …] in the order of ONNX."""
    h = len(weights) // 3
    return torch.cat([weights[h : 2 * h], weights[:h], weights[2 * h :]])[None]


def backwards(counts: Tensor, length: int) -> Tensor:
    """[v, length] Places from a document's last sentence to its first; padding stays behind."""
    places = torch.arange(length)
    return torch.where(mask(counts, length), counts[:, None] - 1 - places, places)


def also_in(documents: Tensor, counts: Tensor, others: Tensor, other_counts: Tensor) -> Tensor:
    """[p, n + 1] True where the two sentences at a boundary of documents [p, n] meet in the others, too."""
    own, theirs = _meetings(documents, counts), _meetings(others, other_counts)
    return (own[:, :, None] == theirs[:, None, :]).any(dim=2)


def _meetings(documents: Tensor, counts: Tensor) -> Tensor:
    """[p, n + 1] A number for the sentences at each boundary; none stands beside the first and the last."""
    one_more = documents + 1  # 0 is no sentence
    real = torch.where(mask(counts, documents.shape[1]), one_more, 0)
    nothing = torch.zeros_like(real[:, :1])
    left, right = torch.cat([nothing, one_more], dim=1), torch.cat([real, nothing], dim=1)
    # Behind a document's end there is no boundary, and so a number that no two sentences have.
    found = left * (int(one_more.max()) + 1) + right
    return torch.where(mask(counts + 1, found.shape[1]), found, -1)


def _taken(x: Tensor, places: Tensor) -> Tensor:
    """[v, n, d] at places [v, n]"""
    return torch.gather(x, 1, places[..., None].expand(-1, -1, x.shape[2]))
