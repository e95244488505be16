"""How fast coheval is beside bert_score, PyPI's moverscore and pyemd: same weights, same texts, same threads.

    python benchmarks/speed.py            about a quarter of an hour; writes docs/benchmarks.md
    python benchmarks/speed.py --lines 20 --rounds 1 --dry      a quick look; writes nothing

Programs take turns within each round, each in a new process and its own environment. What is compared is CPU time (user
and system, all threads, children), the median of the rounds. Loading is left out, but for the command lines. A missed
target is said, and is not an error: this is a measurement, not a test. Needs Linux, to count and to pin.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import coheval
import page
import texts
from page import spread
from peers import install

HERE = Path(__file__).resolve().parent

BERTSCORE = "bertscore(variant='code')"
MOVERSCORE = {"v1": "moverscore(variant='v1', idf='none')", "v2": "moverscore"}  # the peer's program -> same work here
WARMUP = [["Nothing was decided that day.", "He left."], ["On that day, nothing was decided.", "He has left us."]]
SHARES = {"bertscore": "bertscore", "moverscore v2": "moverscore, the default", "moverscore v1": "moverscore v1"}
MOST = 1.05  # times the encoder's own time
UNITS, PROBLEMS, PASSES = 30, 100, 20  # of the transport: words of a text, pairs of texts, times each is solved

Array = NDArray[np.float64]
Costs = dict[str, list[float]]  # what was measured -> a number for each round


@dataclass
class Run:
    """Everything measured so far."""

    rounds: int
    lines: int
    threads: int
    texts: texts.Texts
    seconds: Costs = field(default_factory=lambda: defaultdict(list))  # CPU
    encoder: Costs = field(default_factory=lambda: defaultdict(list))  # CPU within encode()
    memory: Costs = field(default_factory=lambda: defaultdict(list))  # peak MB of the process
    scores: dict[str, list[float]] = field(default_factory=dict)  # of the last round

    def take(self, who: str, answer: dict[str, Any]) -> None:
        for task, found in answer["tasks"].items():
            name = f"{who}: {task}"
            self.seconds[name].append(found["cpu"])
            self.memory[name].append(found["peak_mb"])
            self.scores[name] = [score for call in found["scores"] for score in call]
            if "encoder_cpu" in found:
                self.encoder[name].append(found["encoder_cpu"])


def main() -> None:
    options = arguments()
    install.install_all()
    pin(options.threads)
    run = Run(options.rounds, options.lines, options.threads, texts.read())
    costs = word_distances(run.texts)
    for number in range(run.rounds):
        print(f"round {number + 1} of {run.rounds}", file=sys.stderr)
        score_texts(run, first=number == 0)
        start_cold(run)
        move_mass(run, costs, np.random.default_rng(number), check=number == 0)
    text = "\n".join([*facts(run), "", *table(run), "", *agreement(run)])
    print(text)
    if not options.dry:
        page.write("speed", text)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lines", type=int, default=200, help="references that the systems share")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--dry", action="store_true", help="print, but do not write docs/benchmarks.md")
    options = parser.parse_args()
    if not 1 <= options.lines <= texts.LINES // 2:
        parser.error(f"--lines must be 1 to {texts.LINES // 2}, got {options.lines}")
    return options


def pin(threads: int) -> None:
    """The same cores and thread counts for every program that is started from here."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:])
    for library in ("OMP", "MKL", "OPENBLAS", "RAYON"):
        os.environ[f"{library}_NUM_THREADS"] = str(threads)
    os.environ |= {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}


