"""Documents of any length, read in windows of sentences: linear time, and one local score from each window's middle."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from coheval.algo.windows import Window, windows
from coheval.data.groups import Variant
from coheval.models import Scored

WINDOW = 32  # sentences


def scored_in_windows(score: Callable[[list[Variant]], list[Scored]], documents: Sequence[Variant]) -> list[Scored]:
    """σ of the mean of local scores, each from the window that speaks for the sentence behind it."""
    cut = [windows(len(document), WINDOW) for document in documents]
    pieces = [document[w.start : w.stop] for document, own in zip(documents, cut, strict=True) for w in own]
    found = iter(score(pieces))
    return [_joined([(window, next(found)) for window in own]) for own in cut]


def _joined(found: Sequence[tuple[Window, Scored]]) -> Scored:
    without = next((scored for _, scored in found if scored.local is None), None)
    if without is not None:  # and then it says why
        return without
    local = [
        score
        for window, scored in found
        for score in (scored.local or ())[window.first - window.start : window.last - window.start]
    ]
    *_, (window, scored) = found
    local += (scored.local or ())[window.stop - window.start :]  # behind the last sentence, for models that judge that
    return Scored(float(1 / (1 + np.exp(-np.mean(local)))), local=tuple(local))
