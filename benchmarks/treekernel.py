"""What the tree kernel costs beside the memoised recursion that the papers give, and whether both say the same.

    python benchmarks/treekernel.py        some minutes; writes a section of docs/benchmarks.md
    python benchmarks/treekernel.py --rounds 1 --dry      a quick look; writes nothing

Trees are simulated in the shapes of DR and DR-LEX. Both sides are given prepared trees, with the production of every
node. The two take turns within each round, in one process on one core; what is compared is CPU time. A missed target is
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
LEAST = 50  # times as fast as the recursion, at 200 nodes
SAME = 1e-12


def main() -> None:
    options = arguments()
    pin(1)
    job = {"rounds": options.rounds, "systems": 10, "references": 100}
    text = "\n".join(table(job, ask(sys.executable, HERE / "run_treekernel.py", job)))
    print(text)
    if not options.dry:
        page.write("treekernel", text)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--dry", action="store_true", help="print, but do not write docs/benchmarks.md")
    return parser.parse_args()


def table(job: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    return [
        page.command("treekernel.py", 1),
        "",
        "- simulated trees: 18 relations and the words after Zipf's law, splits at random; decay 0.4",
        f"- sentences: 1 to 4 EDUs of 7 words, {job['references']} references, {job['systems']} systems, in one call",
        f"- preparing a tree, which is left out: {answer['compile'] * 1e6:.1f} µs a node",
        f"- {page.versions('numpy')}; peak memory {answer['peak_mb']:,.0f} MB, most of it the recursion's",
        "",
        f"CPU milliseconds a pair of trees, the median of {job['rounds']} rounds (least–most).",
        "",
        "| trees | nodes | coheval | recursion | | target | | largest difference |",
        "|---|---:|---|---|---:|---|---|---:|",
        *(row(name, found) for name, found in answer["work"].items()),
    ]


def row(name: str, found: dict[str, Any]) -> str:
    ours, theirs = ([one[side] for one in found["rounds"]] for side in ("ours", "recursion"))
    ratio = statistics.median(one["recursion"] / one["ours"] for one in found["rounds"])
    difference = max(one["difference"] for one in found["rounds"])
    met = "met" if ratio >= LEAST and difference <= SAME else "**missed**"
    target = f"≥ {LEAST}x, equal | {met}" if found["target"] else " | "
    cells = [name, f"{found['nodes']:,.0f}", spread(ours, 1e3), spread(theirs, 1e3), f"{ratio:.0f}x", target]
    return f"| {' | '.join(cells)} | {difference:.1e} |"


if __name__ == "__main__":
    main()
