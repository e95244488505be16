"""The report from disk: what it shows is what the result says, and all of it can be reached with the keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import coheval
from coheval.data import Corpus, Record
from coheval.data.judgements import Judgements, Rating
from coheval.report import assets
from coheval.run.result import Result
from coheval.run.score import evaluate, named
from pages.conftest import saved
from pages.made import METRICS, SOURCES

pytestmark = pytest.mark.xdist_group("browser")

Visit = Callable[..., Any]


def shown(value: float, digits: int = 4) -> str:
    """A number as pages write it."""
    return f"{value:.{digits}f}".replace("-", "−")


def systems_in_order(page: Page) -> list[str]:
    return page.locator("#overview table").first.locator("tbody th").all_inner_texts()


def open_document(page: Page, number: int, system: int) -> None:
    page.evaluate(f"location.hash = 'document={number}&system={system}'")
    expect(page.locator(".explanation")).to_be_visible()


def told(page: Page) -> Locator:
    """The line above the list."""
    return page.locator("#documents [role=status]")


def asked(page: Page, section: str, label: str) -> Locator:
    """A choice of a section, by the whole of its label."""
    return page.locator(f"{section} label", has=page.get_by_text(label, exact=True)).locator("select")


def choose(page: Page, metric: str) -> None:
    page.locator(".scores button").filter(has_text=re.compile(rf"^{metric}\s")).click()


def test_the_overview_has_every_score_of_the_result(visit: Visit, small: str, explained: Result) -> None:
    with visit(small) as page:
        for n, (_, one) in enumerate(explained.items()):
            for row, system in enumerate(explained.systems):
                cell = page.locator("#overview table").first.locator("tbody tr").nth(row).locator("td").nth(n)
                score = one.by_system[system].system
                text = cell.locator(".value").inner_text().rstrip("*").replace("−", "-")
                assert text == "–" if score is None else float(text) == pytest.approx(score, abs=1e-4)


def test_a_column_sorts_by_its_head_and_back_with_the_keyboard(visit: Visit, small: str, explained: Result) -> None:
    chrf = explained["chrf"]
    best_first = sorted(explained.systems, key=lambda system: -(chrf.by_system[system].system or 0))
    with visit(small) as page:
        head = page.locator("#overview table").first.get_by_role("columnheader", name="chrf ↑")
        head.get_by_role("button").focus()
        page.keyboard.press("Enter")
        assert head.get_attribute("aria-sort") == "descending"
        assert systems_in_order(page) == best_first
        page.keyboard.press("Enter")
        assert head.get_attribute("aria-sort") == "ascending"
        assert systems_in_order(page) == best_first[::-1]


def test_the_list_is_sorted_by_how_far_systems_are_apart(visit: Visit, small: str, explained: Result) -> None:
    scores = explained["moverscore"].documents
    apart = {name: abs(scores["careful"][name] - scores["scrambled"][name]) for name in ("harbour", "clinic")}
    with visit(small) as page:
        names = page.locator(".list-row .name").all_inner_texts()
        assert names == sorted(apart, key=lambda name: -apart[name])
        cells = page.locator(".list-row").first.locator(".number").all_inner_texts()
        assert cells[2] == shown(apart[names[0]])
        page.get_by_label("First system").select_option("scrambled")
        page.get_by_label("Second system").select_option("careful")
        assert page.locator(".list-row").first.locator(".number").all_inner_texts()[2] == shown(-apart[names[0]])


@pytest.mark.parametrize("way", ["metrics", "people", "scores"])
def test_every_way_to_find_documents_lists_them_all(visit: Visit, small: str, way: str) -> None:
    with visit(small) as page:
        page.get_by_label("Find documents where").select_option(way)
        expect(page.locator(".list-row")).to_have_count(2)


def test_the_search_reads_ids_and_texts(visit: Visit, small: str) -> None:
    with visit(small) as page:
        search = page.get_by_role("searchbox")
        search.fill("HARBOUR")
        expect(told(page)).to_contain_text("1 of 2 documents.")
        search.fill("bananas are")  # of the second system's second text
        expect(told(page)).to_contain_text("1 of 2 documents.")
        assert page.locator(".list-row .name").all_inner_texts() == ["clinic"]
        search.fill("nowhere in any text")
        expect(told(page)).to_contain_text("0 of 2 documents.")
        search.fill("")
        expect(page.locator(".list-row")).to_have_count(2)


def test_the_filter_keeps_documents_with_an_undefined_score(visit: Visit, small: str, explained: Result) -> None:
    lacking = {
        document
        for one in explained.values()
        for scores in one.by_system.values()
        for document, score in scores.documents.items()
        if score is None
    }
    assert lacking, "the example has an undefined score"
    with visit(small) as page:
        page.get_by_label("Show").select_option("undefined")
        assert set(page.locator(".list-row .name").all_inner_texts()) == lacking


def test_the_keyboard_opens_a_document_from_the_list(visit: Visit, small: str) -> None:
    with visit(small) as page:
        grid = page.get_by_role("grid")
        grid.focus()
        page.keyboard.press("ArrowDown")
        second = page.locator(".list-row.active .name").inner_text()
        assert grid.get_attribute("aria-activedescendant") == "row-1"
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name=f"Document {second}")).to_be_focused()
        page.get_by_role("button", name="Previous in the list").click()
        expect(page.get_by_role("heading", name=f"Document {second}")).to_have_count(0)
        page.go_back()
        expect(page.get_by_role("heading", name=f"Document {second}")).to_be_visible()


@pytest.mark.parametrize("metric", METRICS)
def test_a_document_shows_each_score_with_words_and_signature(
    visit: Visit, small: str, explained: Result, metric: str
) -> None:
    told = explained.explain("harbour", "scrambled").to_dict()["explanations"][0]
    one = next(each for each in told["metrics"] if each["metric"] == metric)
    with visit(small) as page:
        open_document(page, 0, 1)
        choose(page, metric)
        reasons = page.locator(".reasons")
        expect(reasons.locator(".score")).to_have_text("–" if one["score"] is None else shown(one["score"]))
        if one["reason"]:
            expect(reasons).to_contain_text(one["reason"])
        words = [sentence for part in one["parts"] for sentence in part["words"]]
        assert reasons.locator(".words li").all_inner_texts() == words
        page.get_by_text("Signature").first.click()
        assert reasons.locator(".signature").inner_text() == explained[metric].signature


def test_foci_are_counted_on_both_sides_and_light_up_together(visit: Visit, small: str) -> None:
    with visit(small) as page:
        open_document(page, 0, 0)
        choose(page, "dsfocus")
        # by hand: "cabin" stands twice in the careful text and twice in the first reference
        chip = page.locator(".foci li", has_text="cabin")
        expect(chip.locator(".counts")).to_have_text("2 | 2")
        page.locator(".pane.candidate mark", has_text="cabin").first.hover()
        expect(page.locator("mark.lit")).to_have_count(4)
        expect(page.locator(".why .readout")).to_contain_text("“cabin”, 2 in the candidate, 2 in the reference")


def test_an_alignment_is_drawn_as_flow_and_heat_on_demand(visit: Visit, small: str, explained: Result) -> None:
    evidence = explained["moverscore"].by_system["careful"].evidence[0]
    assert evidence is not None
    moves = evidence["each"][0]["moves"]  # type: ignore[index]
    with visit(small) as page:
        open_document(page, 0, 0)
        choose(page, "moverscore")
        assert page.locator(".flow, .cell").count() == 0
        page.get_by_text("Alignment as a flow").click()
        expect(page.locator("path.flow")).to_have_count(len(moves))
        page.get_by_text("Alignment as a heat map").click()
        expect(page.locator("rect.cell")).to_have_count(len(moves))
        page.locator(".pane.candidate mark", has_text="crane").first.hover()
        assert page.locator("path.flow.lit").count() >= 1
        page.get_by_role("img", name="Heat map").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("rect.cell.lit")).to_have_count(1)


def test_an_estimate_from_the_source_marks_the_source(visit: Visit, small: str, explained: Result) -> None:
    evidence = explained["cometqe"].by_system["careful"].evidence[0]
    assert evidence is not None
    start, stop = evidence["source"][0]["span"]  # type: ignore[index]
    with visit(small) as page:
        open_document(page, 0, 0)
        choose(page, "cometqe")
        assert page.locator(".pane.source mark").first.inner_text() == SOURCES[0][start:stop]
        assert page.locator(".pane.reference mark").count() == 0


RECORDS = [
    Record("A", "The crane was sold.", ("The crane is sold.",), "Der Kran wurde verkauft.", "sale"),
    Record("A", "It is late.", ("It was late.",), None, "late"),
    Record("B", "A hotel bought it.", ("The crane is sold.",), "Ein Hotel kaufte ihn gestern.", "sale"),
    Record("B", "It is late.", ("It was late.",), "Es ist spät.", "late"),
    Record("B", "Nobody came.", ("No one came.",), "Niemand kam.", "only B's"),
]
ERRORS = {("A", "sale"): 4.0, ("A", "late"): 1.0, ("B", "sale"): 2.0, ("B", "late"): 0.0}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report whose systems have their own sources and documents, judged in two aspects, of which one
    counts errors. cometqe needs sources of all, so chrF scores what A lacks one of."""
    result = evaluate(Corpus.of(RECORDS), named(["chrf", "lc"]), evidence=True)
    units = [(r.system, r.document) for r in RECORDS]
    ratings = [
        Rating(*unit, None, aspect, value)
        for aspect, values in (("errors", ERRORS), ("fluency", {unit: float(n) for n, unit in enumerate(units)}))
        for unit, value in values.items()
    ]
    judged = Judgements(ratings, lower_is_better=frozenset({"errors"}))
    made = coheval.report(result, judged, level="document")
    return saved(made, tmp_path_factory.mktemp("own"))


