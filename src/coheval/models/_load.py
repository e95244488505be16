"""What a batch asks of the memory. Sentences are padded to the longest, so one long sentence makes all of them long."""

from __future__ import annotations

from dataclasses import dataclass

VECTOR = 384  # numbers in that of a token, minilm's; where there are more, or several layers, more memory is taken
LONGEST = 4096  # tokens of a sentence, at most
ALONE = 2**19  # places of tokens that a single document may take: 5,000 sentences of 100 tokens


@dataclass(frozen=True, slots=True)
class Load:
    """Some documents: how many, of how many sentences, and the tokens of the longest one."""

    documents: int = 0
    sentences: int = 0
    longest: int = 0

    def __add__(self, other: Load) -> Load:
        longest = max(self.longest, other.longest)
        return Load(self.documents + other.documents, self.sentences + other.sentences, longest)
