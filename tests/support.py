"""What several test files need: specs that run, items from plain lists, their rows, and sacreBLEU as an oracle."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from coheval.data import Document, Item
from coheval.metrics import Metric, Row


def carried_folder(package: str, inner: str) -> Path:
    """A folder inside an installed package, which is not imported."""
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        pytest.skip(f"needs the package {package}")
    return Path(found.submodule_search_locations[0]) / inner


def built_site(folder: Path) -> Path:
    """The documentation's site, built strictly."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=Path(__file__).parents[1], env=quiet, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def runnable(name: str, folder: Path, *, better: tuple[str, str], worse: tuple[str, str]) -> str:
    """A spec of a metric that runs: its name or, where it needs a user's model, one that prefers the better pair."""
    if name not in ("learned", "perplexity"):
        return name
    pytest.importorskip("transformers")
    if name == "perplexity":
        from tinymodels import tiny_causal

        return f"perplexity(model=hf_lm(model={str(tiny_causal(folder, {'bos_token': '<s>'}))!r}))"
    from checkpoints import lawful_pair_model

    return f"learned(model={str(lawful_pair_model(folder, better, worse))!r})"


def item(candidates: list[str], references: list[list[str]]) -> Item:
    """A document whose segments may have unequal numbers of references."""
    columns = itertools.zip_longest(*references)
    return Item("system", Document.of("d", candidates), tuple(Document.of("d", list(c)) for c in columns))


def rows(metric: Metric, candidates: list[str], references: list[list[str]]) -> tuple[Row, ...]:
    return metric.measure([item(candidates, references)])[0].rows


def total(measured: tuple[Row, ...]) -> list[float]:
    return [sum(column) for column in zip(*(row.values for row in measured if row.values), strict=True)]


def streams(references: list[list[str]]) -> list[list[Any]]:
    """References as sacreBLEU takes them: one list for each rank, None where a segment has fewer."""
    return [list(column) for column in itertools.zip_longest(*references)]


def assert_equals_sacrebleu(metric: Metric, oracle: Any, candidates: list[str], references: list[list[str]]) -> float:
    """Segment by segment exactly, and for the corpus; returns sacreBLEU's corpus score."""
    measured = rows(metric, candidates, references)
    for row, candidate, own in zip(measured, candidates, references, strict=True):
        assert row.values is not None
        assert metric.combine(row.values, 1) == oracle.sentence_score(candidate, own).score
    expected: float = oracle.corpus_score(candidates, streams(references)).score
    assert metric.combine(total(measured), len(measured)) == pytest.approx(expected, abs=1e-12)
    return expected
