"""Labelled trees, kernels and their normalisations as an independent computation has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from coheval.algo.compiledtrees import Vocabulary
from coheval.algo.treekernel import kernels
from coheval.annotators import Annotator
from coheval.metrics._treemetric import TreeMetric
from coheval.metrics.dr import DR
from coheval.metrics.drlex import DRLex
from discoursetrees import known, score, shape
from trees import listed

CONDITIONS = ("no_rel", "no_nuc", "no_nuc_no_rel", "no_discourse")
SHAPES: dict[str, Any] = {"DR": ("nolex", "full"), "DR-LEX": ("lex", "full"), **{c: ("lex", c) for c in CONDITIONS}}
FORMS: dict[str, Any] = {
    "lambda_1.0": {"decay": 1, "normalise": "cosine"},
    "lambda_0.4": {"decay": 0.4, "normalise": "cosine"},
    "log": {"decay": 1, "normalise": "log"},
}


@pytest.fixture(scope="module")
def golden(shared: Path) -> Any:
    return json.loads((shared / "golden" / "tree_kernel_and_stats.json").read_text(encoding="utf-8"))


def metric(name: str, annotator: Annotator, **parameters: Any) -> TreeMetric:
    if name == "DR":
        return DR(annotator=annotator, **parameters)
    return DRLex(annotator=annotator, condition=SHAPES[name][1], **parameters)


@pytest.mark.parametrize("name", SHAPES)
def test_labelled_trees(golden: Any, name: str) -> None:
    for key, source in golden["source_trees"].items():
        assert shape(source, *SHAPES[name]) == golden["representations"][name]["bracketed"][key]


@pytest.mark.parametrize("name", SHAPES)
def test_kernels(golden: Any, name: str) -> None:
    sources = golden["source_trees"]
    plain = metric(name, known(*sources.values()), decay=1, normalise="none")
    for pair, expected in golden["representations"][name]["K"].items():
        one, other = (sources[key] for key in pair.split("|"))
        assert score(plain, one, other) == int(expected)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("translation", ["good", "bad"])
def test_normalised(golden: Any, name: str, translation: str, form: str) -> None:
    sources = golden["source_trees"]
    expected = golden["decay_variants"]["values"][f"{name}:ref|{translation}"][form]
    found = score(metric(name, known(*sources.values()), **FORMS[form]), sources[translation], sources["ref"])
    assert found == pytest.approx(0 if expected is None else expected, rel=1e-12)  # None: one EDU against several


def test_short_trees(golden: Any) -> None:
    short = golden["short_trees_bruteforce_verified"]
    for key, expected in short["K"].items():
        name, _, pair = key.partition(":")
        vocabulary = Vocabulary()
        one, other = (
            vocabulary.compile(listed(shape(short["trees"][tree], *SHAPES[name]))) for tree in pair.split("|")
        )
        assert kernels([(one, other)], 1.0)[0] == expected, key
