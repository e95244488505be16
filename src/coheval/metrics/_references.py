"""One row from the rows of several references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

from coheval.metrics import Evidence, Row, undefined

Rule = Literal["mean", "max"]


def over_references(rows: Sequence[Row], rule: Rule) -> Row:
    """By mean or by maximum of each number; a mean needs them all."""
    if not rows:
        return undefined("no reference")
    if len(rows) == 1:
        return rows[0]
    defined = [row for row in rows if row.values is not None]
    if not defined or (rule == "mean" and len(defined) < len(rows)):
        return next(row for row in rows if row.values is None)
    values = np.array([row.values for row in defined])  # [references, numbers]
    merged = values.mean(axis=0) if rule == "mean" else values.max(axis=0)
    return Row(tuple(map(float, merged)), evidence=_merge(rows), marks=marks_of(rows))


def marks_of(rows: Iterable[Row]) -> Mapping[str, int]:
    """Those of all rows together."""
    return sum((Counter(row.marks) for row in rows), Counter())


def _merge(rows: Sequence[Row]) -> Evidence | None:
    """Evidence against several references: a list, one entry each; a reason where there is no score."""
    if not any(row.evidence for row in rows):
        return None
    each = [{"kind": "undefined", "reason": row.reason} if row.values is None else row.evidence for row in rows]
    return {"kind": "references", "each": each}
