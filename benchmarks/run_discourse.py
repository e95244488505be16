"""coheval's discourse metrics, all in one call; and, in turn with it, their encoder by itself on the same texts."""

from __future__ import annotations

from typing import Any

from peers.meter import answer, measure, peak_mb
from run_coheval import Stopwatch


def work(job: dict[str, Any]) -> dict[str, Any]:
    import coheval

    metrics: list[Any] = [coheval.metric(name) for name in job["metrics"]]
    ((encoder, layers),) = encoders(metrics).items()
    (annotator,) = {a for metric in metrics for a in metric.consults()}
    documents = [str(number) for number in range(len(job["references"]))]
    candidates, references = job["candidates"], job["references"]
    texts = sorted({text for group in (*candidates.values(), *references) for text in group})

    def score(size: int) -> None:
        some = {system: lines[:size] for system, lines in candidates.items()}
        coheval.score(some, references[:size], documents=documents[:size], metrics=metrics)

    def encode() -> None:
        encoder.encode(texts, layers=sorted(layers))

    score(1)
    watches = {
        "encoder": Stopwatch(type(encoder), "encode"),
        "annotator": Stopwatch(type(annotator), "annotate"),
    }
    rounds = []
    for _ in range(job["rounds"]):
        _, alone = measure(encode)
        for watch in watches.values():
            watch.lap()
        _, together = measure(lambda: score(len(documents)))
        parts = {part: watch.lap() for part, watch in watches.items()}
        rounds.append({"alone": alone["cpu"], "together": together["cpu"], **parts})
    return {"rounds": rounds, "texts": len(texts), "peak_mb": peak_mb()}


def encoders(metrics: list[Any]) -> dict[Any, set[int]]:
    """The encoders that they read, and the layers of each."""
    found: dict[Any, set[int]] = {}
    for metric in metrics:
        for encoder, layers in metric.reads().items():
            found.setdefault(encoder, set()).update(layers)
    return found


if __name__ == "__main__":
    answer(work)
