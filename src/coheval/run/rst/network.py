"""The network of the discourse parser in torch, for training; `annotators._rst.network` explains it and runs it.

Weights have the same names and the same meaning in both, which a test checks.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from coheval.algo.treechart import all_trees
from coheval.annotators._rst.network import EXTENTS, KINDS, OFFSETS, SIZES
from coheval.annotators._rst.reading import CATEGORIES, MARKS


class TorchNetwork(nn.Module):
    offsets: Tensor  # of each category's rows in the table of all
    sizes: Tensor

    def __init__(
        self, vector: int, labels: int, *, inputs: int, hidden: int, span: int, label: int, dropout: float
    ) -> None:
        """`vector` is how long a word's vector is."""
        super().__init__()
        self.read = nn.Linear(vector + MARKS, inputs)
        self.categories = nn.Embedding(sum(CATEGORIES), inputs)
        self.words = nn.LSTM(inputs, hidden, bidirectional=True, batch_first=True)
        self.border = nn.Linear(2 * hidden, 3)
        self.unit = nn.Linear(4 * hidden + inputs, 2 * hidden)
        self.kind = nn.Embedding(KINDS, 16)
        self.units = nn.LSTM(2 * hidden + 16, hidden, bidirectional=True, batch_first=True)
        self.between = nn.Linear(2 * hidden, span)
        self.opening = nn.Linear(4 * hidden, span, bias=False)
        self.closing = nn.Linear(4 * hidden, span, bias=False)
        self.extent = nn.Embedding(sum(EXTENTS), span)
        self.pair = nn.Linear(span, span, bias=False)
        self.alone = nn.Linear(span, 3)
        self.edges = nn.Linear(4 * hidden, 4 * label, bias=False)
        self.left = nn.Linear(span, label)
        self.right = nn.Linear(span, label, bias=False)
        self.whole = nn.Linear(span, label, bias=False)
        self.borders = nn.Embedding(KINDS**3, label)
        self.label = nn.Linear(label, labels)
        self.drop = nn.Dropout(dropout)
        for table in (self.categories, self.extent, self.borders):
            nn.init.normal_(table.weight, std=0.1)
        offsets = torch.tensor((0, *CATEGORIES)).cumsum(0)[:-1]
        self.register_buffer("offsets", offsets, persistent=False)
        self.register_buffer("sizes", torch.tensor(SIZES), persistent=False)

    def read_words(self, vectors: Tensor, marks: Tensor, categories: Tensor, lines: list[int]) -> tuple[Tensor, Tensor]:
        """[n, …] -> [n, inputs], [n, 2 hidden]: what comes in of each word, and its state in its line."""
        if self.training:  # unseen categories, which number 0 stands for, must be seen too
            categories = categories * (torch.rand(categories.shape) > 0.15)
        inputs = self.read(torch.cat([self.drop(vectors), marks], 1))
        inputs = self.drop(torch.relu(inputs + self.categories(categories + self.offsets).sum(1)))
        packed = nn.utils.rnn.pack_sequence(inputs.split(lines), enforce_sorted=False)
        states, _ = nn.utils.rnn.pad_packed_sequence(self.words(packed)[0], batch_first=True)
        return inputs, self.drop(torch.cat([row[:size] for row, size in zip(states, lines, strict=True)]))

    def spans(self, inputs: Tensor, states: Tensor, starts: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
        """[m + 1, m + 1, span] of the spans between any two borders of m EDUs; [m, 4 label] EDUs at their edges."""
        stops = torch.cat([starts[1:], torch.tensor([len(inputs)])])
        sums = torch.cat([inputs.new_zeros(1, inputs.shape[1]), inputs.cumsum(0)])
        means = (sums[stops] - sums[starts]) / (stops - starts)[:, None]
        edus = self.drop(torch.relu(self.unit(torch.cat([states[starts], states[stops - 1], means], 1))))
        context = self.drop(self.units(torch.cat([edus, self.kind(kinds[:-1])], 1)[None])[0][0])
        half = context.shape[1] // 2
        between = torch.cat([_padded(context[:, :half], last=False), -_padded(context[:, half:], last=True)], 1)
        between = between @ self.between.weight.T
        both = torch.cat([edus, context], 1)
        opening = _padded(self.opening(both), last=True) - between + self.between.bias
        closing = _padded(self.closing(both), last=False) + between
        spans = opening[:, None] + closing[None]
        for offset, number in zip(OFFSETS, self._extents(kinds), strict=True):
            spans += self.extent(offset + number)
        return torch.relu(spans), self.edges(both)

    def _extents(self, kinds: Tensor) -> list[Tensor]:
        """Of each span: its EDUs, sentence and line ends within it, by size, and the kinds of its ends."""
        places = torch.arange(len(kinds))
        counts = [places[None] - places[:, None]]
        for least in (1, 2):
            begun = (kinds >= least).long().cumsum(0)
            counts.append(begun[(places - 1).clamp(min=0)][None] - begun[:, None])
        sizes = [torch.bucketize(count, self.sizes, right=True) for count in counts]
        return [*sizes, kinds[:, None] * KINDS + kinds[None]]

    def nodes(self, spans: Tensor) -> Tensor:
        """[m + 1, m + 1, m + 1] the score of each node, at [k, i, j]."""
        scores: Tensor = torch.bmm(self.pair(spans).transpose(0, 1), spans.transpose(1, 2)) / spans.shape[2] ** 0.5
        left, right, whole = self.alone(spans).unbind(2)
        scores += left.T[:, :, None] + right[:, None] + whole[None]
        return scores

    def labels(self, spans: Tensor, edges: Tensor, kinds: Tensor, i: Tensor, k: Tensor, j: Tensor) -> Tensor:
        """[nodes, labels] scores."""
        size = len(spans)
        wanted = torch.cat([i * size + k, k * size + j, i * size + j])  # at once: each look-up costs a whole gradient
        left, right, whole = self.drop(spans.reshape(size * size, -1).index_select(0, wanted)).chunk(3)
        hidden = self.left(left) + self.right(right) + self.whole(whole)
        hidden = hidden + self.borders((kinds[i] * KINDS + kinds[k]) * KINDS + kinds[j])
        opens, ends, goes_on, closes = edges.chunk(4, 1)
        hidden = hidden + opens[i] + ends[k - 1] + goes_on[k] + closes[j - 1]
        scores: Tensor = self.label(self.drop(torch.relu(hidden)))
        return scores


class LogTotal(torch.autograd.Function):
    """ln Σ exp(score) over all trees; its derivatives are the probabilities of nodes."""

    @staticmethod
    def forward(ctx, scores: Tensor) -> Tensor:  # type: ignore[no-untyped-def]
        trees = all_trees(scores.detach().numpy())
        ctx.save_for_backward(torch.from_numpy(trees.nodes))
        return scores.new_tensor(trees.log_total)

    @staticmethod
    def backward(ctx, gradient: Tensor) -> Tensor:  # type: ignore[no-untyped-def]
        (nodes,) = ctx.saved_tensors
        found: Tensor = gradient * nodes
        return found


def _padded(values: Tensor, *, last: bool) -> Tensor:
    """A row of zeros in front or behind."""
    row = values.new_zeros(1, values.shape[1])
    return torch.cat([values, row] if last else [row, values])
