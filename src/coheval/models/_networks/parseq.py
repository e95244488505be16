"""ParSeq: an LSTM reads words, another their final states along a paragraph, a third those along the document."""

from __future__ import annotations

import torch
from torch import Tensor

from coheval.models._networks.classifier import Classifier
from coheval.models._networks.network import FinalState


class ParSeqNetwork(Classifier):
    def __init__(self, width: int, hidden: int, top: int | None = None, *, original: bool = False) -> None:
        super().__init__(hidden, top, original=original)
        self.word = FinalState(width, hidden)
        self.sentence = FinalState(hidden, hidden)
        self.paragraph = FinalState(hidden, hidden)
        self.start()

    def documents(
        self, tokens: Tensor, words: Tensor, word_counts: Tensor, sentences: Tensor, sentence_counts: Tensor
    ) -> Tensor:
        """Each sentence is a paragraph of its own, as the released program reads texts whose sentences were moved."""
        alone = torch.arange(words.shape[0])[:, None]  # [s, 1]
        return self.of_paragraphs(
            tokens, words, word_counts, alone, torch.ones_like(word_counts), sentences, sentence_counts
        )

    def of_paragraphs(
        self,
        tokens: Tensor,  # [m, d]
        words: Tensor,  # [s, t] into tokens
        word_counts: Tensor,  # [s]
        sentences: Tensor,  # [p, k] into the s sentences
        sentence_counts: Tensor,  # [p]
        paragraphs: Tensor,  # [v, n] into the p paragraphs
        paragraph_counts: Tensor,  # [v]
    ) -> Tensor:
        of_words = self.word(tokens, words, word_counts)  # [s, h]
        of_sentences = self.sentence(of_words, sentences, sentence_counts)  # [p, h]
        found: Tensor = self.paragraph(of_sentences, paragraphs, paragraph_counts)  # [v, h]
        return found