def test_every_system_stands_beside_its_own_source(visit: Visit, own: str) -> None:
    with visit(own) as page:
        for system, number, source in [(0, 0, RECORDS[0]), (1, 0, RECORDS[2]), (0, 1, RECORDS[1]), (1, 1, RECORDS[3])]:
            page.evaluate(f"location.hash = 'document={number}&system={system}'")
            expect(page.locator(".pane.candidate .text")).to_have_text(source.candidate)
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            if source.source is None:
                expect(page.locator(".pane.source")).to_have_count(0)
            else:
                expect(page.locator(".pane.source .text")).to_have_text(source.source)
        page.get_by_role("searchbox").fill("kaufte ihn")  # in the second system's source alone
        expect(told(page)).to_contain_text("1 of 3 documents.")


def test_marks_on_the_source_are_on_the_systems_own(visit: Visit, tmp_path_factory: pytest.TempPathFactory) -> None:
    result = evaluate(Corpus.of([RECORDS[0], RECORDS[2]]), named("cometqe"), evidence=True)
    evidence = result["cometqe"].by_system["B"].evidence[0]
    assert evidence is not None
    source = str(RECORDS[2].source)
    spans = [token["span"] for token in evidence["source"]]  # type: ignore[index,union-attr]
    with visit(saved(coheval.report(result), tmp_path_factory.mktemp("marks"))) as page:
        open_document(page, 0, 1)
        marks = page.locator(".pane.source mark").all_inner_texts()
        assert marks == [source[start:stop] for start, stop in spans if stop > start]


