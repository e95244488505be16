"""Exact transport: its laws, and three oracles (scipy's linear programme, a hand calculation, pyemd)."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from coheval.algo import transport
from coheval.algo.transport import Array, distance, plan, unequal_plan
from coheval.errors import MetricError

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 9)


def problem(seed: int, n: int, m: int) -> tuple[Array, Array, Array]:
    """Random weights, some of them zero, and costs, some of them equal."""
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(size=n), rng.uniform(size=m)
    a[1:] *= rng.uniform(size=n - 1) > 0.2
    b[1:] *= rng.uniform(size=m - 1) > 0.2
    return a, b, np.round(rng.uniform(0, 2, size=(n, m)), rng.integers(0, 6))


def cheapest(a: Array, b: Array, cost: Array) -> float:
    """The optimum, from the definition: a linear programme over all plans."""
    n, m = cost.shape
    rows, columns = np.kron(np.eye(n), np.ones(m)), np.kron(np.ones(n), np.eye(m))
    answer = linprog(cost.ravel(), A_eq=np.vstack([rows, columns]), b_eq=np.concatenate([a, b]), method="highs")
    assert answer.success
    return float(answer.fun)


@given(seeds, sizes, sizes)
def test_marginals_and_sign(seed: int, n: int, m: int) -> None:
    a, b, cost = problem(seed, n, m)
    flow = plan(a, b, cost)
    assert flow.shape == (n, m)
    assert (flow >= 0).all()
    assert flow.sum(axis=1) == pytest.approx(a / a.sum(), abs=1e-12)
    assert flow.sum(axis=0) == pytest.approx(b / b.sum(), abs=1e-12)


@given(seeds, sizes, sizes)
def test_optimum(seed: int, n: int, m: int) -> None:
    a, b, cost = problem(seed, n, m)
    assert distance(a, b, cost) == pytest.approx(cheapest(a / a.sum(), b / b.sum(), cost), abs=1e-9)


@given(seeds, sizes, sizes)
def test_distance_is_symmetric_and_blind_to_scale(seed: int, n: int, m: int) -> None:
    a, b, cost = problem(seed, n, m)
    assert distance(b, a, cost.T) == pytest.approx(distance(a, b, cost), abs=1e-12)
    assert distance(7 * a, b / 3, cost) == pytest.approx(distance(a, b, cost), abs=1e-12)


@given(seeds, sizes)
def test_nothing_moves_between_equal_sets(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    points, a = rng.normal(size=(n, 3)), rng.uniform(0.1, 1, size=n)
    cost = np.linalg.norm(points[:, None] - points[None], axis=2)
    assert distance(a, a, cost) == 0.0


@given(seeds, sizes, sizes)
def test_equal_costs_leave_no_choice(seed: int, n: int, m: int) -> None:
    a, b, cost = problem(seed, n, m)
    assert distance(a, b, np.full_like(cost, 0.7)) == pytest.approx(0.7, abs=1e-12)


def test_larger_problem() -> None:
    rng = np.random.default_rng(0)
    a, b, cost = rng.uniform(size=60), rng.uniform(size=45), rng.uniform(size=(60, 45))
    assert distance(a, b, cost) == pytest.approx(cheapest(a / a.sum(), b / b.sum(), cost), abs=1e-9)


def test_worked_example() -> None:
    """Two shelves to two shelves: half a unit must cross, at a cost of 3; the rest stays or goes for 1."""
    flow = plan(np.array([3.0, 1.0]), np.array([1.0, 3.0]), np.array([[0.0, 3.0], [3.0, 1.0]]))
    assert flow == pytest.approx(np.array([[0.25, 0.5], [0.0, 0.25]]))


@given(seeds, sizes, sizes)
def test_unequal_sums_move_the_smaller(seed: int, n: int, m: int) -> None:
    """Against a linear programme with one free place for the surplus."""
    a, b, cost = problem(seed, n, m)
    flow = unequal_plan(a, b, cost)
    surplus = a.sum() - b.sum()
    free_a, free_b = np.append(a, max(0, -surplus)), np.append(b, max(0, surplus))
    assert float(np.vdot(flow, cost)) == pytest.approx(
        cheapest(free_a, free_b, np.pad(cost, ((0, 1), (0, 1)))), abs=1e-9
    )
    assert flow.sum() == pytest.approx(min(a.sum(), b.sum()), abs=1e-12)
    assert (flow.sum(axis=1) <= a + 1e-12).all()
    assert (flow.sum(axis=0) <= b + 1e-12).all()


@settings(max_examples=20)
@given(seeds, sizes, sizes)
def test_unequal_sums_as_pyemd_counts_them(seed: int, n: int, m: int) -> None:
    """pyemd takes both sets as one histogram over all points; without its penalty the cost is the plan's."""
    pyemd = pytest.importorskip("pyemd")
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(0.1, 1, size=n), rng.uniform(0.1, 1, size=m)
    points = rng.normal(size=(n + m, 3))
    between = np.linalg.norm(points[:, None] - points[None], axis=2)
    left, right = np.concatenate([a, np.zeros(m)]), np.concatenate([np.zeros(n), b])
    cost = np.ascontiguousarray(between[:n, n:])
    expected = pyemd.emd(left, right, between, extra_mass_penalty=0.0)
    assert float(np.vdot(unequal_plan(a, b, cost), cost)) == pytest.approx(expected, abs=1e-5)  # pyemd rounds to 1e-6


def test_weightless_side_moves_nothing() -> None:
    assert not unequal_plan(np.zeros(2), np.ones(3), np.ones((2, 3))).any()


def test_unfinished_solver_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_solver", lambda: lambda *_: (np.zeros((2, 2)), 0.0, None, None, 3))
    with pytest.raises(MetricError, match="code 3"):
        plan(np.ones(2), np.ones(2), np.ones((2, 2)))


def test_pot_can_be_imported_afterwards_and_is_not_needed() -> None:
    program = """
import sys, numpy as np
from coheval.algo.transport import distance
a, cost = np.ones(2), np.array([[0.0, 1.0], [1.0, 0.0]])
assert distance(a, a, cost) == 0.0
assert "ot" not in sys.modules and "scipy" not in sys.modules
import ot
assert ot.emd2(a / 2, a / 2, cost) == 0.0
"""
    quick = {f"POT_BACKEND_DISABLE_{name}": "1" for name in ("PYTORCH", "JAX", "CUPY", "TENSORFLOW")}
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120, env={**os.environ, **quick})
