"""Which documents tell most: where systems differ most or, of one system, where it does worst."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from coheval.run.scoretable import ScoreTable


def by_interest(table: ScoreTable) -> list[int]:
    """Numbers of all documents, the most telling first; those of equal interest in their order."""
    ranks = np.stack([_ranked(column.documents, column.higher_is_better) for column in table.columns.values()])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of documents without any score
        if len(table.systems) > 1:
            interest = np.nanmean(np.nanmax(ranks, axis=1) - np.nanmin(ranks, axis=1), axis=0)  # [M, S, D] -> [D]
        else:
            interest = -np.nanmean(ranks, axis=(0, 1))
    told = np.round(np.nan_to_num(interest, nan=-1.0), 9)  # what differs by rounding alone is equal
    order: list[int] = np.argsort(-told, kind="stable").tolist()
    return order


def _significant(values: NDArray[np.float64], digits: int = 9) -> NDArray[np.float64]:
    """Rounded to so many significant digits: what differs by less is equal."""
    with np.errstate(divide="ignore", invalid="ignore"):  # of 0 and what is undefined, which stay
        scale = 10.0 ** (digits - 1 - np.floor(np.log10(np.abs(values))))
        return np.where(np.isfinite(scale), np.round(values * scale) / scale, values)


def _ranked(scores: NDArray[np.float64], higher_is_better: bool) -> NDArray[np.float64]:
    """Each score's place among all of the metric's, from 0, the worst, to 1; undefined ones have none."""
    values = _significant(scores.ravel() if higher_is_better else -scores.ravel())
    defined = ~np.isnan(values)
    _, place, counts = np.unique(values[defined], return_inverse=True, return_counts=True)
    below = np.cumsum(counts) - counts
    ranks = np.full(values.shape, np.nan)
    ranks[defined] = ((below + (counts - 1) / 2) / max(1, int(defined.sum()) - 1))[place]
    return ranks.reshape(scores.shape)
