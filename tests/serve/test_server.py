"""`coheval serve` as a process: under load from another one, when it is stopped, and when it cannot begin."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

import coheval
from coheval.serve.engine import Engine
from coheval.serve.log import Log
from serve.running import models_of, running, wait_for, wait_until_ready

CLIENTS, EACH = 50, 4
PATIENT = httpx.Timeout(30)


def body(client: int, turn: int) -> dict[str, Any]:
    """Another text for each client and turn, and other metrics for some."""
    asked = (["chrf"], ["bleu", "chrf"], ["nist"])[client % 3]
    words = [f"w{(client * 31 + turn * 7 + n * (client + 2)) % 23}" for n in range(15)]
    reference = [f"w{n % 23}" for n in range(turn, turn + 15)]
    return {"candidates": [" ".join(words)], "references": [" ".join(reference)], "metrics": asked}


async def one_client(http: httpx.AsyncClient, number: int, codes: list[int]) -> list[Any]:
    """All its answers; where the service is full it asks again, as it is told."""
    answers = []
    for turn in range(EACH):
        for _ in range(200):
            answer = await http.post("/v1/score", json=body(number, turn))
            codes.append(answer.status_code)
            if answer.status_code == 200:
                break
            assert answer.status_code in (429, 503)
            assert int(answer.headers["retry-after"]) >= 1
            await asyncio.sleep(0.02)
        answers.append(answer.json())
    return answers


def _unread(_: str) -> None:
    pass


def load(address: str) -> tuple[list[list[Any]], list[int]]:
    codes: list[int] = []

    async def clients() -> list[list[Any]]:
        limits = httpx.Limits(max_connections=CLIENTS)
        async with httpx.AsyncClient(base_url=address, timeout=PATIENT, limits=limits) as http:
            return await asyncio.gather(*(one_client(http, n, codes) for n in range(CLIENTS)))

    return asyncio.run(clients()), codes


def check(answers: list[list[Any]]) -> None:
    """Nothing is lost, and nobody has another one's."""
    for client, told in enumerate(answers):
        assert len(told) == EACH
        for turn, answer in enumerate(told):
            asked = body(client, turn)
            result = coheval.score(**asked)
            assert list(answer["metrics"]) == asked["metrics"]
            for spec in asked["metrics"]:
                assert answer["metrics"][spec]["segments"] == result[spec].segments


def test_fifty_clients_at_once() -> None:
    with running("-m", "chrf", "bleu", "nist", "--quiet") as (address, _):
        wait_until_ready(address)
        answers, codes = load(address)
        assert codes == [200] * CLIENTS * EACH
        check(answers)


@pytest.mark.parametrize(("option", "status"), [("--queue", 503), ("--per-client", 429)])
def test_overload_and_recovery(option: str, status: int) -> None:
    with running("-m", "chrf", "bleu", "nist", "--quiet", option, "4") as (address, _):
        wait_until_ready(address)
        answers, codes = load(address)
        assert set(codes) == {200, status}
        check(answers)
        assert httpx.post(f"{address}/v1/score", json=body(1, 1)).status_code == 200


WORDS = "it rained and the old pier sank while we left nobody knew why boats came back at night".split()


def slow() -> dict[str, Any]:
    """Seconds of work: sentences that all differ."""
    words = random.Random(7)
    texts = [". ".join(" ".join(words.choices(WORDS, k=9)) for _ in range(20)) for _ in range(80)]
    return {"candidates": texts, "metrics": ["coherence"]}


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_stopping_finishes_what_runs_and_refuses_what_waits(sign: signal.Signals) -> None:
    async def ask(address: str, process: subprocess.Popen[str]) -> list[int | str]:
        async with httpx.AsyncClient(base_url=address, timeout=PATIENT) as http:
            first = asyncio.create_task(http.post("/v1/score", json=slow()))
            await asyncio.sleep(0.5)
            waiting = [asyncio.create_task(http.post("/v1/score", json=slow() | {"system": str(n)})) for n in range(3)]
            await asyncio.sleep(0.3)
            process.send_signal(sign)
            told = await asyncio.gather(first, *waiting)
            assert "stopping" in told[-1].text
            return [answer.status_code for answer in told]

    with running("-m", "coherence", "--max-characters", "100000", "--quiet") as (address, process):
        wait_until_ready(address)
        assert asyncio.run(ask(address, process)) == [200, 503, 503, 503]
        assert process.wait(15) == 0
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{address}/healthz")


