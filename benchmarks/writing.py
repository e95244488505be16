"""Markdown of docs/results.md: prose, tables, numbers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from coheval.run.agreement import Agreed, Agreement

NOTHING = "–"
ABSOLUTE = "mean \\|τ\\|"


def section(title: str, text: str) -> Iterator[str]:
    yield title
    yield ""
    yield from prose(text)


def prose(text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, 118, break_long_words=False, break_on_hyphens=False)
    yield ""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, left: Sequence[str] = ()) -> Iterator[str]:
    """A table whose first column is text, and so are those named in `left`; the others are figures."""
    yield _line(heads)
    yield "|" + "|".join("---" if n == 0 or head in left else "---:" for n, head in enumerate(heads)) + "|"
    yield from (_line(row) for row in rows)
    yield ""


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def code(name: str) -> str:
    return f"`{name}`"


def listed(found: Iterable[str]) -> str:
    return ", ".join(found) or "none"


def figure(value: float | None, *, percent: bool = False, plus: bool = False) -> str:
    """A correlation with three digits, or × 100 with one; a dash where there is none."""
    if value is None:
        return NOTHING
    number = f"{100 * value:{'+' if plus else ''}.1f}" if percent else f"{value:{'+' if plus else ''}.3f}"
    return number.replace("-", "", 1) if float(number) == 0 else number  # −0.0 is 0


def strong(value: float | None, *, percent: bool = False) -> str:
    return f"**{figure(value, percent=percent)}**"


def interval(row: Agreed, *, percent: bool = False) -> str:
    return between(row.low, row.high, percent=percent)


def between(low: float | None, high: float | None, *, percent: bool = False, plus: bool = False) -> str:
    ends = [figure(end, percent=percent, plus=plus) for end in (low, high)]
    return NOTHING if NOTHING in ends else " to ".join(ends)


def by_aspect(agreement: Agreement, metric: str, *, percent: bool = False) -> list[str]:
    """A metric's value in each aspect, their mean, and its interval."""
    *each, mean = (agreement.row(metric, aspect) for aspect in agreement.aspects)
    return [*(figure(r.value, percent=percent) for r in each), *mean_of(mean, percent=percent)]


def mean_of(row: Agreed, *, percent: bool = False) -> list[str]:
    return [strong(row.value, percent=percent), interval(row, percent=percent)]


class Gap(NamedTuple):
    """How much more the first of two metrics agrees with people, by paired bootstrap."""

    value: float | None
    low: float | None
    high: float | None
    p: float | None

    def shown(self, *, percent: bool = False) -> list[str]:
        """Itself and its interval."""
        ends = between(self.low, self.high, percent=percent, plus=True)
        return [figure(self.value, percent=percent, plus=True), ends]


def gap(agreement: Agreement, one: str, other: str, aspect: str) -> Gap:
    found = next(d for d in agreement.differences if d.aspect == aspect and {d.metric, d.other} == {one, other})
    sign = 1 if found.metric == one else -1
    value, low, high = (None if end is None else sign * end for end in (found.difference, found.low, found.high))
    return Gap(value, *((low, high) if sign > 0 else (high, low)), found.p)


def span(agreement: Agreement, one: str, other: str, aspect: str, *, percent: bool = False) -> list[str]:
    return gap(agreement, one, other, aspect).shown(percent=percent)
