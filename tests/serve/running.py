"""A service in this process, and one in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from starlette.testclient import TestClient

from coheval.serve.app import build
from coheval.serve.engine import Engine
from coheval.serve.log import Log
from coheval.serve.service import Service
from coheval.serve.settings import Settings

FAST = ("chrf", "bleu", "nist", "moverscore(idf='corpus')", "moverscore", "rc", "ter")
_ADDRESS = re.compile(r"coheval serves (http://\S+)")


@dataclass
class Here:
    """A service in this process: its client, and what it logged."""

    client: TestClient
    service: Service
    engine: Engine
    log: list[str] = field(default_factory=list)

    def score(self, **body: Any) -> Any:
        return self.client.post("/v1/score", json=body)


@contextmanager
def here(**settings: Any) -> Iterator[Here]:
    log: list[str] = []
    chosen = Settings(**{"metrics": FAST, "hosts": ("testserver",), **settings})
    engine = Engine(chosen.metrics)
    service = Service.of(chosen, engine, Log(log.append, log.append))
    with TestClient(build(service)) as client:
        wait_for(lambda: service.worker.ready or service.worker.failure is not None)
        yield Here(client, service, engine, log)


def wait_for(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.01)


@contextmanager
def running(*options: str, **environment: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """`coheval serve` on a free port of loopback: its address, and the process."""
    command = [sys.executable, "-m", "coheval", "serve", "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | environment)
    try:
        assert process.stderr is not None
        found = _ADDRESS.search(process.stderr.readline())
        assert found, process.stderr.read()
        yield found[1], process
    finally:
        process.kill()
        process.communicate()


def models_of(process: subprocess.Popen[str]) -> set[int]:
    """The processes of models that a service has, beside what Python keeps for itself."""
    threads = Path(f"/proc/{process.pid}/task").glob("*/children")
    children = [int(child) for one in threads for child in one.read_text().split()]
    return {child for child in children if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text()}


def worked(process: int) -> float:
    """Seconds that a process has been at work."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Asked:
    """A request that goes on beside the test; `answer` is None where nobody answered."""

    thread: threading.Thread
    answers: list[httpx.Response] = field(default_factory=list)

    def answer(self) -> httpx.Response | None:
        self.thread.join(60)
        assert not self.thread.is_alive()
        return self.answers[0] if self.answers else None


def ask(address: str, body: dict[str, Any]) -> Asked:
    def post() -> None:
        with suppress(httpx.HTTPError):
            asked.answers.append(httpx.post(f"{address}/v1/score", json=body, timeout=60))

    asked = Asked(threading.Thread(target=post, daemon=True))
    asked.thread.start()
    return asked


def wait_until_ready(address: str) -> None:
    wait_for(lambda: httpx.get(f"{address}/healthz").status_code == 200)
