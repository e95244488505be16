"""Linear models against scikit-learn, scipy and the definition of a minimum."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize, nnls
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.preprocessing import StandardScaler

from coheval.algo.linear import Array, folds, pairwise_logistic, ridge

seeds = st.integers(0, 2**32 - 1)
penalties = st.sampled_from([1e-3, 0.1, 1.0, 30.0])


def pairs(seed: int, count: int = 60, members: int = 4) -> Array:
    """Differences of better and worse, by people who err."""
    rng = np.random.default_rng(seed)
    differences = rng.normal(size=(count, members))
    right = differences @ rng.normal(size=members) + rng.logistic(size=count) > 0
    return np.where(right[:, None], differences, -differences)


@pytest.mark.parametrize("penalty", ["0.1", "1.0"])
def test_pairwise_logistic_golden(shared: Path, penalty: str) -> None:
    golden = json.loads((shared / "golden" / "tree_kernel_and_stats.json").read_text())["maxent"]
    signs = 2 * np.array(golden["y"]) - 1
    differences = signs[:, None] * (np.array(golden["u1"]) - np.array(golden["u2"]))
    found = pairwise_logistic(differences, penalty=float(penalty))
    assert found == pytest.approx(golden["solutions"][penalty], abs=1e-5)  # L-BFGS stops earlier than Newton


@given(seeds, penalties)
def test_pairwise_logistic_equals_scikit_learn(seed: int, penalty: float) -> None:
    differences = pairs(seed)
    signs = np.random.default_rng(seed).choice([-1, 1], size=len(differences))  # it wants both classes
    oracle = LogisticRegression(fit_intercept=False, C=1 / (2 * penalty), tol=1e-10, max_iter=10_000)
    oracle.fit(differences * signs[:, None], signs)
    assert pairwise_logistic(differences, penalty=penalty) == pytest.approx(oracle.coef_[0], abs=1e-4, rel=1e-4)


@given(seeds, penalties)
def test_the_gradient_vanishes(seed: int, penalty: float) -> None:
    """By central differences of the objective as it is written."""
    differences = pairs(seed)
    w = pairwise_logistic(differences, penalty=penalty)

    def objective(w: Array) -> float:
        return float(np.log1p(np.exp(-(differences @ w))).sum() + penalty * (w**2).sum())

    for k in range(len(w)):
        h = np.zeros(len(w))
        h[k] = 1e-5
        assert (objective(w + h) - objective(w - h)) / 2e-5 == pytest.approx(0, abs=1e-6)


def test_one_pair_by_hand() -> None:
    # d = 1, λ = 1/4: the minimum of log(1 + exp(-w)) + w²/4 has 1 / (1 + exp(w)) = w/2; by bisection of that equation
    low, high = 0.0, 2.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 / (1 + np.exp(middle)) > middle / 2 else (low, middle)
    assert pairwise_logistic(np.ones((1, 1)), penalty=0.25) == pytest.approx([low], abs=1e-12)


def test_without_pairs_nothing_counts() -> None:
    assert pairwise_logistic(np.empty((0, 3)), penalty=1.0).tolist() == [0, 0, 0]


def test_separable_pairs_end() -> None:
    """The better one wins always and by far: only the penalty holds the weight."""
    w = pairwise_logistic(np.full((50, 1), 1000.0), penalty=1e-6)
    assert np.isfinite(w).all()
    assert w[0] > 0


@given(seeds, penalties)
def test_nonnegative_logistic_equals_bounded_search(seed: int, penalty: float) -> None:
    differences = pairs(seed)

    def objective(w: Array) -> tuple[float, Array]:
        margin = differences @ w
        gradient = 2 * penalty * w - differences.T @ (1 / (1 + np.exp(margin)))
        return float(np.logaddexp(0, -margin).sum() + penalty * w @ w), gradient

    oracle = minimize(objective, np.zeros(4), jac=True, bounds=[(0, None)] * 4, options={"ftol": 1e-15, "gtol": 1e-9})
    found = pairwise_logistic(differences, penalty=penalty, nonnegative=True)
    assert (found >= 0).all()
    assert found == pytest.approx(oracle.x, abs=1e-4)
    gradient = objective(found)[1]
    assert gradient[found > 0] == pytest.approx(np.zeros((found > 0).sum()), abs=1e-6)
    assert (gradient[found == 0] >= -1e-6).all()


@given(seeds, penalties)
def test_ridge_equals_scikit_learn(seed: int, penalty: float) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(loc=[0, 5, -100], scale=[1, 0.01, 30], size=(40, 3))
    y = x @ [1, 20, 0.05] + rng.normal(size=40) + 7
    scaler = StandardScaler().fit(x)
    oracle = Ridge(alpha=penalty).fit(scaler.transform(x), y)
    w, a = ridge(x, y, penalty=penalty)
    assert x @ w + a == pytest.approx(oracle.predict(scaler.transform(x)))
    assert w * scaler.scale_ == pytest.approx(oracle.coef_)


@given(seeds, penalties)
def test_nonnegative_ridge_equals_nnls(seed: int, penalty: float) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(40, 5)), rng.normal(size=40)
    z = StandardScaler().fit_transform(x)
    stacked = np.vstack([z, np.sqrt(penalty) * np.eye(5)])  # the penalty as five more rows
    oracle = nnls(stacked, np.concatenate([y - y.mean(), np.zeros(5)]))[0]
    w, a = ridge(x, y, penalty=penalty, nonnegative=True)
    assert w * x.std(axis=0) == pytest.approx(oracle, abs=1e-8)
    assert a == pytest.approx(y.mean() - x.mean(axis=0) @ w)


def test_ridge_by_hand() -> None:
    # x has mean 1 and deviation 1, so z = -1, 1; y - 3 = -2, 2; w = Σzy / (2 + λ) = 4/4; a = 3 - 1·1
    w, a = ridge(np.array([[0.0], [2.0]]), np.array([1.0, 5.0]), penalty=2.0)
    assert w.tolist() == [1.0]
    assert a == 2.0


def test_a_constant_feature_has_no_weight() -> None:
    x = np.column_stack([np.full(5, 0.1), np.arange(5.0)])
    w, a = ridge(x, 3 * np.arange(5.0), penalty=1e-9)
    assert w[0] == 0
    assert w[1] == pytest.approx(3)
    assert a == pytest.approx(0, abs=1e-6)


def test_one_rating_is_its_own_mean() -> None:
    w, a = ridge(np.array([[2.0, 3.0]]), np.array([4.0]), penalty=1.0)
    assert w.tolist() == [0, 0]
    assert a == 4.0


@given(seeds, st.integers(1, 40), st.integers(2, 6))
def test_folds_never_split_a_group(seed: int, size: int, count: int) -> None:
    groups = np.random.default_rng(seed).integers(0, 9, size=size)
    fold = folds(groups, count, seed=1)
    kinds = set(groups.tolist())
    assert all(len(set(fold[groups == group].tolist())) == 1 for group in kinds)
    assert sorted(set(fold.tolist())) == list(range(min(count, len(kinds))))
    assert (folds(groups, count, seed=1) == fold).all()


def test_folds_are_about_equal() -> None:
    fold = folds(np.arange(103), 5, seed=0)
    assert sorted(np.bincount(fold).tolist()) == [20, 20, 21, 21, 21]
    assert (folds(np.arange(103), 5, seed=1) != fold).any()


def test_folds_of_nothing() -> None:
    assert folds(np.empty(0, dtype=np.intp), 5, seed=0).tolist() == []
