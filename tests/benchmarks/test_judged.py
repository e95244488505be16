"""Agreement with people on a small study, against a plain loop with scipy."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import kendalltau, zscore

import coheval
from correlation import weights
from judged import ASPECTS, Judged, View, means, standard

SYSTEMS = ("M0", "M8", "M9", "M10", "M11", "M23")  # the first is extractive
DOCUMENTS = 9


@pytest.fixture(scope="module")
def judged() -> Judged:
    rng = np.random.default_rng(3)
    people = rng.integers(1, 6, size=(len(ASPECTS), len(SYSTEMS), DOCUMENTS)) / 3
    candidates = {s: [f"{s} said {d}." for d in range(DOCUMENTS)] for s in SYSTEMS}
    return Judged([f"d{i}" for i in range(DOCUMENTS)], candidates, [["x", "y"]] * DOCUMENTS, people)


@pytest.fixture(scope="module")
def scores() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(4)
    found = {name: rng.random((len(SYSTEMS), DOCUMENTS)) for name in ("one", "other")}
    found["one"][1, 2] = found["one"][4, 5] = np.nan
    return found


def test_reads_the_files(tmp_path):
    documents = [{"doc_id": d, "refs": [f"{d} x", f"{d} y"]} for d in ("b", "a")]
    lines = [
        {"doc_id": d, "system": s, "hyp": f"{s} {d}", "human": {a: len(a) + number for a in ASPECTS}}
        for d in ("a", "b")
        for number, s in enumerate(("M10", "M9"))
    ]
    for name, content in (("docs", documents), ("systems", lines)):
        text = "\n".join(map(json.dumps, content))
        (tmp_path / f"summeval_{name}.jsonl").write_text(text, encoding="utf-8")
    found = Judged.read(tmp_path)
    assert found.documents == ["b", "a"]
    assert found.candidates == {"M9": ["M9 b", "M9 a"], "M10": ["M10 b", "M10 a"]}
    assert found.references == [["b x", "b y"], ["a x", "a y"]]
    # coherence, consistency, fluency, relevance have 9, 11, 7, 9 letters
    assert found.people[:, :, 0].tolist() == [[10, 9], [12, 11], [8, 7], [10, 9]]


def test_halves_share_no_document(judged):
    assert judged.halves() == ([0, 2, 4, 6, 8], [1, 3, 5, 7])


def test_scores_are_oriented_and_in_order(judged):
    result = coheval.score(
        dict(reversed(judged.candidates.items())),
        judged.references,
        documents=judged.documents,
        metrics=["chrf", "ter"],
    )
    for name, sign in (("chrf", 1), ("ter", -1)):  # the error rate is better when lower
        found = judged.oriented(result[name])
        assert found.shape == (len(SYSTEMS), DOCUMENTS)
        assert found[2, 3] == sign * result[name].by_system["M9"].documents["d3"]


def test_means_leave_out_what_is_undefined():
    values = np.array([[1.0, 2, np.nan, 5], [np.nan, np.nan, 3, np.nan]])
    # once each; the first twice and the second not; the first two alone
    drawn = np.array([[1.0, 1, 1, 1], [2, 0, 1, 1], [1, 1, 0, 0]])
    found = means(values, drawn)
    assert found[:2].tolist() == pytest.approx(np.array([[8 / 3, 3], [7 / 3, 3]]))
    assert found[2, 0] == 1.5
    assert np.isnan(found[2, 1])


def test_standard_rows():
    values = np.array([[1.0, 2, 4, 9], [3, 3, 3, 3]])
    assert standard(values)[0] == pytest.approx(zscore(values[0]))
    assert standard(values)[1].tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("extractive", [True, False])
@pytest.mark.parametrize("documents", [None, [0, 2, 3, 5, 7, 8]])
def test_agreement_of_systems(judged, scores, extractive, documents):
    found = judged.view(scores, extractive=extractive, documents=documents).agreement({"one": 1})
    systems = range(0 if extractive else 1, len(SYSTEMS))
    places = np.array(documents or range(DOCUMENTS))
    for row, drawn in enumerate(weights(len(places))[:20]):
        picked = np.repeat(places, drawn.astype(int))
        metric = [np.nanmean(scores["one"][s, picked]) for s in systems]
        for aspect in range(len(ASPECTS)):
            people = np.round([judged.people[aspect, s, picked].mean() for s in systems], 9)
            assert found[row, aspect] == pytest.approx(100 * kendalltau(metric, people).statistic)


def test_agreement_of_a_sum(judged, scores):
    found = judged.view(scores).agreement({"one": 1, "other": -1})
    summed = zscore(np.nanmean(scores["one"][1:], axis=1)) - zscore(scores["other"][1:].mean(axis=1))
    for aspect in range(len(ASPECTS)):
        people = np.round(judged.people[aspect, 1:].mean(axis=1), 9)
        assert found[0, aspect] == pytest.approx(100 * kendalltau(summed, people).statistic)


def test_agreement_in_each_document(judged, scores):
    found = judged.view(scores, extractive=True).by_document("one")
    for document in range(DOCUMENTS):
        known = ~np.isnan(scores["one"][:, document])
        for aspect in range(len(ASPECTS)):
            people = judged.people[aspect, known, document]
            expected = 100 * kendalltau(scores["one"][known, document], people).statistic
            assert found[document, aspect] == pytest.approx(expected)


def test_a_document_that_people_find_all_alike_is_undefined():
    people, scores = np.ones((1, 3, 2)), np.array([[1.0, 1], [2, 2], [3, 3]])
    people[0, :, 1] = [1, 2, 2]
    found = View(people, {"m": scores}).by_document("m")
    assert np.isnan(found[0, 0])
    assert found[1, 0] == pytest.approx(100 * 2 / np.sqrt(3 * 2))  # three pairs apart in the metric, two in people
