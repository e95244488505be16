"""Pages in a real Chromium: every page is watched, and a test fails where a page complains or asks for anything."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

import coheval
from coheval.run.result import Result
from pages.made import CANDIDATES, METRICS, REFERENCES, SOURCES
from support import carried_folder

_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync"
)
_PATIENCE = 30_000  # milliseconds: other programs may keep the machine busy


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For the tests of one file: playwright keeps an event loop running, and other tests want their own."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("needs Debian's chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=_FLAGS.split())
        expect.set_options(timeout=_PATIENCE)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser) -> Callable[..., Any]:
    """Opens an address; afterwards nothing may have been complained of or asked from elsewhere, outside `within`."""

    @contextmanager
    def open_page(address: str, *, within: str | None = None, **context: Any) -> Iterator[Page]:
        complaints: list[str] = []
        with browser.new_context(**context) as own:
            page = own.new_page()
            page.set_default_timeout(_PATIENCE)
            page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
            page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
            page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
            page.on("request", lambda request: complaints.extend(_elsewhere(request.url, address, within)))
            page.goto(address)
            yield page
        assert complaints == []

    return open_page


def _elsewhere(url: str, address: str, within: str | None) -> list[str]:
    asked, own = urlsplit(url), urlsplit(address)
    if (
        asked.scheme in {"data", "blob"}
        or (within is not None and url.startswith(within))
        or url == address.partition("#")[0]
        or (own.scheme == "http" and asked.netloc == own.netloc)
    ):
        return []
    return [f"request: {url}"]


@pytest.fixture(scope="session")
def checker() -> str:
    """The accessibility checker axe, as JavaScript."""
    return (carried_folder("axe_playwright_python", ".") / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def serious(checker: str) -> Callable[[Page], list[str]]:
    """What axe finds wrong with a page as it is now, but for what is minor or moderate."""

    def find(page: Page) -> list[str]:
        page.evaluate(checker)
        # a page on disk may not be asked for its style sheets again, which one experimental rule wants
        found = page.evaluate("axe.run(document, { resultTypes: ['violations'], preload: false })")
        assert found["passes"], "the checker did not run"
        return [
            f"{violation['id']}: {node['html'][:200]}"
            for violation in found["violations"]
            if violation["impact"] in {"serious", "critical"}
            for node in violation["nodes"]
        ]

    return find


@pytest.fixture(scope="session")
def explained() -> Result:
    """Two systems, two documents and two references, scored by metrics with every kind of drawing."""
    return coheval.score(
        CANDIDATES, REFERENCES, SOURCES, documents=["harbour", "clinic"], metrics=METRICS, evidence=True
    )


@pytest.fixture(scope="session")
def small(explained: Result, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report with judgements."""
    people = {"careful": [0.9, 0.7], "scrambled": [0.2, 0.1]}
    return saved(coheval.report(explained, people), tmp_path_factory.mktemp("small"))


def saved(report: Any, folder: Path) -> str:
    return report.save(folder / "report.html").as_uri()
