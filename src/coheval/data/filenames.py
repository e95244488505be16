"""Names of files for what is kept: enough to tell them apart, and nothing of where they lie on one machine."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path


def short_names(paths: Sequence[str]) -> list[str]:
    """The name of each file, with as many of its folders as tell it from the others."""
    parts = [Path(os.path.abspath(path)).parts for path in paths]
    different = set(parts)
    found: dict[tuple[str, ...], str] = {}
    for length in range(1, max(map(len, different), default=0) + 1):
        ends = Counter(one[-length:] for one in different)
        for one in different:
            if ends[one[-length:]] == 1:
                found.setdefault(one, Path(*one[-length:]).as_posix())
    return [found[one] for one in parts]


def with_short_names(files: Mapping[str, str]) -> dict[str, str]:
    """What is known of files, by their short names."""
    return dict(zip(short_names(list(files)), files.values(), strict=True))
