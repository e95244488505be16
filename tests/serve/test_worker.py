"""The worker with engines that fail: nobody pays for another one's text, and models are loaded until they are there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from coheval.errors import ResourceError
from coheval.serve import worker
from coheval.serve.problems import Problem
from coheval.serve.worker import Answer, Lost, Task, Worker
from serve.running import wait_for

DIED = Problem(500, "died", hint="-")


@dataclass
class Fragile:
    """Dies of the text "deadly", and is broken until it starts again; the first starts may fail."""

    failing: list[int] = field(default_factory=list)  # which starts, counted from 0
    lacking: int = 0  # batches that it finds itself gone before
    starts: int = 0
    batches: list[list[str]] = field(default_factory=list)
    broken: str | None = None
    facts: list[dict[str, object]] = field(default_factory=list)

    def start(self) -> None:
        self.starts += 1
        if self.starts - 1 in self.failing:
            raise ResourceError("no memory", hint="-")
        self.broken = None

    def answers(self, kind: str, contents: Sequence[Any]) -> list[Answer]:
        if self.lacking:
            self.lacking -= 1
            self.broken = "it was gone"
            raise Lost(None)
        self.batches.append(list(contents))
        if "deadly" in contents:
            self.broken = "it died"
            raise Lost(DIED)
        return [text.encode() for text in contents]

    def flaw(self) -> str | None:
        return self.broken

    def abort(self) -> None:
        pass

    def stop(self) -> None:
        pass


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_AGAIN", (0.01, 0.01))
    monkeypatch.setattr(worker, "_GLANCE", 0.01)


def answered(engine: Fragile, texts: Sequence[str]) -> tuple[list[bytes | BaseException], list[str]]:
    """What each text's job is answered when all wait at once, and what the operator reads."""
    lines: list[str] = []
    jobs = Worker(engine, batch=32, together=1_000, tell=lines.append)

    async def ask() -> list[bytes | BaseException]:
        tasks = [asyncio.ensure_future(jobs.do(Task("score", "same", 1, text))) for text in texts]
        await asyncio.sleep(0)  # all wait now
        jobs.start()
        return await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 30)

    told = asyncio.run(ask())
    jobs.stop()
    jobs.join(30)
    return told, lines


def test_only_the_text_that_a_batch_died_of_is_told() -> None:
    engine = Fragile()
    told, lines = answered(engine, ["a", "b", "deadly", "c"])
    assert told == [b"a", b"b", DIED, b"c"]
    assert engine.batches == [["a", "b", "deadly", "c"], ["a"], ["b"], ["deadly"], ["c"]]
    assert lines == ["it died; another one begins"] * 2


def test_an_engine_that_was_gone_before_is_nobodys_fault() -> None:
    engine = Fragile(lacking=1)
    told, lines = answered(engine, ["a", "b"])
    assert told == [b"a", b"b"]
    assert engine.batches == [["a", "b"]]
    assert lines == ["it was gone; another one begins"]


def test_models_that_cannot_be_loaded_again_at_once_are_tried_again() -> None:
    engine = Fragile(failing=[1, 2])
    told, lines = answered(engine, ["deadly", "a"])
    assert told == [DIED, b"a"]
    assert lines[:3] == ["it died; another one begins", *["failed: no memory; again in 0.01 s"] * 2]


def test_models_that_never_come_back_end_the_service() -> None:
    engine = Fragile(failing=[1, 2, 3])
    jobs = Worker(engine, batch=1, together=1, tell=lambda _: None)

    async def ask() -> bytes:
        jobs.start()
        return await asyncio.wait_for(jobs.do(Task("score", "same", 1, "deadly")), 30)

    with pytest.raises(Problem, match="died"):
        asyncio.run(ask())
    wait_for(lambda: jobs.failure is not None)
    assert str(jobs.failure) == "no memory\nhint: -"


def test_models_that_cannot_be_loaded_at_first_end_it_at_once() -> None:
    jobs = Worker(Fragile(failing=[0]), batch=1, together=1, tell=lambda _: None)
    jobs.start()
    wait_for(lambda: jobs.failure is not None)


def test_a_defect_of_the_engine_is_told_and_ends_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> list[Answer]:
        raise MemoryError

    monkeypatch.setattr(Fragile, "answers", fail)
    (told,), _ = answered(Fragile(), ["a"])
    assert isinstance(told, Problem)
    assert told.status == 500


def test_a_text_that_was_in_a_lost_batch_stays_alone() -> None:
    """The engine is gone before "a" is tried again, which is nobody's fault, and "deadly" comes right behind."""

    class Gone(Fragile):
        def answers(self, kind: str, contents: Sequence[Any]) -> list[Answer]:
            self.lacking = 1 if contents == ["a"] and self.starts == 2 else 0
            return super().answers(kind, contents)

    engine = Gone()
    told, _ = answered(engine, ["a", "deadly", "b"])
    assert told == [b"a", DIED, b"b"]
    assert engine.batches == [["a", "deadly", "b"], ["a"], ["deadly"], ["b"]]


def test_an_idle_engine_is_looked_after() -> None:
    engine = Fragile()
    jobs = Worker(engine, batch=1, together=1, tell=lambda _: None)
    jobs.start()
    wait_for(lambda: jobs.ready)
    engine.broken = "it died"
    wait_for(lambda: engine.starts == 2)
    jobs.stop()
    jobs.join(30)
