"""A metric over documents, with context and without, in turns; the share of the encoder, and the tokens it reads."""

from __future__ import annotations

from typing import Any

from peers.meter import answer, measure
from run_coheval import Stopwatch

WIDTH = 384  # of MiniLM's layers, each of which multiplies a token by 12 · 384² weights and attends to all others


def work(job: dict[str, Any]) -> dict[str, Any]:
    import coheval
    from coheval.encoders.minilm import MiniLM

    tokens = operations = 0
    forward = MiniLM.forward

    def counted(self: Any, ids: Any, mask: Any, layers: Any) -> Any:
        nonlocal tokens, operations
        lengths = mask.sum(axis=1).astype(int)
        tokens += int(lengths.sum())
        operations += int((24 * WIDTH**2 * lengths + 4 * WIDTH * lengths**2).sum())
        return forward(self, ids, mask, layers)

    MiniLM.forward = counted  # type: ignore[method-assign]
    watch = Stopwatch(MiniLM, "forward")
    rounds = []
    for _ in range(job["rounds"]):
        of_round = {}
        for name, spec in job["specs"].items():
            tokens = operations = 0
            watch.lap()
            _, spent = measure(
                lambda spec=spec: coheval.score(
                    job["systems"], job["references"], documents=job["documents"], metrics=[spec]
                )
            )
            counts = {"tokens": tokens, "operations": operations}
            of_round[name] = {"whole": spent["cpu"], "encoder": watch.lap(), **counts}
        rounds.append(of_round)
    return {"rounds": rounds}


if __name__ == "__main__":
    answer(work)