def test_ratings_are_shown_as_they_were_given_with_their_direction(visit: Visit, own: str) -> None:
    with visit(own) as page:
        open_document(page, 0, 0)
        page.get_by_text("All systems' scores of this document").click()
        table = page.locator("#document table").filter(has_text="people: errors ↓")
        assert table.locator("tr", has_text="A").locator("td").all_inner_texts()[2:] == ["4.0000", "0.0000"]
        expect(table).to_contain_text("people: fluency ↑")
        page.get_by_label("Find documents where").select_option("people")
        asked(page, "#documents", "Aspect").select_option("errors")
        row = page.locator(".list-row").filter(has_text="sale")
        expect(row.locator(".number").nth(1)).to_have_text("4.0000")


def test_every_aspect_that_is_offered_is_drawn(visit: Visit, own: str) -> None:
    """Of two aspects there is a mean, which agreement has and no document."""
    with visit(own) as page:
        expect(page.locator("#agreement")).to_contain_text("Aspect: mean")
        aspect = asked(page, "#agreement", "Aspect")
        assert aspect.locator("option").all_inner_texts() == ["errors", "fluency"]
        for name, points, arrow in (("errors", 4, "↓"), ("fluency", 5, "↑")):
            aspect.select_option(name)
            label = page.locator("#agreement canvas").get_attribute("aria-label")
            assert str(label).startswith(f"{points} points: chrf ↑ across, {name} {arrow} up; ")


