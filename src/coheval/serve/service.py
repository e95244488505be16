"""A request's way through the service: its body, its turn, its answer; all within its time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from coheval.serve.admission import Admission
from coheval.serve.bodies import Limits, ParseRequest, ScoreRequest
from coheval.serve.log import Log
from coheval.serve.parsing import Parsing
from coheval.serve.problems import Problem, busy, client_gone, problem_of
from coheval.serve.reading import check_parsing, check_scoring, read
from coheval.serve.scoring import Scoring
from coheval.serve.settings import Settings
from coheval.serve.worker import Engine, Task, Worker, stopped

_GLANCE = 0.05  # seconds between looks at whether models are there


@dataclass(frozen=True, eq=False)
class Service:
    settings: Settings
    engine: Engine
    worker: Worker
    admission: Admission
    log: Log

    @classmethod
    def of(cls, settings: Settings, engine: Engine, log: Log) -> Service:
        worker = Worker(engine, batch=settings.batch, together=settings.together, tell=log.failure)
        admission = Admission(most=settings.queue, per_client=settings.per_client)
        return cls(settings, engine, worker, admission, log)

    def start(self) -> None:
        self.worker.start()

    def stop(self) -> None:
        self.worker.stop()

    @property
    def metrics(self) -> bytes:
        """What GET /v1/metrics tells."""
        known = {name: getattr(self.settings, name) for name in Limits.model_fields}
        told = {"metrics": self.engine.facts, "defaults": self.settings.defaults, "limits": known}
        return json.dumps(told, ensure_ascii=False, allow_nan=False).encode("utf-8")

    def check_ready(self) -> None:
        if self.worker.stopping:
            raise stopped()
        if not self.worker.ready:
            raise busy("the service is loading its models", hint="try again in a moment")

    async def until_ready(self) -> None:
        """Who comes while models are loaded waits, as behind others' requests, and no longer than that."""
        end = asyncio.get_running_loop().time() + self.settings.seconds
        while not (self.worker.ready or self.worker.stopping) and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(_GLANCE)
        self.check_ready()

    async def score(self, request: Request, kind: str) -> Response:
        async def task() -> Task:
            body = await read(request, ScoreRequest, self.settings)
            most = self.settings.explained if kind == "explain" else self.settings.characters
            size = check_scoring(body, self.settings, most=most)
            metrics = tuple(dict.fromkeys(self.settings.defaults if body.metrics is None else body.metrics))
            content = Scoring(
                candidates=body.candidates,
                references=body.references,
                sources=body.sources,
                documents=body.documents,
                metrics=metrics,
                system=body.system,
            )
            return Task(kind, metrics, size, content)

        return await self._answer(request, task)

    async def parse(self, request: Request) -> Response:
        async def task() -> Task:
            body = await read(request, ParseRequest, self.settings)
            return Task("parse", body.level, check_parsing(body, self.settings), Parsing(body.texts, body.level))

        return await self._answer(request, task)

    async def _answer(self, request: Request, task: Callable[[], Awaitable[Task]]) -> Response:
        begin = asyncio.get_running_loop().time()
        given = await task()
        try:
            async with asyncio.timeout_at(begin + self.settings.seconds):
                return Response(await self._done(request, given), media_type="application/json")
        except TimeoutError:
            raise busy(
                f"the answer was not there within {self.settings.seconds:g} s",
                hint="try again in a moment, or send fewer or shorter texts",
            ) from None
        except Exception as error:
            raise self._told(error) from error

    async def _done(self, request: Request, task: Task) -> bytes:
        """The worker's answer; who has gone takes the task along."""
        work = asyncio.ensure_future(self.worker.do(task))
        gone = asyncio.ensure_future(_gone(request))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise client_gone()
            return work.result()
        finally:
            work.cancel()
            gone.cancel()

    def _told(self, error: Exception) -> Problem:
        problem = problem_of(error)
        if problem.log is not None:
            self.log.failure(problem.log)
        return problem


async def _gone(request: Request) -> None:
    """Ends when the client hangs up; its body is read already."""
    while (await request.receive())["type"] != "http.disconnect":
        continue
