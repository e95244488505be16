"""What batching across requests gives: `coheval serve` under load, beside the same service that scores one by one.

    python benchmarks/service.py                three minutes; writes a section of docs/benchmarks.md
    python benchmarks/service.py --seconds 1 --rounds 1 --dry     a quick look; writes nothing

The service is a process of its own on loopback; this one is its clients, each of which sends its next request when it
has the answer to the last. Every answer is compared with the offline score of its body. "One by one" is the same
program with `--batch 1`. The target is twice the throughput at 16 clients. Needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coheval
import page
import texts
from page import spread

BATCHES = (1, 32)
TARGET = 2.0
SPECS = ("moverscore", "bertscore", "chrf", "bleu", "rouge", "rc", "lc", "entitygraph", "dsfocus")
SURFACE, DISCOURSE = ("chrf", "bleu", "rouge"), ("rc", "lc", "entitygraph")


@dataclass(frozen=True)
class Load:
    """What every client sends: a text of so many sentences, and its reference or the one that all share."""

    sentences: int
    metrics: tuple[str, ...]
    shared: bool = False

    @property
    def told(self) -> str:
        return f"{self.sentences} | {'one for all' if self.shared else 'each its own'} | {', '.join(self.metrics)}"


LOADS = (
    Load(4, ("moverscore",)),
    Load(4, ("moverscore",), shared=True),
    Load(1, ("moverscore",)),
    Load(1, ("moverscore",), shared=True),
    Load(4, ("moverscore", "bertscore", "chrf"), shared=True),
    Load(4, SURFACE),
    Load(4, DISCOURSE),
    Load(4, ("dsfocus",)),
)


@dataclass(frozen=True)
class Measured:
    throughput: float  # answers a second
    work: float  # CPU seconds of the service for an answer
    latencies: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dry", action="store_true", help="print, but do not write docs/benchmarks.md")
    options = parser.parse_args()
    read = texts.read()
    found: dict[tuple[Load, int], list[Measured]] = {}
    with service(BATCHES[0]) as one, service(BATCHES[1]) as many:  # (process, port)
        for load in LOADS:
            bodies = made(read, load, options.clients)
            expected = [offline(body) for body in bodies]
            for _ in range(options.rounds):
                for batch, (process, port) in zip(BATCHES, (one, many), strict=True):
                    run = asyncio.run(clients(process, port, bodies, expected, options.seconds))
                    found.setdefault((load, batch), []).append(run)
    text = "\n".join(table(read.source, options, found))
    print(text)
    if not options.dry:
        page.write("service", text)


@contextmanager
def service(batch: int) -> Iterator[tuple[int, int]]:
    """A service that takes so many requests together: its process and port."""
    command = [sys.executable, "-m", "coheval", "serve", "--port", "0", "--quiet", "--batch", str(batch), "-m", *SPECS]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        address = re.search(r"http://127\.0\.0\.1:(\d+)", process.stderr.readline())
        assert address, process.stderr.read()
        yield process.pid, int(address[1])
    finally:
        process.terminate()
        process.communicate()


def made(read: texts.Texts, load: Load, count: int) -> list[dict[str, Any]]:
    """A body for each client; of each another system's output, and of each another part where references differ."""
    systems = list(read.systems.values())

    def part(lines: Sequence[str], n: int) -> str:
        return " ".join(lines[n * load.sentences : (n + 1) * load.sentences])

    return [
        {
            "candidates": [part(systems[n % len(systems)], n // len(systems) if load.shared else n)],
            "references": [part(read.references, n // len(systems) if load.shared else n)],
            "metrics": list(load.metrics),
        }
        for n in range(count)
    ]


def offline(body: dict[str, Any]) -> dict[str, float]:
    result = coheval.score(**body)
    return {spec: result[spec].system for spec in result}


async def clients(
    process: int, port: int, bodies: list[dict[str, Any]], expected: list[Any], seconds: float
) -> Measured:
    await ready(port)
    for warm in (True, False):
        end = time.perf_counter() + (min(1.0, seconds) if warm else seconds)
        begin, worked = time.perf_counter(), cpu(process)
        told = await asyncio.gather(*(client(port, b, e, end) for b, e in zip(bodies, expected, strict=True)))
        took = max(end, begin + max(sum(one) for one in told)) - begin
    latencies = [latency for one in told for latency in one]
    return Measured(len(latencies) / took, (cpu(process) - worked) / len(latencies), latencies)


def cpu(process: int) -> float:
    """Seconds that a process and those it has started have worked."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") + sum(map(cpu, started_by(process)))


def started_by(process: int) -> list[int]:
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for one in lists for child in one.read_text().split()]


async def ready(port: int) -> None:
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = await reader.read()
        writer.close()
        if answer.startswith(b"HTTP/1.1 200"):
            return
        await asyncio.sleep(0.1)


async def client(port: int, body: dict[str, Any], expected: dict[str, float], end: float) -> list[float]:
    """Seconds of each request, one after the other on one connection."""
    content = json.dumps(body).encode()
    head = "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    request = f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    latencies, answers = [], []
    while time.perf_counter() < end:
        begin = time.perf_counter()
        writer.write(request)
        answered = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", answered)
        assert length, answered
        answers.append((answered, await reader.readexactly(int(length[1]))))
        latencies.append(time.perf_counter() - begin)
    writer.close()
    for head, answer in answers:  # only now: the clients' own work must not slow the service down
        check(head, json.loads(answer), expected)
    return latencies


def check(head: bytes, answer: Any, expected: dict[str, float]) -> None:
    if not head.startswith(b"HTTP/1.1 200"):
        raise SystemExit(f"the service refused a request: {answer}")
    for spec, score in expected.items():
        if abs(answer["metrics"][spec]["system"] - score) > 1e-5:
            raise SystemExit(f"{spec}: the service says {answer['metrics'][spec]['system']}, offline it is {score}")


def table(source: str, options: argparse.Namespace, found: dict[tuple[Load, int], list[Measured]]) -> list[str]:
    return [
        page.command("service.py") + " Clients share the cores.",
        "",
        f"- texts: {source}",
        f"- {page.versions('onnxruntime', 'fastapi', 'uvicorn')}",
        f"- {options.clients} clients; every answer equals the offline score within 1e-5",
        "",
        f"Answers a second, the median of {options.rounds} interleaved rounds (least–most); the median latency; the "
        "service's CPU time for an answer, which other programs on the machine move less.",
        "",
        "| sentences | references | metrics | one by one, /s | latency, ms | CPU, ms | together, /s | latency, ms "
        "| CPU, ms | gain | gain in CPU |",
        "|---:|---|---|---|---:|---:|---|---:|---:|---:|---:|",
        *(row(load, *(found[load, batch] for batch in BATCHES)) for load in dict.fromkeys(load for load, _ in found)),
        "",
        f"The target is {TARGET:g} times the throughput: {verdict(found)}. "
        "What batching saves is the fixed cost of a call and, of the "
        "encoder's, what is repeated: texts that several users send. The encoder's arithmetic for texts that differ is "
        "the same in a batch, and two sentences keep two cores nearly as busy as sixteen do.",
    ]


def verdict(found: dict[tuple[Load, int], list[Measured]]) -> str:
    gains = [gain(*(found[load, batch] for batch in BATCHES)) for load in {load for load, _ in found}]
    return f"met by {sum(g >= TARGET for g in gains)} of {len(gains)} loads, the most is {max(gains):.2f}"


def row(load: Load, one: list[Measured], many: list[Measured]) -> str:
    spared = work(one) / work(many)
    cells = [f"{spread([m.throughput for m in of])} | {middle(of):.0f} | {work(of):.1f}" for of in (one, many)]
    return f"| {load.told} | {' | '.join(cells)} | {gain(one, many):.2f} | {spared:.2f} |"


def gain(one: list[Measured], many: list[Measured]) -> float:
    return statistics.median(m.throughput for m in many) / statistics.median(m.throughput for m in one)


def work(measured: list[Measured]) -> float:
    return 1000 * statistics.median(m.work for m in measured)


def middle(measured: list[Measured]) -> float:
    return 1000 * statistics.median(latency for m in measured for latency in m.latencies)


if __name__ == "__main__":
    main()
