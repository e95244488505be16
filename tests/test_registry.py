"""The registry: names from files and entry points, did-you-mean, and plug-ins that must be refused."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from coheval import registry
from coheval.errors import ResourceError, SpecError, UnknownName
from coheval.metrics import Metric
from coheval.spec import build

PLUGIN = """
from dataclasses import dataclass
from coheval.metrics import Metric

@dataclass(frozen=True, kw_only=True)
class Wordcount(Metric):
    limit: int = 10

NOT_A_CLASS = 3
"""

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts distributions with entry points on the path, as an installer would."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "wordcount_plugin.py").write_text(PLUGIN)
    (tmp_path / "broken_plugin.py").write_text("import a_module_that_nobody_has")
    monkeypatch.delitem(sys.modules, "wordcount_plugin", raising=False)

    def one(name: str, target: str, *, package: str = "plugin") -> None:
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[coheval.metrics]\n{name} = {target}\n")

    return one


def test_names_are_files_and_do_not_hold_shared_parts() -> None:
    names = registry.names("metrics")
    assert "bleu" in names
    assert names == sorted(names)
    assert not any(name.startswith("_") for name in names)


@pytest.mark.parametrize("group", registry.GROUPS)
def test_every_built_in_component_has_a_summary(group: str) -> None:
    for name in registry.names(group):
        assert registry.summary(group, name).strip()


def test_summaries_import_nothing_heavy() -> None:
    code = (
        "import sys; from coheval import registry\n"
        "[registry.summary(g, n) for g in registry.GROUPS for n in registry.names(g)]\n"
        "print([m for m in ('numpy', 'torch', 'onnxruntime', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert ast.literal_eval(done.stdout) == []


@pytest.mark.parametrize("ask", [registry.find, registry.summary])
def test_unknown_names_get_a_hint(ask: Callable[[str, str], object]) -> None:
    with pytest.raises(UnknownName, match="no metric is called 'blue'") as caught:
        ask("metrics", "blue")
    assert caught.value.hint == "did you mean 'bleu'?"


def test_a_plug_in_is_found_built_and_signed(install: Install) -> None:
    install("wordcount", "wordcount_plugin:Wordcount")
    assert "wordcount" in registry.names("metrics")
    assert registry.summary("metrics", "wordcount") == "plug-in wordcount_plugin:Wordcount"
    metric = build(Metric, "wordcount(limit=3)")
    assert metric.signature == "wordcount(version=1, limit=3)"
    assert build(Metric, metric.signature) == metric


@pytest.mark.parametrize(
    ("name", "target", "says", "hint"),
    [
        ("bleu", "wordcount_plugin:Wordcount", "takes the name 'bleu' of a built-in", "rename"),
        ("counter", "wordcount_plugin:Wordcount", "'counter' must name a class … got Wordcount", "to 'wordcount'"),
        ("wordcount", "wordcount_plugin:NOT_A_CLASS", "must name a class, got int", ""),
        ("wordcount", "wordcount_plugin:Missing", "could not be loaded: AttributeError", "repair or uninstall"),
        ("broken", "broken_plugin:Broken", "could not be loaded: ModuleNotFoundError", "repair or uninstall"),
    ],
)
def test_plug_ins_that_are_refused(install: Install, name: str, target: str, says: str, hint: str) -> None:
    install(name, target)
    with pytest.raises(ResourceError) as caught:
        registry.find("metrics", name)
    assert caught.value.where == "entry point coheval.metrics"
    assert all(part in caught.value.message for part in says.split(" … "))
    assert hint in (caught.value.hint or "")


def test_two_plug_ins_of_one_name(install: Install) -> None:
    install("wordcount", "wordcount_plugin:Wordcount")
    install("wordcount", "broken_plugin:Broken", package="other")
    with pytest.raises(ResourceError, match="two plug-ins are called 'wordcount'"):
        registry.names("metrics")


def test_a_plug_in_of_another_kind(install: Install) -> None:
    install("ordereddict", "collections:OrderedDict")
    with pytest.raises(SpecError, match="OrderedDict is not a Metric"):
        build(Metric, "ordereddict")