def test_the_log_is_one_line_for_each_request() -> None:
    with running("-m", "chrf") as (address, process):
        wait_until_ready(address)
        httpx.post(f"{address}/v1/score", json={"candidates": ["secret"], "references": ["secret"]})
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=15)
    lines = errors.splitlines()
    assert lines[-1].startswith("POST /v1/score 200 ")
    assert all(line.startswith("GET /healthz ") for line in lines[:-1])


def refused(*options: str, **environment: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "coheval", "serve", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ | environment)
    assert "Traceback" not in done.stderr
    assert "hint: " in done.stderr
    return done.returncode, done.stderr


def test_a_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, told = refused("-m", "chrf", "--port", str(taken.getsockname()[1]))
    assert code == 4
    assert "cannot listen" in told


def test_what_the_operator_may_not_say(tmp_path: Path) -> None:
    assert refused("-m", "chrf", "--host", "0.0.0.0")[0] == 2
    assert refused("-m", "chrf", "--host", "0.0.0.0", COHEVAL_API_KEY="short")[0] == 2
    assert refused("-m", "chrf", "--api-key-file", str(tmp_path / "none"))[0] == 2
    assert refused("-m", "nothing")[0] == 2
    assert refused("-m", "chrf", "--timeout", "nan")[0] == 2
    assert refused("-m", "chrf", "--host", "a..b", COHEVAL_API_KEY="k" * 32)[0] == 4
    assert refused("-m", "learned(model='/nowhere/model')")[0] in (3, 4)


def test_a_key_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("k" * 32 + "\n")
    with running("-m", "chrf", "--host", "0.0.0.0", "--api-key-file", str(tmp_path / "key"), "--quiet") as (address, _):
        here = address.replace("0.0.0.0", "127.0.0.1")
        wait_until_ready(here)
        assert httpx.get(f"{here}/v1/metrics").status_code == 401
        known = httpx.get(f"{here}/v1/metrics", headers={"authorization": f"Bearer {'k' * 32}"})
        assert known.json()["defaults"] == ["chrf"]


def test_a_body_that_does_not_come_is_given_up() -> None:
    with running("-m", "chrf", "--timeout", "0.5", "--quiet") as (address, _):
        wait_until_ready(address)
        with talk(address) as slow:
            slow.sendall(b"POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
            slow.sendall(b"Content-Length: 99\r\n\r\n{")
            assert b" 408 " in slow.recv(4096)


def talk(address: str) -> socket.socket:
    host, port = address.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=20)


def test_nobody_keeps_a_connection_with_half_a_request() -> None:
    with running("-m", "chrf", "--timeout", "0.5", "--quiet") as (address, _):
        wait_until_ready(address)
        half, whole = b"GET /healthz HTTP/1.1\r\nHost: loc", b"alhost\r\n\r\n"
        with talk(address) as silent, talk(address) as slow, talk(address) as second:
            slow.sendall(half)
            second.sendall(half + whole)
            answer = b""
            while not answer.endswith(b'{"status":"ok"}'):  # head and body may come one after the other
                answer += second.recv(4096)
            second.sendall(half)
            assert [one.recv(4096) for one in (silent, slow, second)] == [b""] * 3


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="the system has no such deadline")
def send_long(connection: socket.socket) -> None:
    """A request whose answer is 10 MB."""
    words = random.Random(7)
    text = " ".join("".join(words.choices("abcdefgh", k=2)) for _ in range(1_500))
    kinds = ("nist(ngram=16", "bleu(max_ngram_order=16")
    metrics = [f"{kind}, tokenize={name!r})" for kind in kinds for name in ("13a", "intl", "zh", "none")]
    asked = json.dumps({"candidates": [text], "references": [text[::-1]], "metrics": metrics})
    head = "POST /v1/explain HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    connection.sendall(f"{head}Content-Length: {len(asked)}\r\n\r\n{asked}".encode())


