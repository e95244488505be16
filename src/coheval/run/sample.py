"""Scores of texts beside what people think of them, to learn weights from: ratings, or pairs of which one is better.

As in DiscoTK: texts that people find equally good make no pair, a pair that was judged several times counts once, for
the side with more votes, and not at all where votes are equal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coheval.algo.correlation import pearson
from coheval.algo.linear import folds
from coheval.algo.pairs import SAME, compare, tau
from coheval.errors import DataError, UsageError, did_you_mean

Array = NDArray[np.float64]
Places = NDArray[np.intp]
Mask = NDArray[np.bool_]

JudgedBy = Literal["nobody", "ratings", "pairs"]

STATISTICS: dict[JudgedBy, str] = {"nobody": "none", "ratings": "pearson", "pairs": "tau"}

_NO_PAIRS: Places = np.empty((2, 0), dtype=np.intp)


@dataclass(frozen=True, eq=False)
class Sample:
    """Texts, their scores by each member, and either ratings or pairs."""

    judged_by: JudgedBy
    scores: Array  # [n, m]
    ratings: Array  # [n], NaN where there is none
    pairs: Places  # [2, P], the better and the worse text of each
    groups: Places  # [n], never split between folds

    def only(self, rows: Mask) -> Sample:
        """A part of the texts, and the pairs of which both are in it."""
        place = np.cumsum(rows) - 1
        pairs = place[self.pairs[:, rows[self.pairs].all(axis=0)]]
        return Sample(self.judged_by, self.scores[rows], self.ratings[rows], pairs, self.groups[rows])

    def complete(self) -> Mask:
        """The texts with all scores, and with a rating where ratings count."""
        unrated = np.isnan(self.ratings) & (self.judged_by == "ratings")
        return ~(np.isnan(self.scores).any(axis=1) | unrated)

    def folds(self, count: int, seed: int) -> list[Mask]:
        """The texts of each fold."""
        fold = folds(self.groups, count, seed)
        return [fold == k for k in range(fold.max(initial=-1) + 1)]

    def agreement(self, scores: Array) -> float:
        """τ over pairs, where a tie earns nothing (WMT14), or Pearson's r with ratings; NaN where undefined."""
        if self.judged_by == "pairs":
            counts = (np.array([found.sum()]) for found in compare(*scores[self.pairs]))
            return float(tau("wmt14", *counts)[0])
        return float(pearson(scores[None], self.ratings[None])[0])

    def facts(self) -> dict[str, Any]:
        """What a model that is tuned on it should say of it."""
        pairs = {"pairs": self.pairs.shape[1]} if self.judged_by == "pairs" else {}
        groups = len(np.unique(self.groups))
        return {"texts": len(self.scores), **pairs, "groups": groups, "sha256": self.sha256()}

    def sha256(self) -> str:
        numbers = (self.scores, self.ratings, self.pairs, self.groups)
        parts = [np.ascontiguousarray(part, dtype="<f8").tobytes() for part in numbers]
        return hashlib.sha256(b"".join(parts)).hexdigest()


def columns(scores: Any, members: Sequence[str] | None) -> tuple[list[str], Array]:
    """The members' names and scores [n, m] of an array, or of a DataFrame, of which members may be some columns."""
    if hasattr(scores, "columns"):
        known = {str(name): name for name in scores.columns}
        members = list(known) if members is None else members
        for name in members:
            if name not in known:
                raise UsageError(f"the scores have no column {name!r}", hint=did_you_mean(name, known))
        scores = scores[[known[name] for name in members]]
    table = _floats("scores", scores)
    names = [str(k) for k in range(table.shape[-1])] if members is None else list(members)
    if table.ndim != 2 or table.shape[1] != len(names) or not names:
        raise DataError(
            f"expected scores in rows of {len(names) or 'some'} members, got an array of shape {table.shape}",
            hint="a row for each text, a column for each member",
        )
    if len(set(names)) < len(names):
        raise UsageError(f"members must be different, got {', '.join(names)}", hint="name each once")
    return names, table


def of_ratings(scores: Array, ratings: ArrayLike | None, groups: ArrayLike | None) -> Sample:
    """Rated texts, or texts of which nothing is known."""
    size = len(scores)
    given = np.full(size, np.nan) if ratings is None else _ratings(ratings, size)
    codes = np.arange(size) if groups is None else _codes("groups", groups, size)
    return Sample("nobody" if ratings is None else "ratings", scores, given, _NO_PAIRS, codes)


def of_rated_pairs(scores: Array, ratings: ArrayLike, items: ArrayLike | None, groups: ArrayLike | None) -> Sample:
    """The pairs that ratings imply among the texts of one item."""
    size = len(scores)
    compared = groups if items is None else items
    if compared is None:
        raise UsageError(
            "ratings make pairs of the texts of one item, and neither items nor groups were given",
            hint="give items=…, such as the segment of each row, or pairs=…",
        )
    item = _codes("items", compared, size)
    pairs = rated(_ratings(ratings, size), item)
    return _paired(scores, pairs, item if groups is None else _codes("groups", groups, size))


