"""pyemd as MoverScore's program calls it: two histograms over the units of both texts, all their distances."""

from __future__ import annotations

from typing import Any

import numpy as np
from meter import answer, fastest
from numpy.typing import NDArray
from pyemd import emd

Array = NDArray[np.float64]


def stacked(problem: dict[str, Any]) -> tuple[Array, Array, Array]:
    a, b = np.array(problem["a"]), np.array(problem["b"])
    cost = np.array(problem["cost"])  # [n + m, n + m]
    return np.append(a, np.zeros(len(b))), np.append(np.zeros(len(a)), b), cost


def work(job: dict[str, Any]) -> dict[str, Any]:
    problems = [stacked(p) for p in job["problems"]]
    answers = {}
    for backend in ("cpp", "pot"):
        found = [emd(*p, backend=backend) for p in problems]
        cpu = fastest(lambda backend=backend: [emd(*p, backend=backend) for p in problems], job["passes"])
        answers[backend] = {"distances": found, "cpu": cpu}
    return answers


if __name__ == "__main__":
    answer(work)
