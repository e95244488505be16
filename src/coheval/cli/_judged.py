"""Judgements as commands are told where they are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from coheval.errors import UsageError

if TYPE_CHECKING:
    from coheval.data.datasets import Dataset
    from coheval.data.judgements import Judgements


# the options of every command that reads judgements
DropUnmatched = Annotated[
    bool, typer.Option("--drop-unmatched", help="Drop judgements of texts that are not there, and count them.")
]
Raters = Annotated[
    str | None, typer.Option("--raters", metavar="KIND", help="Of a file with several kinds, such as expert.")
]
LowerIsBetter = Annotated[
    list[str] | None, typer.Option("--lower-is-better", metavar="ASPECTS", help="Ratings that run the other way.")
]
Weights = Annotated[
    list[str] | None,
    typer.Option("--weights", metavar="NAME=NUMBER", help="Of MQM errors, such as critical=10.  [Google's]"),
]
Documents = Annotated[
    str | None,
    typer.Option("--documents", metavar="FILE", help="Of a score file or WMT's rankings: each line's document."),
]
Part = Annotated[str | None, typer.Option("--part", metavar="NAME", help="Of a data set, such as cs-en.")]


@dataclass(frozen=True)
class Reader:
    """Reads judgements, and texts that come with them."""

    part: str | None
    aspects: list[str] | None
    raters: str | None
    lower_is_better: tuple[str, ...]
    weights: Sequence[str] = ()  # of MQM errors, NAME=NUMBER, besides those that there are
    documents: str | None = None  # the documents file of score files and tables of rankings

    def judgements(self, path: str) -> Judgements:
        from coheval.data.judged import read_judgements

        dataset = self._dataset(path)
        if dataset is not None:
            return self._of_set(dataset)
        return read_judgements(
            path,
            aspects=self.aspects,
            pair=self.part,
            raters=self.raters,
            lower_is_better=self.lower_is_better,
            documents=self.documents,
            weights=_weights(self.weights) if self.weights else None,
        )

    def _dataset(self, path: str) -> Dataset | None:
        from coheval.data.datasets import find

        return find(path, self.part) if os.path.isdir(path) else None

    def _of_set(self, dataset: Dataset) -> Judgements:
        """A judged set knows its raters and weights; scales may be turned."""
        parts = " or ".join(f"--part {part}" for part in dataset.parts())
        given = {"--raters": self.raters, "--weights": self.weights, "--documents": self.documents}
        for option, value in given.items():
            if value:
                raise UsageError(
                    f"{option} has no meaning for {dataset.name}, a judged set",
                    where=os.fspath(dataset.folder),
                    hint="leave it out" + (f", or choose a part: {parts}" if parts and option == "--raters" else ""),
                )
        found = dataset.judgements()
        return replace(found, lower_is_better=found.lower_is_better | frozenset(self.lower_is_better))


def _weights(given: Sequence[str]) -> dict[str, float]:
    """Google's weights, and those that are given besides or instead."""
    from coheval.data.mqm import WEIGHTS

    return {**WEIGHTS, **dict(_weight(entry) for entry in given)}


def _weight(entry: str) -> tuple[str, float]:
    name, _, number = entry.rpartition("=")
    try:
        weight = float(number)
    except ValueError:
        name, weight = "", 0.0
    if not name.strip():
        raise UsageError(f"expected a weight as NAME=NUMBER, got {entry!r}", hint="for example --weights critical=10")
    return name, weight
