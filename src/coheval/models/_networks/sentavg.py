"""SentAvg: an LSTM reads each sentence, a document is the sum of their final states."""

from __future__ import annotations

from torch import Tensor

from coheval.models._networks.classifier import Classifier
from coheval.models._networks.network import FinalState, mask


class SentAvgNetwork(Classifier):
    def __init__(self, width: int, hidden: int, top: int | None = None, *, original: bool = False) -> None:
        super().__init__(hidden, top, original=original)
        self.word = FinalState(width, hidden)
        self.start()

    def documents(
        self, tokens: Tensor, words: Tensor, word_counts: Tensor, sentences: Tensor, sentence_counts: Tensor
    ) -> Tensor:
        states = self.word(tokens, words, word_counts)  # [s, h]
        real = mask(sentence_counts, sentences.shape[1])  # [v, n]
        # In double precision, so that the order of sentences does not even decide the last digit: ties are ties.
        summed: Tensor = (states[sentences] * real[..., None]).double().sum(dim=1).float()  # [v, h]
        return summed
