"""Several inputs as one corpus, and the result of scoring it cut apart again.

In the joint corpus every system and document has a name of its own, so nothing of one input stands beside anything of
another; corpus facts such as idf are each system's own anyway. What a system's scores are does not depend on which
systems stand beside it (`tests/test_laws.py`), so each part is what it would have been alone. Notes are told anew of
each part. The one thing that a joint result cannot tell apart is how many texts were windowed, cut and so on: `cut`
gives None where there were any, and the inputs are then scored one by one, from texts that are encoded already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from coheval.data import Corpus, Key
from coheval.data.corpus import Record
from coheval.metrics import Metric
from coheval.run.notes import notes
from coheval.run.result import MetricResult, Result, SystemScores
from coheval.run.score import check_needs, evaluate, shared_models

Outcome = Result | Exception
_UNDEFINED = "undefined"  # the count that can be told of each part


@dataclass(eq=False)
class Input:
    """What one request gives to be scored."""

    records: list[Record]
    single: bool  # whether results are plain lists, not by system
    corpus: Corpus = field(init=False)

    def __post_init__(self) -> None:
        self.corpus = Corpus.of(self.records)

    def keys(self) -> dict[str, list[Key]]:
        keys = {system: [Key(system, "")] * count for system, count in self.corpus.counts.items()}
        for item in self.corpus:
            for i, position in enumerate(item.positions):
                keys[item.system][position] = item.key(i)
        return keys


def outcomes(inputs: Sequence[Input], metrics: Mapping[str, Metric], *, evidence: bool) -> list[Outcome]:
    """What `coheval.score` gives for each input, or the error that it raises."""
    flaws = [_flaw(given, metrics) for given in inputs]
    sound = [given for given, flaw in zip(inputs, flaws, strict=True) if flaw is None]
    found = iter(_together(sound, metrics, evidence) if len(sound) > 1 else _each(sound, metrics, evidence, None))
    return [next(found) if flaw is None else flaw for flaw in flaws]


def _flaw(given: Input, metrics: Mapping[str, Metric]) -> Exception | None:
    try:
        for name, metric in metrics.items():
            check_needs(name, metric, given.corpus)
    except Exception as error:
        return error
    return None


def _together(inputs: Sequence[Input], metrics: Mapping[str, Metric], evidence: bool) -> list[Outcome]:
    try:
        shared = shared_models(metrics.values())
        with Corpus.of(_renamed(inputs)) as corpus:
            joint = evaluate(corpus, metrics, evidence=evidence, shared=shared)
    except Exception:  # it may be one input's alone: that one is told, and the others have their answers
        return _each(inputs, metrics, evidence, None)
    parts = [_part(joint, number, given) for number, given in enumerate(inputs)]
    if any(part is None for part in parts):
        return _each(inputs, metrics, evidence, shared)
    return [part for part in parts if part is not None]


def _each(
    inputs: Sequence[Input], metrics: Mapping[str, Metric], evidence: bool, shared: Mapping[Any, Any] | None
) -> list[Outcome]:
    return [_alone(given, metrics, evidence, shared) for given in inputs]


def _alone(given: Input, metrics: Mapping[str, Metric], evidence: bool, shared: Mapping[Any, Any] | None) -> Outcome:
    try:
        return evaluate(given.corpus, metrics, evidence=evidence, single=given.single, shared=shared)
    except Exception as error:
        return error


def _renamed(inputs: Sequence[Input]) -> Iterator[Record]:
    for number, given in enumerate(inputs):
        systems = _numbers(given.corpus.systems)
        documents = _numbers(given.corpus.documents)
        seen = dict.fromkeys(systems, 0)  # a record without a document is called by its place, as in a corpus
        for record in given.records:
            seen[record.system] += 1
            document = str(seen[record.system]) if record.document is None else record.document
            yield replace(
                record,
                system=_name(number, systems[record.system]),
                document=_name(number, documents[document]),
            )


def _part(joint: Result, number: int, given: Input) -> Result | None:
    """What a joint result says of one input."""
    cut = {name: _metric_part(one, number, given) for name, one in joint.items()}
    results = {name: one for name, one in cut.items() if one is not None}
    if len(results) < len(cut):
        return None
    keys = given.keys()
    references = {system: given.corpus.references_sha256(system) for system in given.corpus.systems}
    return Result(results, keys, notes(keys, results, references), given.corpus)


def _metric_part(one: MetricResult, number: int, given: Input) -> MetricResult | None:
    if any(count for mark, count in one.counts.items() if mark != _UNDEFINED):
        return None
    documents = {_name(number, n): document for n, document in enumerate(given.corpus.documents)}
    scores = {
        system: _system_part(one.by_system[_name(number, n)], documents)
        for n, system in enumerate(given.corpus.systems)
    }
    undefined = sum(of_system.undefined(one.metric.unit) for of_system in scores.values())
    return MetricResult(one.metric, one.signature, scores, given.single, one.counts | {_UNDEFINED: undefined})


def _system_part(scores: SystemScores, documents: Mapping[str, str]) -> SystemScores:
    return replace(
        scores,
        documents={documents[name]: score for name, score in scores.documents.items()},
        document_reasons={documents[name]: reason for name, reason in scores.document_reasons.items()},
        document_evidence={documents[name]: found for name, found in scores.document_evidence.items()},
    )


def _numbers(names: Sequence[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def _name(number: int, place: int) -> str:
    return f"{number}.{place}"
