"""The discourse parser on texts, each a segment; what its encoder and its tagger take of that is told."""

from __future__ import annotations

from typing import Any

from peers.meter import answer, measure, peak_mb
from run_coheval import Stopwatch


def work(job: dict[str, Any]) -> dict[str, Any]:
    from coheval.annotators.rst import Rst

    parser = Rst()
    texts = job["texts"]
    watches = {
        "encoder": Stopwatch(type(parser.encoder), "encode"),
        "tagger": Stopwatch(type(parser.words), "annotate"),
    }
    parser.annotate(texts[:20], layers=("rst",))
    rounds = []
    for _ in range(job["rounds"]):
        for watch in watches.values():
            watch.lap()
        found, spent = measure(lambda: parser.annotate(texts, layers=("rst",)))
        rounds.append({"whole": spent["cpu"], **{part: watch.lap() for part, watch in watches.items()}})
    edus = sum(len(one.tree) for one in found)
    return {"rounds": rounds, "edus": edus, "sentences": sum(len(one.sentences) for one in found), "peak_mb": peak_mb()}


if __name__ == "__main__":
    answer(work)
