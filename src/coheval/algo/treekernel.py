"""The all-or-none tree kernel: how many fragments two labelled trees have in common.

A fragment is a part of a tree in which every node has either all its children or none, with at least one production.

    K(a, b) = Σ_{x in a} Σ_{y in b} C(x, y)
    C(x, y) = 0 where the productions of x and y differ, else decay · Π_k (1 + C(x_k, y_k))

x_k being the children of x. A fragment of n productions counts decay^n. With decay 1 all count alike, and K is the
number of pairs of equal fragments. Collins & Duffy 2001, "Convolution Kernels for Natural Language".

C depends on the two subtrees alone, so it is found once for each pair of distinct subtrees (`algo/compiledtrees.py`)
whose roots have the same production: for many pairs of trees at a time, children first. A node over n words that each
have a child makes 2^n fragments, so K can exceed any float. It is computed as it stands, so that whole numbers stay
whole up to 2^53, and in logarithms where that overflows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coheval.algo.compiledtrees import LEAF, CompiledTree, Ints
from coheval.algo.treematches import Matches, begins

Array = NDArray[np.float64]
Pair = tuple[CompiledTree, CompiledTree]
Normalise = Literal["none", "cosine", "log"]

_TOGETHER = 1 << 17  # subtrees that are compared at a time, to bound memory


class Shared(NamedTuple):
    """What the distinct subtrees of a tree have in common with another tree."""

    partner: Ints  # [u] the subtree of the other tree with the largest C, -1 where none has the same production
    log_c: Array  # [u] ln C with it, -inf where there is none
    share: Array  # [u] what one occurrence adds to K, as a part of K


def similarities(pairs: Sequence[Pair], *, decay: float, normalise: Normalise) -> Array:
    """How much the trees of each pair are alike.

    | normalise | | |
    |---|---|---|
    | none | K(a, b) | inf where a float cannot hold it |
    | cosine | K(a, b) / √(K(a, a) K(b, b)) | 0 to 1 |
    | log | ln(1 + K(a, b)) / √(ln(1 + K(a, a)) ln(1 + K(b, b))) | cut off at 1 |

    NaN where it is normalised and a tree is a mere leaf. By 'log' a small tree that occurs many times in a large one
    would come out above 1: a logarithm flattens K(b, b) more than K(a, b).
    """
    if normalise == "none":
        return kernels(pairs, decay)
    both, ours, theirs = _with_own(pairs, decay)
    with np.errstate(invalid="ignore"):
        if normalise == "cosine":
            found = np.exp(both - (ours + theirs) / 2)
        else:
            both, ours, theirs = (np.logaddexp(0, logs) for logs in (both, ours, theirs))
            found = np.sqrt((both / ours) * (both / theirs))  # ours · theirs may be too small for a number
    bounded: Array = np.minimum(found, 1.0)
    return bounded


def _with_own(pairs: Sequence[Pair], decay: float) -> Array:
    """ln K(a, b), ln K(a, a), ln K(b, b) [3, n]; a tree keeps what it is with itself."""
    new = {id(tree): tree for pair in pairs for tree in pair if decay not in tree.own}
    logs = log_kernels([*pairs, *((tree, tree) for tree in new.values())], decay)
    for tree, log in zip(new.values(), logs[len(pairs) :].tolist(), strict=True):
        tree.own[decay] = log
    own = np.array([(a.own[decay], b.own[decay]) for a, b in pairs]).reshape(-1, 2)
    return np.vstack([logs[: len(pairs)], own.T])


def kernels(pairs: Sequence[Pair], decay: float) -> Array:
    """K of each pair of trees; inf where a float cannot hold it."""
    if len({id(tree.vocabulary) for pair in pairs for tree in pair}) > 1:
        raise ValueError("the trees were compiled by different vocabularies")
    size = np.array([len(a.table) + len(b.table) for a, b in pairs], dtype=np.int64)
    cuts = [*begins(size.cumsum() // _TOGETHER).tolist(), len(pairs)]
    return np.concatenate([np.empty(0), *(_kernels(pairs[i:k], decay) for i, k in pairwise(cuts))])


def _kernels(pairs: Sequence[Pair], decay: float) -> Array:
    matches = Matches(pairs)
    values = np.full(matches.total, decay)
    total = np.zeros(len(pairs))
    with np.errstate(over="ignore"):
        for block in matches.blocks():
            for tops, below, first in block.levels():
                values[tops] = decay * np.multiply.reduceat(1 + values[below], first)
            total += np.bincount(block.pair, values[block.numbers] * block.weight, minlength=len(pairs))
    return total


def log_kernels(pairs: Sequence[Pair], decay: float) -> Array:
    """ln K of each pair of trees; -inf where they have no fragment in common."""
    with np.errstate(divide="ignore"):
        found = np.log(kernels(pairs, decay))
    for k in (found == np.inf).nonzero()[0].tolist():
        found[k] = _log_total(*_in_logarithms(pairs[k], decay))
    return found


def _in_logarithms(pair: Pair, decay: float) -> tuple[Matches, Array]:
    """The matches of a pair of trees and ln C of each."""
    matches = Matches([pair])
    values = np.full(matches.total, math.log(decay))
    for block in matches.blocks():
        for tops, below, first in block.levels():
            values[tops] = math.log(decay) + np.add.reduceat(np.logaddexp(0, values[below]), first)
    return matches, values


def _log_total(matches: Matches, values: Array) -> float:
    """ln K from the ln C of all matches."""
    total = -math.inf
    for block in matches.blocks():
        logs = values[block.numbers] + np.log(block.weight)
        if len(logs):
            largest = float(logs.max())
            total = float(np.logaddexp(total, largest + math.log(np.exp(logs - largest).sum())))
    return total


def shared(pair: Pair, decay: float) -> tuple[Shared, Shared]:
    """What the subtrees of each of two trees have in common with the other."""
    a, b = pair
    matches, values = _in_logarithms(pair, decay)
    log_k = _log_total(matches, values)
    ours, theirs = (
        Shared(np.full(size, LEAF), np.full(size, -math.inf), np.zeros(size)) for size in (len(a.table), len(b.table))
    )
    for block in matches.blocks():
        left, right = block.left, block.right - len(a.table)  # there both trees are numbered together
        log_c = values[block.numbers]
        part = np.exp(log_c - log_k)
        _note(ours, left, right, log_c, part * b.occurrences[right])
        _note(theirs, right, left, log_c, part * a.occurrences[left])
    return ours, theirs


def _note(found: Shared, own: Ints, other: Ints, log_c: Array, part: Array) -> None:
    """Add some matches to what is known of a tree's subtrees."""
    found.share[:] += np.bincount(own, part, minlength=len(found.share))
    order = np.lexsort((other, -log_c, own))
    best = order[begins(own[order])]
    better = best[log_c[best] > found.log_c[own[best]]]
    found.partner[own[better]], found.log_c[own[better]] = other[better], log_c[better]