def ask(python: Path | str, script: Path, job: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run([python, script], input=json.dumps(job), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{script.name} failed:\n{done.stderr}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def score_texts(run: Run, first: bool) -> None:
    """PyPI's moverscore needs minutes, so it runs in the first round only; its ten calls are many enough."""
    systems, references = list(run.texts.systems.values()), run.texts.references
    ten = [(s[: run.lines], references[: run.lines]) for s in systems]
    one = [(systems[0][-run.lines :], references[-run.lines :])]  # other lines, which no cache can know
    joined = [([t for s, _ in ten for t in s], references[: run.lines] * len(ten))]
    job = {"threads": run.threads, "warmup": WARMUP, "tasks": {"ten": ten, "one": one}}

    run.take("coheval bertscore", ask(sys.executable, HERE / "run_coheval.py", job | {"metric": BERTSCORE}))
    peer = job | {"tasks": {"ten": ten, "one": one, "joined": joined}}
    run.take("bert_score", ask(install.program("bert_score"), HERE / "peers/run_bert_score.py", peer))
    for variant, metric in MOVERSCORE.items():
        mine = job | {"metric": metric, "tasks": {"ten": ten}}
        run.take(f"coheval moverscore {variant}", ask(sys.executable, HERE / "run_coheval.py", mine))
        if first:
            peer = mine | {"variant": variant, "moverscore_weights": str(install.MOVERSCORE_WEIGHTS)}
            runner = HERE / "peers/run_moverscore.py"
            run.take(f"moverscore {variant}", ask(install.program("moverscore"), runner, peer))


def start_cold(run: Run) -> None:
    """Ten sentences from the command line, everything included."""
    candidates, references = next(iter(run.texts.systems.values()))[:10], run.texts.references[:10]
    model = subprocess.check_output([install.program("bert_score"), HERE / "peers/weights.py"], text=True).strip()
    with tempfile.TemporaryDirectory() as folder:
        c, r = Path(folder, "candidates.txt"), Path(folder, "references.txt")
        c.write_text("\n".join(candidates) + "\n", encoding="utf-8")
        r.write_text("\n".join(references) + "\n", encoding="utf-8")
        mine = [sys.executable, "-m", "coheval", "score", "-c", c, "-r", r, "-m", BERTSCORE, "--format", "csv"]
        peer = [install.program("bert_score", "bert-score"), "-c", c, "-r", r, "-m", model, "-l", "6"]
        for who, command in (("coheval", mine), ("bert_score", peer)):
            spent, said = cold(command)
            run.seconds[f"{who}: cold"].append(spent)
            run.scores[f"{who}: cold"] = [float(re.findall(r"-?\d+\.\d+", said)[-1])]


def cold(command: Sequence[object]) -> tuple[float, str]:
    """The CPU seconds of a program from start to end, and what it printed."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = subprocess.Popen(list(map(str, command)), stdout=out, stderr=err)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        for stream in (out, err):
            stream.seek(0)
        if child.returncode:
            raise SystemExit(f"{command[0]} failed:\n{err.read()}")
        return used.ru_utime + used.ru_stime, out.read()


def move_mass(run: Run, costs: Sequence[Array], rng: np.random.Generator, check: bool) -> None:
    """Transport between the words of a candidate and of its reference, with equal and with random weights."""
    for kind in ("equal", "random"):
        problems = [problem(cost, kind, rng) for cost in costs]
        job = {"problems": problems, "passes": PASSES, "check": check}
        mine = ask(sys.executable, HERE / "run_transport.py", job)
        peer = ask(install.program("pyemd"), HERE / "peers/run_pyemd.py", job)
        run.seconds[f"coheval: {kind}"].append(mine["cpu"] / len(problems))
        for backend, found in peer.items():
            run.seconds[f"pyemd {backend}: {kind}"].append(found["cpu"] / len(problems))
        if check:
            run.scores[f"coheval: {kind}"] = mine["distances"]
            run.scores[f"scipy: {kind}"] = mine["exact"]


def word_distances(found: texts.Texts) -> list[Array]:
    """Squared distances between the first units of long candidates and references, both stacked: [2 units, 2 units]."""
    pairs = [pair for system in found.systems.values() for pair in zip(system, found.references, strict=True)]
    long = [pair for pair in pairs if min(len(text.split()) for text in pair) >= UNITS][:PROBLEMS]
    encoder: Any = coheval.metric("moverscore").encoder
    encoded = encoder.encode([text for pair in long for text in pair])
    vectors = np.array([e.vectors[encoder.depth][:UNITS] for e in encoded], dtype=float)  # [texts, units, d]
    points = vectors.reshape(len(long), 2 * UNITS, -1)
    points /= np.linalg.norm(points, axis=2, keepdims=True)
    return [((p[:, None] - p) ** 2).sum(axis=2) for p in points]


def problem(cost: Array, kind: str, rng: np.random.Generator) -> dict[str, Any]:
    weights = np.ones((2, UNITS)) if kind == "equal" else rng.random((2, UNITS))
    a, b = (weights / weights.sum(axis=1, keepdims=True)).tolist()
    return {"a": a, "b": b, "cost": cost.tolist()}


def facts(run: Run) -> list[str]:
    """Where and with what."""
    pinned = {
        p: dict(re.findall(r"^([\w-]+)==(\S+)$", (HERE / f"peers/{p}.txt").read_text(), re.M)) for p in install.PEERS
    }
    torch = install.TORCH.replace("==", " ")
    bert_score, moverscore = pinned["bert_score"], pinned["moverscore"]
    return [
        page.command("speed.py", run.threads),
        "",
        f"- texts: {run.texts.source}; {run.lines} of the lines at a time",
        f"- {page.versions('onnxruntime', 'tokenizers', 'numpy', 'POT')}",
        f"- bert_score {bert_score['bert-score']}, transformers {bert_score['transformers']}, {torch}",
        f"- moverscore {moverscore['moverscore']}, pyemd {moverscore['pyemd']}, pytorch-pretrained-bert "
        f"{moverscore['pytorch-pretrained-bert']} (v1), transformers {moverscore['transformers']} (v2), {torch}",
        f"- transport against pyemd {pinned['pyemd']['pyemd']}: `cpp` is the solver that MoverScore's program was "
        "written for, `pot` the default since pyemd 1.1, which calls the solver that coheval calls; "
        f"each round is the fastest of {PASSES} passes",
        "- everybody has the weights of all-MiniLM-L6-v2 in float32; no idf",
    ]


def table(run: Run) -> list[str]:
    return [
        f"CPU seconds, the median of {run.rounds} rounds (least–most); PyPI's moverscore ran once.",
        "",
        "| work | coheval | peer | | target | |",
        "|---|---|---|---|---|---|",
        *(
            comparison(run, f"ten systems, {what}", f"coheval {mine}: ten", f"{peer}", least)
            for what, mine, peer, least in (
                ("bertscore", "bertscore", "bert_score: ten", 3),
                ("bertscore; peer given all systems as one list", "bertscore", "bert_score: joined", None),
                ("moverscore as in `moverscore.py`", "moverscore v1", "moverscore v1: ten", 5),
                ("moverscore as in `moverscore_v2.py`", "moverscore v2", "moverscore v2: ten", 5),
            )
        ),
        comparison(run, "one system, bertscore", "coheval bertscore: one", "bert_score: one", 1.3),
        comparison(run, "ten sentences, command line, cold", "coheval: cold", "bert_score: cold", 6),
        *(
            comparison(
                run,
                f"transport {UNITS} × {UNITS} words, {kind} weights, ms",
                f"coheval: {kind}",
                f"pyemd {backend}: {kind}",
                least,
            )
            for kind in ("equal", "random")
            for backend, least in (("cpp", 15), ("pot", None))
        ),
        "",
        "| ten systems | CPU seconds | in the encoder | all ÷ encoder | target | | peak memory |",
        "|---|---|---|---|---|---|---|",
        *(share(run, name, label) for name, label in SHARES.items()),
        "",
        "Peak memory of the peers: "
        + ", ".join(
            f"{p} {max(run.memory[f'{p}: ten']):,.0f} MB" for p in ("bert_score", "moverscore v1", "moverscore v2")
        )
        + ".",
    ]


def comparison(run: Run, work: str, mine: str, peer: str, least: float | None) -> str:
    scale = 1000 if work.endswith(", ms") else 1
    ratio = statistics.median(run.seconds[peer]) / statistics.median(run.seconds[mine])
    who = peer.split(":")[0]
    target, verdict = (f"≥ {least}x", "met" if ratio >= least else "**missed**") if least else ("", "")
    ours, theirs = spread(run.seconds[mine], scale), spread(run.seconds[peer], scale)
    return f"| {work} | {ours} | {who} {theirs} | {ratio:.3g}x | {target} | {verdict} |"


def share(run: Run, metric: str, label: str) -> str:
    name = f"coheval {metric}: ten"
    both = zip(run.seconds[name], run.encoder[name], strict=True)
    ratio = statistics.median(total / encoder for total, encoder in both)
    verdict = "met" if ratio <= MOST else "**missed**"
    cells = [label, spread(run.seconds[name]), spread(run.encoder[name]), f"{ratio:.3f}", f"≤ {MOST}", verdict]
    return f"| {' | '.join(cells)} | {max(run.memory[name]):,.0f} MB |"


def agreement(run: Run) -> list[str]:
    """That both did the same work: the largest difference between their scores."""
    pairs = [
        ("bertscore and bert_score", "coheval bertscore: ten", "bert_score: ten"),
        ("moverscore v1 and `moverscore.py`", "coheval moverscore v1: ten", "moverscore v1: ten"),
        ("moverscore and `moverscore_v2.py`", "coheval moverscore v2: ten", "moverscore v2: ten"),
        ("the command lines' means", "coheval: cold", "bert_score: cold"),
        ("transport and scipy's linear programme, equal weights", "coheval: equal", "scipy: equal"),
        ("transport and scipy's linear programme, random weights", "coheval: random", "scipy: random"),
    ]
    systems, references = run.texts.systems.values(), run.texts.references[: run.lines]
    same = [c == r for system in systems for c, r in zip(system[: run.lines], references, strict=True)]
    rest = [
        [score for score, identical in zip(run.scores[name], same, strict=True) if not identical]
        for name in ("coheval moverscore v2: ten", "moverscore v2: ten")
    ]
    return [
        "The largest differences between scores of the same texts:",
        "",
        *(f"- {what}: {difference(run.scores[mine], run.scores[peer])}" for what, mine, peer in pairs),
        f"- moverscore and `moverscore_v2.py`, without the {sum(same)} candidates that equal their reference: "
        f"{difference(*rest)}; at distances near 0, float32 shows there",
    ]


def difference(mine: Sequence[float], peer: Sequence[float]) -> str:
    gaps = [abs(a - b) for a, b in zip(mine, peer, strict=True)]
    return f"{max(gaps):.1e} (median {statistics.median(gaps):.1e}, {len(gaps):,} scores)"


if __name__ == "__main__":
    main()
