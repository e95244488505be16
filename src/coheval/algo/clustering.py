"""Which of several things are alike: hierarchical clustering of correlations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def cluster_order(correlations: NDArray[np.floating]) -> list[int]:
    """The rows of correlations [n, n] so that like ones are neighbours: the leaves, from left to right, of a tree by
    average linkage of 1 − |r|, turned at each fork so that neighbours are as near as they can be. An undefined
    correlation counts as none. Of an order and its mirror image the one is taken whose first row is more like the
    others than its last."""
    from scipy.cluster.hierarchy import leaves_list

    if len(correlations) < 2:
        return list(range(len(correlations)))
    distances = _distances(correlations)
    leaves: list[int] = leaves_list(_tree(correlations)).tolist()
    away = distances.sum(axis=0)
    return leaves if (away[leaves[0]], leaves[0]) <= (away[leaves[-1]], leaves[-1]) else leaves[::-1]


def cluster_numbers(correlations: NDArray[np.floating], *, least: float) -> list[int]:
    """The same tree cut where |r| between clusters falls below `least`: a number from 1 on for each row, in order of
    appearance."""
    from scipy.cluster.hierarchy import fcluster

    if len(correlations) < 2:
        return [1] * len(correlations)
    found = fcluster(_tree(correlations), t=1 - least, criterion="distance").tolist()
    numbers = {cluster: n for n, cluster in enumerate(dict.fromkeys(found), start=1)}
    return [numbers[cluster] for cluster in found]


def _tree(correlations: NDArray[np.floating]) -> NDArray[np.float64]:
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    tree: NDArray[np.float64] = linkage(squareform(_distances(correlations)), "average", optimal_ordering=True)
    return tree


def _distances(correlations: NDArray[np.floating]) -> NDArray[np.float64]:
    apart = 1 - np.abs(np.nan_to_num(np.asarray(correlations, dtype=np.float64)))
    distances: NDArray[np.float64] = np.clip((apart + apart.T) / 2, 0, None)
    np.fill_diagonal(distances, 0.0)
    return distances
