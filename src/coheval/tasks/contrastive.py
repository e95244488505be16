"""Contrastive sets: right and wrong variants that people or programs have written, read from files.

Does a metric prefer the right one, and does context help it? Vernikos, Thompson, Mathur, Federico (2022),
Embarrassingly Easy Document-Level MT Metrics, ask so of pronouns (ContraPro; Müller et al. 2018) and of pronouns and
words (DiscEvalMT; Bawden et al. 2018). coheval's own JSONL, DiscEvalMT, ContraPro and probes of coherence are
recognised by their content; docs/contrastive.md shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from coheval.data import Document
from coheval.data.contrastive import Surroundings, read_sets
from coheval.data.lines import FilePath
from coheval.errors import UsageError
from coheval.tasks import Instances, Task


@dataclass(frozen=True, kw_only=True)
class Contrastive(Task):
    documents: str | None = None  # a folder with the documents of a set that has no context of its own (ContraPro)
    sentences: int = 2  # of context that are taken from there, before each segment

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.sentences >= 1, f"sentences must be at least 1, got {self.sentences}")

    def instances(self, documents: Sequence[Document], rng: np.random.Generator) -> Instances:
        raise UsageError(
            "contrastive reads ready-made groups and makes none from documents",
            hint="name a file of groups, or choose another task; `coheval list` shows them",
        )

    def read(self, paths: Sequence[FilePath], rng: np.random.Generator) -> Instances:
        return read_sets(paths, Surroundings(Path(self.documents) if self.documents else None, self.sentences))
