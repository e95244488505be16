"""How many sentences a second the discourse parser reads, from raw text, on one core.

    python benchmarks/parserspeed.py       a minute; writes a section of docs/benchmarks.md
    python benchmarks/parserspeed.py --rounds 1 --dry      a quick look; writes nothing

Texts are outputs of ten systems of WMT17, each line parsed by itself. What is measured is CPU time in one process on a
core; loading is left out. A missed target is said, and is not an error. Needs Linux.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import page
import texts
from page import spread
from speed import ask, pin

HERE = Path(__file__).resolve().parent
LEAST = 100  # sentences a second, the encoder's time taken off


def main() -> None:
    options = arguments()
    pin(1)
    read = texts.read()
    lines = sorted({line for system in read.systems.values() for line in system if line.strip()})
    job = {"texts": lines[:: max(1, len(lines) // options.lines)], "rounds": options.rounds}
    text = "\n".join(table(read.source, job, ask(sys.executable, HERE / "run_parsing.py", job)))
    print(text)
    if not options.dry:
        page.write("parserspeed", text)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--dry", action="store_true", help="print, but do not write docs/benchmarks.md")
    return parser.parse_args()


def table(source: str, job: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    rounds = answer["rounds"]
    sentences = answer["sentences"]
    parts = {
        "all": [r["whole"] for r in rounds],
        "– of that, the encoder": [r["encoder"] for r in rounds],
        "– the tagger": [r["tagger"] for r in rounds],
        "– the parser": [r["whole"] - r["encoder"] - r["tagger"] for r in rounds],
    }
    without = sorted(sentences / (r["whole"] - r["encoder"]) for r in rounds)[len(rounds) // 2]
    return [
        page.command("parserspeed.py", 1),
        "",
        f"- texts: {len(job['texts']):,} distinct lines of {source}: {sentences:,} sentences, {answer['edus']:,} EDUs",
        f"- {page.versions('onnxruntime', 'numpy', 'spacy')}; peak memory {answer['peak_mb']:,.0f} MB",
        "",
        f"CPU milliseconds a sentence, the median of {len(rounds)} rounds (least–most).",
        "",
        "| discourse parser | ms a sentence |",
        "|---|---|",
        *(f"| {part} | {spread(spent, 1e3 / sentences)} |" for part, spent in parts.items()),
        "",
        f"Sentences a second without the encoder's time: {without:.0f}, target ≥ {LEAST}, "
        f"{'met' if without >= LEAST else '**missed**'}.",
    ]


if __name__ == "__main__":
    main()
