"""One thread that gives an engine all work, and takes what waits for the same together.

Nothing waits for company: an idle worker begins at once with what there is, and whatever arrives meanwhile is the next
batch. So requests are as many in a batch as the load makes them. Only behind a batch of several does the worker pause
for a moment, a small part of what the batch took: those who were just answered are likely to ask again, and otherwise
the first of them would be scored alone while the others wait.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from coheval.serve.problems import busy

PAUSE, LONGEST_PAUSE = 0.1, 0.01  # part of the time that a batch took; seconds
Answer = bytes | BaseException


class Engine(Protocol):
    """What runs the models: in this process (`engine`) or in one of its own (`apart`)."""

    facts: list[dict[str, object]]  # of the metrics on offer, once it has started

    def start(self) -> None:
        """Load all models; again, where an engine is no longer sound."""

    def answers(self, kind: str, contents: Sequence[Any]) -> list[Answer]:
        """Of tasks of one kind and key: an answer for each."""

    def sound(self) -> bool:
        """Whether it can go on as it is."""

    def stop(self) -> None:
        """Give back what it holds."""


@dataclass(frozen=True)
class Task:
    kind: str
    key: Hashable  # tasks of one kind with equal keys can be done together
    characters: int
    content: Any


@dataclass(eq=False)
class _Job:
    task: Task
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    answer: asyncio.Future[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.answer = self.loop.create_future()

    def settle(self, answer: Answer) -> None:
        """In the loop's thread. An answer that comes too late is dropped."""
        if self.answer.done():
            return
        if isinstance(answer, BaseException):
            self.answer.set_exception(answer)
        else:
            self.answer.set_result(answer)


class Worker:
    def __init__(self, engine: Engine, *, batch: int, together: int) -> None:
        self._engine = engine
        self._batch = batch
        self._together = together
        self._waiting: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self.ready = False
        self.failure: BaseException | None = None  # why it could not begin

    def start(self) -> None:
        """Loading the models is the first thing that the thread does."""
        self._thread = threading.Thread(target=self._run, name="coheval batches", daemon=True)
        self._thread.start()

    async def do(self, task: Task) -> bytes:
        """The answer, when it is there. Cancelling takes the task back, unless it is being done."""
        job = _Job(task)
        with self._changed:
            if self._stopping:
                raise _stopped()
            self._waiting.append(job)
            self._changed.notify()
        try:
            return await job.answer
        finally:
            with self._changed:
                if job in self._waiting:
                    self._waiting.remove(job)

    def stop(self) -> None:
        """Finish what is being done; what waits is told so."""
        with self._changed:
            self._stopping = True
            waiting, self._waiting = list(self._waiting), deque()
            self._changed.notify()
        _deliver(waiting, [_stopped() for _ in waiting])

    def join(self, seconds: float) -> None:
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self) -> None:
        try:
            self._load()
            while jobs := self._next():
                self._do(jobs)
                if not self._engine.sound():
                    self._load()
        except BaseException as error:
            self.failure = error
            self.stop()
        finally:
            self._engine.stop()

    def _load(self) -> None:
        self.ready = False
        self._engine.start()
        self.ready = True

    def _do(self, jobs: Sequence[_Job]) -> None:
        begin = time.monotonic()
        _deliver(jobs, self._engine.answers(jobs[0].task.kind, [job.task.content for job in jobs]))
        if len(jobs) > 1:
            self._pause(len(jobs), min(PAUSE * (time.monotonic() - begin), LONGEST_PAUSE))

    def _pause(self, count: int, seconds: float) -> None:
        """Until so many wait as were just answered, or the time is over."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) >= count or self._stopping, seconds)

    def _next(self) -> list[_Job]:
        """The oldest job and all that can be done with it; none when the worker is to stop."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._stopping)
            if self._stopping:
                return []
            taken, left = [self._waiting.popleft()], deque[_Job]()
            room = self._together - taken[0].task.characters
            for job in self._waiting:
                alike = (job.task.kind, job.task.key) == (taken[0].task.kind, taken[0].task.key)
                if alike and len(taken) < self._batch and job.task.characters <= room:
                    taken.append(job)
                    room -= job.task.characters
                else:
                    left.append(job)
            self._waiting = left
            return taken


def _deliver(jobs: Sequence[_Job], answers: Sequence[Answer]) -> None:
    def settle() -> None:
        for job, answer in zip(jobs, answers, strict=True):
            job.settle(answer)

    if jobs and not jobs[0].loop.is_closed():
        jobs[0].loop.call_soon_threadsafe(settle)


def _stopped() -> Exception:
    return busy("the service is stopping", hint="try again in a moment, or elsewhere")
