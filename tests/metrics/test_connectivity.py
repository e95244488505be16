"""CONN by hand and against matrices filled pair by pair."""

from __future__ import annotations

import math
import random
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import coheval
from coheval.metrics import Metric
from discourse import annotations

CANDIDATE = "north and east. nothing. east and north."  # 0-2 by two nouns: 1/2 or 2/2 in a matrix of 9
REFERENCE = "north. north."  # 1 in a matrix of 4
OTHER = "north. east."  # nothing


@pytest.fixture
def annotator(tmp_path: Path) -> str:
    return annotations(tmp_path, CANDIDATE, REFERENCE, OTHER, "", nouns="north east")


@pytest.mark.parametrize(("weighted", "expected"), [(False, 1 / 18), (True, 1 / 9)])
def test_by_hand(annotator: str, score, weighted: bool, expected: float) -> None:
    found = score(f"connectivity(weighted={weighted}, annotator={annotator})", CANDIDATE)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("weighted", [True, False])
def test_by_matrix(tmp_path: Path, weighted: bool) -> None:
    rng = random.Random(11)
    nouns = "ab cd ef gh".split()
    texts = [
        " ".join(f"{' '.join(rng.choices([*nouns, 'x', 'y', 'z'], k=rng.randint(1, 6)))}." for _ in range(size))
        for size in range(1, 30)
    ]
    annotator = annotations(tmp_path, *texts, nouns=" ".join(nouns))
    (found,) = coheval.score(texts, metrics=[f"connectivity(weighted={weighted}, annotator={annotator})"]).values()
    for text, value in zip(texts, found.segments, strict=True):
        sentences = [set(s.split()) & set(nouns) for s in text.split(".")[:-1]]
        a = np.zeros((len(sentences), len(sentences)))
        for i, j in combinations(range(len(sentences)), 2):
            shared = len(sentences[i] & sentences[j])
            a[i, j] = (shared if weighted else min(shared, 1)) / (j - i)
        assert value == pytest.approx(a.mean(), abs=1e-12)


def test_discriminativeness_is_the_mean_distance(annotator: str, score) -> None:
    spec = f"connectivity(form='discriminativeness', annotator={annotator})"
    assert score(spec, CANDIDATE, REFERENCE) == pytest.approx(1 / 4 - 1 / 18, abs=1e-12)
    assert score(spec, CANDIDATE, REFERENCE, OTHER) == pytest.approx((1 / 4 - 1 / 18 + 1 / 18) / 2, abs=1e-12)
    assert score(spec, CANDIDATE, CANDIDATE) == 0


def test_discriminativeness_says_what_it_lacks(annotator: str) -> None:
    spec = f"connectivity(form='discriminativeness', annotator={annotator})"
    found = coheval.score(["", CANDIDATE], [[CANDIDATE], [""]], metrics=[spec])[spec]
    assert found.segments == [None, None]
    assert found.reasons == ["candidate: the text has no sentence", "reference: the text has no sentence"]


def test_references_without_a_value_are_left_out(annotator: str, score) -> None:
    spec = f"connectivity(form='discriminativeness', annotator={annotator})"
    assert score(spec, CANDIDATE, "", REFERENCE) == pytest.approx(1 / 4 - 1 / 18, abs=1e-12)


def test_nature() -> None:
    value, apart = (coheval.metric(f"connectivity(form={f!r})") for f in ("value", "discriminativeness"))
    assert nature(value) == (frozenset(), True, (0, 5 / 18), None)
    assert nature(apart) == (frozenset({"references"}), False, (0, 5 / 18), 0)
    assert coheval.metric("connectivity(weighted=True)").range == (0, math.inf)


def nature(metric: Metric) -> tuple[object, ...]:
    return metric.needs, metric.higher_is_better, metric.range, metric.perfect


@pytest.mark.parametrize("text", ["dog", "?!... --", "it was. they did.", "The dog saw the dog."])
def test_nothing_linked_is_zero(score, text: str) -> None:
    assert score("connectivity", text) == 0


@pytest.mark.parametrize("text", ["", " \t "])
def test_a_text_without_sentences_has_no_score(text: str) -> None:
    (found,) = coheval.score([text], metrics=["connectivity"]).values()
    assert found.segments == [None]
    assert found.reasons == ["the text has no sentence"]


def test_evidence_of_both_sides(annotator: str) -> None:
    spec = f"connectivity(form='discriminativeness', annotator={annotator})"
    told = coheval.score([CANDIDATE], [[REFERENCE]], metrics=[spec], evidence=True)[spec].evidence[0]
    assert told["kind"] == "comparison"
    assert told["candidate"]["links"] == [{"from": 0, "to": 2, "weight": 0.5, "shared": ["north", "east"]}]
    assert told["candidate"]["isolated"] == [1]
    assert told["each"][0]["links"] == [{"from": 0, "to": 1, "weight": 1.0, "shared": ["north"]}]
    assert told["references"] == [pytest.approx(1 / 4)]
