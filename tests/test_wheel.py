"""The wheel works outside the repository, in an environment of its own, from an empty folder."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run([sys.executable, "-m", *build], check=True, cwd=folder)
    (found,) = folder.glob("coheval-*.whl")
    return found


def test_wheel_holds_what_it_needs(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"coheval/py.typed", "coheval/data/example.jsonl", "coheval/metrics/moverscore.py"} <= names
    assert {f"coheval/annotators/_rst/rst.{end}" for end in ("safetensors", "md")} <= names
    assert {"coheval/report/page/report.js", "coheval/serve/page/try.html", "coheval/adapters/papers.bib"} <= names
    assert not [name for name in names if name.startswith(("tests", "benchmarks"))]


def test_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    install = ["pip", "install", "--quiet", "--constraint", str(ROOT / "constraints.txt"), str(wheel)]
    installed = subprocess.run([python, "-m", *install], cwd=tmp_path, capture_output=True, text=True, check=False)
    if "Retrying" in installed.stderr:
        pytest.skip("no package index can be reached to install the wheel's dependencies from")
    assert installed.returncode == 0, installed.stderr
    done = subprocess.run(
        [tmp_path / "env" / "bin" / "coheval", "demo"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "careful" in done.stdout
    assert {path.name for path in (tmp_path / "runs" / "demo").iterdir()} >= {"manifest.json", "report.html"}
    without = subprocess.run(
        [
            python,
            "-c",
            "import importlib.util as u; print([m for m in ('torch', 'transformers', 'nltk') if u.find_spec(m)])",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert without.stdout.strip() == "[]"
