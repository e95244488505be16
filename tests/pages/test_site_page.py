"""The documentation's site in a real Chromium, opened from a folder without a server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support import built_site

pytestmark = pytest.mark.xdist_group("browser")

Visit = Callable[..., Any]
WIDE_TABLES_ARE_REACHED = """
    [...document.querySelectorAll(".md-typeset__scrollwrap")]
    .every((one) => one.scrollWidth <= one.clientWidth || one.tabIndex === 0)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> str:
    return built_site(tmp_path_factory.mktemp("site")).as_uri()


def test_the_search_finds_pages(visit: Visit, site: str) -> None:
    with visit(f"{site}/metrics/moverscore.html", within=site) as page:
        page.keyboard.press("/")
        page.keyboard.type("Kneser")  # half a compound, "Kneser-", would be a query that the search warns of
        result = page.get_by_role("listitem").filter(has_text="Kneser-Ney").first
        result.get_by_role("link").first.click()
        expect(page.get_by_role("main")).to_contain_text("Kneser-Ney")
        assert page.url.startswith(site)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index", "start", "metrics/moverscore", "metrics/index", "migration", "reference"])
def test_a_page_has_no_serious_violation(
    visit: Visit, site: str, serious: Callable[[Page], list[str]], name: str, scheme: str
) -> None:
    with visit(f"{site}/{name}.html", within=site, color_scheme=scheme, reduced_motion="reduce") as page:
        expect(page.get_by_role("main")).to_be_visible()
        page.wait_for_function(WIDE_TABLES_ARE_REACHED)
        assert serious(page) == []


def test_a_narrow_screen_shows_all(visit: Visit, site: str) -> None:
    with visit(f"{site}/metrics/moverscore.html", within=site, viewport={"width": 360, "height": 740}) as page:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.locator("header label[for=__drawer]").click()
        expect(page.get_by_role("navigation").get_by_role("link", name="BERTScore").first).to_be_visible()
