"""What docs/trees.md shows is tried: the tree, its drawing, and the parser."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import coheval
from coheval.data.treefiles import read_tree, write_tree
from coheval.report import draw_tree, tree_text

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "trees.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
PLAIN = [block for language, block in BLOCKS if not language]
PYTHON = [block for language, block in BLOCKS if language == "python"]


@pytest.fixture
def bridge(tmp_path: Path) -> Path:
    shown = next(block for block in PLAIN if block.startswith("(NN-Contrast"))
    (tmp_path / "bridge.brackets").write_text(shown, encoding="utf-8")
    return tmp_path / "bridge.brackets"


def test_the_tree_is_printed_and_drawn_as_shown(bridge: Path) -> None:
    made = read_tree(bridge)
    assert "\n".join(tree_text(made)) + "\n" in PLAIN
    drawn = (DOCS / "figures" / "tree.svg").read_text(encoding="utf-8")
    assert drawn == draw_tree(made, title="bridge.brackets")


def test_files_are_read_and_written(bridge: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bridge.parent)
    exec(next(block for block in PYTHON if "write_tree" in block), {})
    assert read_tree("bridge.rs3") == read_tree(bridge)
    write_tree(read_tree("bridge.rs3"), "again.brackets")
    assert Path("again.brackets").read_text(encoding="utf-8") == bridge.read_text(encoding="utf-8")


def test_the_example_is_a_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    module = type(sys)("sentences_example")
    monkeypatch.setitem(sys.modules, "sentences_example", module)
    exec(next(block for block in PYTHON if "class Sentences" in block), module.__dict__)
    found = coheval.parse("It rained. We left. Nobody knew why.", parser=module.Sentences(relation="List"))
    assert [node.relation for node in found[0].nodes] == ["List", "List"]
    assert found[0].edu(1) == "We left."
    assert len(coheval.parse("", parser=module.Sentences())[0]) == 0


def test_the_metrics_example(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {"coheval": coheval}
    exec(next(block for block in PYTHON if "no_rel" in block), names)
    assert "EDU → NUC NGRAM" in capsys.readouterr().out
    assert 0 < names["r"]["drlex"].segments[0] < 1  # type: ignore[index]


def test_the_parsing_example() -> None:
    names: dict[str, object] = {}
    exec(next(block for block in PYTHON if "tree_text(found" in block), names)
    assert names["svg"].startswith("<svg")  # type: ignore[attr-defined]
    assert names["found"][0].edu(1) == "so we left."  # type: ignore[index]
