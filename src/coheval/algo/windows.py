"""Which overlapping windows read a sequence that is too long, and which of them speaks for each token."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Window:
    start: int  # the window reads tokens start..stop
    stop: int
    first: int  # and speaks for tokens first..last
    last: int


def windows(length: int, width: int) -> list[Window]:
    """Windows of `width` tokens that overlap by at least a quarter; each token goes to the one where it stands furthest
    from an edge that cuts its context."""
    if length <= width:
        return [Window(0, length, 0, length)]
    stride = max(1, width - width // 4)
    starts = [*range(0, length - width, stride), length - width]  # the last one ends where the text ends
    borders = [0, *((left + width + right) // 2 for left, right in zip(starts, starts[1:], strict=False)), length]
    return [Window(s, s + width, a, b) for s, a, b in zip(starts, borders, borders[1:], strict=False)]
