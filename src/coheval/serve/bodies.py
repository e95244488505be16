"""What requests and answers look like: read by the service, and told in OpenAPI."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Texts = list[str]
Score = float | None
Finite = Annotated[float, Field(allow_inf_nan=False)]


class Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ScoreRequest(Request):
    """What `coheval.score` takes; position n of every list belongs to the same segment."""

    candidates: Texts | dict[str, Texts] = Field(description="The texts to be scored, or a list of them by system.")
    references: Texts | list[Texts] | None = Field(
        None, description="One text for each candidate, or a list of texts for each."
    )
    sources: Texts | None = Field(None, description="What was translated or summarised.")
    documents: Texts | None = Field(
        None, description="A document id for each candidate: those of one document are its segments."
    )
    metrics: Texts | None = Field(
        None, description="Specs of metrics, as GET /v1/metrics lists them. Without any, its `defaults`."
    )
    system: str = Field("system", description="What a single list of candidates is called.")

    def texts(self) -> Iterator[str]:
        for texts in self.lists():
            yield from texts
        for one in self.references or ():
            if isinstance(one, str):
                yield one
            else:
                yield from one
        yield from self.sources or ()

    def lists(self) -> list[Texts]:
        return list(self.candidates.values()) if isinstance(self.candidates, dict) else [self.candidates]


class ParseRequest(Request):
    """What `coheval.parse` takes."""

    texts: Texts = Field(description="Each has a tree of its own.")
    level: Literal["document", "sentence"] = Field("document", description="A tree for each text, or each sentence.")


class MetricScores(BaseModel):
    """One metric's scores: plain values for one list of candidates, by system for several. Undefined ones are null."""

    signature: str
    higher_is_better: bool
    system: Score | dict[str, Score]
    documents: dict[str, Score] | dict[str, dict[str, Score]]
    segments: list[Score] | dict[str, list[Score]]
    reasons: list[str | None] | dict[str, list[str | None]] = Field(description="Why a segment has no score.")
    document_reasons: dict[str, str] | dict[str, dict[str, str]]
    counts: dict[str, int] = Field(description="Units without a score; texts that were windowed, cut, unknown.")


class ScoreAnswer(BaseModel):
    metrics: dict[str, MetricScores] = Field(description="By the specs that were asked for.")
    notes: list[str] = Field(description="What a reader of the numbers should know.")


class MetricFacts(BaseModel):
    metric: str = Field(description="The spec to ask for it with.")
    name: str
    summary: str
    signature: str
    higher_is_better: bool
    range: list[Score] = Field(description="The lowest and the highest score; null where there is no bound.")
    unit: Literal["segment", "document"]
    needs: list[str] = Field(description="Of `references`, `source` and `documents`.")
    several_references: str


class ExplainedFacts(MetricFacts):
    counts: dict[str, int]


class SegmentedText(BaseModel):
    text: str
    segments: list[list[int] | None] = Field(description="Where each segment stands, in characters.")


class ExplainedPart(BaseModel):
    segment: int | None = Field(description="Its place in the document; null: the whole document.")
    references: list[int] = Field(description="The places of the references that its evidence speaks of.")
    words: list[str] = Field(description="What moved the score, in words.")
    evidence: dict[str, Any] | None = Field(description="What the score rests on; `kind` says what it is.")


class ExplainedMetric(BaseModel):
    metric: str
    unit: str
    score: Score
    reason: str | None
    segments: list[Score]
    reasons: list[str | None]
    parts: list[ExplainedPart]


class ExplainedDocument(BaseModel):
    system: str
    document: str
    candidate: SegmentedText
    references: list[SegmentedText]
    source: SegmentedText | None
    labels: list[int]
    metrics: list[ExplainedMetric]


class ExplainAnswer(BaseModel):
    facts: list[ExplainedFacts]
    explanations: list[ExplainedDocument]
    notes: list[str]


class Tree(BaseModel):
    """A discourse tree; EDUs are spans of characters of the text beside them."""

    name: str = Field(description="The number of its text in the request, from 1.")
    sentence: int | None
    start: int
    text: str
    edus: list[list[int]]
    nodes: list[list[Any]] = Field(description="[first, split, stop, nuclearity, relation, probability]")


class Limits(BaseModel):
    body: int
    characters: int
    text: int
    explained: int
    segments: int
    texts: int
    asked: int
    seconds: float


class MetricsAnswer(BaseModel):
    metrics: list[MetricFacts]
    defaults: list[str]
    limits: Limits


class Health(BaseModel):
    status: Literal["ok"]


class ProblemAnswer(BaseModel):
    """RFC 9457, with what the command line says beside."""

    type: str
    title: str
    status: int
    detail: str
    where: str | None = None
    hint: str
