"""Judgements as commands are told where they are."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coheval.data.datasets import Dataset
    from coheval.data.judgements import Judgements


@dataclass(frozen=True)
class Reader:
    """Reads judgements, and texts that come with them."""

    part: str | None
    aspects: list[str] | None
    raters: str | None
    lower_is_better: tuple[str, ...]

    def judgements(self, path: str) -> Judgements:
        from coheval.data.judged import read_judgements

        dataset = self._dataset(path)
        if dataset is not None:
            return dataset.judgements()
        return read_judgements(
            path, aspects=self.aspects, pair=self.part, raters=self.raters, lower_is_better=self.lower_is_better
        )

    def _dataset(self, path: str) -> Dataset | None:
        from coheval.data.datasets import find

        return find(path, self.part) if os.path.isdir(path) else None
