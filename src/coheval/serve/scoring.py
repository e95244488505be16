"""Scores and explanations of requests that ask for the same metrics."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from coheval.data.lists import from_lists
from coheval.errors import UsageError
from coheval.metrics import Metric
from coheval.report.explained import Explained
from coheval.report.explanation import explanations
from coheval.report.facts import facts
from coheval.run.result import MetricResult, Result
from coheval.serve.joining import Input, Outcome, outcomes
from coheval.serve.offer import Offer
from coheval.serve.worker import Answer


@dataclass(frozen=True)
class Scoring:
    """What `coheval.score` takes."""

    candidates: Sequence[str] | Mapping[str, Sequence[str]]
    references: Sequence[str] | Sequence[Sequence[str]] | None
    sources: Sequence[str] | None
    documents: Sequence[str] | None
    metrics: tuple[str, ...]
    system: str

    def input(self) -> Input:
        records = from_lists(
            self.candidates,
            references=self.references,
            sources=self.sources,
            documents=self.documents,
            system=self.system,
        )
        return Input(list(records), single=not isinstance(self.candidates, Mapping))


@dataclass(frozen=True)
class Scorer:
    """Answers requests with equal metrics, all together."""

    offer: Offer

    def scores(self, requests: Sequence[Scoring]) -> list[Answer]:
        return [_encoded(found, _told) for found in self._outcomes(requests, evidence=False)]

    def explanations(self, requests: Sequence[Scoring]) -> list[Answer]:
        return [_encoded(found, _explained) for found in self._outcomes(requests, evidence=True)]

    def _outcomes(self, requests: Sequence[Scoring], *, evidence: bool) -> list[Outcome]:
        asked = requests[0].metrics
        if not asked:
            raise UsageError("no metric was asked for", where="metrics", hint="GET /v1/metrics lists them")
        metrics = {text: self.offer.metric(text) for text in asked}
        inputs = [_input(request) for request in requests]
        sound = [given for given in inputs if isinstance(given, Input)]
        found = iter(outcomes(sound, metrics, evidence=evidence))
        return [next(found) if isinstance(given, Input) else given for given in inputs]


def offered(metrics: Mapping[str, Metric]) -> list[dict[str, object]]:
    """What a reader must know of some metrics, before anything is scored."""
    known = facts(Result(_results(metrics), {}))
    return [{name: value for name, value in one.items() if name != "counts"} for one in known]


def _input(request: Scoring) -> Input | Exception:
    try:
        return request.input()
    except Exception as error:
        return error


def _encoded(found: Outcome, tell: Callable[[Result], object]) -> Answer:
    if isinstance(found, Exception):
        return found
    try:
        return json.dumps(tell(found), ensure_ascii=False, allow_nan=False).encode("utf-8")
    except Exception as error:  # of this request alone
        return error


def _told(result: Result) -> object:
    return {"metrics": {spec: one.to_dict() for spec, one in result.items()}, "notes": result.notes}


def _explained(result: Result) -> object:
    items = [] if result.corpus is None else list(result.corpus)
    return Explained(facts(result), explanations(result, items), list(result.notes)).to_dict()


def _results(metrics: Mapping[str, Metric]) -> dict[str, MetricResult]:
    return {spec: MetricResult(one, one.signature, {}, True, {}) for spec, one in metrics.items()}
