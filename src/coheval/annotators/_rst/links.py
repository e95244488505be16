"""How syntax ties a span of EDUs to what is around it.

A word whose head stands in another EDU is a link from its EDU to that one. A clause has one link, to the clause that it
belongs to, and a whole sentence has none; a span with several is seldom a constituent.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coheval.annotators import Annotated

Places = NDArray[np.int64]

MOST = 3  # links in one direction that are told apart from more


def links(annotated: Annotated, starts: Places) -> Places:
    """[x, 2] the EDU of each word whose head stands in another, and the head's; EDUs begin with the words `starts`."""
    assert annotated.heads is not None
    edu = np.searchsorted(starts, np.arange(len(annotated)), side="right") - 1
    found = np.stack([edu, edu[annotated.heads]], axis=1)
    return found[found[:, 0] != found[:, 1]]


def ties(found: Places, places: Places) -> Places:
    """[p, p] for the spans between any two of p places: links to the left of it, and, times MOST + 1, to its right."""
    size = len(places)
    own, other = np.searchsorted(places, found, side="right").T  # 1 … p - 1 within the places, 0 and p outside
    inside = (own > 0) & (own < size)
    sums = np.zeros((size + 1, size + 2), np.int64)
    np.add.at(sums, (own[inside], other[inside] + 1), 1)
    sums = sums.cumsum(axis=0).cumsum(axis=1)  # [a, b] from blocks before or at a to those before b
    first, stop = np.arange(size)[:, None], np.arange(size)[None]
    left = sums[stop, first + 1] - sums[first, first + 1]
    right = sums[stop, -1] - sums[first, -1] - (sums[stop, stop + 1] - sums[first, stop + 1])
    return np.minimum(np.maximum(left, 0), MOST) + (MOST + 1) * np.minimum(np.maximum(right, 0), MOST)
