"""Texts, ids, names of systems and aspects that would do harm as markup or as keys of objects are shown as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

import coheval
from pages.conftest import saved

pytestmark = pytest.mark.xdist_group("browser")

SCRIPT = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
SYSTEMS = ["__proto__", "constructor", SCRIPT]
DOCUMENTS = ["<script>alert(3)</script>", "hasOwnProperty", "../../etc/passwd", "שלום 🙂 \u202e&amp;"]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    texts = [f"{SCRIPT} {document} is 🙂 told." for document in DOCUMENTS]
    candidates = {system: [f"{text} By {n}." for text in texts] for n, system in enumerate(SYSTEMS)}
    result = coheval.score(
        candidates, references=texts, documents=DOCUMENTS, metrics=["bertscore", "chrf", "rouge"], evidence=True
    )
    people = {system: [float(n + m) for m in range(len(DOCUMENTS))] for n, system in enumerate(SYSTEMS)}
    return saved(coheval.report(result, people), tmp_path_factory.mktemp("hostile"))


@pytest.mark.parametrize("system", range(len(SYSTEMS)))
@pytest.mark.parametrize("document", range(len(DOCUMENTS)))
def test_every_text_and_name_is_shown_as_it_is(
    visit: Callable[..., Any], hostile: str, system: int, document: int
) -> None:
    with visit(f"{hostile}#document={document}&system={system}") as page:
        expect(page.locator("#document h2")).to_have_text(f"Document {DOCUMENTS[document]}", use_inner_text=False)
        text = page.locator(".pane.candidate .text").evaluate("(node) => node.textContent")
        assert text == f"{SCRIPT} {DOCUMENTS[document]} is 🙂 told. By {system}."
        names = page.locator("#overview table").first.locator("tbody th").all_inner_texts()
        assert sorted(names) == sorted(SYSTEMS)
        assert page.locator("img").count() == 0
        assert page.locator("script:not([type])").count() == 0


def test_marks_stand_where_they_should_behind_characters_of_two_units(visit: Callable[..., Any], hostile: str) -> None:
    with visit(f"{hostile}#document=3&system=0") as page:
        marked = page.locator(".pane.candidate mark").all_inner_texts()
        assert "told" in marked  # a word behind two emoji, which JavaScript counts double


@pytest.mark.parametrize("address", ["document=99999", "document=-1", "document=x", "document=0&system=77", "%E0%A4%A"])
def test_an_address_that_names_nothing_does_no_harm(visit: Callable[..., Any], hostile: str, address: str) -> None:
    with visit(f"{hostile}#{address}") as page:
        expect(page.locator("#overview")).to_be_visible()
