"""What OpenAPI says of the routes: forms of requests and answers, problems, examples."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import models_json_schema

from coheval.serve import bodies
from coheval.serve.problems import MEDIA_TYPE

_ANSWERS = (
    *(bodies.ScoreAnswer, bodies.ExplainAnswer, bodies.Tree, bodies.MetricsAnswer, bodies.Health),
    bodies.ProblemAnswer,
)
_REQUESTS = (bodies.ScoreRequest, bodies.ParseRequest)
_PROBLEMS = {
    401: "The service's key is missing or wrong.",
    408: "The body did not come in time.",
    413: "The request is larger than the service takes.",
    415: "The body is not application/json.",
    421: "The service does not go by the name in the header Host.",
    422: "The request is not what it must be: the same errors as on the command line.",
    429: "This client has too many requests in the service.",
    500: "A metric, or the service, failed.",
    503: "The service is full, loading or stopping, or the answer took too long.",
}
_FOR_ALL = (401, 421, 500, 503)
_WITH_BODY = (*_FOR_ALL, 408, 413, 415, 422, 429)

PAIR = {
    "candidates": ["The harbour was closed in May, when one of its piers began to sink."],
    "references": ["In May the port was shut, because a pier had started to sink."],
    "metrics": ["chrf", "bleu"],
}
SYSTEMS = {
    "candidates": {"a": ["It rained.", "We left."], "b": ["Rain fell.", "So we went."]},
    "references": [["It was raining.", "Rain fell."], ["So we left."]],
    "documents": ["monday", "monday"],
    "metrics": ["chrf"],
}
TEXTS = {"texts": ["It rained all day, so the match was put off."], "level": "document"}


def components() -> dict[str, Any]:
    """The schemas that routes refer to."""
    models = [*((m, "validation") for m in _REQUESTS), *((m, "serialization") for m in _ANSWERS)]
    _, found = models_json_schema(models, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
    schemas: dict[str, Any] = found["$defs"]
    return schemas


def takes(name: str, **examples: object) -> dict[str, Any]:
    """A route's body."""
    shown = {told: {"value": value} for told, value in examples.items()}
    content = {"application/json": {"schema": _refer(name), "examples": shown}}
    return {"requestBody": {"required": True, "content": content}}


def gives(schema: str, told: str, *, body: bool = False, several: bool = False) -> dict[int | str, Any]:
    """A route's answers: what it is for, and every problem that it may have instead."""
    refer = _refer(schema)
    content = {"application/json": {"schema": {"type": "array", "items": refer} if several else refer}}
    answers: dict[int | str, Any] = {200: {"description": told, "content": content}}
    problem = {MEDIA_TYPE: {"schema": _refer(bodies.ProblemAnswer.__name__)}}
    for status in _WITH_BODY if body else _FOR_ALL:
        answers[status] = {"description": _PROBLEMS[status], "content": problem}
    return answers


def completed(described: dict[str, Any], *, with_key: bool) -> dict[str, Any]:
    """What FastAPI says of the routes, with the schemas, and with the key where one is wanted."""
    described.setdefault("components", {}).setdefault("schemas", {}).update(components())
    if with_key:
        described["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        for path, operations in described["paths"].items():
            if path.startswith("/v1/"):
                for operation in operations.values():
                    operation["security"] = [{"key": []}]
    return described


def _refer(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
