"""Claims that documents make are tried."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import coheval
from coheval import registry

ROOT = Path(__file__).parents[1]


def blocks(name: str, language: str) -> list[str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_readme_shows_what_the_demo_prints(tmp_path: Path) -> None:
    shown = next(block for block in blocks("README.md", "") if block.startswith("system "))
    command = [sys.executable, "-m", "coheval", "demo", "-o", str(tmp_path / "demo")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(shown)


def test_readme_python_runs() -> None:
    (code,) = blocks("README.md", "python")
    names: dict[str, object] = {}
    exec(code, names)
    assert names["r"]["moverscore"].documents.keys() == {"harbour"}


def test_readme_names_every_component() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for group in registry.GROUPS:
        for name in registry.names(group):
            assert re.search(rf"`{name}\b", text), f"{name} is missing in README.md"


def test_contributing_example_is_a_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    code = next(block for block in blocks("CONTRIBUTING.md", "python") if "class Overlap" in block)
    module = type(sys)("overlap_example")
    monkeypatch.setitem(sys.modules, "overlap_example", module)
    exec(code, module.__dict__)
    metric = module.Overlap()
    result = coheval.score(["The cat sat", ""], [["the cat", "a dog"], ["x"]], metrics=[metric])
    (only,) = result.values()
    assert only.segments == [pytest.approx(2 / 3), None]


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").glob("*.md")), ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_guide_evidence_example() -> None:
    code = next(block for block in blocks("docs/guide.md", "python") if "evidence=True" in block)
    names: dict[str, object] = {"coheval": coheval}
    exec(code, names)
    move = names["r"]["moverscore"].evidence[0]["moves"][0]
    assert move.keys() == {"from", "to", "mass", "cost"}
