"""A report's tables: right, and safe whatever the names in them are."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import coheval
from coheval.report import tables
from coheval.report.tables import _code, _plain
from coheval.run import comparetables
from coheval.run.tables import latex

from .conftest import scored


def cells(markup: str) -> list[list[str]]:
    """The cells of a page's only table."""

    class Table(HTMLParser):
        rows: list[list[str]] = []  # noqa: RUF012 - of this one instance

        def handle_starttag(self, tag: str, attrs: object) -> None:
            if tag == "tr":
                self.rows.append([])
            if tag in ("td", "th"):
                self.rows[-1].append("")
            assert tag in ("h1", "p", "table", "tr", "td", "th"), tag

        def handle_data(self, data: str) -> None:
            if self.rows:
                self.rows[-1][-1] += data

    table = Table()
    table.feed(markup)
    return table.rows


def pipe_cells(markdown: str) -> list[list[str]]:
    rows = [line for line in markdown.splitlines() if line.startswith("| ")]
    return [[text.replace("\\", "") for text in re.split(r"(?<!\\) \| ", row[2:-2])] for row in rows]


def test_markdown_and_html_hold_the_scores_of_the_result() -> None:
    """Four digits of `coheval.score`, and the interval of `coheval.compare`; both have 1,000 resamples of seed 1."""
    result = scored()
    made = coheval.report(result)
    compared = coheval.compare(result)
    heads, _, *rows = pipe_cells(made.markdown())
    assert heads == ["system", "chrf ↑", "ter ↓"]
    by_system = {row[0]: row[1:] for row in rows}
    for system in ("first", "second"):
        for spec, text in zip(("chrf", "ter"), by_system[system], strict=True):
            (figures,) = (one for one in compared[spec].systems if one.system == system)
            expected = f"{result[spec].system[system]:.4f}{'*' if figures.significant else ''}"
            assert text == f"{expected} [{figures.low:.4f}, {figures.high:.4f}]"
    assert cells(tables.html(made.to_dict())) == [heads, *rows]


def test_markdown_names_signatures_notes_and_the_command() -> None:
    result = scored(["chrf"])
    text = coheval.report(result).markdown()
    assert f"- `{result['chrf'].signature}`" in text
    assert "## Notes" in text
    assert "## Again" not in text  # a result of this process has no command


def test_latex_is_that_of_compare_or_of_score() -> None:
    several, one = scored(), scored(["chrf"], "first")
    assert coheval.report(several).latex() == comparetables.latex(coheval.compare(several), "systems")
    assert coheval.report(one).latex() == latex(one, "system")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", r"a\|b"),
        ("<script>", r"\<script\>"),
        ("*x* _y_ ~~z~~ `c`", r"\*x\* \_y\_ \~\~z\~\~ \`c\`"),
        ("&lt;", r"\&lt;"),
        ("[x](javascript:y)", r"[x]\(javascript:y)"),
        ("$x$ # y", r"\$x\$ \# y"),
        ("0.5000 [0.4000, 0.6000]", "0.5000 [0.4000, 0.6000]"),
        ("a\nb\x1b\u202e", "a�b��"),
    ],
)
def test_names_stand_in_markdown_as_they_are(text: str, shown: str) -> None:
    assert _plain(text) == shown


def test_code_is_fenced_by_more_backticks_than_it_has() -> None:
    assert _code("a") == "`a`"
    assert _code("a``b") == "```a``b```"
    assert _code("`a") == "`` `a ``"


def test_names_cannot_leave_their_cells() -> None:
    names = ["a | b\n| c", "</td></table><script>x</script>", "[x](y)", "50 % & more_ #1"]
    result = coheval.score({name: ["a dog", "a cat"] for name in names}, ["a dog", "the cat"], metrics=["chrf"])
    made = coheval.report(result)
    heads, _, *rows = pipe_cells(made.markdown())
    assert len(heads) == 2
    assert [len(row) for row in rows] == [2] * 4
    page = tables.html(made.to_dict())
    assert sorted(row[0] for row in cells(page)[1:]) == sorted(name.replace("\n", "�") for name in names)
    assert "<script" not in page
    assert r"50 \% \& more\_ \#1" in made.latex()
    assert "\n| c" not in made.markdown()
