"""Which overlapping windows read a sequence that is too long, and which of them speaks for each token."""

from __future__ import annotations

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