def test_a_document_that_a_system_lacks_is_not_undefined(visit: Visit, own: str) -> None:
    """lc finds no focus in "It is late." and "Nobody came.", but has a score for the first document."""
    with visit(own) as page:
        asked(page, "#documents", "Metric").select_option("chrf")
        page.get_by_label("Show").select_option("undefined")
        expect(told(page)).to_contain_text("of 3 documents.")
        assert "sale" not in page.locator(".list-row .name").all_inner_texts()


def test_a_list_that_no_browser_can_show_whole_says_where_it_ends(
    visit: Visit,
    small: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    explained: Result,
) -> None:
    """With an end after one row, as half a million documents would take long to make."""
    program = assets.script("report")
    assert "const LISTED = 400_000;" in program
    monkeypatch.setattr(assets, "script", lambda _: program.replace("const LISTED = 400_000;", "const LISTED = 1;"))
    with visit(saved(coheval.report(explained), tmp_path_factory.mktemp("capped"))) as page:
        expect(page.locator(".list-row")).to_have_count(1)
        assert page.get_by_role("grid").get_attribute("aria-rowcount") == "2"
        expect(told(page)).to_contain_text(
            "2 of 2 documents. The list ends after the first 1; a filter, a search or another order shows others."
        )
    with visit(small) as page:
        expect(told(page)).to_have_text("2 of 2 documents.")


def test_the_agreement_table_has_the_p_that_its_legend_tells(visit: Visit, own: str) -> None:
    with visit(own) as page:
        expect(page.locator("#agreement table").first.get_by_role("columnheader", name="p", exact=True)).to_be_visible()


def by_segments(spec: str, scores: dict[str, list[float]]) -> Result:
    """A result with these scores of as many documents."""
    result = coheval.score({s: ["the cat"] * len(own) for s, own in scores.items()}, ["a cat"] * 4, metrics=[spec])
    for system, own in scores.items():
        columns = result[spec].by_system[system]
        columns.segments[:] = own
        columns.documents.update(zip(columns.documents, own, strict=True))
    return result


ALMOST = [0.1 + 0.2, 0.3, 0.3, 0.3]  # equal but for the last digit