def of_pairs(scores: Array, pairs: tuple[ArrayLike, ArrayLike], groups: ArrayLike | None) -> Sample:
    """Pairs of texts as people judged them; unless groups are given, texts that pairs connect are one."""
    size = len(scores)
    voted = majority(_rows(pairs, size), size)
    return _paired(scores, voted, connected(voted, size) if groups is None else _codes("groups", groups, size))


def _paired(scores: Array, pairs: Places, groups: Places) -> Sample:
    better, worse = pairs
    crossing = np.flatnonzero(groups[better] != groups[worse])
    if len(crossing):
        one, other = pairs[:, crossing[0]]
        raise DataError(
            f"rows {one} and {other} are compared with each other and belong to different groups",
            hint="put texts that are compared into one group: folds hold out whole groups",
        )
    return Sample("pairs", scores, np.full(len(scores), np.nan), pairs, groups)


def rated(ratings: Array, items: Places) -> Places:
    """All pairs of rows of one item [n] whose ratings [n] differ, the better first: [2, P]."""
    found = [_NO_PAIRS]
    order = np.argsort(items, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(items[order])) + 1):
        better, worse = np.nonzero(ratings[rows][:, None] - ratings[rows] > SAME)
        found.append(np.stack([rows[better], rows[worse]]))
    return np.concatenate(found, axis=1)


def majority(votes: Places, size: int) -> Places:
    """One pair for all votes [2, V] on the same two rows, for the side with more; none where they are equal."""
    low, high = votes.min(axis=0), votes.max(axis=0)
    pair, which = np.unique(low * size + high, return_inverse=True)
    balance = np.bincount(which, weights=np.where(votes[0] == low, 1.0, -1.0), minlength=len(pair))
    first, second = pair // size, pair % size
    ordered = np.where(balance > 0, (first, second), (second, first))
    return ordered[:, balance != 0].astype(np.intp)


def connected(pairs: Places, size: int) -> Places:
    """A number for each row [size], the same for rows that pairs connect."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(pairs.shape[1]), tuple(pairs)), shape=(size, size))
    codes: Places = connected_components(graph, directed=False)[1].astype(np.intp)
    return codes


def _floats(name: str, values: Any) -> Array:
    try:
        given = np.asarray(values, dtype=np.float64)  # None becomes NaN
    except (TypeError, ValueError) as error:
        raise DataError(f"expected {name} as numbers: {error}", hint="NaN stands for a missing one") from None
    if np.isinf(given).any():
        raise DataError(f"expected {name} as finite numbers, got infinity", hint="NaN stands for a missing one")
    return given


def _ratings(values: ArrayLike, size: int) -> Array:
    given = _floats("ratings", values)
    _check_length("ratings", given, size)
    return given


def _codes(name: str, labels: ArrayLike, size: int) -> Places:
    given = np.asarray(labels)
    _check_length(name, given, size)
    if given.dtype == object or given.dtype.kind == "f":
        for row, label in enumerate(given.tolist()):
            if label is None or label != label:  # NaN, which a DataFrame has for None
                raise DataError(f"expected {name} for every row, got {label} at row {row}", hint="leave such rows out")
    try:
        return np.unique(given, return_inverse=True)[1].astype(np.intp)
    except TypeError as error:  # they are sorted
        raise DataError(f"expected {name} of one kind: {error}", hint="give names, or give numbers") from None


def _check_length(name: str, given: NDArray[np.generic], size: int) -> None:
    if given.shape != (size,):
        raise DataError(
            f"expected {size} {name}, one for each row of scores, got an array of shape {given.shape}",
            hint="give lists that run parallel to the scores",
        )


def _rows(pairs: tuple[ArrayLike, ArrayLike], size: int) -> Places:
    sides = [_numbers_of_rows(side) for side in pairs]
    shapes = [side.shape for side in sides]
    if len(sides) != 2 or shapes[0] != shapes[1] or sides[0].ndim != 1:
        raise DataError(
            f"expected two lists of row numbers of one length, got shapes {', '.join(map(str, shapes))}",
            hint="pairs=(better, worse)",
        )
    rows = np.stack(sides)
    if rows.size and (rows.min() < 0 or rows.max() >= size or (rows[0] == rows[1]).any()):
        raise DataError(
            f"pairs must be of two different rows from 0 to {size - 1}, got {rows.min()} to {rows.max()}",
            hint="count rows of scores from 0, and leave out a row compared with itself",
        )
    return rows


def _numbers_of_rows(side: ArrayLike) -> Places:
    try:
        given = np.asarray(side)
    except ValueError as error:  # lists of different lengths
        raise DataError(f"expected row numbers: {error}", hint="pairs=(better, worse)") from None
    if given.size and given.dtype.kind not in "iu":
        raise DataError(
            f"expected row numbers as whole numbers, got {given.ravel()[0]!r} ({given.dtype})",
            hint="count rows of scores from 0",
        )
    return given.astype(np.intp)
