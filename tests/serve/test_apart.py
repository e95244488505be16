"""The engine in a process of its own: it answers as the one here, and can be ended, replaced and lost."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from coheval.errors import CohevalError, DataError, TextError
from coheval.serve.apart import Apart
from coheval.serve.engine import Engine
from coheval.serve.parsing import Parsing
from coheval.serve.problems import Problem
from coheval.serve.scoring import Scoring
from coheval.serve.worker import Lost
from serve.running import ask, models_of, running, wait_for, wait_until_ready, worked

GROWTH = 1 << 30


def asked(candidate: str, reference: str, metric: str) -> Scoring:
    return Scoring([candidate], [reference], None, None, (metric,), "system")


def letters(begin: int) -> str:
    """Words that TER's search for shifts needs minutes for: it tries every run of them everywhere."""
    return " ".join("abcdefghij"[(n * begin) % 10] for n in range(500))


SLOW = asked(letters(3), letters(7), "ter")


@contextmanager
def apart(*metrics: str, seconds: float = 30.0, growth: int = GROWTH) -> Iterator[Apart]:
    engine = Apart(metrics, seconds=seconds, growth=growth)
    try:
        engine.start()
        yield engine
    finally:
        engine.stop()


def number(engine: Apart) -> int:
    assert engine._other is not None
    assert engine._other.process.pid is not None
    return engine._other.process.pid


def test_it_answers_as_the_engine_here() -> None:
    here = Engine(["chrf", "bleu"])
    here.start()
    batches: list[tuple[str, list[Any]]] = [
        ("score", [asked("It rained.", "Rain fell.", "chrf"), asked("We left.", "They left.", "chrf")]),
        ("explain", [asked("It rained.", "It rained a lot.", "bleu")]),
        ("parse", [Parsing(["It rained, so we left."], "document")]),
    ]
    with apart("chrf", "bleu") as there:
        assert there.facts == here.facts
        for kind, contents in batches:
            assert there.answers(kind, contents) == here.answers(kind, contents)
        (refused,) = there.answers("score", [asked("a", "b", "nothing")])
        assert isinstance(refused, Problem)
        assert (refused.status, refused.detail) == (422, "this service offers no metric called 'nothing'")


def test_what_takes_too_long_is_ended() -> None:
    with apart("ter", "chrf", seconds=0.5) as engine:
        first = number(engine)
        with pytest.raises(Lost) as lost:
            engine.answers("score", [SLOW, SLOW])
        assert lost.value.problem is not None
        assert (lost.value.problem.status, lost.value.problem.detail) == (503, "the answer was not there within 0.5 s")
        assert not Path(f"/proc/{first}").exists()
        assert engine.flaw() == "a batch was not done within 0.5 s, and its process ended"
        engine.start()
        assert isinstance(engine.answers("score", [asked("a", "a", "chrf")])[0], bytes)


def test_one_that_dies_is_told_and_replaced() -> None:
    with apart("ter") as engine:
        threading.Timer(0.5, os.kill, (number(engine), signal.SIGKILL)).start()
        with pytest.raises(Lost) as lost:
            engine.answers("score", [SLOW])
        assert lost.value.problem is not None
        assert lost.value.problem.status == 500
        assert engine.flaw() == "failed: the process of the models ended, by signal 9"
        engine.start()
        assert engine.flaw() is None


def test_one_that_died_before_a_batch_has_not_begun_it() -> None:
    with apart("chrf") as engine:
        os.kill(number(engine), signal.SIGKILL)
        assert engine._other is not None
        engine._other.process.join()
        with pytest.raises(Lost) as lost:
            engine.answers("score", [asked("a", "a", "chrf")])
        assert lost.value.problem is None
        assert engine.flaw() == "failed: the process of the models ended, by signal 9"


def test_one_that_has_grown_is_replaced() -> None:
    with apart("chrf", growth=-1) as engine:
        assert engine.flaw() == "the process of the models has grown by 0 MiB"  # too much here
        first = number(engine)
        engine.start()
        assert number(engine) != first
        assert not Path(f"/proc/{first}").exists()
        assert isinstance(engine.answers("score", [asked("a", "a", "chrf")])[0], bytes)


def test_it_says_why_it_cannot_begin(tmp_path: Path) -> None:
    with pytest.raises(CohevalError) as here:
        Engine([f"rc(annotator=spacy(model='{tmp_path}'))"]).start()
    with pytest.raises(type(here.value)) as there, apart(f"rc(annotator=spacy(model='{tmp_path}'))"):
        pass
    assert str(there.value) == str(here.value)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_signals_are_left_to_the_service(sign: signal.Signals) -> None:
    """Ctrl+C in a terminal reaches every process of the group."""
    with apart("chrf") as engine:
        os.kill(number(engine), sign)
        time.sleep(0.2)
        assert isinstance(engine.answers("score", [asked("a", "a", "chrf")])[0], bytes)


def test_problems_and_errors_pass_between_processes() -> None:
    problem = Problem(422, "no", hint="yes", where="here", headers={"a": "b"}, log="failed")
    assert vars(pickle.loads(pickle.dumps(problem))) == vars(problem)
    error = DataError("no", where="here", hint="yes")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    refused = TextError("no", text="a", where="here", hint="yes")
    assert vars(pickle.loads(pickle.dumps(refused))) == vars(refused)


def body(metric: str, candidate: str, reference: str) -> dict[str, Any]:
    return {"candidates": [candidate], "references": [reference], "metrics": [metric]}


def test_a_text_that_takes_minutes_does_not_end_the_service() -> None:
    with running("-m", "ter", "chrf", "--timeout", "1.5") as (address, _):
        wait_until_ready(address)
        slow = httpx.post(f"{address}/v1/score", json=body("ter", letters(3), letters(7)), timeout=30)
        assert slow.status_code == 503
        assert "not there within 1.5 s" in slow.json()["detail"]
        wait_until_ready(address)
        assert httpx.post(f"{address}/v1/score", json=body("chrf", "a", "a"), timeout=30).status_code == 200


def test_one_that_dies_while_nobody_asks_is_replaced() -> None:
    with running("-m", "chrf", "--quiet") as (address, process):
        wait_until_ready(address)
        (first,) = models_of(process)
        os.kill(first, signal.SIGKILL)
        wait_for(lambda: models_of(process) not in ({first}, set()))
        wait_until_ready(address)
        assert httpx.post(f"{address}/v1/score", json=body("chrf", "a", "a"), timeout=30).status_code == 200
        process.terminate()
        assert process.wait(30) == 0
        assert process.stderr is not None
        assert process.stderr.read() == "failed: the process of the models ended, by signal 9; another one begins\n"


@pytest.mark.parametrize("busy", [False, True])
def test_models_end_with_a_service_that_is_killed(busy: bool) -> None:
    with running("-m", "ter", "--quiet") as (address, process):
        wait_until_ready(address)
        (models,) = models_of(process)
        if busy:
            ask(address, body("ter", letters(3), letters(7)))
            begin = worked(models)
            wait_for(lambda: worked(models) > begin + 0.5)
        process.kill()
        process.wait()
        wait_for(lambda: not Path(f"/proc/{models}").exists())
