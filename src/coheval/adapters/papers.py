"""The papers to cite for a component: the entries of papers.bib that its docstring names by year and title."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Paper:
    year: str
    title: str
    bibtex: str

    @property
    def names(self) -> list[str]:
        """The ways in which a docstring may name it; what follows a colon can be left out."""
        short = re.split(r"[:?]", self.title)[0]
        return [f"{year}{short}" for year in (f"({self.year}), ", f"{self.year}, ", f'{self.year}, "')]


def papers(cls: type) -> list[Paper]:
    """In the order in which the docstring of the class's module names them."""
    doc = " ".join((sys.modules[cls.__module__].__doc__ or cls.__doc__ or "").split())
    places = {paper: max(map(doc.find, paper.names)) for paper in known()}
    return sorted((p for p, place in places.items() if place >= 0), key=lambda p: places[p])


@cache
def known() -> tuple[Paper, ...]:
    entries = Path(__file__).with_name("papers.bib").read_text(encoding="utf-8").strip().split("\n\n")
    return tuple(Paper(_field(entry, "year"), _field(entry, "title"), entry) for entry in entries)


def _field(entry: str, name: str) -> str:
    found = re.search(rf"^  {name} = {{(.*)}},$", entry, re.MULTILINE)
    return found[1] if found else ""