def test_scores_that_differ_by_rounding_alone_are_drawn_as_equal(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    result = by_segments("chrf", {"a": ALMOST, "b": ALMOST[::-1]})
    made = coheval.report(result, {"x": {"a": ALMOST, "b": ALMOST[::-1]}}, level="segment", statistic="pearson")
    with visit(saved(made, tmp_path_factory.mktemp("almost"))) as page:
        expect(page.locator(".intervals .name")).to_have_count(2)
        expect(page.locator(".scatter canvas")).to_be_visible()
        page.get_by_label("Find documents where").select_option("people")
        apart = page.locator(".list-row .number:nth-child(4)").all_inner_texts()
        assert apart == [shown(0.0)] * 4


def test_a_finger_opens_the_point_that_it_taps(visit: Visit, own: str) -> None:
    """Whatever the keyboard chose before: a finger points only when it taps."""
    with visit(own) as page:
        canvas = page.locator(".scatter canvas")
        canvas.focus()
        page.keyboard.press("Home")
        told = page.locator("#agreement .readout").inner_text()
        document, system = told.partition(": ")[0].split(", ")
        first = page.locator(".ring").evaluate(
            "(ring) => [ring.getBoundingClientRect().x, ring.getBoundingClientRect().y]"
        )
        page.keyboard.press("End")
        assert page.locator("#agreement .readout").inner_text() != told
        canvas.evaluate(
            "(canvas, [x, y]) => canvas.dispatchEvent(new MouseEvent('click', {clientX: x + 8, clientY: y + 8}))", first
        )
        expect(page.locator("#document h2")).to_have_text(f"Document {document}")
        expect(asked(page, "#document", "System")).to_have_value(system)


def test_the_document_that_is_open_is_opened_again(visit: Visit, small: str) -> None:
    with visit(small) as page:
        row = page.locator(".list-row").first
        row.click()
        heading = page.locator("#document h2")
        expect(heading).to_be_focused()
        page.get_by_role("grid").focus()
        row.click()
        expect(heading).to_be_focused()


def test_the_reference_that_counted_comes_first(visit: Visit, tmp_path_factory: pytest.TempPathFactory) -> None:
    result = coheval.score(["two dogs ran"], [["a cat", "two dogs ran home"]], metrics=["chrf"], evidence=True)
    with visit(saved(coheval.report(result), tmp_path_factory.mktemp("counted"))) as page:
        open_document(page, 0, 0)
        expect(page.locator(".pane.reference .text")).to_have_text("two dogs ran home")
        page.get_by_role("button", name="Reference 1").click()
        expect(page.locator(".pane.reference .text")).to_have_text("a cat")
        expect(page.locator(".legend")).to_have_text("Reference 2 counted: choose it to see the evidence.")


def test_of_several_segments_the_worst_is_told(visit: Visit, tmp_path_factory: pytest.TempPathFactory) -> None:
    texts = (
        ["the cat sat on a mat", "nobody", "it rains today"],
        ["the cat sat on a mat", "everyone", "it rained today"],
    )
    result = coheval.score(*texts, documents=["d"] * 3, metrics=["chrf", "ter"], evidence=True)
    with visit(saved(coheval.report(result), tmp_path_factory.mktemp("worst"))) as page:
        open_document(page, 0, 0)
        for told in page.locator(".scores tbody td:last-child").all_inner_texts():
            assert told.startswith("Segment 1: "), told


def test_words_and_drawings_of_the_chosen_segment_light_up_together(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    lines = ["A boat sank.", "Nobody was hurt."]
    result = coheval.score(
        lines, ["A ship sank.", "No one was hurt."], documents=["d", "d"], metrics=["bertscore"], evidence=True
    )
    with visit(saved(coheval.report(result), tmp_path_factory.mktemp("segments"))) as page:
        open_document(page, 0, 0)
        page.get_by_role("button", name="Segment 1").click()
        page.get_by_text("Alignment as a flow").click()
        page.locator(".pane.candidate mark", has_text="hurt").hover()
        lit = page.locator("path.flow.lit")
        assert lit.count() == 2  # nearest for both sides
        assert "“hurt” → “hurt”" in str(lit.first.get_attribute("data-told"))
        page.locator(".pane.candidate mark", has_text="boat").hover()  # of the segment that is not drawn
        expect(page.locator("path.flow.lit")).to_have_count(0)
        expect(page.locator(".pane.reference mark.lit", has_text="ship")).to_have_count(1)


def test_links_trees_and_the_curve_are_drawn(visit: Visit, small: str, explained: Result) -> None:
    links = explained["lexicalgraph"].by_system["careful"].document_evidence["harbour"]
    trees = explained["dr"].by_system["careful"].evidence[0]
    curve = explained["coherence"].by_system["careful"].document_evidence["harbour"]
    assert trees is not None
    with visit(small) as page:
        open_document(page, 0, 0)
        choose(page, "lexicalgraph")
        expect(page.locator("path.arc")).to_have_count(len(links["links"]))  # type: ignore[arg-type]
        choose(page, "dr")
        nodes = sum(len(trees[side]["nodes"]) for side in ("candidate", "reference"))  # type: ignore[index]
        expect(page.locator("g.node")).to_have_count(nodes)
        with_partner = sum(
            any(one["partner"] is not None for one in trees[side]["subtrees"])  # type: ignore[index]
            for side in ("candidate", "reference")
        )
        assert with_partner == 0 or page.locator("g.node.matched").count() >= with_partner
        choose(page, "coherence")
        local = curve["local"]
        expect(page.locator("g.dot")).to_have_count(len(local) - 2)  # inner boundaries  # type: ignore[arg-type]
        weakest = min(range(1, len(local) - 1), key=local.__getitem__)  # type: ignore[arg-type,index]
        expect(page.locator(".pane.candidate mark.break").first).to_be_visible()
        assert f"sentence {weakest + 1}" in page.locator("g.dot.break").first.get_attribute("data-told")  # type: ignore[operator]


def test_the_other_reference_can_be_chosen_without_losing_the_place(visit: Visit, small: str) -> None:
    with visit(small) as page:
        open_document(page, 0, 0)
        second = page.get_by_role("button", name="Reference 2")
        second.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".pane.reference")).to_contain_text("Guests will sleep over the water.")
        expect(page.get_by_role("button", name="Reference 2")).to_be_focused()


