"""coheval's correlations of all resamples; and, in turn with them, a loop over scipy's for some of the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from coheval.algo.correlation import pearson
from coheval.algo.resample import bootstrap_weights
from coheval.algo.weighted import WEIGHTED
from peers.meter import answer, measure, peak_mb

Array = NDArray[np.float64]
LOOPS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
LEVELS = 7  # of ratings with ties


def work(job: dict[str, Any]) -> dict[str, Any]:
    rng = np.random.default_rng(17)
    scores, ratings = simulated(job["systems"], job["segments"], rng)
    weights, drawing = measure(lambda: bootstrap_weights(job["segments"], job["resamples"], rng))
    some = 1 + rng.permutation(job["resamples"])[: job["rounds"] * job["looped"]].reshape(job["rounds"], -1)
    found: dict[str, list[dict[str, float]]] = {}
    for rows in some:
        for what, y in {"": ratings, ", ties": tied(ratings)}.items():
            for name in LOOPS:
                found.setdefault(f"{name}{what}", []).append(pooled(name, scores, y, weights, rows))
        found.setdefault("system level", []).append(by_system(scores, ratings, weights, rows))
    return {"rounds": found, "drawing": drawing["cpu"], "levels": LEVELS, "peak_mb": peak_mb()}


def simulated(systems: int, segments: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Scores and ratings [N, S] that share what is good about a system, a segment and a text."""
    good = rng.normal(size=(1, systems)) + rng.normal(size=(segments, 1)) + rng.normal(size=(segments, systems))
    scores, ratings = good + rng.normal(size=(2, *good.shape))
    return scores, ratings


def tied(ratings: Array) -> Array:
    """Ratings on a scale of a few whole numbers."""
    edges = np.quantile(ratings, np.arange(1, LEVELS) / LEVELS)
    return np.searchsorted(edges, ratings).astype(float)


def pooled(name: str, scores: Array, ratings: Array, weights: Array, rows: NDArray[np.intp]) -> dict[str, float]:
    """Over all texts, whose blocks are the segments."""
    x, y, block = scores.ravel(), ratings.ravel(), np.repeat(np.arange(len(scores)), scores.shape[1])

    def ours() -> Array:
        return WEIGHTED[name](x, y, block, weights)

    def theirs(drawn: NDArray[np.intp]) -> float:
        return float(LOOPS[name](scores[drawn].ravel(), ratings[drawn].ravel()).statistic)

    return compared(ours, theirs, weights, rows)


def by_system(scores: Array, ratings: Array, weights: Array, rows: NDArray[np.intp]) -> dict[str, float]:
    """Pearson's correlation of the systems' means."""

    def ours() -> Array:
        means = weights @ np.concatenate([scores, ratings], axis=1) / len(scores)  # [R, 2 S]
        return pearson(*np.split(means, 2, axis=1))

    def theirs(drawn: NDArray[np.intp]) -> float:
        return float(stats.pearsonr(scores[drawn].mean(axis=0), ratings[drawn].mean(axis=0)).statistic)

    return compared(ours, theirs, weights, rows)


def compared(
    ours: Callable[[], Array],
    theirs: Callable[[NDArray[np.intp]], float],
    weights: Array,
    rows: NDArray[np.intp],
) -> dict[str, float]:
    """CPU seconds of all resamples; the loop's are of some of them, scaled up. Both are told what was drawn."""
    drawn = [np.repeat(np.arange(weights.shape[1]), row.astype(np.intp)) for row in weights[rows]]
    result, mine = measure(ours)
    looped, loop = measure(lambda: [theirs(segments) for segments in drawn])
    return {
        "ours": mine["cpu"],
        "loop": loop["cpu"] / len(rows) * len(weights),
        "difference": float(np.abs(result[rows] - looped).max()),
    }


if __name__ == "__main__":
    answer(work)
