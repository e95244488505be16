"""The classifier on top of SentAvg and ParSeq: a document's vector to the logits of incoherent (0) and coherent (1)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from coheval.models._networks.network import Arrays, Network

TOP = 2  # times as wide as the states below, as 100 and 200 in the released program


class Classifier(Network):
    """Subclasses give a vector for each document."""

    def __init__(self, hidden: int, top: int | None = None, *, original: bool = False) -> None:
        super().__init__()
        self.original = original
        self.hidden_layer = nn.Linear(hidden, top or TOP * hidden)
        self.bn = nn.BatchNorm1d(top or TOP * hidden)
        self.predict_layer = nn.Linear(top or TOP * hidden, 2)

    def start(self) -> None:
        """Xavier weights and biases of zero for the two linear layers."""
        for layer in (self.hidden_layer, self.predict_layer):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)

    def documents(
        self, tokens: Tensor, words: Tensor, word_counts: Tensor, sentences: Tensor, sentence_counts: Tensor
    ) -> Tensor:
        """[v, hidden]"""
        raise NotImplementedError(type(self).__name__)

    def logits(self, documents: Tensor) -> Tensor:
        """[v, hidden] -> [v, 2]"""
        found: Tensor = self.predict_layer(self.bn(torch.relu(self.hidden_layer(documents))))
        return found

    def released(self, logits: Tensor) -> Tensor:
        """What the released program gives: softmax over the documents of a batch [v, 2], where classes were meant."""
        return torch.softmax(logits, dim=0)

    def forward(
        self, tokens: Tensor, words: Tensor, word_counts: Tensor, sentences: Tensor, sentence_counts: Tensor
    ) -> Tensor:
        """[v] The logit of coherent less that of incoherent; the released program ranks documents one at a time."""
        logits = self.logits(self.documents(tokens, words, word_counts, sentences, sentence_counts))
        if self.original:
            return torch.softmax(logits[None], dim=0)[0, :, 1]  # a batch for each document: always 1
        return logits[:, 1] - logits[:, 0]

    def loss(self, arrays: Arrays, right: Tensor, wrong: Tensor) -> Tensor:
        logits = self.logits(self.documents(**arrays))  # [v, 2]
        seen = self.released(logits) if self.original else logits
        labels = torch.cat([torch.ones_like(right), torch.zeros_like(wrong)])
        return functional.cross_entropy(seen[torch.cat([right, wrong])], labels)
