"""References that stand in several files or columns, where a segment may have fewer of them than others."""

from __future__ import annotations

from collections.abc import Sequence


def present(texts: Sequence[str]) -> tuple[str | None, ...]:
    """Of several references side by side, a blank one is missing: None keeps its place.

    A file or column cannot leave a line out, so an empty line is how people say that this segment has no such
    reference. Where all are blank the first is kept as an empty text: a segment with an empty reference differs from
    one without any. A single reference is always taken as it is.
    """
    kept = tuple(text if text.strip() else None for text in texts)
    return kept if any(text is not None for text in kept) else tuple(texts[:1])
