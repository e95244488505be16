"""coheval's side: all systems in one call, and how much of the work was the encoder's."""

from __future__ import annotations

from typing import Any

from peers.meter import Call, Scorer, answer, cpu, run_tasks


class Stopwatch:
    """Wraps a method of a class and adds up the CPU seconds spent in it."""

    def __init__(self, owner: type[Any], method: str) -> None:
        self.spent = 0.0
        work = getattr(owner, method)

        def timed(*args: Any, **kwargs: Any) -> Any:
            before = cpu()
            try:
                return work(*args, **kwargs)
            finally:
                self.spent += cpu() - before

        setattr(owner, method, timed)

    def lap(self) -> float:
        spent, self.spent = self.spent, 0.0
        return spent


def work(job: dict[str, Any]) -> dict[str, Any]:
    laps: list[float] = []

    def load(job: dict[str, Any]) -> Scorer:
        import coheval

        metric: Any = coheval.metric(job["metric"])
        watch = Stopwatch(type(metric.encoder), "encode")

        def score(calls: list[Call]) -> list[list[float]]:
            references = calls[0][1]
            if any(call[1] != references for call in calls):
                raise ValueError("expected the same references in all calls of a task")
            systems = {f"system-{i}": candidates for i, (candidates, _) in enumerate(calls)}
            segments = coheval.score(systems, references=references, metrics=job["metric"])[job["metric"]].segments
            laps.append(watch.lap())
            return list(segments.values())

        return score

    result = run_tasks(job, load)
    for task, lap in zip(result["tasks"].values(), laps[1:], strict=True):  # the first was the warm-up
        task["encoder_cpu"] = lap
    return result


if __name__ == "__main__":
    answer(work)
