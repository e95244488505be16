"""What document context costs: encoder time with context and without, beside the tokens that are read.

    python benchmarks/contextcost.py       two minutes; writes a section of docs/benchmarks.md
    python benchmarks/contextcost.py --rounds 1 --dry      a quick look; writes nothing

Ten systems of WMT17, each ten lines taken as a document. The target is the ratio of tokens: context may cost what it
makes the encoder read, and no more. Needs Linux.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import Any

import page
import texts
from page import spread
from speed import ask, pin

HERE = Path(__file__).resolve().parent
COUNTS = ("tokens", "operations")
SPECS = {"without": "bertscore", "with": "bertscore(context=2)"}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lines", type=int, default=100)
    parser.add_argument("--dry", action="store_true", help="print, but do not write docs/benchmarks.md")
    options = parser.parse_args()
    pin(1)
    read = texts.read()
    job = {
        "systems": {name: lines[: options.lines] for name, lines in read.systems.items()},
        "references": read.references[: options.lines],
        "documents": [str(n // 10) for n in range(options.lines)],
        "specs": SPECS,
        "rounds": options.rounds,
    }
    text = "\n".join(table(read.source, options.lines, ask(sys.executable, HERE / "run_context.py", job)))
    print(text)
    if not options.dry:
        page.write("contextcost", text)


def table(source: str, lines: int, answer: dict[str, Any]) -> list[str]:
    rounds = answer["rounds"]
    found = {name: [r[name] for r in rounds] for name in SPECS}
    tokens, operations = ({name: of_name[0][what] for name, of_name in found.items()} for what in COUNTS)
    ratio, by_operations = (counts["with"] / counts["without"] for counts in (tokens, operations))
    times = [r["with"]["encoder"] / r["without"]["encoder"] for r in rounds]
    met = statistics.median(times) <= ratio
    return [
        page.command("contextcost.py", 1),
        "",
        f"- texts: the first {lines} lines of {source}; ten lines are a document",
        f"- {page.versions('onnxruntime', 'numpy')}",
        "",
        f"CPU seconds, the median of {len(rounds)} interleaved rounds (least–most).",
        "",
        "| context | tokens read | encoder, s | all, s |",
        "|---|---:|---|---|",
        *(
            f"| {SPECS[name]} | {tokens[name]:,} | {spread([r['encoder'] for r in of_name])} "
            f"| {spread([r['whole'] for r in of_name])} |"
            for name, of_name in found.items()
        ),
        "",
        f"Tokens: {ratio:.2f} times as many; multiplications {by_operations:.2f} times: attention grows with the "
        "square of the length, but the last layer's vectors are made for the segment alone. Encoder time: "
        f"{spread(times)} times, target ≤ {ratio:.2f}, {'met' if met else '**missed**'}. References in context are "
        "read once for all ten systems.",
    ]


if __name__ == "__main__":
    main()