def test_axe_finds_nothing_serious_whatever_is_shown(visit: Visit, small: str, serious: Any) -> None:
    for scheme in ("light", "dark"):
        with visit(small, color_scheme=scheme) as page:
            open_document(page, 0, 0)
            for metric in METRICS:
                choose(page, metric)
                page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
                page.wait_for_timeout(50)  # what unfolds is drawn
                assert serious(page) == []


def test_nothing_is_wider_than_a_narrow_screen(visit: Visit, small: str) -> None:
    with visit(small, viewport={"width": 320, "height": 640}) as page:
        open_document(page, 0, 0)
        for metric in METRICS:
            choose(page, metric)
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_the_theme_can_be_changed_and_stays(visit: Visit, small: str) -> None:
    with visit(small, color_scheme="light") as page:
        ground = "getComputedStyle(document.body).backgroundColor"
        light = page.evaluate(ground)
        page.get_by_role("button", name="Dark").click()
        assert page.evaluate(ground) != light
        page.reload()
        expect(page.get_by_role("button", name="Light")).to_be_visible()
        assert page.evaluate(ground) != light


def test_on_paper_there_are_tables_and_texts_but_no_controls(visit: Visit, small: str) -> None:
    with visit(small) as page:
        open_document(page, 0, 0)
        page.emulate_media(media="print")
        expect(page.locator("nav")).to_be_hidden()
        expect(page.get_by_role("grid")).to_be_hidden()
        expect(page.locator("#overview table").first).to_be_visible()
        expect(page.locator(".pane.candidate")).to_be_visible()
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        expect(page.locator("#reproducibility .signature").first).to_be_visible()
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        expect(page.locator("#reproducibility .signature").first).to_be_hidden()


def test_without_javascript_the_scores_are_there(visit: Visit, small: str, explained: Result) -> None:
    with visit(small, java_script_enabled=False) as page:
        expect(page.locator("noscript table, table").first).to_contain_text("careful")
        score = explained["chrf"].by_system["careful"].system
        expect(page.locator("table").first).to_contain_text(f"{score:.4f}")
