"""The engine in a process of its own, which can be ended.

A metric at work cannot be interrupted, and some texts keep one busy for minutes; libraries keep words and texts that
they have seen. So a batch has a deadline, behind which the process is ended and another one begun, and one that has
grown too large is replaced between batches. Should it die, those who wait for it are told, and the service goes on.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from coheval.errors import CohevalError, ResourceError
from coheval.serve.engine import Engine
from coheval.serve.problems import Problem, busy
from coheval.serve.worker import Answer

_PATIENCE = 5.0  # seconds in which a process that has nothing to do ends by itself


class Apart:
    def __init__(self, metrics: Sequence[str], *, seconds: float, growth: int) -> None:
        Engine(metrics)  # what is wrong with their specs is told at once
        self._metrics = list(metrics)
        self._seconds = seconds
        self._growth = growth
        self._other: _Other | None = None
        self.facts: list[dict[str, object]] = []

    def start(self) -> None:
        self.stop()
        self._other = _Other.begin(self._metrics)
        try:
            told = self._other.hear(None)
        except EOFError:
            ending = self._other.end(_PATIENCE)
            raise ResourceError(
                f"the process that loads the models ended, {ending}", hint="give this machine more memory"
            ) from None
        if isinstance(told, BaseException):
            raise told
        self.facts = told

    def answers(self, kind: str, contents: Sequence[Any]) -> list[Answer]:
        other = self._other
        if other is None:
            raise RuntimeError("the engine was not started")
        try:
            other.pipe.send((kind, contents))
            answers, other.grown = other.hear(self._seconds)
        except TimeoutError:
            self._end(0)
            return [_too_slow(self._seconds) for _ in contents]
        except (EOFError, OSError):
            ending = self._end(_PATIENCE)
            return [_died(ending) for _ in contents]
        return list(answers)

    def sound(self) -> bool:
        return self._other is not None and self._other.grown <= self._growth

    def stop(self) -> None:
        self._end(_PATIENCE)

    def _end(self, patience: float) -> str:
        other, self._other = self._other, None
        return "" if other is None else other.end(patience)


@dataclass
class _Other:
    """The other process, and the way to it."""

    process: SpawnProcess
    pipe: Connection
    grown: int = 0  # bytes, since its models were there

    @classmethod
    def begin(cls, metrics: list[str]) -> _Other:
        spawn = multiprocessing.get_context("spawn")  # this process has threads, so it cannot be copied
        ours, theirs = spawn.Pipe()
        process = spawn.Process(target=_work, args=(theirs, metrics), name="coheval models")
        process.start()
        theirs.close()
        return cls(process, ours)

    def hear(self, seconds: float | None) -> Any:
        """What it says next. EOFError: nothing, it has ended."""
        if not self.pipe.poll(seconds):
            raise TimeoutError
        return self.pipe.recv()

    def end(self, patience: float) -> str:
        """End it, and tell how it ended."""
        self.pipe.close()  # one that waits to be asked ends by itself
        self.process.join(patience)
        self.process.kill()
        self.process.join()
        code = self.process.exitcode or 0
        return f"by signal {-code}" if code < 0 else f"with exit code {code}"


def _work(pipe: Connection, metrics: list[str]) -> None:
    """What the other process does until nobody is there to ask; signals are for the service to understand."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    try:
        engine = Engine(metrics)
        engine.start()
    except CohevalError as error:
        pipe.send(error)
        return
    begin = _resident()
    pipe.send(engine.facts)
    while True:
        try:
            kind, contents = pipe.recv()
            pipe.send((engine.answers(kind, contents), _resident() - begin))
        except (EOFError, OSError):
            return


def _resident() -> int:
    """Bytes of memory that this process has; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _too_slow(seconds: float) -> Problem:
    return busy(f"the answer was not there within {seconds:g} s", hint="send fewer or shorter texts")


def _died(ending: str) -> Problem:
    return Problem(
        500,
        "the process that runs the models ended",
        hint="send fewer or shorter texts; the operator's log says how it ended",
        log=f"failed: the process that runs the models ended, {ending}; another one begins",
    )
