"""All models behind the service, and what they answer; in whatever process this is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from coheval.run.score import score
from coheval.serve.offer import Offer
from coheval.serve.parsing import trees
from coheval.serve.problems import problem_of
from coheval.serve.scoring import Scorer, offered
from coheval.serve.worker import Answer

Handler = Callable[[Sequence[Any]], list[Answer]]
_WARM = "It rained, so the match was put off."


class Engine:
    def __init__(self, metrics: Sequence[str]) -> None:
        self.offer = Offer(metrics)
        scorer = Scorer(self.offer)
        self.handlers: dict[str, Handler] = {"score": scorer.scores, "explain": scorer.explanations, "parse": trees}
        self.facts: list[dict[str, object]] = []

    def start(self) -> None:
        """Load what the offered metrics need, so that no request waits for a model and what lacks is told at once."""
        metrics = self.offer.metrics
        score([_WARM], [[_WARM]], sources=[_WARM], documents=["1"], metrics=list(metrics.values()))
        self.facts = offered(metrics)

    def answers(self, kind: str, contents: Sequence[Any]) -> list[Answer]:
        try:
            found = self.handlers[kind](contents)
        except Exception as error:  # a defect: whoever asked is told, and the log says where
            found = [error] * len(contents)
        return [problem_of(one) if isinstance(one, BaseException) else one for one in found]

    def flaw(self) -> None:
        return None

    def abort(self) -> None:
        pass

    def stop(self) -> None:
        pass
