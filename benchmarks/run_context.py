"""A metric over documents, with context and without, in turns; the share of the encoder, and the tokens it reads."""

from __future__ import annotations

from typing import Any

from peers.meter import answer, measure
from run_coheval import Stopwatch


def work(job: dict[str, Any]) -> dict[str, Any]:
    import coheval
    from coheval.encoders.minilm import MiniLM

    tokens = 0
    forward = MiniLM.forward

    def counted(self: Any, ids: Any, mask: Any, layers: Any) -> Any:
        nonlocal tokens
        tokens += int(mask.sum())
        return forward(self, ids, mask, layers)

    MiniLM.forward = counted  # type: ignore[method-assign]
    watch = Stopwatch(MiniLM, "forward")
    rounds = []
    for _ in range(job["rounds"]):
        of_round = {}
        for name, spec in job["specs"].items():
            tokens = 0
            watch.lap()
            _, spent = measure(
                lambda spec=spec: coheval.score(
                    job["systems"], job["references"], documents=job["documents"], metrics=[spec]
                )
            )
            of_round[name] = {"whole": spent["cpu"], "encoder": watch.lap(), "tokens": tokens}
        rounds.append(of_round)
    return {"rounds": rounds}


if __name__ == "__main__":
    answer(work)
