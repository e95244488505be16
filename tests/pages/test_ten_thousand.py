"""A report of ten thousand documents: only what is in sight is drawn, and all of it can be reached."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

import coheval
from pages.conftest import saved

pytestmark = pytest.mark.xdist_group("browser")

MANY = 10_000


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> str:
    references = [f"text number {n} of many" for n in range(MANY)]
    candidates = {"same": references, "other": [f"text number {n} of more" for n in range(MANY)]}
    documents = [f"document {n}" for n in range(MANY)]
    result = coheval.score(candidates, references=references, documents=documents, metrics=["chrf"])
    return saved(coheval.report(result, explain=0), tmp_path_factory.mktemp("big"))


def test_rows_out_of_sight_are_not_drawn_and_yet_can_be_reached(visit: Callable[..., Any], big: str) -> None:
    with visit(big) as page:
        grid = page.get_by_role("grid")
        assert grid.get_attribute("aria-rowcount") == str(MANY + 1)
        assert page.locator(".list-row").count() < 60
        grid.focus()
        page.keyboard.press("End")
        expect(page.locator(".list-row.active")).to_have_attribute("aria-rowindex", str(MANY + 1))
        expect(page.locator(".list-row.active")).to_be_in_viewport()
        assert page.locator(".list-row").count() < 60
        page.keyboard.press("Enter")
        last = page.locator(".list-row.active .name").inner_text()
        expect(page.locator("#document h2")).to_have_text(f"Document {last}")
        number = last.removeprefix("document ")
        expect(page.locator(".pane.candidate .text")).to_have_text(f"text number {number} of many")


def test_a_search_reads_the_texts_of_all(visit: Callable[..., Any], big: str) -> None:
    with visit(big) as page:
        page.get_by_role("searchbox").fill("number 9876 of more")
        expect(page.get_by_role("status")).to_contain_text("1 of 10,000 documents.")
        assert page.locator(".list-row .name").all_inner_texts() == ["document 9876"]


def test_ids_are_sorted_by_their_numbers(visit: Callable[..., Any], big: str) -> None:
    with visit(big) as page:
        page.get_by_role("columnheader", name="document").get_by_role("button").click()
        assert page.locator(".list-row .name").all_inner_texts()[:3] == ["document 0", "document 1", "document 2"]
