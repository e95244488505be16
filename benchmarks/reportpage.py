"""How long a report of many documents takes to make, to open and to scroll, in a real Chromium.

    python benchmarks/reportpage.py                          a minute; writes a section of docs/benchmarks.md
    python benchmarks/reportpage.py --documents 1000 --dry   a quick look; writes nothing

Needs Debian's chromium and the package playwright. Texts are made of a few words; systems differ in how many of them
are other words. Opening is from asking for the file to rows of the list that can be seen and clicked.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

import coheval
import page
from page import spread

WORDS = "the old crane harbour hotel city water week company owner council cabin guest night river market".split()
SYSTEMS = {"good": 0.1, "middle": 0.3, "bad": 0.35}  # how often a word is another one
METRICS = ["chrf", "bleu", "ter"]
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync"
)
TARGET = 3.0  # seconds until 10,000 documents are open
SMOOTH = 1000 / 60  # milliseconds of a frame

SCROLL = """async () => {
  const list = document.querySelector('.list');
  const times = [];
  let last = performance.now();
  for (let n = 0; n < 200; n++) {
    list.scrollTop += 997;
    await new Promise(requestAnimationFrame);
    times.push(performance.now() - last);
    last = performance.now();
  }
  return times.slice(1);
}"""


@dataclass(frozen=True)
class Visit:
    opened: float
    searched: float
    chosen: float
    frames: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--dry", action="store_true", help="print, but do not write docs/benchmarks.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "report.html"
        made = make(options.documents, place)
        size = place.stat().st_size
        visits = [visit(place.as_uri()) for _ in range(options.rounds)]
    text = "\n".join(table(options.documents, made, size, visits))
    print(text)
    if not options.dry:
        page.write("reportpage", text)


def make(documents: int, place: Path) -> float:
    """Seconds that the report takes, without the scores."""
    draw = random.Random(1)
    references = [" ".join(draw.choices(WORDS, k=30)) for _ in range(documents)]
    candidates = {
        name: [
            " ".join(w if draw.random() > share else draw.choice(WORDS) for w in text.split()) for text in references
        ]
        for name, share in SYSTEMS.items()
    }
    names = [f"document {n}" for n in range(documents)]
    result = coheval.score(candidates, references=references, documents=names, metrics=METRICS)
    start = time.perf_counter()
    coheval.report(result).save(place)
    return time.perf_counter() - start


@contextmanager
def opened(address: str) -> Iterator[tuple[Page, float]]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS.split())
        sheet = browser.new_page(viewport={"width": 1200, "height": 900})
        start = time.perf_counter()
        sheet.goto(address)
        sheet.wait_for_selector(".list-row")
        yield sheet, time.perf_counter() - start
        browser.close()


def visit(address: str) -> Visit:
    with opened(address) as (sheet, until_open):
        frames = sheet.evaluate(SCROLL)
        start = time.perf_counter()
        sheet.fill("input[type=search]", "harbour hotel city")
        sheet.wait_for_selector("[role=status]:not(:has-text('searching'))")
        searched = time.perf_counter() - start
        start = time.perf_counter()
        sheet.locator(".list-row").first.click()
        sheet.wait_for_selector(".explanation")
        return Visit(until_open, searched, time.perf_counter() - start, frames)


def table(documents: int, made: float, size: int, visits: list[Visit]) -> list[str]:
    opening = [one.opened for one in visits]
    frames = sorted(time for one in visits for time in one.frames)
    late = sum(time > 1.5 * SMOOTH for time in frames) / len(frames)
    met = max(opening) < TARGET
    return [
        page.command("reportpage.py"),
        "",
        f"- {documents:,} documents, {len(SYSTEMS)} systems, {', '.join(METRICS)}; a file of {size / 1e6:.1f} MB",
        f"- {page.versions('playwright')}; Debian's Chromium, headless, without a GPU",
        "",
        "| step | seconds |",
        "|---|---|",
        f"| the report is made, 50 documents explained (once) | {made:.1f} |",
        f"| it opens, from asking for the file to rows that can be clicked | {spread(opening)} |",
        f"| a search in all texts | {spread([one.searched for one in visits])} |",
        f"| a document is shown | {spread([one.chosen for one in visits])} |",
        "",
        f"Median of {len(visits)} visits (least–most). Opening in under {TARGET:g} s: "
        f"{'met' if met else '**missed**'}. Scrolling through the list, 25 rows a frame: the median frame takes "
        f"{statistics.median(frames):.1f} ms, the 99th of 100 {frames[int(0.99 * len(frames))]:.1f} ms; "
        f"{late:.1%} come late (more than one and a half frames of 60 a second).",
    ]


if __name__ == "__main__":
    main()
