"""Which tokens Doc-Prism's released program scores: Vernikos et al. (2022), amazon-science/doc-mt-metrics."""

from __future__ import annotations


def scored(total: int, last: int) -> slice:
    """Of `total` tokens, the ones that are averaged where the last sentence alone has `last`, specials included.

    The program counts back from the end by the sentence's length, opening tag and end included, and leaves out the last
    token. So the end is never scored; the tag is, where the sentence stands alone, and in context the separator that
    has its place.
    """
    start = total - last
    return slice(start, start + last - 1)
