"""Correlation between metrics, and which of them are alike."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from coheval.algo.clustering import cluster_numbers, cluster_order
from coheval.errors import UnknownName, UsageError
from coheval.run.agreement import between

RNG = np.random.default_rng(4)
BASE, OTHER = RNG.normal(size=(2, 3, 20))


def lists(values: np.ndarray) -> dict[str, list[float]]:
    return {f"s{n}": row.tolist() for n, row in enumerate(values)}


SCORES = {
    "a": lists(BASE),
    "x": lists(OTHER),
    "b": lists(BASE + RNG.normal(0, 0.1, BASE.shape)),
    "errors": lists(-OTHER + RNG.normal(0, 0.1, BASE.shape)),
}


@pytest.mark.parametrize(
    ("statistic", "oracle"),
    [("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)],
)
def test_correlations_are_scipys(statistic, oracle) -> None:
    found = between(SCORES, statistic=statistic).to_pandas()
    flat = {name: np.array(list(values.values())).ravel() for name, values in SCORES.items()}
    for one in SCORES:
        for other in SCORES:
            assert found.loc[one, other] == pytest.approx(oracle(flat[one], flat[other]).statistic)


def test_at_system_level() -> None:
    found = between(SCORES, level="system").to_pandas()
    means = {name: [np.mean(v) for v in values.values()] for name, values in SCORES.items()}
    assert found.loc["a", "x"] == pytest.approx(stats.pearsonr(means["a"], means["x"]).statistic)


def test_like_metrics_are_neighbours_and_in_one_cluster() -> None:
    found = between(SCORES, lower_is_better=["errors"])
    assert {frozenset(found.metrics[:2]), frozenset(found.metrics[2:])} == {frozenset("ab"), frozenset(("x", "errors"))}
    assert found.clusters == [1, 1, 2, 2]
    assert found.to_pandas().loc["x", "errors"] > 0.9  # turned by its direction


def test_an_undefined_correlation_is_none() -> None:
    found = between({"a": [1.0, 2, 3], "same": [1.0, 1, 1]})
    assert "NaN" not in found.to_json()
    values = json.loads(found.to_json())["values"]
    assert sum(v is None for row in values for v in row) == 3  # with each other, and with itself
    assert "–" in repr(found)


def test_one_metric_alone() -> None:
    assert between({"a": [1.0, 2, 3]}).clusters == [1]


def test_a_tree_by_hand() -> None:
    """1 − |r|: a–b 0.1, c–d 0.2, all else 0.9; cut at |r| = 0.5 there are two clusters, at 0.95 four."""
    r = np.full((4, 4), 0.1)
    np.fill_diagonal(r, 1)
    r[0, 2] = r[2, 0] = -0.9  # of opposite sign is alike too
    r[1, 3] = r[3, 1] = 0.8
    order = cluster_order(r)
    assert {frozenset(order[:2]), frozenset(order[2:])} == {frozenset((0, 2)), frozenset((1, 3))}
    assert cluster_numbers(r, least=0.5) == [1, 2, 1, 2]
    assert cluster_numbers(r, least=0.95) == [1, 2, 3, 4]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UnknownName, match="no metric is called 'c'"):
        between(SCORES, metrics=["a", "c"])
    with pytest.raises(UsageError, match="did you mean 'pearson'"):
        between(SCORES, statistic="person")
    with pytest.raises(UsageError, match="no level is called 'summary'"):
        between(SCORES, level="summary")
