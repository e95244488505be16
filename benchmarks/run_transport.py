"""coheval's transport, and how far it is from scipy's linear programme (HiGHS)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from coheval.algo.transport import distance
from peers.meter import answer, fastest

Array = NDArray[np.float64]


def sides(problem: dict[str, Any]) -> tuple[Array, Array, Array]:
    a, b, cost = (np.array(problem[key]) for key in ("a", "b", "cost"))
    return a, b, np.ascontiguousarray(cost[: len(a), len(a) :])


def linear_programme(a: Array, b: Array, cost: Array) -> float:
    rows = np.kron(np.eye(len(a)), np.ones(len(b)))  # Σ_j F_ij = a_i
    columns = np.tile(np.eye(len(b)), len(a))  # Σ_i F_ij = b_j
    found = linprog(cost.ravel(), A_eq=np.vstack([rows, columns]), b_eq=np.append(a, b), method="highs")
    if not found.success:
        raise RuntimeError(f"scipy found no optimum: {found.message}")
    return float(found.fun)


def work(job: dict[str, Any]) -> dict[str, Any]:
    problems = [sides(p) for p in job["problems"]]
    found = [distance(*p) for p in problems]
    cpu = fastest(lambda: [distance(*p) for p in problems], job["passes"])
    exact = [linear_programme(*p) for p in problems] if job["check"] else []
    return {"distances": found, "exact": exact, "cpu": cpu}


if __name__ == "__main__":
    answer(work)
