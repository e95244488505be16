"""Trees as SVG: what is drawn, that nothing covers anything else, and that any text may stand in it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given

from coheval.data.rsttree import Node, RstTree
from coheval.report import draw_tree, draw_trees, treedrawing
from coheval.report._treelayout import LABEL, TEXT, Layout, label_width
from coheval.report._wrapping import ems, width_of
from rsttrees import chain, tree, trees

SVG = "{http://www.w3.org/2000/svg}"
MADE = tree("a b c d", list("abcd"), ("SN", "Condition", 0, ("NS", "Cause", ("NN", "Joint", 1, 2), 3)))
LONG = ("elaboration-object-attribute-e", "textual_organization_of_everything_that_there_is_and_more", "x")


def drawn(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def lines(svg: str) -> list[tuple[float, float, float]]:
    """x, top and bottom of the lines from nodes to nuclei."""
    return [tuple(map(float, found)) for found in re.findall(r'd="M(\S+) (\S+)V(\S+)"', svg)]  # type: ignore[misc]


def heads(svg: str) -> list[float]:
    """Where arrows end."""
    return [float(x) for x in re.findall(r"L(\S+) \S+L\S+ \S+Z", svg)]


def test_nuclei_have_lines_and_satellites_arrows() -> None:
    svg = draw_tree(MADE)
    layout = Layout(MADE)
    middles = [column.middle for column in layout.columns]
    between = (middles[1] + middles[2]) / 2
    # Condition: a line to Cause, which stands where Joint does, between b and c; Joint: lines to both
    assert sorted(x for x, _, _ in lines(svg)) == pytest.approx(
        sorted([between, between, middles[1], middles[2]]), abs=0.1
    )
    # Condition's arrow comes from the left, Cause's from the right
    assert heads(svg) == pytest.approx([between - 7, between + 7], abs=0.1)
    assert set(texts(drawn(svg))) >= {"a", "b", "c", "d", "Condition", "Cause", "Joint", "1–4", "2–4", "2–3", "1"}


def test_it_is_told_in_words() -> None:
    root = drawn(draw_tree(MADE, title="A & <b>"))
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text == "A & <b>"
    assert root[1].text == (
        "4 EDUs. Condition: 1 (satellite) and 2–4 (nucleus). Cause: 2–3 (nucleus) and 4 (satellite). "
        "Joint: 2 (nucleus) and 3 (nucleus)."
    )


def test_pointing_at_a_relation_tells_its_probability() -> None:
    made = RstTree("a b", ((0, 1), (2, 3)), (Node(0, 1, 2, "NS", "Cause", 0.834),))
    titles = [element.text for element in drawn(draw_tree(made)).iter(f"{SVG}title")]
    assert titles == ["Discourse tree", "Cause: 1 (nucleus) and 2 (satellite), probability 0.83"]


def test_no_words_and_one_edu() -> None:
    nothing = drawn(draw_tree(RstTree(" ", (), ())))
    assert texts(nothing) == ["(no words)"]
    assert nothing[1].text == "No words."
    one = drawn(draw_tree(RstTree("word", ((0, 4),), ())))
    assert texts(one) == ["1", "word"]
    assert one[1].text == "1 EDU."


def test_several_trees_stand_below_each_other() -> None:
    made = tree("a b", ["a", "b"], ("NS", "Cause", 0, 1))
    svg = draw_trees([("first", made), ("second", made)])
    tops = [float(y) for y in re.findall(r"translate\(\S+ (\S+)\)", svg)]
    assert tops[1] - tops[0] > Layout(made).height
    root = drawn(svg)
    assert texts(root).count("Cause") == 2
    assert root[0].text == "first; second"
    assert float(root.get("height", 0)) > tops[1] + Layout(made).height


def test_any_text_can_be_drawn() -> None:
    text = "<script>&amp;\"' \x00\x1b\ud800\uffff 雨が降った وقال 👩\u200d👧 end"
    made = RstTree(text, ((0, 20), (20, len(text))), (Node(0, 1, 2, "NN", "<&\x00>"),))
    svg = draw_tree(made, title="\x07<title>")
    root = drawn(svg.encode("utf-8").decode("utf-8"))
    assert "<&�>" in texts(root)
    assert root[0].text == "�<title>"


def test_nothing_is_fetched() -> None:
    svg = draw_tree(MADE).replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"href|url\(|@import|<script|<style|http", svg)
    assert draw_tree(MADE) == draw_tree(MADE)


def contrast(one: str, other: str) -> float:
    """After the Web Content Accessibility Guidelines."""

    def luminance(colour: str) -> float:
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_letters_stand_out() -> None:
    for colour in (treedrawing._INK, treedrawing._GREY, treedrawing._SATELLITE, treedrawing._NUCLEI):
        assert contrast(colour, "#ffffff") >= 4.5
        assert contrast(colour, treedrawing._PALE) >= 4.5


@given(trees(relations=("Contrast", *LONG)))
def test_nothing_covers_anything(made: RstTree) -> None:
    layout = Layout(made)
    for left, right in zip(layout.columns, layout.columns[1:], strict=False):
        assert left.right < right.left
    for column in layout.columns:
        assert all(width_of(line, ems) * TEXT <= column.width + 1e-9 for line in column.lines)
    parts = {(part.of.first, part.of.stop): part for part in layout.parts()}
    svg = draw_tree(made)
    placed = [
        (float(x), float(y), text)
        for x, y, text in re.findall(rf'<text x="(\S+)" y="(\S+)" font-size="{LABEL:g}"[^>]*>([^<]*)<', svg)
    ]
    trunks = lines(svg)
    for node in made.nodes:
        part = parts[node.first, node.stop]
        size = label_width(layout.labels[node.relation])
        assert part.right - part.left > size
        for x, y, text in placed:
            inside = part.left <= x <= part.right and part.top < y < part.top + layout.row
            if inside and text in map(_escaped, layout.labels[node.relation]):
                half = width_of(text, ems) * LABEL / 2
                assert part.left <= x - half
                assert x + half <= part.right
                assert not any(t <= y <= b and abs(line - x) < half for line, t, b in trunks)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


@pytest.mark.parametrize("left", [True, False])
def test_chains_of_thousands(left: bool) -> None:
    svg = draw_tree(chain(3000, left=left))
    assert svg.count("<title>") == 3000
    assert len(lines(svg)) == len(heads(svg)) == 2999


def test_far_relations_are_named_at_both_ends() -> None:
    # columns are 96 wide and 10 apart, so the satellites are 106, 212, … from the nucleus: 8 and more times that is far
    svg = draw_tree(chain(20, "NS", left=True))
    assert [column.left for column in Layout(chain(3)).columns] == [0, 106, 212]
    assert treedrawing._FAR == 800
    assert texts(drawn(svg)).count("Joint") == 7 + 2 * 12
