"""A result as a table: plain text, CSV, LaTeX. Undefined scores are shown as such, never as 0."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from coheval.run.result import Level, Result

NOTHING = "–"


def text(result: Result, level: Level) -> str:
    """Aligned columns; an arrow says which direction is better, a star that segments are left out of a mean."""
    rows = result.rows(level)
    heads = [head(name, result[name].higher_is_better) if name in result else name for name in rows[0]]
    body = [[cell(value) + _star(result, name, row, level) for name, value in row.items()] for row in rows]
    return aligned(heads, body, [name in result or name == "segment" for name in rows[0]])


def comma_separated(result: Result, level: Level) -> str:
    """Full precision; an undefined score is an empty cell."""
    return records(result.rows(level))


def latex(result: Result, level: Level) -> str:
    """A booktabs table; the best system's score is bold, unless segments are left out of it."""
    rows = result.rows(level)
    best = {name: _best(result, name, rows) for name in rows[0] if name in result and level == "system"}
    heads = [latex_head(n, result[n].higher_is_better) if n in result else escape(n) for n in rows[0]]
    body = [
        [_latex_cell(v, n in best and v == best[n], _star(result, n, row, level)) for n, v in row.items()]
        for row in rows
    ]
    return booktabs("".join("r" if name in result else "l" for name in rows[0]), [heads], body)


def json_text(result: Result, level: Level) -> str:
    """Everything, whatever the level."""
    return result.to_json() + "\n"


FORMATS: dict[str, Callable[[Result, Level], str]] = {
    "text": text,
    "json": json_text,
    "csv": comma_separated,
    "latex": latex,
}

_LATEX_SPECIAL = {
    **{c: "\\" + c for c in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}


def aligned(heads: Sequence[str], body: Sequence[Sequence[str]], numeric: Sequence[bool]) -> str:
    """Columns of text under heads and a line; numeric ones are set to the right."""
    widths = [max(len(line[i]) for line in [heads, *body]) for i in range(len(heads))]
    padded = [[_pad(c, w, n) for c, w, n in zip(line, widths, numeric, strict=True)] for line in [heads, *body]]
    lines = ["  ".join(line).rstrip() for line in padded]
    return "\n".join([lines[0], "  ".join("─" * w for w in widths), *lines[1:]]) + "\n"


def records(rows: Sequence[Mapping[str, Any]]) -> str:
    """Comma-separated lines under the first row's names; None is an empty cell."""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def booktabs(columns: str, heads: Sequence[Sequence[str]], body: Sequence[Sequence[str]]) -> str:
    """A LaTeX table of cells that are LaTeX already; heads may have several lines."""
    top, bottom = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"], [r"\bottomrule", r"\end{tabular}"]
    above, below = ([_guarded(" & ".join(line)) + r" \\" for line in lines] for lines in (heads, body))
    return "\n".join([*top, *above, r"\midrule", *below, *bottom]) + "\n"


def _guarded(line: str) -> str:
    """LaTeX takes a bracket or a star that begins a line for an option of the line's end before it."""
    return "{}" + line if line.startswith(("[", "*")) else line


def head(name: str, higher_is_better: bool) -> str:
    return f"{cell(name)} {'↑' if higher_is_better else '↓'}"


def latex_head(name: str, higher_is_better: bool) -> str:
    arrow = r"\uparrow" if higher_is_better else r"\downarrow"
    return f"{escape(name)} ${arrow}$"


def cell(value: object) -> str:
    if value is None:
        return NOTHING
    text = f"{value:.4f}" if isinstance(value, float) else str(value)
    return "".join(c if c.isprintable() else "�" for c in text)  # a name must not move the terminal's cursor


def _pad(cell: str, width: int, numeric: bool) -> str:
    return cell.rjust(width) if numeric else cell.ljust(width)


def _best(result: Result, name: str, rows: list[dict[str, Any]]) -> float | None:
    scores = [row[name] for row in rows if row[name] is not None]
    choose = max if result[name].higher_is_better else min
    return choose(scores) if len(scores) > 1 else None


def _latex_cell(value: object, best: bool, star: str) -> str:
    if value is None:
        return "--"
    if star:
        return escape(cell(value)) + "$^{*}$"
    return rf"\textbf{{{escape(cell(value))}}}" if best else escape(cell(value))


def _star(result: Result, name: str, row: dict[str, Any], level: Level) -> str:
    """The mark of a system's score that does not cover all its segments."""
    marked = (
        level == "system"
        and name in result
        and result[name].by_system[row["system"]].undefined(result[name].metric.unit)
    )
    return "*" if marked else ""


def escape(text: str) -> str:
    return "".join(_LATEX_SPECIAL.get(c, c) for c in text)
