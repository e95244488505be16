"""Does a trivial cue give wrong variants away? What two classifiers that know nothing of coherence make of them.

    length  how many words and characters a variant has
    words   how often each word occurs in it, wherever that is

Each is a logistic regression over differences between right and wrong variants. A group is judged by one that was
fitted without it and all groups of its origin, and without wrong variants of others that have a sentence of it: where
two documents are mixed, its words would be known from these, and only as wrong. So chance is what remains where there
is nothing to be seen: sentences in another order have the same length and the same words, and all pairs of them tie.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, vstack

from coheval.data.groups import Group, Variant
from coheval.run.benchcorpus import VariantScore
from coheval.run.benchfigures import Outcome
from coheval.run.benchunits import Unit

Judge = Callable[[Sequence[Group], Sequence[Unit], Sequence[Sequence[VariantScore]]], Outcome]
Array = NDArray[np.float64]

FOLDS = 5
_PENALTY = 1.0
_MOST = 5  # wrong variants of a group that are fitted
_WORD = re.compile(r"\w+|[^\w\s]")


def cues(groups: Sequence[Group], judged: Sequence[Unit], judge: Judge) -> dict[str, Outcome]:
    """Of each cue, what it makes of the groups."""
    fold = _folds(groups)
    usable = [_usable(groups, fold, number) for number in range(FOLDS)]
    found = {}
    for name, features in (("length", _lengths), ("words", _words)):
        scores = _cross_validated([[features(v) for v in group.variants] for group in groups], fold, usable)
        found[name] = judge(groups, judged, scores)
    return found


def _lengths(variant: Variant) -> Mapping[str, float]:
    """In hundreds of words and characters, so that a penalty weighs both alike."""
    text = " ".join(variant)
    return {"words": len(_WORD.findall(text)) / 100, "characters": len(text) / 500}


def _words(variant: Variant) -> Mapping[str, float]:
    return Counter(_WORD.findall(" ".join(variant).lower()))


def _folds(groups: Sequence[Group]) -> NDArray[np.intp]:
    """[G] groups of one origin are in one fold."""
    origins = {origin: n for n, origin in enumerate(dict.fromkeys(group.origin or group.id for group in groups))}
    return np.array([origins[group.origin or group.id] % FOLDS for group in groups])


def _usable(groups: Sequence[Group], fold: NDArray[np.intp], number: int) -> list[list[int]]:
    """Of each group that is not in a fold, wrong variants to be fitted: none with a sentence of the fold's groups."""
    judged = {sentence for group, own in zip(groups, fold, strict=True) if own == number for sentence in group.right}
    found = []
    for group, own in zip(groups, fold, strict=True):
        foreign = judged.difference(group.right)
        fit = (n for n, wrong in enumerate(group.wrong, start=1) if own != number and foreign.isdisjoint(wrong))
        found.append(list(islice(fit, _MOST)))
    return found


def _cross_validated(
    features: Sequence[Sequence[Mapping[str, float]]], fold: NDArray[np.intp], usable: Sequence[Sequence[Sequence[int]]]
) -> list[list[VariantScore]]:
    names: dict[str, int] = {}
    matrices = [_matrix(of_group, names) for of_group in features]
    width = len(names)
    for matrix in matrices:
        matrix.resize(matrix.shape[0], width)
    scores: list[list[VariantScore]] = [[] for _ in features]
    for number in range(FOLDS):
        others = [_differences(matrix, own) for matrix, own in zip(matrices, usable[number], strict=True) if own]
        weights = _fitted(vstack(others)) if others else np.zeros(width)
        for n in np.flatnonzero(fold == number):
            scores[n] = [VariantScore(float(score)) for score in matrices[n] @ weights]
    return scores


def _matrix(of_group: Sequence[Mapping[str, float]], names: dict[str, int]) -> csr_matrix:
    """[variants, features so far]"""
    rows, columns, values = [], [], []
    for row, counts in enumerate(of_group):
        for name, value in counts.items():
            rows.append(row)
            columns.append(names.setdefault(name, len(names)))
            values.append(value)
    matrix = csr_matrix((values, (rows, columns)), shape=(len(of_group), max(len(names), 1)), dtype=np.float64)
    matrix.sort_indices()  # variants with the same words get the same sum, to the last digit
    return matrix


def _differences(matrix: csr_matrix, wrong: Sequence[int]) -> csr_matrix:
    """[w, features] The right variant's features less those of some wrong ones."""
    return vstack([matrix[0]] * len(wrong)).tocsr() - matrix[wrong]


def _fitted(differences: csr_matrix) -> Array:
    """Weights w with which Σ log(1 + exp(-w·d)) + |w|² is smallest."""

    def loss(w: Array) -> tuple[float, Array]:
        margin = differences @ w
        wrong = np.exp(-np.logaddexp(0, margin))
        return float(np.logaddexp(0, -margin).sum() + _PENALTY * w @ w), 2 * _PENALTY * w - differences.T @ wrong

    return np.asarray(minimize(loss, np.zeros(differences.shape[1]), jac=True, method="L-BFGS-B").x)
