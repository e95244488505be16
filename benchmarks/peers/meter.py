"""What a piece of work cost, and the shape of every runner: one JSON job from stdin, one JSON answer on stdout.

Standard library only: the interpreters of the peers read this file as well.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
Call = tuple[list[str], list[str]]  # candidates, references
Scorer = Callable[[list[Call]], list[list[float]]]  # a score for each pair of each call


def cpu() -> float:
    """CPU seconds of this process, all its threads, and the children it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def peak_mb() -> float:
    """The most memory that this process has held until now, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(work: Callable[[], T]) -> tuple[T, dict[str, float]]:
    wall, before = time.perf_counter(), cpu()
    result = work()
    return result, {"cpu": cpu() - before, "wall": time.perf_counter() - wall, "peak_mb": peak_mb()}


def fastest(work: Callable[[], object], passes: int) -> float:
    """The CPU seconds of the fastest of some passes: what a short piece of work costs when nothing disturbs it."""
    return min(measure(work)[1]["cpu"] for _ in range(passes))


def answer(work: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Read a job, write its answer; whatever a library prints goes to stderr, stdout carries the answer alone."""
    job = json.load(sys.stdin)
    stdout = os.dup(1)
    os.dup2(2, 1)
    result = work(job)
    with os.fdopen(stdout, "w", encoding="utf-8") as stream:
        json.dump(result, stream)


def run_tasks(job: dict[str, Any], load: Callable[[dict[str, Any]], Scorer]) -> dict[str, Any]:
    """Load, warm up on texts of its own, then do each task, a list of calls, and say what it cost."""
    score, cost = measure(lambda: load(job))
    score([job["warmup"]])
    tasks = {}
    for name, calls in job["tasks"].items():
        scores, spent = measure(lambda calls=calls: score(calls))  # type: ignore[misc]
        tasks[name] = {"scores": scores, **spent}
    return {"load": cost, "tasks": tasks}
