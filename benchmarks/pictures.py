"""Pictures of pages for the documentation: what each metric's scores rest on, the report, the service's page.

    python benchmarks/pictures.py                 writes docs/figures/metrics/NAME.png and docs/figures/pages/*.png
    python benchmarks/pictures.py moverscore dr   some metrics only

Needs Debian's chromium and the package playwright. Metrics of words and alignments show a line of `coheval demo`,
others a story.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

import coheval
from coheval import registry
from coheval.data import Corpus
from coheval.data.jsonl import read_jsonl
from coheval.run.result import Result
from coheval.run.score import evaluate, named

FIGURES = Path(__file__).resolve().parent.parent / "docs" / "figures"
EXAMPLE = Path(coheval.__file__).parent / "data" / "example.jsonl"
STORY = {  # one document of several sentences, for metrics that look beyond one
    "candidate": "The old library moved to the harbour because its roof leaked. The new house is a former grain store. "
    "Readers sit between thick walls, and the reading room looks out on the water. Bananas ripen best in the dark. "
    "Although the move cost more than planned, the library has twice as many readers as before.",
    "reference": "The library has moved to the harbour because rain came through the roof. It is now in a former grain "
    "store. The walls of the store are thick, and readers can see the water. Although the move was dearer than "
    "planned, twice as many readers come to the library now.",
    "source": "Die Bibliothek ist in den Hafen gezogen, weil es durch das Dach regnete. Sie ist jetzt in einem alten "
    "Kornspeicher. Die Mauern des Speichers sind dick, und die Leser sehen das Wasser. Obwohl der Umzug teurer war als "
    "geplant, kommen jetzt doppelt so viele Leser.",
}
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync"
)
SPECS = {"perplexity": "perplexity(model=smollm)"}  # what stands for a metric that needs a model of the user's
STORIES = {"dr", "drlex", "cometqe"}  # metrics of segments that need more than a line
LACKING = {"learned"}  # only a user's own model scores
TALLEST = 1200  # pixels
SMALL = {"width": 880, "height": 800}
LARGE = {"width": 1280, "height": 860}
MAIN = ["moverscore", "bertscore", "dsfocus", "dssent", "dr", "coherence", "chrf", "bleu"]


def main() -> None:
    asked = sys.argv[1:]
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "report.html"
        for name in asked or sorted(set(registry.names("metrics")) - LACKING):
            of_metric(browser, name, place)
        if not asked:
            of_pages(browser, place)


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS.split())
        yield browser
        browser.close()


def lines() -> Corpus:
    return Corpus.of(read_jsonl(str(EXAMPLE)))


def score(name: str) -> Result:
    """Of the story where a metric looks at documents, trees or sources, of the demo's lines else."""
    asked = named([SPECS.get(name, name)])
    if any(metric.unit == "document" or metric.name() in STORIES for metric in asked.values()):
        return coheval.score(
            [STORY["candidate"]],
            references=[STORY["reference"]],
            sources=[STORY["source"]],
            documents=["library"],
            metrics=list(asked),
            evidence=True,
        )
    return evaluate(lines(), asked, evidence=True)


def of_metric(browser: Browser, name: str, place: Path) -> None:
    """The words and drawings of one document; alignments as a heat map."""
    coheval.report(score(name)).save(place)
    with opened(browser, place, SMALL) as page:
        choose(page, 0, 0)
        heat = page.get_by_text("Alignment as a heat map")
        if heat.count():
            heat.click()
        for reading in page.locator(".readout").all():
            reading.evaluate("(node) => node.remove()")  # it tells what is pointed at, and nothing is
        save(page, [".reasons", ".why"], FIGURES / "metrics" / f"{name}.png")


def of_pages(browser: Browser, place: Path) -> None:
    result = evaluate(lines(), named(MAIN), evidence=True)
    coheval.report(result).save(place)
    for scheme in ("light", "dark"):
        with opened(browser, place, LARGE, scheme) as page:
            page.screenshot(path=whole("report", scheme))
            choose(page, 0, 0)
            page.locator(".scores button", has_text="dsfocus").click()
            page.locator(".pane.candidate mark").first.hover()
            save(page, ["#document"], whole("document", scheme))


def whole(name: str, scheme: str) -> Path:
    place = FIGURES / "pages"
    place.mkdir(parents=True, exist_ok=True)
    return place / f"{name}-{scheme}.png"


@contextmanager
def opened(browser: Browser, place: Path, size: Any, scheme: Any = "light") -> Iterator[Page]:
    with browser.new_context(viewport=size, color_scheme=scheme) as context:
        page = context.new_page()
        page.goto(place.as_uri())
        page.wait_for_selector(".list-row")
        yield page


def choose(page: Page, document: int, system: int) -> None:
    page.evaluate(f"location.hash = 'document={document}&system={system}'")
    page.wait_for_selector(".explanation")


def save(page: Page, parts: list[str], place: Path) -> None:
    """What lies between the first and the last of the parts, cut below, with few colours: small files."""
    boxes = [page.locator(part).bounding_box() for part in parts]
    known = [box for box in boxes if box]
    left, top = min(box["x"] for box in known), min(box["y"] for box in known)
    right = max(box["x"] + box["width"] for box in known)
    bottom = max(box["y"] + box["height"] for box in known)
    down = page.evaluate("scrollY")
    clip = {"x": left, "y": top + down, "width": right - left, "height": min(bottom - top, TALLEST)}
    place.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=place, full_page=True, clip=clip)  # type: ignore[arg-type]
    with Image.open(place) as picture:
        picture.convert("RGB").quantize(64).save(place, optimize=True)


if __name__ == "__main__":
    main()
