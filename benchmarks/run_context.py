"""A metric over documents, with context and without, in turns; the share of the encoder, and the tokens it reads."""

from __future__ import annotations

from typing import Any

from peers.meter import answer, measure
from run_coheval import Stopwatch

# MiniLM's blocks multiply each token by 12 · 384² weights and let it attend to all others; in the last one, 9 of the 12
# are for tokens that somebody looks at.
BLOCKS, WIDTH = 6, 384


def work(job: dict[str, Any]) -> dict[str, Any]:
    import coheval
    from coheval.encoders.minilm import MiniLM

    tokens = operations = 0
    forward_at = MiniLM.forward_at

    def counted(self: Any, where: Any, ids: Any, mask: Any, layers: Any) -> Any:
        nonlocal tokens, operations
        lengths = mask.sum(axis=1).astype(int)
        tokens += int(lengths.sum())
        operations += BLOCKS * int((12 * WIDTH**2 * lengths + 2 * WIDTH * lengths**2).sum())
        operations -= 9 * WIDTH**2 * int(lengths.sum() - where.sum())
        return forward_at(self, where, ids, mask, layers)

    MiniLM.forward_at = counted  # type: ignore[method-assign]
    watch = Stopwatch(MiniLM, "forward_at")
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
