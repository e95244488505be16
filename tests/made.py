"""Made-up judged sets and scores, with which sections of docs/results.md can be written in no time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import study
from coheval.data.corpus import Record
from coheval.data.datasets import Published
from coheval.data.judgements import Judgements, Preference, Rating
from coheval.run.scoretable import ScoreTable
from job import Job

real_score = study.score


@dataclass(frozen=True)
class Made:
    """What an adapter gives; a document is named after its group: cs-en:3."""

    systems: Sequence[str]
    aspects: Sequence[str]
    groups: Sequence[str] = ("all",)
    size: int = 12  # documents of a group
    metrics: Sequence[str] = ()  # published
    of_pairs: bool = False
    kept: Sequence[str] | None = None  # the systems of a part

    def documents(self) -> list[str]:
        return [f"{group}:{n}" for group in self.groups for n in range(self.size)]

    def records(self) -> list[Record]:
        return [
            Record(system, f"{system} said {document}.", (f"{document} it is.", "Or not."), "A source.", document)
            for document in self.documents()
            for system in self.systems
        ]

    def judgements(self) -> Judgements:
        groups = {document: document.partition(":")[0] for document in self.documents()}
        if self.of_pairs:
            return Judgements(preferences=self._preferences(), groups=groups)
        rng = np.random.default_rng(1)
        ratings = [
            Rating(system, document, None, aspect, float(rng.integers(1, 30)) / 3)
            for aspect in self.aspects
            for document in self.documents()
            for system in self.systems
        ]
        return Judgements([r for r in ratings if self.kept is None or r.system in self.kept], groups=groups)

    def _preferences(self) -> list[Preference]:
        rng = np.random.default_rng(1)
        order = [(document, rng.permutation(list(self.systems)).tolist()) for document in self.documents()]
        return [Preference(better, worse, d, None, self.aspects[0]) for d, (better, *_, worse) in order]

    def published(self) -> Published:
        rng = np.random.default_rng(2)
        keys = [(system, document) for document in self.documents() for system in self.systems]
        return {metric: dict(zip(keys, rng.random(len(keys)).tolist(), strict=True)) for metric in self.metrics}


def made_scores(records: Iterable[Record], specs: Iterable[str]) -> ScoreTable:
    """Random scores for each spec; the first text of the first system has none."""
    table = real_score(records, ["chrf"])
    column, rng = table.columns["chrf"], np.random.default_rng(7)

    def drawn() -> np.ndarray:
        values = np.where(table.present, rng.random(table.present.shape), np.nan)
        values[0, np.flatnonzero(table.present[0])[0]] = np.nan
        return values

    columns = {}
    for spec in dict.fromkeys(specs):
        values = drawn()
        plain = replace(column, metric=None, higher_is_better=spec != "ter", segments=values, rows=values[:, :, None])
        totals = plain.totals()
        columns[spec] = replace(
            plain, documents=plain.combined(totals), system=plain.combined(totals.sum(axis=1)), signature=None
        )
    return replace(table, columns=columns)


class AnyRow(dict[str, list[float]]):
    """Every row that is asked for has the same figures."""

    def __init__(self, columns: int) -> None:
        super().__init__()
        self.columns = columns

    def __missing__(self, row: str) -> list[float]:
        return [0.5] * self.columns


COLUMNS = {
    "moverscore.table1_wmt17_segment_pearson": ["cs-en", "de-en", "average"],
    "moverscore.table5_alignment_wmt17": ["cs-en", "de-en"],
    "moverscore.table3_d2t_spearman": [f"{p} {a}" for p in ("BAGEL", "SFHOTEL") for a in ("inf", "nat", "qual")],
    "discotk.table2_wmt12_system_spearman": ["alone"],
    "discotk.table3_wmt12_segment_tau": ["alone"],
    "discoscore.table3_summary_level_kendall_x100": ["SummEval"],
    **{
        f"discoscore.{table}": ["average"]
        for table in (
            "table1_summeval_system_kendall_x100",
            "table4_encoders_summeval_average",
            "table5_ablation",
            "table6_sentgraph_distance",
            "table9_ensemble",
        )
    },
}


def made_job(folder: Path) -> Job:
    tables = {key: {"columns": columns, "rows": AnyRow(len(columns))} for key, columns in COLUMNS.items()}
    return Job(folder / "data", tables, folder)


def give(monkeypatch: pytest.MonkeyPatch, module: ModuleType, **parts: Made) -> None:
    """Let a section read these sets, by part, `whole` where it names none."""
    monkeypatch.setattr(module, "read", lambda folder, part=None: parts[part or "whole"])
    monkeypatch.setattr(module, "score", made_scores)
