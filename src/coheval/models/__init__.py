"""The contract of a coherence model: the sentences of documents in, a score for each document out.

A model reads frozen vectors, an encoder's or a language model's, is trained with torch (`coheval train coherence`) and
kept as one ONNX file, which scores without it. A higher score is a text that hangs together better; scores of one model
are comparable with each other and with nothing else. `_trained.py` has what models that are trained share: a new one
adds a network in `_networks`, and a file that lays batches out for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from coheval.data.groups import Variant
from coheval.encoders import Encoder
from coheval.spec import Component, build


@dataclass(frozen=True, slots=True)
class Scored:
    """A document's score, or why it has none; `local` are the scores of its parts, for models that have such."""

    value: float | None
    reason: str | None = None
    local: tuple[float, ...] | None = None  # at each sentence, and of some models behind the last


@dataclass(frozen=True, kw_only=True)
class CoherenceModel(Component):
    group: ClassVar[str] = "models"
    range: ClassVar[tuple[float, float]] = (-math.inf, math.inf)  # of scores

    def reads(self) -> dict[Encoder, tuple[int, ...]]:
        """The encoder it uses and the layers it takes, so that a run can share it."""
        raise NotImplementedError(type(self).__name__)

    def ready(self) -> None:
        """Told here is what keeps it from working, such as a file that is missing: a run asks before it scores."""

    def score(self, documents: Sequence[Variant], *, reader: Encoder | None = None) -> list[Scored]:
        """Each document's score, given its sentences, in order. `reader` stands in for the encoder, if given."""
        raise NotImplementedError(type(self).__name__)


def model(text: str | CoherenceModel) -> CoherenceModel:
    """The model that a spec or a signature names."""
    return text if isinstance(text, CoherenceModel) else build(CoherenceModel, text)
