"""What the discourse metrics cost beside their encoder: summaries with many references, all metrics in one call.

    python benchmarks/discourse.py         minutes; writes a section of docs/benchmarks.md
    python benchmarks/discourse.py --documents 5 --rounds 1 --dry      a quick look; writes nothing

In each round the encoder reads the distinct texts once by itself, then all metrics score all summaries. What is
compared is CPU time in one process on one core; loading is left out. A missed target is said, and is not an error.
Needs Linux and the shared data, which is not part of the repository.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import page
from coheval.metrics import metric
from coheval.metrics._discourse import DiscourseMetric
from coheval.registry import names
from page import spread
from speed import ask, pin
from study import lists, read

ROOT = Path(__file__).resolve().parent.parent
MOST = 1.3  # times the encoder's own time


def main() -> None:
    options = arguments()
    pin(1)
    job = {
        "metrics": [name for name in names("metrics") if isinstance(metric(name), DiscourseMetric)],
        **lists(read(options.shared / "data" / "summeval").records(), options.documents),
        "rounds": options.rounds,
    }
    text = "\n".join(table(job, ask(sys.executable, ROOT / "benchmarks" / "run_discourse.py", job)))
    print(text)
    if not options.dry:
        page.write("discourse", text)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--documents", type=int, default=100, help="articles of SummEval, of 100")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--dry", action="store_true", help="print, but do not write docs/benchmarks.md")
    options = parser.parse_args()
    if not (options.shared / "data" / "summeval").is_dir():
        parser.error(f"SummEval is not in {options.shared}/data: name the folder of the shared data, --shared")
    return options


def table(job: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    rounds: Sequence[dict[str, float]] = answer["rounds"]
    summaries, references = sum(map(len, job["candidates"].values())), len(job["references"][0])
    ratio = statistics.median(r["together"] / r["alone"] for r in rounds)
    parts = {
        "the encoder by itself": [r["alone"] for r in rounds],
        "all discourse metrics": [r["together"] for r in rounds],
        "– of that, the encoder": [r["encoder"] for r in rounds],
        "– the annotator": [r["annotator"] for r in rounds],
        "– the metrics and the rest": [r["together"] - r["encoder"] - r["annotator"] for r in rounds],
    }
    alone = parts["the encoder by itself"]
    by_round = ", ".join(f"{r['together'] / r['alone']:.2f}" for r in rounds)
    return [
        page.command("discourse.py", 1),
        "",
        f"- texts: SummEval, {summaries:,} summaries with {references} references each; {answer['texts']:,} distinct",
        f"- metrics: {', '.join(f'`{name}`' for name in job['metrics'])}",
        f"- {page.versions('onnxruntime', 'tokenizers', 'numpy', 'spacy')}; peak memory {answer['peak_mb']:,.0f} MB",
        "",
        f"CPU seconds, the median of {len(rounds)} rounds (least–most).",
        "",
        f"| {summaries:,} summaries × {references} references | CPU seconds | ÷ encoder by itself |",
        "|---|---|---:|",
        *(f"| {part} | {spread(spent)} | {share(spent, alone):.3f} |" for part, spent in parts.items()),
        "",
        f"All discourse metrics ÷ the encoder by itself: {ratio:.2f}, target ≤ {MOST}, "
        f"{'met' if ratio <= MOST else '**missed**'}. By round: {by_round}; in the first, spaCy meets every word",
        "for the first time.",
    ]


def share(spent: Sequence[float], alone: Sequence[float]) -> float:
    return statistics.median(part / whole for part, whole in zip(spent, alone, strict=True))


if __name__ == "__main__":
    main()
