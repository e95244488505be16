"""The engine in a process of its own, which can be ended.

A metric at work cannot be interrupted, and some texts keep one busy for minutes; libraries keep words and texts that
they have seen. So a batch has a deadline, behind which the process is ended and another one begun, and one that has
grown too large is replaced between batches. Should it die, the service goes on with another one. It ends with the
service, however that ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from coheval.errors import CohevalError, ResourceError
from coheval.serve.engine import Engine
from coheval.serve.problems import Problem, busy
from coheval.serve.worker import Answer, Lost

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_PATIENCE = 5.0  # seconds in which a process that has nothing to do ends by itself


class Apart:
    def __init__(self, metrics: Sequence[str], *, seconds: float, growth: int) -> None:
        Engine(metrics)  # what is wrong with their specs is told at once
        self._metrics = list(metrics)
        self._seconds = seconds
        self._growth = growth
        self._other: _Other | None = None
        self._ended = "the process of the models was not begun"  # why there is none
        self._aborted = False
        self.facts: list[dict[str, object]] = []

    def start(self) -> None:
        self.stop()
        try:
            self._other = _Other.begin(self._metrics)
        except OSError as error:
            raise ResourceError(
                f"the process of the models cannot be begun: {error.strerror or error}",
                hint="give this machine more memory, or fewer processes",
            ) from None
        if self._aborted:
            self.abort()
        try:
            told = self._other.hear(None)
        except EOFError:
            ending = self._end(_PATIENCE)
            raise ResourceError(
                f"the process that loads the models ended, {ending}", hint="give this machine more memory"
            ) from None
        if isinstance(told, BaseException):
            raise told
        self.facts = told

    def answers(self, kind: str, contents: Sequence[Any]) -> list[Answer]:
        other = self._other
        if other is None or not other.process.is_alive():
            raise Lost(None)
        try:
            other.pipe.send((kind, contents))
            answers, other.grown = other.hear(self._seconds)
        except TimeoutError:
            self._ended = f"a batch was not done within {self._seconds:g} s, and its process ended"
            self._end(0)
            raise Lost(_too_slow(self._seconds)) from None
        except Exception:  # it died, or what came through the pipe was no answer
            self._ended = f"failed: the process of the models ended, {self._end(_PATIENCE)}"
            raise Lost(_died()) from None
        return list(answers)

    def flaw(self) -> str | None:
        other = self._other
        if other is None:
            return self._ended
        if not other.process.is_alive():
            return f"failed: the process of the models ended, {self._end(_PATIENCE)}"
        if other.grown > self._growth:
            return f"the process of the models has grown by {other.grown >> 20:,} MiB"
        return None

    def abort(self) -> None:
        self._aborted = True  # for one that is begun just now
        if (other := self._other) is not None:
            other.process.kill()

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
        with _undisturbed():
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


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Signals are for the service to understand. A process that is begun here does not hear them from its first moment
    on: Ctrl+C in a terminal reaches all."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # which, where it begins, would let signals in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: Connection, metrics: list[str]) -> None:
    """What the other process does until nobody is there to ask."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_service, daemon=True).start()
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


def _end_with_the_service() -> None:
    """One that is killed cannot end its models, and they may be busy for minutes."""
    service = multiprocessing.parent_process()
    if service is not None:
        wait([service.sentinel])
        os._exit(1)


def _resident() -> int:
    """Bytes of memory that this process has; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _too_slow(seconds: float) -> Problem:
    return busy(f"the answer was not there within {seconds:g} s", hint="send fewer or shorter texts")


def _died() -> Problem:
    return Problem(
        500,
        "the process that runs the models ended",
        hint="send fewer or shorter texts; the operator's log says how it ended",
    )
