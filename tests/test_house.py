"""The house rules: imports only point down, siblings do not import each other, every room has a sign."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import coheval
from coheval import errors

ROOT = Path(coheval.__file__).parent
FLOORS = [
    {"errors", "version"},
    {"data", "algo", "registry", "grammar"},
    {"spec"},
    {"encoders", "decoders", "annotators", "rankers"},
    {"models", "tasks"},
    {"metrics"},
    {"run"},
    {"report", "serve"},
    {"adapters", "describe", "cli", "__init__", "__main__"},
]
LEVEL = {name: level for level, names in enumerate(FLOORS) for name in names}
COMPONENTS = ("metrics", "encoders", "decoders", "annotators", "rankers", "models", "tasks")
FILES = sorted(ROOT.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The coheval modules that a file imports when it is loaded; what it imports inside a function comes later."""
    found: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    later = {id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for n in ast.walk(f)}
    typing_only = {
        id(n)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for n in ast.walk(block)
    }
    for node in ast.walk(tree):
        if id(node) in later | typing_only:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            found.add(node.module or "")
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.startswith("coheval.")}


def place(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").parts[0]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    here = place(path)
    for name in imported(path):
        there = name.split(".")[1]
        if there in LEVEL and there != here:
            assert LEVEL[there] <= LEVEL[here], f"{path.name} imports {name} from above"


@pytest.mark.parametrize("path", [p for p in FILES if place(p) in COMPONENTS], ids=lambda p: str(p.relative_to(ROOT)))
def test_siblings_do_not_import_each_other(path: Path) -> None:
    group = place(path)
    siblings = {f"coheval.{group}.{p.stem}" for p in (ROOT / group).glob("*.py") if not p.stem.startswith("_")}
    assert not imported(path) & siblings


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_file_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_torch_stays_in_its_rooms() -> None:
    users = {str(p.relative_to(ROOT)) for p in FILES if "import torch" in p.read_text(encoding="utf-8")}
    loaders = {f"encoders/{name}.py" for name in ("hf", "_checkpoint", "_cometfolder", "_pairs")}
    networks = {f"models/_networks/{p.name}" for p in (ROOT / "models" / "_networks").glob("*.py")}
    assert users <= loaders | networks | {
        "decoders/hf_seq2seq.py",
        "rankers/hf_lm.py",
        "rankers/hf_mlm.py",
        "run/coherence/checkpoint.py",
        "run/coherence/export.py",
        "run/coherence/training.py",
        "run/comet/training.py",
        "run/rst/network.py",
        "run/rst/training.py",
    }


def test_spacy_stays_in_its_room() -> None:
    users = {str(p.relative_to(ROOT)) for p in FILES if "import spacy" in p.read_text(encoding="utf-8")}
    assert users <= {"annotators/spacy.py"}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_error_says_what_to_do_next(path: Path) -> None:
    kinds = {name for name, kind in vars(errors).items() if isinstance(kind, type) and name.endswith(("Error", "Name"))}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds:
            assert "hint" in {keyword.arg for keyword in node.keywords}, f"{path.name}:{node.lineno}"
