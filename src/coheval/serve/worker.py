"""One thread that gives an engine all work, and takes what waits for the same together.

Nothing waits for company: an idle worker begins at once with what there is, and whatever arrives meanwhile is the next
batch. So requests are as many in a batch as the load makes them. Only behind a batch of several does the worker pause
for a moment, a small part of what the batch took: those who were just answered are likely to ask again, and otherwise
the first of them would be scored alone while the others wait.

An engine may lose a batch, to a deadline or to a crash. Its jobs are then done one by one, so that only the one that
was to blame is told; and what cannot go on is loaded anew, which is tried several times.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from coheval.serve.problems import Problem, busy, operator_told, problem_of

PAUSE, LONGEST_PAUSE = 0.1, 0.01  # part of the time that a batch took; seconds
_GLANCE = 1.0  # seconds between looks at an idle engine
_AGAIN = (1.0, 2.0, 4.0, 8.0, 16.0)  # seconds before models are loaded again that could not be
Answer = bytes | BaseException


class Lost(Exception):
    """A batch has no answers, and the engine has a flaw now.

    `problem` is for whoever was alone in it; None where the batch was not begun, so that nobody in it is to blame.
    """

    def __init__(self, problem: Problem | None) -> None:
        self.problem = problem
        super().__init__("a batch has no answers")


class Engine(Protocol):
    """What runs the models: in this process (`engine`) or in one of its own (`apart`)."""

    facts: list[dict[str, object]]  # of the metrics on offer, once it has started

    def start(self) -> None:
        """Load all models; again, where an engine has a flaw."""

    def answers(self, kind: str, contents: Sequence[Any]) -> list[Answer]:
        """Of tasks of one kind and key: an answer for each. May raise `Lost`."""

    def flaw(self) -> str | None:
        """Why it cannot go on as it is, if so."""

    def abort(self) -> None:
        """End what it is doing; the one thing that another thread may ask for."""

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
    alone: bool = False  # a batch with it was lost

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
    def __init__(self, engine: Engine, *, batch: int, together: int, tell: Callable[[str], None]) -> None:
        self._engine = engine
        self._tell = tell
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
                raise stopped()
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
        _deliver(waiting, [stopped() for _ in waiting])

    @property
    def stopping(self) -> bool:
        return self._stopping

    @property
    def alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def join(self, seconds: float) -> None:
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self) -> None:
        try:
            self._load()
            while not self._stopping:
                self._mend()
                if jobs := self._next():
                    self._do(jobs)
        except BaseException as error:
            if not self._stopping:
                self.failure = error
            self.stop()
        finally:
            self._engine.stop()

    def _load(self) -> None:
        self.ready = False
        self._engine.start()
        self.ready = True

    def _mend(self) -> None:
        """Memory may be short just now, so that the models cannot be loaded at once."""
        flaw = self._engine.flaw()
        if flaw is None:
            return
        self.ready = False
        self._tell(f"{flaw}; another one begins")
        for pause in _AGAIN:
            if self._stopping:
                return
            try:
                self._load()
                return
            except Exception as error:
                self._tell(f"{operator_told(error)}; again in {pause:g} s")
            with self._changed:
                self._changed.wait_for(lambda: self._stopping, pause)
        self._load()

    def _do(self, jobs: Sequence[_Job]) -> None:
        begin = time.monotonic()
        try:
            answers = self._engine.answers(jobs[0].task.kind, [job.task.content for job in jobs])
        except Lost as lost:
            self._again(jobs, lost.problem)
            return
        except Exception as error:
            _deliver(jobs, [problem_of(error) for _ in jobs])
            raise
        _deliver(jobs, answers)
        if len(jobs) > 1:
            self._pause(len(jobs), min(PAUSE * (time.monotonic() - begin), LONGEST_PAUSE))

    def _again(self, jobs: Sequence[_Job], problem: Problem | None) -> None:
        """Each by itself, unless it was; a job whose time is over has its answer."""
        if problem is not None and len(jobs) == 1 and not self._stopping:
            _deliver(jobs, [problem])
            return
        with self._changed:
            stopping = self._stopping
            if not stopping:
                for job in jobs:
                    job.alone = job.alone or problem is not None
                self._waiting.extendleft(job for job in reversed(jobs) if not job.answer.done())
        if stopping:
            _deliver(jobs, [stopped() for _ in jobs])

    def _pause(self, count: int, seconds: float) -> None:
        """Until so many wait as were just answered, or the time is over."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) >= count or self._stopping, seconds)

    def _next(self) -> list[_Job]:
        """The oldest job and all that can be done with it; none for a while without jobs, or when it is to stop."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._stopping, _GLANCE)
            if self._stopping or not self._waiting:
                return []
            taken, left = [self._waiting.popleft()], deque[_Job]()
            room = self._together - taken[0].task.characters
            for job in self._waiting:
                alike = (job.task.kind, job.task.key) == (taken[0].task.kind, taken[0].task.key)
                if (
                    alike
                    and not (job.alone or taken[0].alone)
                    and len(taken) < self._batch
                    and job.task.characters <= room
                ):
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


def stopped() -> Exception:
    return busy("the service is stopping", hint="try again in a moment, or elsewhere")
