"""Does a trivial cue give wrong variants away? What two classifiers that know nothing of coherence make of them.

    length  how many words and characters a variant has
    words   how often each word occurs in it, wherever that is

Each is a logistic regression over differences between right and wrong variants. Groups are parted into folds by origin.
Where two documents are mixed, a pair belongs to the folds of both, and it is judged by a classifier that was fitted on
pairs of other folds only: otherwise one of the two documents would be better known than the other, as right or as
wrong, and pure noise would not be at chance. So chance is what remains where there is nothing to be seen: sentences in
another order have the same length and the same words, and all pairs of them tie.

Pairs of one group may have several classifiers. Where groups are counted, the right variant must win by all of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from coheval.data.groups import Group
from coheval.run.benchcorpus import VariantScore
from coheval.run.benchfigures import Outcome
from coheval.run.benchunits import Unit

Judge = Callable[[Sequence[Group], Sequence[Unit], Sequence[Sequence[VariantScore]]], Outcome]
Array = NDArray[np.float64]
Numbers = NDArray[np.intp]

FOLDS = 5
_PENALTY = 1.0
_MOST = 2  # wrong variants of a group that are fitted
_CLOSE = 1e-6  # of the loss: a step that gains less is the last
_SAME = 1e-10  # of the size of what is summed: zero but for rounding
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Pairs:
    """Each wrong variant with the right one of its group, as the sentences in which they differ."""

    group: Numbers  # [P] ascending
    sentences: tuple[str, ...]
    more: csr_matrix  # [P, S] how much more often the right variant has a sentence than the wrong one

    @classmethod
    def of(cls, groups: Sequence[Group]) -> Pairs:
        numbers: dict[str, int] = {}
        differing = [
            {numbers.setdefault(sentence, len(numbers)): n for sentence, n in _more(group, wrong) if n}
            for group in groups
            for wrong in group.wrong
        ]
        of_pairs = np.repeat(np.arange(len(groups)), [len(group.wrong) for group in groups])
        return cls(of_pairs, tuple(numbers), _matrix(differing, len(numbers)))

    def differences(self, feature: Callable[[str], Mapping[str, int]]) -> csr_matrix:
        """[P, features] The right variant's features, which are sums over sentences, less the wrong one's."""
        names: dict[str, int] = {}
        rows = [{names.setdefault(name, len(names)): n for name, n in feature(s).items()} for s in self.sentences]
        found = (self.more @ _matrix(rows, len(names))).tocsr()
        found.eliminate_zeros()
        return found


def cues(groups: Sequence[Group], judged: Sequence[Unit], judge: Judge) -> dict[str, Outcome]:
    """Of each cue, what it makes of the groups."""
    pairs = Pairs.of(groups)
    folds = _folds_of_pairs(pairs, groups)
    found = {}
    for name, feature, unit in (("length", _lengths, 0.01), ("words", _words, 1.0)):
        margins = _cross_validated(pairs.differences(feature) * unit, pairs.group, folds)
        found[name] = judge(groups, judged, list(_scores(groups, margins)))
    return found


def _lengths(sentence: str) -> Mapping[str, int]:
    """Both count in hundreds, so that the penalty is light. Each sentence has a space behind it."""
    return {"words": len(_WORD.findall(sentence)), "characters": len(sentence) + 1}


def _words(sentence: str) -> Mapping[str, int]:
    return Counter(_WORD.findall(sentence.lower()))


def _more(group: Group, wrong: Sequence[str]) -> Iterator[tuple[str, int]]:
    counts = Counter(group.right)
    counts.subtract(wrong)
    return iter(counts.items())


def _folds(groups: Sequence[Group]) -> Numbers:
    """[G] groups of one origin are in one fold."""
    origins = {origin: n for n, origin in enumerate(dict.fromkeys(group.origin or group.id for group in groups))}
    return np.array([origins[group.origin or group.id] % FOLDS for group in groups], dtype=np.intp)


def _folds_of_pairs(pairs: Pairs, groups: Sequence[Group]) -> Numbers:
    """[P, 2] That of its group, and that which has most of its foreign sentences; the same twice if none has any."""
    fold = _folds(groups)
    numbers = {sentence: n for n, sentence in enumerate(pairs.sentences)}
    has = np.zeros((len(pairs.sentences), FOLDS))
    for group, number in zip(groups, fold, strict=True):
        has[[numbers[sentence] for sentence in group.right if sentence in numbers], number] = 1
    foreign = (pairs.more < 0) @ has  # [P, FOLDS] sentences
    own = fold[pairs.group]
    return np.stack([own, np.where(foreign.any(axis=1), foreign.argmax(axis=1), own)], axis=1)


def _cross_validated(differences: csr_matrix, group: Numbers, folds: Numbers) -> Array:
    """[P] By how much the right variant is better, each by a classifier that has seen no pair of the same folds."""
    margins = np.zeros(len(group))
    for both in combinations_with_replacement(range(FOLDS), 2):
        asked = np.flatnonzero((np.sort(folds, axis=1) == both).all(axis=1))
        fitted = _first(np.flatnonzero(~np.isin(folds, both).any(axis=1)), group)
        if len(asked) and differences[fitted].nnz:
            margins[asked] = _margins(differences[asked], _fitted(differences[fitted]))
    return margins


def _first(pairs: Numbers, group: Numbers) -> Numbers:
    """Of each group's pairs the first few."""
    _, start, which = np.unique(group[pairs], return_index=True, return_inverse=True)
    return pairs[np.arange(len(pairs)) - start[which] < _MOST]


def _margins(differences: csr_matrix, weights: Array) -> Array:
    margins = np.asarray(differences @ weights)
    margins[np.abs(margins) <= _SAME * (abs(differences) @ np.abs(weights))] = 0
    return margins


def _scores(groups: Sequence[Group], margins: Array) -> Iterator[list[VariantScore]]:
    """Only differences are known: the right variant has 0."""
    rest = iter(margins.tolist())
    for group in groups:
        yield [VariantScore(0.0), *(VariantScore(-next(rest)) for _ in group.wrong)]


def _matrix(rows: Sequence[Mapping[int, int]], width: int) -> csr_matrix:
    """[rows, width] The values at their columns. Whole numbers: sums that are equal are so to the last digit."""
    starts = np.cumsum([0, *map(len, rows)])
    columns = np.fromiter((column for row in rows for column in row), np.intp, starts[-1])
    values = np.fromiter((value for row in rows for value in row.values()), np.float64, starts[-1])
    return csr_matrix((values, columns, starts), shape=(len(rows), width))


def _fitted(differences: csr_matrix) -> Array:
    """Weights w with which Σ log(1 + exp(-w·d)) + |w|² is smallest."""

    def loss(w: Array) -> tuple[float, Array]:
        margin = differences @ w
        wrong = np.exp(-np.logaddexp(0, margin))
        return float(np.logaddexp(0, -margin).sum() + _PENALTY * w @ w), 2 * _PENALTY * w - differences.T @ wrong

    start = np.zeros(differences.shape[1])
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options={"ftol": _CLOSE}).x)