def another(address: str) -> int:
    """How a small request fares meanwhile."""
    return httpx.post(f"{address}/v1/score", json=body(0, 0), timeout=20).status_code


def test_an_answer_that_nobody_reads_gives_its_place_back() -> None:
    with running("-m", "nist", "bleu", "chrf", "--timeout", "8", "--per-client", "1", "--quiet") as (address, _):
        wait_until_ready(address)

        with talk(address) as unread:
            send_long(unread)
            begin = unread.recv(20)  # the answer is there
            assert begin.startswith(b"HTTP/1.1 200 ")
            assert another(address) == 429
            wait_for(lambda: another(address) == 200)


def test_an_answer_that_is_read_too_slowly_gives_its_place_back() -> None:
    """10 MB at 60 KB a second would take minutes."""
    with running("-m", "nist", "bleu", "chrf", "--timeout", "8", "--per-client", "1", "--quiet") as (address, _):
        wait_until_ready(address)
        ended = threading.Event()

        def read(connection: socket.socket) -> None:
            with suppress(OSError):
                while not ended.wait(0.1) and connection.recv(6_000):
                    pass

        with talk(address) as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            send_long(slow)
            assert slow.recv(20)  # the answer is there
            reader = threading.Thread(target=read, args=(slow,))
            reader.start()
            assert another(address) == 429
            wait_for(lambda: another(address) == 200, 15)
            assert reader.is_alive()  # it has read all the while
            ended.set()
            reader.join()


def test_a_log_that_nobody_reads_does_not_end_the_service() -> None:
    with running("-m", "chrf", "bleu", "nist") as (address, process):
        wait_until_ready(address)
        assert process.stderr is not None
        process.stderr.close()
        process.stderr = None
        (models,) = models_of(process)
        os.kill(models, signal.SIGKILL)
        wait_for(lambda: models_of(process) not in ({models}, set()))
        wait_until_ready(address)
        assert httpx.post(f"{address}/v1/score", json=body(1, 1), timeout=20).status_code == 200


def test_a_client_that_hangs_up_is_no_failure() -> None:
    with running("-m", "chrf", "--quiet") as (address, process):
        wait_until_ready(address)
        head = (
            "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n"
        )
        with talk(address) as connection:
            connection.sendall(f"{head}{{".encode())
            time.sleep(0.2)
        time.sleep(0.2)
        process.terminate()
        _, errors = process.communicate(timeout=15)
    assert errors == ""


def test_schemathesis_finds_nothing() -> None:
    """JSON Schema cannot say that lists are equally long or which metrics a text names: what is valid by the schema may
    be refused, with 422, where scores are asked for. There, that one check is left out."""
    with running("-m", "chrf", "rc", "--max-body", "20000", "--quiet") as (address, _):
        wait_until_ready(address)
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{address}/openapi.json", "--no-color"]
        command += ["--max-examples", "10"]
        others = ["--exclude-path-regex", "^/v1/(score|explain)$", "--checks", "positive_data_acceptance"]
        for more in (["--exclude-checks", "positive_data_acceptance"], others):
            done = subprocess.run([*command, *more], capture_output=True, text=True, timeout=240)
            assert done.returncode == 0, done.stdout[-3000:]


def test_a_service_that_cannot_begin_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    from coheval.errors import ResourceError
    from coheval.serve import server
    from coheval.serve.settings import Settings

    class Broken(Engine):
        def start(self) -> None:
            raise ResourceError("no weights", hint="install them")

    monkeypatch.setattr(server, "Apart", lambda metrics, **_: Broken(metrics))
    with pytest.raises(ResourceError, match="no weights"):
        server.serve(
            Settings(metrics=("chrf",)), host="127.0.0.1", port=0, proxies=None, log=Log(_unread, _unread), tell=_unread
        )


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from coheval.cli import serve
    from coheval.errors import ResourceError

    monkeypatch.setattr(serve, "find_spec", lambda name: None if name == "uvicorn" else True)
    with pytest.raises(ResourceError, match="the service needs uvicorn, not installed here") as raised:
        serve.serve()
    assert raised.value.hint == "pip install 'coheval[serve]'"
