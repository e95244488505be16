"""UNC: local scores at each sentence from what it and the next two have to do with each other, and the whole document.

    f_t = bilinear(s_t, s_{t+1}),  g = mean of the document after six lightweight convolutions
    score at t = w · [f_t; f_{t+1}; g] + b, the document's is the sum over t

`original` counts padding: convolutions and mean see it, so that g depends on the batch. It scores the positions
t < n − 2, which is none where n = 2, and all but the last of the batch where n = 1. Repaired, padding is neither seen
nor counted, and a document of two sentences has the one position t = 0, with zeros for the f_{t+1} that it has not.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from coheval.models._networks.network import Arrays, FinalState, Network, mask

KERNEL, LEFT, RIGHT = 5, 3, 1  # of a convolution, and the zeros on either side
BLOCKS = 3  # of two convolutions each
MARGIN = 5.0


class LightConv(nn.Module):
    """A lightweight convolution: the channels of a head share a kernel, whose weights sum to one."""

    def __init__(self, heads: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(nn.init.xavier_uniform_(torch.empty(heads, 1, KERNEL)))

    def forward(self, x: Tensor) -> Tensor:
        """[v, c, n] -> [v, c, n]"""
        channels, heads = x.shape[1], self.weight.shape[0]
        kernels = torch.softmax(self.weight, dim=2).repeat_interleave(channels // heads, dim=0)  # [c, 1, 5]
        return functional.conv1d(functional.pad(x, (LEFT, RIGHT)), kernels, groups=channels)


class UNCNetwork(Network):
    def __init__(self, width: int, hidden: int, *, features: int = 32, heads: int = 16, original: bool = False) -> None:
        super().__init__()
        self.original = original
        self.ahead = FinalState(width, hidden)
        self.back = FinalState(width, hidden, backwards=True)
        self.convs = nn.ModuleList([LightConv(heads) for _ in range(2 * BLOCKS)])
        self.bilinear = nn.Bilinear(2 * hidden, 2 * hidden, features)
        self.scorer = nn.Linear(2 * features + 2 * hidden, 1)

    def sentences(self, tokens: Tensor, words: Tensor, word_counts: Tensor) -> Tensor:
        """[s, 2h] Final states of both directions."""
        return torch.cat([self.ahead(tokens, words, word_counts), self.back(tokens, words, word_counts)], dim=1)

    def whole(self, x: Tensor, counts: Tensor) -> Tensor:
        """[v, n, c] -> [v, c]: what a document is about."""
        real = torch.ones_like(x[:, None, :, 0]) if self.original else mask(counts, x.shape[1])[:, None].float()
        x = x.transpose(1, 2) * real  # [v, c, n]
        for block in range(BLOCKS):
            inner = torch.relu(self.convs[2 * block](x)) * real
            x = torch.relu(x + self.convs[2 * block + 1](inner)) * real
        return x.sum(dim=2) / real.sum(dim=2)

    def local_features(self, states: Tensor, sentences: Tensor, counts: Tensor) -> Tensor:
        """Sentences [v, n] among states [s, c] -> [v, n, 2k]: each with the next, and the next with the one behind it.

        At the end of an array the last sentence, and its features, stand for the next ones. The states go through the
        large half of the bilinear map once, however many variants have a sentence.
        """
        features, width, _ = self.bilinear.weight.shape
        halves = states @ self.bilinear.weight.permute(1, 0, 2).flatten(1)  # [s, k c]
        halves = halves.view(-1, features, width)
        following = states[_next(sentences)][..., None]  # [v, n, c, 1]
        own = (halves[sentences] @ following)[..., 0] + self.bilinear.bias  # [v, n, k]
        next_own = _next(own)
        if not self.original:
            next_own = next_own * mask(counts - 2, sentences.shape[1])[..., None]
        return torch.cat([own, next_own], dim=2)

    def positions(self, counts: Tensor, length: int) -> Tensor:
        """[v, n] True where a score counts."""
        if self.original:
            return mask(torch.where(counts == 1, torch.full_like(counts, length) - 1, counts - 2), length)
        return mask(torch.clamp(counts - 2, min=1), length)

    def local_scores(self, features: Tensor, whole: Tensor, counts: Tensor) -> Tensor:
        """[v, n], 0 where none counts."""
        around = whole[:, None].expand(-1, features.shape[1], -1)
        scores = self.scorer(torch.cat([features, around], dim=2))[..., 0]
        found: Tensor = scores * self.positions(counts, features.shape[1])
        return found

    def read(self, states: Tensor, sentences: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
        """Sentences [v, n] among states [s, c] -> local features [v, n, 2k] and local scores [v, n]."""
        features = self.local_features(states, sentences, counts)
        return features, self.local_scores(features, self.whole(states[sentences], counts), counts)

    def forward(
        self, tokens: Tensor, words: Tensor, word_counts: Tensor, sentences: Tensor, sentence_counts: Tensor
    ) -> Tensor:
        states = self.sentences(tokens, words, word_counts)  # [s, c]
        return self.read(states, sentences, sentence_counts)[1].sum(dim=1)

    def loss(self, arrays: Arrays, right: Tensor, wrong: Tensor) -> Tensor:
        counts = arrays["sentence_counts"]
        states = self.sentences(arrays["tokens"], arrays["words"], arrays["word_counts"])
        features, scores = self.read(states, arrays["sentences"], counts)
        differs = different(features[right], features[wrong])  # [p, n]
        length = scores.shape[1]
        counted = self.positions(counts[right], length) | self.positions(counts[wrong], length)
        return ranking_loss(scores[right], scores[wrong], differs, None if self.original else counted)


def different(right: Tensor, wrong: Tensor) -> Tensor:
    """[p, n] 1 where the means of local features [p, n, k] differ, so that there is something to learn."""
    return (right.mean(dim=2) != wrong.mean(dim=2)).float()


def ranking_loss(right: Tensor, wrong: Tensor, differs: Tensor, counted: Tensor | None = None) -> Tensor:
    """The margin loss over positions [p, n]: the mean over all of them, or over those that are counted and differ."""
    losses = torch.relu(differs * (wrong - right) + MARGIN * differs)
    if counted is None:
        return losses.mean()
    seen = differs * counted
    return (losses * seen).sum() / torch.clamp(seen.sum(), min=1)


def _next(x: Tensor) -> Tensor:
    """[v, n, …] one place ahead, the last one repeated."""
    return torch.cat([x[:, 1:], x[:, -1:]], dim=1)
