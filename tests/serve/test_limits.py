"""What is too much is refused with the right status, and the service goes on."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from coheval.annotators import spacy
from coheval.errors import MetricError, ResourceError
from coheval.serve.app import build
from coheval.serve.engine import Engine
from coheval.serve.log import Log
from coheval.serve.service import Service
from coheval.serve.settings import Settings
from serve.running import Here, here, wait_for

BODY = {"candidates": ["It rained."], "references": ["Rain fell."], "metrics": ["chrf"]}
SMALL = {"body": 2_000, "characters": 300, "text": 200, "explained": 50, "segments": 5, "asked": 2, "texts": 30}


def check_problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    told: dict[str, Any] = answer.json()
    assert told["status"] == status
    assert told["title"]
    assert told["detail"]
    assert told["hint"]
    return told


@pytest.fixture(scope="module")
def small() -> Any:
    with here(metrics=("chrf",), **SMALL) as running:
        yield running


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"candidates": ["x" * 201]}, "a text of 201 characters, this service takes at most 200"),
        ({"candidates": ["x" * 150, "y" * 150], "references": ["z", "z"]}, "302 characters in all"),
        ({"candidates": ["x"] * 6}, "6 segments, this service takes at most 5"),
        ({"references": [[""] * 30]}, "more entries in its lists, this service takes at most 30"),
        ({"references": [[]] * 31}, "more entries in its lists, this service takes at most 30"),
        ({"candidates": {str(n): n for n in range(31)}}, "more entries in its lists, this service takes at most 30"),
        ({"metrics": ["chrf"] * 10}, "10 metrics, this service takes at most 2"),
        ({"system": "x" * 3_000}, "a body of 3,"),
    ],
)
def test_too_large_is_413(small: Here, changed: dict[str, Any], told: str) -> None:
    assert told in check_problem(small.score(**BODY | changed), 413)["detail"]


def test_too_many_metrics_is_told_with_what_to_do(small: Here) -> None:
    told = check_problem(small.score(**BODY | {"metrics": ["chrf"] * 3}), 413)
    assert told["hint"].startswith("ask for fewer metrics")


def test_what_is_explained_has_a_limit_of_its_own(small: Here) -> None:
    body = BODY | {"candidates": ["x" * 60]}
    assert small.score(**body).status_code == 200
    check_problem(small.client.post("/v1/explain", json=body), 413)


@pytest.mark.parametrize("said", [None, "10", "99999999999999999999999"])
def test_a_body_is_counted_whatever_its_length_is_said_to_be(small: Here, said: str | None) -> None:
    headers = {"content-type": "application/json"} | ({"content-length": said} if said else {})
    content = (b" " * 500 for _ in range(5))
    check_problem(small.client.post("/v1/score", content=content, headers=headers), 413)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[]", "expected an object of JSON, got []"),
        (b"null", "expected an object of JSON, got None"),
        (b'{"candidates": ["a"], "metrics": NaN}', "NaN is not a number"),
        (b'{"candidates": [-Infinity]}', "-Infinity is not a number"),
        (b'{"candidates": [' + b"9" * 1_500 + b"]}", "valid string"),
        (b'{"candidates": [1e999]}', "valid string"),
        (b'{"candidates": ["\xff"]}', "byte 18 is not UTF-8"),
        (b'{"candidates": ["\\ud800"]}', "half of one"),
        (b'{"candidates": {"\\udc00": ["a"]}}', "half of one"),
        (b'{"candidates": ["a"], "documents": ["\\ud83d"]}', "half of one"),
        (b'{"candidates": ["\x01"]}', "not JSON"),
        (b"[" * 1_990, "not JSON"),
        (b'{"a":' * 390, "not JSON"),
        (b'{"candidates": {"a": ["x"], "a": ["y"]}}', "the name 'a' stands twice"),
        (b"{}", "field required"),
        (b'{"candidates": []}', "expected at least one text, got none"),
        (b'{"candidates": {}}', "expected at least one text, got none"),
        (b'{"candidates": ["a"], "metrics": []}', "no metric was asked for"),
        (b'{"candidates": ["a"], "colour": 1}', "extra inputs are not permitted"),
        (b'{"candidates": ["a"], "references": ["b", "c"]}', "expected 1 entries as in candidates, got 2"),
        (b'{"candidates": {" ": ["a"]}}', "a system's name must be text that is not empty"),
        (b'{"candidates": ["a"], "references": [["b"], "c"]}', "valid"),
    ],
)
def test_what_is_no_request_is_422(small: Here, content: bytes, told: str) -> None:
    answer = small.client.post("/v1/score", content=content, headers={"content-type": "application/json"})
    assert told in check_problem(answer, 422)["detail"]


def test_a_mistake_is_told_with_its_place(small: Here) -> None:
    told = check_problem(small.score(candidates=["a"], references=[["b", 7]]), 422)
    assert told["where"] == "references[0][1]"
    assert check_problem(small.score(candidates={"a": [None]}), 422)["where"] == "candidates['a'][0]"
    assert check_problem(small.score(candidates=["a"], metrics="chrf"), 422)["where"] == "metrics"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])
def test_another_type_is_415(small: Here, kind: str) -> None:
    answer = small.client.post("/v1/score", content=json.dumps(BODY), headers={"content-type": kind})
    check_problem(answer, 415)


def test_other_paths_and_methods(small: Here) -> None:
    check_problem(small.client.get("/v2/<script>"), 404)
    check_problem(small.client.get("/docs"), 404)
    check_problem(small.client.get("/redoc"), 404)
    told = small.client.delete("/v1/score")
    check_problem(told, 405)
    assert told.headers["allow"] == "POST"


class Gate:
    """Stands in for the scorer: a batch waits until it is opened."""

    def __init__(self, running: Here, monkeypatch: pytest.MonkeyPatch) -> None:
        self.opened = threading.Event()
        self.batches: list[int] = []
        self.score = running.engine.handlers["score"]
        monkeypatch.setattr(running.engine, "handlers", {"score": self.work, "parse": self.work})

    def work(self, tasks: Sequence[Any]) -> Any:
        self.batches.append(len(tasks))
        assert self.opened.wait(20)
        return self.score(tasks)


def asked(service: Service, count: int, gate: Gate | None = None) -> list[httpx.Response]:
    """So many requests at once; with a gate, one is being worked on when the others come."""

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(build(service), client=("10.0.0.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            asking = [asyncio.create_task(client.post("/v1/score", json=BODY))]
            while gate is not None and not gate.batches:
                await asyncio.sleep(0.005)
            asking += [asyncio.create_task(client.post("/v1/score", json=BODY)) for _ in range(count - 1)]
            return await asyncio.gather(*asking)

    return asyncio.run(ask())


@pytest.mark.parametrize(("limits", "status"), [({"queue": 3}, 503), ({"per_client": 3}, 429)])
def test_overload_is_refused_and_passes(limits: dict[str, int], status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with here(metrics=("chrf",), **limits) as running:
        gate = Gate(running, monkeypatch)
        threading.Timer(0.3, gate.opened.set).start()
        answers = asked(running.service, 8, gate)
        codes = [answer.status_code for answer in answers]
        assert sorted(codes) == [200] * 3 + [status] * 5
        refused = next(answer for answer in answers if answer.status_code == status)
        check_problem(refused, status)
        assert refused.headers["retry-after"] == "1"
        assert gate.batches == [1, 2]  # what waited was taken together
        assert {a.status_code for a in asked(running.service, 3)} == {200}


def test_a_request_that_waits_too_long_is_503(monkeypatch: pytest.MonkeyPatch) -> None:
    with here(metrics=("chrf",), seconds=0.2) as running:
        gate = Gate(running, monkeypatch)
        answers = asked(running.service, 3, gate)
        for answer in answers:
            assert "not there within 0.2 s" in check_problem(answer, 503)["detail"]
        gate.opened.set()
        wait_for(lambda: running.score(**BODY).status_code == 200)
        assert gate.batches[:2] == [1, 1]  # those who gave up are not scored


def test_who_comes_while_models_are_loaded_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded, start = threading.Event(), Engine.start
    monkeypatch.setattr(Engine, "start", lambda engine: loaded.wait(30) and start(engine))
    settings = Settings(metrics=("chrf",), hosts=("testserver",))
    service = Service.of(settings, Engine(settings.metrics), Log(print, print))
    with TestClient(build(service)) as client, ThreadPoolExecutor() as pool:
        early = [pool.submit(client.get, "/v1/metrics"), pool.submit(client.post, "/v1/score", json=BODY)]
        wait_for(lambda: bool(service.worker._waiting))
        check_problem(client.get("/healthz"), 503)
        assert not any(one.done() for one in early)
        loaded.set()
        assert [one.result().status_code for one in early] == [200, 200]
        assert client.get("/healthz").json() == {"status": "ok"}


def test_nobody_waits_longer_for_models_than_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with here(metrics=("chrf",), seconds=0.2) as running:
        monkeypatch.setattr(running.service.worker, "ready", False)
        assert "loading its models" in check_problem(running.client.get("/v1/metrics"), 503)["detail"]


def test_all_models_are_there_before_the_first_request() -> None:
    spacy._pipeline.cache_clear()
    with here(metrics=("chrf", "dsfocus")):
        assert spacy._pipeline.cache_info().currsize == 1


def test_a_model_that_is_missing_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(model: str) -> Path:
        raise ResourceError(f"no {model}", hint="install it")

    spacy._pipeline.cache_clear()
    monkeypatch.setattr(spacy, "_folder", missing)
    with here(metrics=("chrf", "rc")) as running:
        assert isinstance(running.service.worker.failure, ResourceError)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MemoryError(), "there is not enough memory"),
        (MetricError("chrf failed between documents '1' and '2': ValueError: no", hint="report it"), "chrf failed"),
        (
            ResourceError("no /home/someone/model.onnx", where="/home/someone", hint="look at /home/someone/x"),
            "no (a file)",
        ),
        (RuntimeError("a secret of /home/someone"), "the service failed"),
    ],
)
def test_failures_are_told_without_paths(error: Exception, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with here(metrics=("chrf",)) as running:

        def fail(_: Any) -> Any:
            raise error

        monkeypatch.setattr(running.engine, "handlers", {"score": fail})
        answer = running.score(**BODY)
        assert told in check_problem(answer, 500)["detail"]
        assert "someone" not in answer.text
        assert "someone" not in "".join(running.log)
        monkeypatch.undo()
        assert running.score(**BODY).status_code == 200


def test_who_hangs_up_is_not_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    with here(metrics=("chrf",)) as running:
        gate = Gate(running, monkeypatch)
        app = build(running.service)
        headers = {"host": "localhost", "content-type": "application/json"}
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/v1/score",
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("10.0.0.1", 1),
        }

        async def ask(*, hang_up: bool) -> None:
            messages = [{"type": "http.request", "body": json.dumps(BODY).encode()}]
            messages += [{"type": "http.disconnect"}] * hang_up

            async def receive() -> Any:
                return messages.pop(0) if messages else await asyncio.Event().wait()

            async def send(_: Any) -> None:
                pass

            await app(dict(scope), receive, send)

        async def both() -> None:
            patient = asyncio.create_task(ask(hang_up=False))
            while not gate.batches:
                await asyncio.sleep(0.005)
            await ask(hang_up=True)
            await asyncio.sleep(0.05)
            assert not running.service.worker._waiting
            gate.opened.set()
            await patient

        asyncio.run(both())
        assert gate.batches == [1]
