"""Measured figures of a metric, from the tables of docs/results.md: a row for each section in which it has one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pymdownx.slugs import slugify

_slug = slugify(case="lower")

# sections that compare settings, or say something else than how often or how well a metric is right
_OTHER = re.compile(
    r"difference to|figures|tuned|together with|beside other metrics|published ones|settings|half of the articles"
    r"|what of them helps|features|without aggregation|other encoders|hard alignment|Speed"
    r"|papers' tables|does discourse|kind of change|before as a source"
)
_SKIPPED = re.compile(
    r"^(the paper|paper$|its |DiscoTK|p$|p of|ahead|ties|moverscore ahead|pairs$|undefined|mean \\\||difference)"
)


_THEIRS = {"Combinations of metrics": {"combination"}, "Discourse trees": {"dr", "drlex"}}  # others stand beside these


@dataclass(frozen=True, slots=True)
class Figure:
    section: str
    anchor: str
    setting: str  # as the table has it, in Markdown
    value: str


@dataclass(frozen=True, slots=True)
class Measured:
    tables: list[tuple[str, str, list[list[str]]]]  # section, anchor, rows of cells; the first row is the header

    @classmethod
    def read(cls, page: Path) -> Measured:
        return cls(list(_tables(page.read_text(encoding="utf-8"))))

    def of(self, metric: str) -> list[Figure]:
        """By section: the metric as it is, or where only settings of it were measured, these."""
        found: list[Figure] = []
        for section, anchor, rows in self.tables:
            if any(section.startswith(title) and metric not in whose for title, whose in _THEIRS.items()):
                continue
            header, *body = rows
            in_rows = [row for row in body if re.match(rf"`{metric}\b[^`]*`", row[0])]
            plain = [row for row in in_rows if row[0].startswith(f"`{metric}`") and "+" not in row[0]]
            found += [Figure(section, anchor, row[0], _told(header, row)) for row in plain or in_rows]
            if f"`{metric}`" in header[1:]:
                column = header.index(f"`{metric}`")
                cases = [f"{_case(header, row)} {row[column]}" for row in body if row[column] not in ("", "–")]
                found.append(Figure(section, anchor, f"`{metric}`", "; ".join(cases)))
        return [figure for figure in found if figure.value]


def _tables(text: str) -> Iterator[tuple[str, str, list[list[str]]]]:
    above, section, anchor, rows = "", "", "", []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            rows.append([cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
            continue
        if rows:
            if not _OTHER.search(section):
                yield section, anchor, [rows[0], *rows[2:]]
            rows = []
        if found := re.match(r"(##+) (.*)", line):
            title = found[2].replace("`", "")
            above = title if found[1] == "##" else above
            section = title if found[1] == "##" else f"{above} – {title}"
            anchor = _slug(title, "-")


def _case(header: list[str], row: list[str]) -> str:
    """What a row is of, where metrics are columns: what stands before the first of them."""
    first = next(n for n, cell in enumerate(header) if cell.startswith("`"))
    return " ".join(cell for cell in row[:first] if cell and cell != "here" and not cell.isdigit())


def _told(header: list[str], row: list[str]) -> str:
    """The figure in bold, if there is one, otherwise all; each with its interval."""
    cells = list(zip(header, row, strict=False))[1:]
    bold = any(cell.startswith("**") for _, cell in cells)
    parts: list[str] = []
    kept = False
    for name, cell in cells:
        if "interval" in name:
            if kept and parts and cell:
                parts[-1] += f" ({cell})"
            kept = False
            continue
        kept = bool(cell) and not _SKIPPED.match(name) and (cell.startswith("**") or not bold)
        if kept:
            parts.append(f"{name} {cell}" if name else cell)
    return "; ".join(parts)
