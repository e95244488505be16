"""The report as one page: it holds its data, fetches nothing, and lets no name become markup."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import coheval
from coheval.errors import ResourceError
from coheval.report import assets

from .conftest import run_folder, scored, unpacked


class Elements(HTMLParser):
    """All elements with their attributes, and what stands in scripts, styles and the title."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.last = ""
        self.inside: dict[str, list[str]] = {"script": [], "style": [], "title": []}
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag in self.inside:
            self.inside[tag].append("")

        self.last = tag

    def handle_endtag(self, tag: str) -> None:
        self.last = ""

    def handle_data(self, data: str) -> None:
        if self.last in self.inside:
            self.inside[self.last][-1] += data


def digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def test_the_page_holds_what_the_plain_data_say() -> None:
    made = coheval.report(scored())
    found = unpacked(made.html())
    assert found["head"] == made.to_dict()
    assert set(found) == {"head", "texts-0", "why-0"}


def test_the_policy_lets_this_script_and_this_style_run_and_nothing_be_fetched() -> None:
    markup = coheval.report(scored()).html()
    page = Elements(markup)
    policy = next(a["content"] or "" for tag, a in page.found if tag == "meta" and a.get("http-equiv"))
    assert "default-src 'none'" in policy
    assert f"script-src 'sha256-{digest(page.inside['script'][-1])}'" in policy
    assert f"style-src 'sha256-{digest(page.inside['style'][0])}'" in policy
    assert not any("src" in attributes for _, attributes in page.found)
    assert [a["href"] for tag, a in page.found if tag == "link"] == ["data:,"]


def test_the_program_cannot_end_its_own_element() -> None:
    assert "</script" not in assets.script("report").lower()
    assert "<!--" not in assets.script("report")
    assert "</style" not in assets.style("report").lower()


def test_names_do_not_become_markup(tmp_path: Path) -> None:
    name = "</title></noscript><script>alert(1)</script>]]>\"'$title${x}"
    candidates = {name: [f"a {name} dog", "a cat"], "other": ["b", "a cat"]}
    result = coheval.score(candidates, ["a dog", "the cat"], documents=[name, "2"], metrics=["chrf"])
    plain = Elements(coheval.report(scored(["chrf"])).html())
    page = Elements(coheval.report(result).html())
    assert [tag for tag, _ in page.found] == [tag for tag, _ in plain.found]
    strange = tmp_path / name.replace("/", "∕")
    strange.mkdir()
    titled = Elements(coheval.report(run_folder(strange)).html())
    assert len(titled.inside["script"]) == len(plain.inside["script"])
    assert "<script>alert(1)" in titled.inside["title"][0]


def test_the_same_page_has_the_same_bytes(tmp_path: Path) -> None:
    folder = run_folder(tmp_path)
    first = coheval.report(folder).save(tmp_path / "new" / "a.html").read_bytes()
    assert first == coheval.report(folder).save(tmp_path / "b.html").read_bytes()
    assert first.decode("utf-8") == coheval.report(folder).html()
    assert not re.search(rb"https?://(?!www\.w3\.org/)", first)


def test_a_place_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    made = coheval.report(scored())
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ResourceError, match="the report could not be written"):
        made.save(tmp_path / "file" / "report.html")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ResourceError, match="the report could not be written"):
        made.save(tmp_path / "folder")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]
