"""Systems × metrics: scores with their intervals, clusters and ranks, and every pair of systems."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from coheval.algo.resample import bootstrap_weights, interval
from coheval.errors import CohevalError
from coheval.report.payload.rounding import defined, plain
from coheval.run.agreement import between
from coheval.run.compare import compare
from coheval.run.comparetables import resampled, tested
from coheval.run.comparison import Comparison
from coheval.run.result import Result
from coheval.run.scoretable import ScoreTable

Plain = dict[str, Any]

_CONFIDENCE = 0.95
_RESAMPLES = 1_000
_FEWEST = 5  # texts of a correlation: of three or four, any number may come by chance
_FIGURES = (
    "score",
    "low",
    "high",
    "cluster",
    "best_rank",
    "worst_rank",
    "difference",
    "p",
    "significant",
    "reason",
)


def comparison_of(result: Result, table: ScoreTable) -> tuple[Comparison | None, list[str]]:
    """All pairs of systems, if there are two, and what there is to say about that."""
    if len(result.systems) < 2:
        return None, []
    try:
        found = compare(table)
    except CohevalError as error:
        return None, [f"systems are not compared: {error.message}"]
    return found, [note for note in found.notes if note not in result.notes]


def overview(result: Result, table: ScoreTable, comparison: Comparison | None) -> Plain:
    figures = _compared(comparison) if comparison else _alone(result, table)
    return {
        "told": _told_pairs(comparison) if comparison else _told(result, table),
        "documents": comparison.documents if comparison else len(table.documents),
        "confidence": comparison.settings.confidence if comparison else _CONFIDENCE,
        "rows": [
            {
                "system": system,
                "metrics": {
                    spec: plain(figures[spec].get(system, {}))
                    | {
                        "undefined": one.by_system[system].undefined(one.metric.unit),
                        "units": len(one.by_system[system].rows),
                    }
                    for spec, one in result.items()
                },
            }
            for system in result.systems
        ],
    }


def pairs(comparison: Comparison | None) -> Plain:
    if comparison is None:
        return {}
    return {spec: [plain(asdict(pair)) for pair in one.pairs] for spec, one in comparison.items()}


def correlation(result: Result, table: ScoreTable) -> Plain | None:
    """Of documents' scores, where there are two metrics and enough documents; a pair of metrics with too few in common
    has none."""
    scored = {spec: ~np.isnan(column.documents).ravel() for spec, column in table.columns.items()}
    texts = int(np.any([*scored.values()], axis=0).sum())
    if len(result) < 2 or texts < _FEWEST:
        return None
    found = between(table, level="document")
    present = np.stack([scored[spec] for spec in found.metrics]).astype(int)  # [M, S · D]
    counts = present @ present.T
    values = np.where(counts < _FEWEST, np.nan, found.values)
    return {
        "told": _told_alike(texts, len(result.systems), bool((counts < texts).any()), bool(np.isnan(values).any())),
        "metrics": found.metrics,
        "values": [[defined(value) for value in row] for row in values.tolist()],
        "texts": texts,
        "counts": counts.tolist(),
        "fewest": _FEWEST,
    }


def _told_alike(texts: int, systems: int, fewer: bool, lacking: bool) -> str:
    told = [
        f"Pearson's correlation of documents' scores over {texts:,} texts of {systems:,} "
        f"{'system' if systems == 1 else 'systems'}; scores where lower is better are turned"
    ]
    if fewer:
        told.append("below a number stands how many texts have both scores, where these are not all")
    if lacking:
        told.append(f"– where they are fewer than {_FEWEST}, or one of the scores is the same for all")
    return "; ".join(told)


def _compared(comparison: Comparison) -> dict[str, dict[str, Plain]]:
    return {
        spec: {figures.system: {name: asdict(figures)[name] for name in _FIGURES} for figures in one.systems}
        for spec, one in comparison.items()
    }


def _alone(result: Result, table: ScoreTable) -> dict[str, dict[str, Plain]]:
    """Scores of systems that are compared with nothing, with an interval where documents can be drawn anew."""
    weights = bootstrap_weights(len(table.documents), _RESAMPLES, np.random.default_rng([1, 0]))
    found: dict[str, dict[str, Plain]] = {}
    for spec, column in table.columns.items():
        several = len(table.documents) > 1
        drawn = column.resampled(weights) if several else None  # [1 + R, S]
        found[spec] = {}
        for n, system in enumerate(table.systems):
            low, high = interval(drawn[:, n], _CONFIDENCE) if drawn is not None else (np.nan, np.nan)
            own = {"score": result[spec].by_system[system].system, "low": defined(low), "high": defined(high)}
            found[spec][system] = dict.fromkeys(_FIGURES) | own
    return found


def _told_pairs(comparison: Comparison) -> str:
    alpha = comparison.settings.alpha
    return f"{resampled(comparison)}\n* significantly worse than the best: {tested(comparison)}, p < {alpha:g}"


def _told(result: Result, table: ScoreTable) -> str:
    documents = len(table.documents)
    if documents == 1:
        return "1 document: no intervals; documents are what is resampled"
    return f"{documents:,} documents; intervals of {100 * _CONFIDENCE:g} % by {_RESAMPLES:,} resamples of them"
