"""The documentation's site: it builds strictly, needs nothing from elsewhere, and its examples print what they show."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU, CHRF, TER

import checkpoints
import coheval
from coheval import registry
from coheval.data.corpus import Corpus
from coheval.data.jsonl import read_jsonl
from coheval.run.result import Result
from coheval.run.score import evaluate, named
from coheval.run.tables import text as table
from support import built_site

pytestmark = pytest.mark.xdist_group("site")

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
METRICS = registry.names("metrics")
RUN = sorted(p for p in DOCS.rglob("*.md") if "```text\n" in p.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_site(tmp_path_factory.mktemp("site"))


class Fetched(HTMLParser):
    """What a page makes a browser fetch; links that wait for a click do not count."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "a":
            self.addresses += [
                value for name, value in attrs if name in ("src", "srcset", "href", "data", "poster") and value
            ]


def test_pages_fetch_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        fetched = Fetched()
        fetched.feed(page.read_text(encoding="utf-8"))
        assert not [a for a in fetched.addresses if re.match(r"(\w+:)?//", a)], page
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*['\"]?(https?:)?//", sheet.read_text(encoding="utf-8")), sheet


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_has_a_page(site: Path, name: str) -> None:
    assert (DOCS / "metrics" / f"{name}.md").is_file(), f"docs/metrics/{name}.md says how to read {name}"
    page = (site / "metrics" / f"{name}.html").read_text(encoding="utf-8")
    for heading in (
        "how-to-read-it",
        "example",
        "definition",
        "parameters",
        "agreement-with-people",
        "paper",
        "signature",
    ):
        assert f'id="{heading}"' in page
    for parameter in registry.find("metrics", name).parameters():
        assert f"<code>{parameter}</code>" in page


@pytest.mark.parametrize("group", [g for g in registry.GROUPS if g != "metrics"])
def test_every_component_is_on_its_groups_page(site: Path, group: str) -> None:
    page = (site / "components" / f"{group}.html").read_text(encoding="utf-8")
    for name in registry.names(group):
        assert f'id="{name}"' in page


def test_measured_figures_are_those_of_the_results(site: Path) -> None:
    page = (site / "metrics" / "moverscore.html").read_text(encoding="utf-8")
    results = (DOCS / "results.md").read_text(encoding="utf-8")
    (figure,) = re.findall(
        r"^\| `moverscore` \|.*?\*\*([\d.]+)\*\*.*WMD-1 \+ BERT \+ MNLI \+ PMeans \| 0.743", results, re.M
    )
    assert f"<strong>{figure}</strong>" in page
    assert "No agreement with people has been measured" in (site / "metrics" / "learned.html").read_text(
        encoding="utf-8"
    )


def test_pages_outside_docs_are_on_the_site(site: Path) -> None:
    assert 'href="repository/CONTRIBUTING.html"' in (site / "extending.html").read_text(encoding="utf-8")
    assert "One file, three plug-ins" not in (site / "repository" / "CONTRIBUTING.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", sorted(DOCS.glob("metrics/*.md")), ids=lambda p: p.name)
def test_links_lead_somewhere_on_the_code_host_too(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


# ------------------------------------------------------------------------------------------------------ examples

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def assert_alike(printed: str, shown: str) -> None:
    """The same text; numbers may differ by a unit of their last place, as processors round differently."""
    bare = [NUMBER.sub("#", re.sub(r"[ ─]+", " ", text)).strip() for text in (printed, shown)]
    assert bare[0] == bare[1]
    for mine, other in zip(NUMBER.findall(printed), NUMBER.findall(shown), strict=True):
        unit = 10.0 ** -len(other.partition(".")[2])
        assert float(mine) == pytest.approx(float(other), abs=2.01 * unit, rel=1e-3), (printed, shown)


def sessions(page: Path) -> Iterator[tuple[str, str]]:
    """Commands that a page shows behind a dollar sign, each with the output below it."""
    for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


@pytest.mark.parametrize("page", RUN, ids=lambda p: p.stem)
def test_python_examples_print_what_they_show(page: Path) -> None:
    names: dict[str, object] = {}
    examples = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert examples
    for code, shown in examples:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, names)
        assert_alike(out.getvalue(), shown)


def test_demos_of_metrics_print_what_they_show() -> None:
    """`coheval demo -m METRIC` is the table of the bundled example; here all are scored in one run."""
    shown = {
        shlex.split(command)[-1]: output
        for name in METRICS
        for command, output in sessions(DOCS / "metrics" / f"{name}.md")
        if command.startswith("coheval demo -m ")
    }
    assert len(shown) >= len(METRICS) - 2
    corpus = Corpus.of(read_jsonl(ROOT / "src" / "coheval" / "data" / "example.jsonl"))
    result = evaluate(corpus, named(list(shown)))
    for spec, output in shown.items():
        one = Result({spec: result[spec]}, result.keys_by_system)
        assert_alike(table(one, "system").split("\n\n")[0], output)


def in_shell(command: str, folder: Path, **more: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = os.environ | {"PATH": path} | more
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_start_in_five_minutes_does_what_it_says(tmp_path: Path) -> None:
    for command, shown in sessions(DOCS / "start.md"):
        printed = in_shell(command, tmp_path)
        if shown:
            assert_alike(printed.split("\n\n")[0], shown)
    assert (tmp_path / "runs" / "mine" / "report.html").is_file()


def test_extending_shows_plug_ins_that_work(tmp_path: Path) -> None:
    text = (DOCS / "extending.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (project,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (tmp_path / "toys.py").write_text(code, encoding="utf-8")
    install(tomllib.loads(project)["project"], tmp_path)
    (tmp_path / "candidate.txt").write_text("Der Hund sah den Ball. Der Hund lief.\n", encoding="utf-8")
    (tmp_path / "reference.txt").write_text("Ein Hund sah den Ball.\n", encoding="utf-8")
    (tmp_path / "talks.jsonl").write_text('{"id": "a", "sentences": ["The Crane was old.", "It is new."]}\n')
    for command, _ in sessions(DOCS / "extending.md"):
        in_shell(command, tmp_path, PYTHONPATH=str(tmp_path))


def install(project: dict[str, dict[str, dict[str, str]]], folder: Path) -> None:
    """What pip leaves of a project's entry points."""
    info = folder / "coheval_toys-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: coheval-toys\nVersion: 0.1\n")
    groups = project["entry-points"].items()
    lines = [line for group, names in groups for line in (f"[{group}]", *(f"{k} = {v}" for k, v in names.items()))]
    (info / "entry_points.txt").write_text("\n".join(lines))


# ----------------------------------------------------------------------------------------------------- migration


def rows(section: str) -> list[tuple[str, list[str]]]:
    """Each row of a section's tables that has code on the right: the left side, and the code."""
    text = (DOCS / "migration.md").read_text(encoding="utf-8").partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    found = re.findall(r"^\| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    tables = [block.strip() for block in text.split("\n\n")]
    code = {line for t in tables if re.match(r"\| (there|command there) ", t) for line in t.splitlines()[2:]}
    return [(left, re.findall("`([^`]+)`", right)) for left, right in found if f"| {left} | {right} |" in code]


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", (DOCS / "migration.md").read_text(encoding="utf-8"), re.DOTALL)
    found: dict[str, object] = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}
    exec(code, found)
    for name, key in (
        ("sys", "hyps"),
        ("other", "more"),
        ("ref", "refs"),
        ("ref1", "refs"),
        ("ref2", "more"),
        ("src", "srcs"),
    ):
        (tmp_path / f"{name}.txt").write_text("\n".join(found[key]) + "\n", encoding="utf-8")
    (tmp_path / "data.jsonl").write_text('{"mt": "A dog.", "ref": "One dog.", "src": "Ein Hund."}\n')
    checkpoints.write(tmp_path / "wmt22-comet-da", checkpoints.REGRESSION)
    checkpoints.write(tmp_path / "wmt22-cometkiwi-da", checkpoints.REFERENCELESS)
    return found


@pytest.mark.parametrize("section", ["sacreBLEU", "bert_score", "COMET", "evaluate", "MoverScore and DiscoScore"])
def test_every_row_of_the_migration_tables_runs(section: str, names: dict[str, object], tmp_path: Path) -> None:
    found = rows(section)
    assert len(found) > 5
    for left, calls in found:
        assert calls, left
        for call in calls:
            if call.startswith("coheval "):
                in_shell(call, tmp_path)
            else:
                exec(f"mine = {call}" if not re.match(r"\w+, ", call) else f"{call}\nmine = P", names)
        if section == "sacreBLEU" and not left.startswith("`sacrebleu"):
            theirs = eval(left.strip("`"), names)
            assert names["mine"] == pytest.approx(theirs, abs=1e-9), left


def test_wide_rows_of_the_guide_to_evaluate_are_true(names: dict[str, object]) -> None:
    """Keys that the page promises."""
    told = names["evaluate_style"].load("bleu").compute(predictions=names["hyps"], references=names["refs"])
    assert list(told) == ["bleu", "segments", "reasons", "signature"]
    assert told["bleu"] == coheval.score(names["hyps"], names["refs"], metrics="bleu")["bleu"].system
