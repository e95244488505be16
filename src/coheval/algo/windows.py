"""What a model with a window reads: overlapping windows of a long text, and as much of its context as fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Window:
    start: int  # the window reads tokens start..stop
    stop: int
    first: int  # and speaks for tokens first..last
    last: int


def windows(length: int, width: int) -> list[Window]:
    """Windows of `width` tokens that overlap by a quarter (rounded down) or more; each token goes to the one where it
    stands furthest from the nearer edge."""
    if length <= width:
        return [Window(0, length, 0, length)]
    stride = max(1, width - width // 4)
    starts = [*range(0, length - width, stride), length - width]  # the last one ends where the text ends
    borders = [0, *((left + width + right) // 2 for left, right in pairwise(starts)), length]
    return [Window(start, start + width, *share) for start, share in zip(starts, pairwise(borders), strict=True)]


def left_out(own: int, before: Sequence[int], after: Sequence[int], width: int) -> tuple[int, int]:
    """How many sentences of context must go, from the beginning and from the end, so that a text of `own` tokens and
    what stays of its context, given by their numbers of tokens, fit into `width`.

    The oldest go first, then the latest; the text itself never goes, even where it does not fit alone.
    """
    size = own + sum(before) + sum(after)
    oldest = latest = 0
    while size > width and oldest < len(before):
        size -= before[oldest]
        oldest += 1
    while size > width and latest < len(after):
        latest += 1
        size -= after[-latest]
    return oldest, latest
