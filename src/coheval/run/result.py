"""What scoring gives back: for each spec that was asked for, scores of segments, documents and systems."""

from __future__ import annotations

import json
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from coheval.data import Corpus, Key
from coheval.errors import ResourceError, UnknownName, did_you_mean
from coheval.metrics import Evidence, Metric, Unit

if TYPE_CHECKING:
    import pandas

    from coheval.report.explained import Explained

T = TypeVar("T")
Shaped: TypeAlias = T | dict[str, T]  # of one list of candidates, or by system
Score = float | None
Level = Literal["system", "document", "segment"]


class UnknownResult(UnknownName, KeyError):
    """A mapping's missing key, told as every other mistake is."""


@dataclass(slots=True, eq=False)
class SystemScores:
    """One metric's scores of one system; lists are in input order."""

    segments: list[Score]
    reasons: list[str | None]  # why a segment has no score
    rows: NDArray[np.float64]  # the additive numbers behind the scores; NaN where there are none; a row for each
    # segment, or for each document in the order of `documents`, as the metric's unit says
    evidence: list[Evidence | None]
    documents: dict[str, Score]
    document_reasons: dict[str, str]  # why a document has no score
    document_evidence: dict[str, Evidence]  # of metrics whose unit is the document
    system: Score

    def undefined(self, unit: Unit) -> int:
        return sum(score is None for score in (self.segments if unit == "segment" else self.documents.values()))


@dataclass(slots=True, eq=False)
class MetricResult:
    """One metric's scores. Plain lists and numbers for one list of candidates, dicts by system for several."""

    metric: Metric
    signature: str
    by_system: dict[str, SystemScores]
    single: bool
    counts: dict[str, int]  # of "undefined" units, "partial" references, "windowed" and "cut" texts, "unknown" tokens

    @property
    def segments(self) -> Shaped[list[Score]]:
        return self._shaped({name: s.segments for name, s in self.by_system.items()})

    @property
    def documents(self) -> Shaped[dict[str, Score]]:
        by_system: dict[str, dict[str, Score]] = {name: s.documents for name, s in self.by_system.items()}
        return next(iter(by_system.values())) if self.single else by_system

    @property
    def system(self) -> Shaped[Score]:
        return self._shaped({name: s.system for name, s in self.by_system.items()})

    @property
    def reasons(self) -> Shaped[list[str | None]]:
        """In the shape of `segments`: why a score is None."""
        return self._shaped({name: s.reasons for name, s in self.by_system.items()})

    @property
    def evidence(self) -> Shaped[list[Evidence | None]]:
        """In the shape of `segments`: what a score rests on, if it was asked for."""
        return self._shaped({name: s.evidence for name, s in self.by_system.items()})

    @property
    def document_reasons(self) -> Shaped[dict[str, str]]:
        """By document: why its score is None."""
        by_system: dict[str, dict[str, str]] = {name: s.document_reasons for name, s in self.by_system.items()}
        return next(iter(by_system.values())) if self.single else by_system

    @property
    def document_evidence(self) -> Shaped[dict[str, Evidence]]:
        """By document: what its score rests on, if it was asked for and the metric's unit is the document."""
        by_system: dict[str, dict[str, Evidence]] = {name: s.document_evidence for name, s in self.by_system.items()}
        return next(iter(by_system.values())) if self.single else by_system

    @property
    def higher_is_better(self) -> bool:
        return self.metric.higher_is_better

    @property
    def undefined(self) -> int:
        """Units (segments, or documents) without a score, over all systems. They are left out of all means."""
        return self.counts["undefined"]

    def to_dict(self) -> dict[str, Any]:
        return {
            "signature": self.signature,
            "higher_is_better": self.higher_is_better,
            "system": self.system,
            "documents": self.documents,
            "segments": self.segments,
            "reasons": self.reasons,
            "document_reasons": self.document_reasons,
            "counts": self.counts,
        }

    def _shaped(self, by_system: dict[str, T]) -> Shaped[T]:
        return next(iter(by_system.values())) if self.single else by_system


@dataclass(slots=True, repr=False, eq=False)
class Result(Mapping[str, MetricResult]):
    """Results by the spec text that was asked for."""

    metrics: dict[str, MetricResult]
    keys_by_system: dict[str, list[Key]]  # in input order
    notes: list[str] = field(default_factory=list)  # what a reader of the numbers should know
    corpus: Corpus | None = None  # the texts; a run folder has none

    def __getitem__(self, spec: str) -> MetricResult:
        if spec not in self.metrics:
            raise UnknownResult(f"no result for {spec!r}", hint=did_you_mean(spec, self.metrics))
        return self.metrics[spec]

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def __repr__(self) -> str:
        from coheval.run.tables import text

        return "\n".join([text(self, "system"), *(f"note: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        from coheval.report.notebook import result_html

        return result_html(self)

    def explain(self, which: int | str, system: str | None = None) -> Explained:
        """What the scores of a document rest on: `which` is its id, or the place of one of its segments in the input.

        A notebook shows it as a page, `print` in words; `to_dict()` has everything. Without `system`, of all systems.
        """
        from coheval.report.explained import explained

        return explained(self, which, system)

    def __contains__(self, spec: object) -> bool:
        return spec in self.metrics

    @property
    def systems(self) -> list[str]:
        return list(self.keys_by_system)

    def to_json(self) -> str:
        content = {"metrics": {spec: r.to_dict() for spec, r in self.metrics.items()}, "notes": self.notes}
        return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)

    def to_pandas(self, level: Level = "segment") -> pandas.DataFrame:
        """A row for each segment, document or system, and a column for each metric."""
        try:
            import pandas
        except ImportError:
            raise ResourceError("to_pandas needs pandas, which is not installed", hint="pip install pandas") from None
        return pandas.DataFrame(self.rows(level))

    def rows(self, level: Level) -> list[dict[str, Any]]:
        """The scores of one level as records."""
        if level not in typing.get_args(Level):
            raise UnknownName(f"no level is called {level!r}", hint=f"one of {', '.join(typing.get_args(Level))}")
        return [row for system in self.systems for row in getattr(self, f"_{level}_rows")(system)]

    def _system_rows(self, system: str) -> Iterator[dict[str, Any]]:
        yield {"system": system} | {spec: r.by_system[system].system for spec, r in self.metrics.items()}

    def _document_rows(self, system: str) -> Iterator[dict[str, Any]]:
        for document in dict.fromkeys(key.document for key in self.keys_by_system[system]):
            scores = {spec: r.by_system[system].documents[document] for spec, r in self.metrics.items()}
            yield {"system": system, "document": document} | scores

    def _segment_rows(self, system: str) -> Iterator[dict[str, Any]]:
        for i, key in enumerate(self.keys_by_system[system]):
            scores = {spec: r.by_system[system].segments[i] for spec, r in self.metrics.items()}
            yield {"system": system, "document": key.document, "segment": key.segment} | scores
