"""What a bootstrap of a correlation costs beside a loop over scipy's functions, and whether both give the same numbers.

    python benchmarks/resampling.py        minutes; writes a section of docs/benchmarks.md
    python benchmarks/resampling.py --resamples 1000 --rounds 1 --dry      a quick look; writes nothing

Segments are resampled as blocks of one text of each system. Both sides are told which were drawn, so that drawing is
left out. The loop takes its resamples from the data and calls scipy; it is timed on some tens of them and scaled up,
since all would take ten minutes a round. What is compared is CPU time in one process on one core. A missed target is
said, and is not an error. Needs Linux.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import Any

import page
from page import spread
from speed import ask, pin

HERE = Path(__file__).resolve().parent
LEAST = {"pearson": 100, "spearman": 40, "kendall": 6, "system level": 100}  # times as fast as the loop
SAME = 1e-9


def main() -> None:
    options = arguments()
    pin(1)
    job = vars(options) | {"systems": 20, "segments": 1000}
    text = "\n".join(table(job, ask(sys.executable, HERE / "run_resampling.py", job)))
    print(text)
    if not options.dry:
        page.write("resampling", text)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--looped", type=int, default=50, help="resamples of each round on which the loop is timed")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dry", action="store_true", help="print, but do not write docs/benchmarks.md")
    options = parser.parse_args()
    if options.rounds * options.looped > options.resamples:
        parser.error(f"--looped times --rounds must be at most --resamples, {options.resamples}")
    return options


def table(job: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    rounds: dict[str, list[dict[str, float]]] = answer["rounds"]
    return [
        page.command("resampling.py", 1),
        "",
        f"- {job['resamples']:,} resamples of {job['segments']:,} segments, each a block of {job['systems']} texts",
        f"- simulated scores and ratings, without ties; besides, ratings of {answer['levels']} values",
        f"- the loop: timed on {job['looped']} resamples a round, and scaled up",
        f"- drawing, which is left out: {answer['drawing']:.2g} s",
        f"- {page.versions('numpy', 'scipy')}; peak memory {answer['peak_mb']:,.0f} MB",
        "",
        f"CPU seconds, the median of {job['rounds']} rounds (least–most).",
        "",
        "| bootstrap of | coheval | loop over scipy | | target | | largest difference |",
        "|---|---|---|---:|---|---|---:|",
        *(row(name, found) for name, found in rounds.items()),
    ]


def row(name: str, found: list[dict[str, float]]) -> str:
    ours, loop = ([one[side] for one in found] for side in ("ours", "loop"))
    ratio = statistics.median(one["loop"] / one["ours"] for one in found)
    difference = max(one["difference"] for one in found)
    least = LEAST.get(name)
    target = f"≥ {least}x, equal | {verdict(ratio >= least and difference <= SAME)}" if least else " | "
    return f"| {name} | {spread(ours)} | {spread(loop)} | {ratio:.0f}x | {target} | {difference:.1e} |"


def verdict(met: bool) -> str:
    return "met" if met else "**missed**"


if __name__ == "__main__":
    main()
