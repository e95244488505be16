"""Exact optimal transport between two weighted sets (Earth Mover's Distance).

    min over plans F ≥ 0 of Σ_ij F_ij C_ij   with   Σ_j F_ij = a_i,   Σ_i F_ij = b_j

solved by the network simplex of POT in float64. Only POT's compiled solver is loaded: `import ot` as a whole takes
seconds and 180 MB for backends that are not needed here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from coheval.errors import MetricError, ResourceError

Array = NDArray[np.float64]

LARGEST = 16_000_000  # cells of a cost matrix; 4,000 x 4,000 takes seconds and about a gigabyte
_ENOUGH_ITERATIONS = 10**9
_OPTIMAL = 1


def plan(a: Array, b: Array, cost: Array) -> Array:
    """The cheapest plan [n, m] that turns weights a [n] into b [m]; both are scaled to sum to one."""
    return _solve(a, b, cost)[0]


def distance(a: Array, b: Array, cost: Array) -> float:
    """The cost of the cheapest plan between weights that are scaled to sum to one."""
    return _solve(a, b, cost)[1]


def unequal_plan(a: Array, b: Array, cost: Array) -> Array:
    """The cheapest plan that moves min(Σa, Σb) of weights whose sums differ; the surplus stays where it is.

    This is how pyemd treats unequal histograms, before it charges for the surplus.
    """
    surplus = a.sum() - b.sum()
    if min(a.sum(), b.sum()) <= 0:
        return np.zeros_like(cost)
    n, m = cost.shape
    free = np.zeros((n + (surplus < 0), m + (surplus > 0)))  # a place without cost for what is too much
    free[:n, :m] = cost
    if surplus > 0:
        b = np.append(b, surplus)
    elif surplus < 0:
        a = np.append(a, -surplus)
    whole: Array = a.sum() * plan(a, b, free)
    return whole[:n, :m]


def _solve(a: Array, b: Array, cost: Array) -> tuple[Array, float]:
    a, b = a / a.sum(), b / b.sum()
    if len(a) == 1 or len(b) == 1:  # only one way to do it
        flow = np.outer(a, b)
        return flow, float(np.vdot(flow, cost))
    flow, total, _, _, code = _solver()(a, b, np.ascontiguousarray(cost), _ENOUGH_ITERATIONS, 1)
    if code != _OPTIMAL:
        raise MetricError(
            f"the transport solver ended without an optimum (code {code}) at {len(a)} x {len(b)}",
            hint="are all weights and vectors finite? if so, report it",
        )
    return flow, total


@cache
def _solver() -> Callable[..., tuple[Array, float, Array, Array, int]]:
    """POT's compiled `emd_c`, under a private package name so that a later `import ot` is not disturbed.

    The extension imports one helper from its package, for a function that is not used here: a stub stands in for it.
    """
    found = find_spec("ot")
    folders = [Path(p) / "lp" for p in (found.submodule_search_locations if found else None) or ()]
    files = [f for folder in folders for suffix in EXTENSION_SUFFIXES if (f := folder / f"emd_wrap{suffix}").exists()]
    if not files:
        raise ResourceError("the transport solver was not found", hint="pip install POT")
    for name in ("_coheval_pot", "_coheval_pot.lp", "_coheval_pot.utils"):
        stub = sys.modules.setdefault(name, ModuleType(name))
        stub.__path__ = []
    sys.modules["_coheval_pot.utils"].dist = None  # type: ignore[attr-defined]
    spec = spec_from_file_location("_coheval_pot.lp.emd_wrap", files[0])
    if spec is None or spec.loader is None:
        raise ResourceError(f"{files[0].name} cannot be loaded", hint="pip install --force-reinstall POT")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    solver: Callable[..., tuple[Array, float, Array, Array, int]] = module.emd_c
    return solver
