"""The service's page: what it shows is what `coheval.score` gives, and what is typed is never more than text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import coheval
from serve.running import running, wait_until_ready

pytestmark = pytest.mark.xdist_group("browser")

Visit = Callable[..., Any]

OFFERED = ["moverscore", "chrf", "dsfocus", "rc", "coherence", "cometqe"]
CANDIDATE = "The old crane was sold. A hotel company bought the crane last week."
REFERENCES = ["The old crane has been sold. Last week a hotel firm bought it.", "Somebody bought the old crane."]
SCRIPT = "</textarea><script>alert(1)</script><img src=x onerror=alert(2)> was sold. "


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running("-m", *OFFERED) as (address, _):
        wait_until_ready(address)
        yield f"{address}/"


def choose_only(page: Page, *metrics: str) -> None:
    for metric in OFFERED:
        box = page.get_by_role("checkbox", name=re.compile(rf"^{metric} "))
        if box.is_enabled():
            box.set_checked(metric in metrics)


def fill(page: Page, candidate: str, *references: str) -> None:
    page.get_by_label("Candidate").fill(candidate)
    for n, reference in enumerate(references):
        if n:
            page.get_by_role("button", name="Add another reference").click()
        page.locator("#references textarea").nth(n).fill(reference)


def shown_scores(page: Page) -> dict[str, str]:
    rows = page.locator(".scores tbody tr")
    names = [text.split()[0] for text in rows.locator("th").all_inner_texts()]
    return dict(zip(names, rows.locator("td.number").all_inner_texts(), strict=True))


def test_scores_are_those_of_python(visit: Visit, address: str) -> None:
    asked = ["moverscore", "chrf", "dsfocus"]
    offline = coheval.score([CANDIDATE], references=[REFERENCES], documents=["text"], metrics=asked)
    with visit(address) as page:
        fill(page, CANDIDATE, *REFERENCES)
        choose_only(page, *asked)
        page.get_by_role("button", name="Score").click()
        expect(page.get_by_role("heading", name="Scores, and what moved them")).to_be_visible()
        found = shown_scores(page)
        assert found.keys() == set(asked)
        for metric, text in found.items():
            assert float(text.replace("−", "-")) == pytest.approx(offline[metric].documents["text"], abs=1e-4)
        assert page.locator(".reasons .words li").count() > 0
        page.get_by_text("Alignment as a flow").click()
        expect(page.locator("path.flow").first).to_be_attached()


def test_everything_can_be_done_with_the_keyboard(visit: Visit, address: str) -> None:
    with visit(address) as page:
        expect(page.locator("#choices input").first).to_be_visible()
        page.get_by_label("Candidate").focus()
        page.keyboard.type(CANDIDATE)
        page.keyboard.press("Tab")
        page.keyboard.type(REFERENCES[0])
        page.keyboard.press("Control+Enter")
        expect(page.locator(".explanation")).to_be_visible()
        expect(page.locator("#results")).to_be_focused()


def test_one_text_alone_leaves_the_metrics_that_need_no_reference(visit: Visit, address: str) -> None:
    with visit(address) as page:
        fill(page, CANDIDATE)
        open_ = {one: page.get_by_role("checkbox", name=re.compile(rf"^{one} ")).is_enabled() for one in OFFERED}
        without = {one for one in OFFERED if "references" not in coheval.metric(one).needs}
        assert {one for one, enabled in open_.items() if enabled} == without
        choose_only(page, "rc", "coherence")
        page.get_by_role("button", name="Score").click()
        expect(page.locator(".explanation")).to_be_visible()
        assert shown_scores(page).keys() == {"rc", "coherence"}


def test_a_metric_of_the_source_asks_for_it(visit: Visit, address: str) -> None:
    with visit(address) as page:
        fill(page, CANDIDATE)
        expect(page.get_by_label("Source")).to_be_hidden()
        choose_only(page, "cometqe")
        page.get_by_label("Source").fill("Der alte Kran wurde verkauft. Eine Hotelfirma kaufte ihn letzte Woche.")
        page.get_by_role("button", name="Score").click()
        expect(page.locator(".pane.source mark").first).to_be_visible()


def test_what_is_typed_is_never_markup(visit: Visit, address: str) -> None:
    with visit(address) as page:
        fill(page, SCRIPT + CANDIDATE, SCRIPT)
        choose_only(page, "moverscore", "dsfocus")
        page.get_by_role("button", name="Score").click()
        expect(page.locator(".explanation")).to_be_visible()
        assert page.locator(".pane.candidate .text").evaluate("(node) => node.textContent") == SCRIPT + CANDIDATE
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 1


def test_lines_can_be_segments_and_must_be_equally_many(visit: Visit, address: str) -> None:
    with visit(address) as page:
        fill(page, "One line.\nAnother line.", "One line.")
        choose_only(page, "chrf")
        page.get_by_label("Each line is a segment of its own").check()
        page.get_by_role("button", name="Score").click()
        expect(page.get_by_role("alert")).to_contain_text("2 lines in the candidate, 1 line in another text")
        page.locator("#references textarea").first.fill("One line.\nThe other line.")
        page.get_by_role("button", name="Score").click()
        expect(page.locator(".segment-number").first).to_be_visible()
        expect(page.get_by_role("alert")).to_be_empty()


def test_a_refusal_is_told_with_its_hint(browser: Any, address: str) -> None:
    page = browser.new_page()  # which logs the refusal, as browsers do
    page.goto(address)
    fill(page, "x" * 10_001, "y")
    page.get_by_role("button", name="Score").click()
    expect(page.get_by_role("alert")).to_contain_text("10,000")
    expect(page.get_by_role("alert")).to_contain_text("Hint:")
    page.close()


def test_old_scores_do_not_stand_below_a_refusal(visit: Visit) -> None:
    with running("-m", "chrf", "bleu", "--max-metrics", "1", "--quiet") as (address, _):
        wait_until_ready(address)
        with visit(f"{address}/") as page:
            fill(page, CANDIDATE, *REFERENCES[:1])
            page.get_by_role("button", name="Score").click()
            expect(page.locator(".explanation")).to_be_visible()
            page.get_by_role("checkbox", name=re.compile("^bleu ")).check()
            page.get_by_role("button", name="Score").click()
            expect(page.get_by_role("alert")).to_contain_text(
                "2 metrics are chosen, this service takes at most 1 at once"
            )
            expect(page.locator(".explanation")).to_be_hidden()


def test_a_key_is_asked_for_and_not_kept(browser: Any, visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("a-key-of-some-length-0123456789\n")
    with running("-m", "chrf", "--api-key-file", str(file)) as (address, _):
        wait_until_ready(address)
        page = browser.new_page()
        page.goto(f"{address}/")
        expect(page.get_by_role("status")).to_have_text("This service wants a key.")
        expect(page.get_by_role("alert")).to_be_empty()
        page.get_by_label("API key").fill("a-key-of-some-length-0123456789")
        page.keyboard.press("Tab")
        expect(page.locator("#choices input")).to_have_count(1)
        fill(page, CANDIDATE, *REFERENCES[:1])
        page.get_by_role("button", name="Score").click()
        expect(page.locator(".explanation")).to_be_visible()
        assert page.evaluate("Object.keys(localStorage).length + Object.keys(sessionStorage).length") == 0
        page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(visit: Visit, address: str, serious: Any, scheme: str) -> None:
    with visit(address, color_scheme=scheme) as page:
        expect(page.locator("#choices input").first).to_be_visible()
        assert serious(page) == []
        page.get_by_role("button", name="Try an example").click()
        expect(page.locator(".explanation")).to_be_visible()
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page.wait_for_timeout(50)
        assert serious(page) == []


def test_nothing_is_wider_than_a_narrow_screen(visit: Visit, address: str) -> None:
    with visit(address, viewport={"width": 320, "height": 640}) as page:
        page.get_by_role("button", name="Try an example").click()
        expect(page.locator(".explanation")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == 320
