"""What notebooks show: static, escaped, and the same numbers as the result's."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import coheval

from .conftest import scored

ANYBODYS = "<script>alert(1)</script>\"'&]]>\x00\x1b\u202e</td>"
VOID = {"br", "hr", "img", "meta", "link", "input"}


class Read(HTMLParser):
    """Tags in balance, and all text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in VOID
        self.open.append(tag)
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data + "\n"


def parsed(markup: str) -> Read:
    read = Read()
    read.feed(markup)
    read.close()
    assert read.open == []
    return read


def test_a_result_shows_its_tables_notes_and_signatures() -> None:
    result = scored()
    read = parsed(result._repr_html_())
    for text in ("chrf ↑", "ter ↓", "first", "second", "town", "6 documents", "2 signatures", result["chrf"].signature):
        assert text in read.text
    for system in ("first", "second"):
        assert f"{result['chrf'].system[system]:.4f}" in read.text
        assert f"{result['ter'].documents[system]['sky']:.4f}" in read.text


def test_segments_are_shown_where_documents_have_no_names_and_are_few() -> None:
    few = coheval.score(["a"] * 20, ["a"] * 20, metrics=["chrf"])
    many = coheval.score(["a"] * 21, ["a"] * 21, metrics=["chrf"])
    assert "20 segments" in few._repr_html_()
    assert "segments" not in many._repr_html_()
    assert many._repr_html_().count("<tr>") == 2  # heads, and the system


@pytest.mark.parametrize("spec", ["meteor", "dsfocus", "chrf", "moverscore"])
def test_whatever_data_hold_stays_text(spec: str) -> None:
    texts = [f"The dog saw {ANYBODYS} the dog.", ""]
    result = coheval.score({ANYBODYS: texts}, [texts, texts], documents=[ANYBODYS] * 2, metrics=[spec])
    for markup in (result._repr_html_(), result.explain(0)._repr_html_()):
        read = parsed(markup)
        assert set(read.tags) <= {"div", "p", "b", "i", "ul", "li", "mark", "details", "summary"} | {
            "table", "thead", "tbody", "tr", "th", "td", "bdi",
        }  # fmt: skip
        assert read.attributes <= {"style", "scope", "dir"}
        assert "<script>alert(1)</script>\"'&]]>" in read.text
        assert not re.search("[\x00-\x08\x1b]", markup)


def test_names_do_not_turn_the_direction_of_what_stands_beside_them() -> None:
    name = "a\u202eb\u2066c"
    result = coheval.score({name: ["the cat", ""]}, ["the cat", ""], documents=[name, "2"], metrics=["lc"])
    for which in (name, "2"):
        markup = result.explain(which)._repr_html_() + result._repr_html_()
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", markup)
        assert "<bdi>a�b�c</bdi>" in markup


def test_words_are_not_turned_by_the_texts_that_they_quote() -> None:
    result = coheval.score(["the \u202edog"], ["the cat"], metrics=["chrf"])
    (words,) = re.findall("<ul.*?</ul>", result.explain(0)._repr_html_())
    assert "�dog" in words
    assert "\u202e" not in words


def test_texts_keep_the_direction_that_they_ask_for() -> None:
    markup = coheval.score(["\u202bשלום\u202c"], ["שלום"], metrics=["chrf"]).explain(0)._repr_html_()
    assert '<div dir="auto"' in markup
    assert "\u202bשלום\u202c" in markup


def test_an_explanation_shows_texts_scores_reasons_and_words() -> None:
    result = coheval.score(
        ["the cat slept", ""], ["the cat ran off", "x"], documents=["d", "d"], metrics=["meteor", "lc"]
    )
    read = parsed(result.explain(0)._repr_html_())
    for text in ("the cat slept", "the cat ran off", "higher is better", "segment 0: 2 words aligned"):
        assert text in read.text
    assert f"{result['meteor'].documents['d']:.4f}" in read.text
    assert "no score: the text has no focus" in parsed(undefined()).text


def undefined() -> str:
    return coheval.score(["ran"], ["x"], metrics=["lc"]).explain(0)._repr_html_()


def test_what_is_aligned_is_marked() -> None:
    """METEOR aligns "the cat", two words, on both sides."""
    markup = coheval.score(["the cat slept"], ["off ran the cat"], metrics=["meteor"]).explain(0)._repr_html_()
    assert re.findall(r"<mark[^>]*>(.*?)</mark>", markup) == ["the", "cat", "the", "cat"]


def test_foci_are_marked_in_the_reference_that_they_are_of() -> None:
    result = coheval.score(["The dog barked loudly."], [["A cat slept.", "The dog barked again."]], metrics=["dsfocus"])
    markup = result.explain(0)._repr_html_()
    assert set(re.findall(r"<mark[^>]*>(.*?)</mark>", markup)) == {"dog"}
    assert markup.index("reference 2</i>", markup.index("<mark"))


def test_characters_beyond_the_usual_ones_keep_their_marks() -> None:
    markup = coheval.score(["👩‍👩‍👧 the dog\tran"], ["the dog"], metrics=["meteor"]).explain(0)._repr_html_()
    assert "👩‍👩‍👧 " in markup
    assert "�" not in markup
    assert re.findall(r"<mark[^>]*>(.*?)</mark>", markup) == ["the", "dog", "the", "dog"]


def test_it_does_not_depend_on_scripts_or_on_the_notebooks_colours() -> None:
    markup = scored()._repr_html_() + scored().explain(0)._repr_html_()
    assert "<script" not in markup
    assert "<style" not in markup
    assert not re.search(r"(?<!-)color:(?!inherit)", markup)
