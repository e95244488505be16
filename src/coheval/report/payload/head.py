"""Everything in a report but texts and evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from coheval.data.judgements import Judgements
from coheval.report.facts import facts
from coheval.report.material import Material
from coheval.report.payload.blocks import Blocks
from coheval.report.payload.overview import correlation, overview, pairs
from coheval.report.payload.people import agreement, ratings
from coheval.report.payload.rounding import defined
from coheval.run.agreement import Agreement
from coheval.run.comparison import Comparison
from coheval.run.scoretable import ScoreTable


@dataclass(frozen=True)
class Judged:
    """What people said, and how far metrics agree with it."""

    judgements: Judgements
    agreement: Agreement


def head(
    material: Material, table: ScoreTable, comparison: Comparison | None, judged: Judged | None, blocks: Blocks
) -> dict[str, Any]:
    result = material.result
    return figures(material, table, comparison, judged) | {
        "documents": _documents(table, blocks) | {"people": ratings(judged.judgements, table) if judged else {}},
        "chunks": [list(chunk) for chunk in blocks.chunks],
        "texts": result.corpus is not None,
        "explained": blocks.explained,
        "explained_note": material.about_evidence(len(blocks.explained), blocks.left_out),
        "reproducibility": _reproducibility(material, table),
    }


def figures(
    material: Material, table: ScoreTable, comparison: Comparison | None, judged: Judged | None
) -> dict[str, Any]:
    """What tables need: nothing of single documents."""
    result = material.result
    made = material.made
    return {
        "title": material.title,
        "created": made.created,
        "coheval": made.coheval,
        "command": made.command,
        "repeat": material.repeat,
        "notes": [*result.notes, *material.notes],
        "facts": facts(result),
        "systems": result.systems,
        "overview": overview(result, table, comparison),
        "pairs": pairs(comparison),
        "correlation": correlation(result, table),
        "agreement": agreement(judged.agreement) if judged else None,
    }


def _reproducibility(material: Material, table: ScoreTable) -> dict[str, Any]:
    result = material.result
    made = material.made
    return {
        "python": made.python,
        "platform": made.platform,
        "folder": made.folder,
        "files": made.files,
        "corpus": {
            "sha256": made.corpus_sha256,
            "segments": {system: len(keys) for system, keys in result.keys_by_system.items()},
            "documents": len(table.documents),
        },
        "metrics": {spec: {"counts": one.counts} for spec, one in result.items()},
    }


def _documents(table: ScoreTable, blocks: Blocks) -> dict[str, Any]:
    return {
        "ids": table.documents,
        "lengths": blocks.lengths,
        "segments": _segments(table),
        "lacking": _lacking(table),
        "scores": {
            spec: [[defined(score) for score in of_system] for of_system in column.documents.tolist()]
            for spec, column in table.columns.items()
        },
    }


def _segments(table: ScoreTable) -> list[int]:
    counts = [0] * len(table.documents)
    for document in table.document_of.tolist():
        counts[document] += 1
    return counts


def _lacking(table: ScoreTable) -> list[list[int]]:
    """By system, the numbers of the documents that it does not have: there, null is no undefined score."""
    size = len(table.documents)
    return [np.setdiff1d(np.arange(size), table.document_of[own]).tolist() for own in table.present]
