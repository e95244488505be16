"""The routes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib.resources import files
from typing import Any

from fastapi import FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.responses import Response

from coheval.report import assets
from coheval.serve.guard import Guard
from coheval.serve.problems import Problem, problem_of
from coheval.serve.schema import PAIR, SYSTEMS, TEXTS, completed, gives, takes
from coheval.serve.service import Service
from coheval.serve.settings import Settings
from coheval.version import __version__

_ABOUT = "Scores, discourse trees and explanations of texts. Errors are application/problem+json."


def build(service: Service) -> Guard:
    """The whole service as an ASGI application."""
    app = FastAPI(
        title="coheval",
        summary="Score generated text beyond the sentence, and see why.",
        description=_ABOUT,
        version=__version__,
        docs_url=None,  # their pages load programs from elsewhere
        redoc_url=None,
        openapi_url=None,  # ours is made here
        redirect_slashes=False,
        lifespan=_lifespan(service),
        exception_handlers={HTTPException: _http_problem, Problem: _problem, Exception: _failure},
    )
    _add_api(app, service)
    _add_openapi(app, service.settings)
    _add_page(app)
    paths = frozenset(path for route in app.routes if (path := getattr(route, "path", None)))
    settings = service.settings
    return Guard(app, settings.key, settings.hosts, paths, service.admission, service.log)


def _lifespan(service: Service) -> Callable[[FastAPI], Any]:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.start()
        yield
        service.stop()

    return lifespan


def _add_api(app: FastAPI, service: Service) -> None:
    @app.post(
        "/v1/score",
        summary="Score texts",
        openapi_extra=takes("ScoreRequest", pair=PAIR, systems=SYSTEMS),
        responses=gives("ScoreAnswer", "Scores of segments, documents and systems.", body=True),
        operation_id="score",
    )
    async def score(request: Request) -> Response:
        """What `coheval.score` gives, by the specs of the metrics."""
        return await service.score(request, "score")

    @app.post(
        "/v1/explain",
        summary="Explain scores",
        openapi_extra=takes("ScoreRequest", pair=PAIR),
        responses=gives("ExplainAnswer", "Every document with its texts, scores, and what moved them.", body=True),
        operation_id="explain",
    )
    async def explain(request: Request) -> Response:
        """Scores of all documents of a small request, with the evidence and the words that the report shows."""
        return await service.score(request, "explain")

    @app.post(
        "/v1/parse",
        summary="Discourse trees",
        openapi_extra=takes("ParseRequest", text=TEXTS),
        responses=gives("Tree", "A tree for each text, or for each of its sentences.", body=True, several=True),
        operation_id="parse",
    )
    async def parse(request: Request) -> Response:
        """What `coheval.parse` gives."""
        return await service.parse(request)

    @app.get(
        "/v1/metrics",
        summary="The metrics that may be asked for",
        responses=gives("MetricsAnswer", "Metrics, those that are used when none is named, and limits."),
        operation_id="metrics",
    )
    async def metrics() -> Response:
        """Those that the operator allows. Their switches, choices and small numbers may be changed in a spec."""
        await service.until_ready()
        return Response(service.metrics, media_type="application/json")

    @app.get(
        "/healthz",
        summary="Whether the service is ready",
        responses=gives("Health", "It is."),
        operation_id="healthz",
    )
    async def healthz() -> Response:
        """503 while models are loaded."""
        service.check_ready()
        return Response('{"status":"ok"}', media_type="application/json")


def _add_openapi(app: FastAPI, settings: Settings) -> None:
    described = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        description=app.description,
        routes=app.routes,
    )
    content = json.dumps(completed(described, with_key=settings.key is not None))

    @app.get("/openapi.json", include_in_schema=False)
    async def openapi() -> Response:
        return Response(content, media_type="application/json")


def _add_page(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        text = files("coheval").joinpath("serve", "page", "try.html").read_text(encoding="utf-8")
        return Response(text, media_type="text/html")

    @app.get("/page.js", include_in_schema=False)
    async def script() -> Response:
        return Response(assets.script("try"), media_type="text/javascript")

    @app.get("/page.css", include_in_schema=False)
    async def style() -> Response:
        return Response(assets.style("try"), media_type="text/css")


async def _problem(_: Request, problem: Problem) -> Response:
    return problem.response()


async def _http_problem(_: Request, error: HTTPException) -> Response:
    """What Starlette refuses: paths and methods that there are not."""
    hint = "GET /openapi.json lists paths and methods"
    return Problem(
        error.status_code, HTTPStatus(error.status_code).description or error.detail, hint=hint, headers=error.headers
    ).response()


async def _failure(_: Request, error: Exception) -> Response:
    return problem_of(error).response()
