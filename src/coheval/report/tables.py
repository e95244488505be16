"""A report's tables as text: Markdown, LaTeX, and the plain HTML that a browser without JavaScript shows."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from typing import Any

from coheval.run import comparetables
from coheval.run.agreement import Agreement
from coheval.run.agreement import tables as agreementtables
from coheval.run.comparison import Comparison
from coheval.run.result import Result
from coheval.run.tables import NOTHING, cell, head
from coheval.run.tables import latex as latex_scores

Head = dict[str, Any]  # as `payload.head` makes it
Grid = list[list[str]]  # rows of cells, the heads first


def markdown(content: Head) -> str:
    """Systems × metrics, agreement with people, signatures, and what a reader should know."""
    parts = [f"# {_plain(content['title'])}", _told(content["overview"]["told"]), _pipes(systems(content))]
    if content["agreement"]:
        parts += ["## Agreement with people", _told(content["agreement"]["told"]), _pipes(agreement(content))]
    parts += ["## Signatures", "\n".join(f"- {_code(facts['signature'])}" for facts in content["facts"])]
    notes = [*content["notes"], *(content["agreement"]["notes"] if content["agreement"] else [])]
    if notes:
        parts += ["## Notes", "\n".join(f"- {_plain(note)}" for note in notes)]
    if content["repeat"]:
        parts += ["## Again", _code(content["repeat"])]
    return "\n\n".join(parts) + "\n"


def latex(result: Result, comparison: Comparison | None, judged: Agreement | None) -> str:
    """The tables of `coheval compare` (of `coheval score`, where there is one system) and of `coheval agree`."""
    scores = latex_scores(result, "system") if comparison is None else comparetables.latex(comparison, "systems")
    return scores + ("\n" + agreementtables.latex(judged) if judged else "")


def html(content: Head) -> str:
    """Every cell escaped: the names in it are anybody's."""
    heads, *rows = [[cell(text) for text in row] for row in systems(content)]
    cells = ["".join(f"<td>{escape(text)}</td>" for text in row) for row in rows]
    return (
        f"<h1>{escape(cell(content['title']))}</h1><p>This page needs JavaScript to show documents.</p><table><tr>"
        + "".join(f"<th>{escape(text)}</th>" for text in heads)
        + "</tr>"
        + "".join(f"<tr>{row}</tr>" for row in cells)
        + "</table>"
    )


def json_text(content: Head) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def systems(content: Head) -> Grid:
    """A star marks what is significantly worse than the best system."""
    facts = content["facts"]
    heads = ["system", *(head(one["metric"], one["higher_is_better"]) for one in facts)]
    rows = content["overview"]["rows"]
    return [heads, *([row["system"], *(_score(row["metrics"][one["metric"]]) for one in facts)] for row in rows)]


def agreement(content: Head) -> Grid:
    found = content["agreement"]
    by_place = {(row["metric"], row["aspect"]): row for row in found["rows"]}
    metrics = list(dict.fromkeys(row["metric"] for row in found["rows"]))
    return [
        ["metric", *found["aspects"]],
        *([metric, *(_value(by_place[metric, aspect]) for aspect in found["aspects"])] for metric in metrics),
    ]


def _score(figures: dict[str, Any]) -> str:
    star = "*" if figures.get("significant") else ""
    return cell(figures.get("score")) + star + _interval(figures)


def _value(row: dict[str, Any]) -> str:
    star = "*" if row["significant"] else ""
    return NOTHING if row["value"] is None else f"{row['value']:.3f}{star}{_interval(row)}"


def _interval(figures: dict[str, Any]) -> str:
    low, high = figures.get("low"), figures.get("high")
    return "" if low is None or high is None else f" [{cell(low)}, {cell(high)}]"


def _pipes(grid: Grid) -> str:
    heads, *rows = [[_plain(text) for text in row] for row in grid]
    rule = ["---", *("---:" for _ in heads[1:])]
    return "\n".join(_line(cells) for cells in [heads, rule, *rows])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _told(text: str) -> str:
    return "  \n".join(_plain(line) for line in text.strip().splitlines())


_MEANT = str.maketrans({sign: "\\" + sign for sign in "\\`*_<>|~&#$"})


def _plain(text: str) -> str:
    """Text that Markdown shows as it stands. Brackets are an interval's, unless a link's address follows."""
    return cell(text).translate(_MEANT).replace("](", "]\\(")


def _code(text: str) -> str:
    """Text as code, between more backticks than it has side by side."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{cell(text)}{blank}{fence}"
