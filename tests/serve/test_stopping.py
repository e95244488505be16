"""However and whenever the service is stopped, it ends, everybody has an answer, and no process stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from serve.running import Asked, ask, models_of, running, wait_for, wait_until_ready, worked
from serve.test_apart import body, letters

SLOW = body("ter", letters(3), letters(7))


@contextmanager
def at_work(*options: str) -> Iterator[tuple[subprocess.Popen[str], int, Asked]]:
    """A service whose models have been busy with a text for a moment: its process, theirs, and the request."""
    with running("-m", "ter", "--quiet", *options) as (address, process):
        wait_until_ready(address)
        (models,) = models_of(process)
        slow = ask(address, SLOW)
        begin = worked(models)
        wait_for(lambda: worked(models) > begin + 0.3)
        yield process, models, slow


def test_no_models_are_loaded_for_a_service_that_stops() -> None:
    with at_work("--timeout", "3") as (process, _, slow):
        process.terminate()
        assert process.wait(30) == 0
        told = slow.answer()
        assert told is not None
        assert told.status_code == 503
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_stopped_twice_it_does_not_wait() -> None:
    with at_work("--timeout", "60") as (process, models, slow):
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.5)
        assert process.wait(10) == 0
        assert not Path(f"/proc/{models}").exists()
        told = slow.answer()
        assert told is not None
        assert (told.status_code, told.headers["content-type"]) == (503, "application/problem+json")
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("pause", [0.0, 0.05, 0.3, 1.0])
def test_stopped_while_it_loads_its_models(sign: signal.Signals, pause: float) -> None:
    """As from a terminal, which tells every process of the group."""
    command = [sys.executable, "-m", "coheval", "serve", "--port", "0", "-m", "chrf", "coherence"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            assert process.stderr is not None
            assert "coheval serves http://" in process.stderr.readline()
            time.sleep(pause)
            os.killpg(process.pid, sign)
            _, errors = process.communicate(timeout=60)
            assert (process.returncode, errors) == (0, "")
        finally:
            process.kill()


@pytest.mark.parametrize("signs", [(signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGINT, signal.SIGTERM)])
def test_stopped_more_than_once_while_it_loads(signs: Sequence[signal.Signals]) -> None:
    with running("-m", "chrf", "coherence") as (_, process):
        time.sleep(0.5)
        for sign in signs:
            process.send_signal(sign)
            time.sleep(0.05)
        assert process.wait(30) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
