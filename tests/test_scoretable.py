"""Tables of scores: of results, of run folders read back, of plain numbers; sums under weights are scores."""

from __future__ import annotations

import json
import math
import re
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import coheval
from coheval import registry
from coheval.algo.scaling import MinMax
from coheval.data import Corpus, Record
from coheval.encoders._hub import model_folder
from coheval.errors import CohevalError, DataError, MetricError, ResourceError, UnknownName
from coheval.metrics import Metric
from coheval.metrics._combined import Member, Model
from coheval.run import Result
from coheval.run import folder as run_folder
from coheval.run.folder import Inputs
from coheval.run.score import evaluate, named
from coheval.run.scoretable import Column, ScoreTable
from coheval.run.stored import read_run
from support import runnable

CANDIDATES = {
    "good": [
        "The river rose by a metre last night. Nobody had seen the river so high.",
        "The bridge is old, but it held.",
        "Two bakers brought bread to the helpers. The bread was gone at once.",
        "By noon the water had gone.",
        "The mayor said: never again. She is a mayor of few words.",
    ],
    "poor": [
        "River up a metre in the night. High river.",
        "Old bridge holds.",
        "Bread from two bakers came for the helpers. Bread gone.",
        "The water at noon was gone, and the water left mud.",
        "Never again said the mayor.",
    ],
}
REFERENCES = [
    ["Last night the river rose by one metre. Such a river had never been seen."],
    ["The old bridge held.", "The bridge is old and it held."],
    ["Two bakers of the village gave bread to the helpers. Their bread did not last."],
    ["The water was gone by noon."],
    ["The mayor said it would never happen again. The mayor was short."],
]
DOCUMENTS = ["flood", "flood", "help", "help", "talk"]


def scored(*metrics: str) -> Result:
    return coheval.score(CANDIDATES, REFERENCES, CANDIDATES["good"], DOCUMENTS, metrics=list(metrics))


@pytest.mark.parametrize("name", registry.names("metrics"))
def test_sums_under_weights_are_the_scores_of_a_run(name: str, tmp_path: Path) -> None:
    """Each document once is the system, one document alone is that document, for every metric there is."""
    good, poor = ((own[0], REFERENCES[0][0]) for own in CANDIDATES.values())
    spec = runnable(name, tmp_path, better=good, worse=poor)
    result = scored(spec)
    column = ScoreTable.of(result).columns[spec]
    own = result[spec]
    assert column.system.tolist() == pytest.approx([own.system["good"], own.system["poor"]], nan_ok=True)
    assert column.resampled(np.ones((1, 3)))[0] == pytest.approx(column.system, abs=1e-12, nan_ok=True)
    np.testing.assert_allclose(column.resampled(np.eye(3)).T, column.documents, atol=1e-12)
    assert column.unit == own.metric.unit
    assert column.rows.shape[:2] == (2, 5 if column.unit == "segment" else 3)


@pytest.mark.parametrize("spec", ["bleu", "chrf", "moverscore", "rc", "rouge"])
def test_weights_are_repetitions(spec: str) -> None:
    """A document that counts twice is one that is there twice, and one that counts 0 times is not there."""
    column = ScoreTable.of(scored(spec)).columns[spec]
    weights = np.array([[2.0, 0.0, 1.0], [0.0, 3.0, 1.0], [1.0, 1.0, 2.0]])
    for row, found in zip(weights, column.resampled(weights), strict=True):
        copies = [
            (f"{document} {copy}", n)
            for document, count in zip(("flood", "help", "talk"), row.astype(int), strict=True)
            for copy in range(count)
            for n in range(5)
            if DOCUMENTS[n] == document
        ]
        again = coheval.score(
            {system: [texts[n] for _, n in copies] for system, texts in CANDIDATES.items()},
            [REFERENCES[n] for _, n in copies],
            documents=[document for document, _ in copies],
            metrics=[spec],
        )
        assert found.tolist() == pytest.approx([again[spec].system["good"], again[spec].system["poor"]], abs=1e-9)


def test_nothing_defined_is_nan() -> None:
    result = coheval.score({"a": ["", "one dog"], "b": ["", ""]}, ["one", "two"], metrics=["moverscore", "chrf"])
    column = ScoreTable.of(result).columns["moverscore"]
    assert np.isnan(column.resampled(np.array([[1.0, 0.0], [1.0, 1.0]]))).tolist() == [[True, True], [False, True]]
    assert np.isnan(column.segments).tolist() == [[True, False], [True, True]]
    assert np.isnan(column.system).tolist() == [False, True]
    assert column.totals()[:, :, -1].tolist() == [[0, 1], [0, 0]]  # how many rows each document has


def test_a_metric_that_cannot_combine_is_blamed() -> None:
    class Broken(Metric):
        def combine(self, totals: object, count: int) -> float:
            raise ZeroDivisionError("division by zero")

    nothing = np.zeros((1, 1))
    column = Column(Broken(), True, "segment", nothing, nothing, nothing[0], nothing[:, :, None], np.zeros(1, np.intp))
    with pytest.raises(MetricError, match="broken cannot combine the rows"):
        column.resampled(np.ones((1, 1)))


def test_systems_with_different_segments() -> None:
    records = [
        Record("A", "one dog", ("a dog",), document="x", segment=0),
        Record("A", "two dogs", ("a dog",), document="y", segment=0),
        Record("B", "no dog", ("a dog",), document="z", segment=0),
        Record("B", "a dog", ("a dog",), document="y", segment=0),
        Record("B", "that dog", ("a dog",), document="y", segment=1),
    ]
    table = ScoreTable.of(evaluate(Corpus.of(records), named(["chrf", "rc"])))
    assert table.units == [("x", 0), ("y", 0), ("z", 0), ("y", 1)]
    assert table.documents == ["x", "y", "z"]
    assert table.document_of.tolist() == [0, 1, 2, 1]
    assert table.present.tolist() == [[True, True, False, False], [False, True, True, True]]
    assert (~np.isnan(table.columns["chrf"].segments) == table.present).all()
    assert np.isnan(table.columns["rc"].rows[:, :, 0]).tolist() == [[False, False, True], [True, False, False]]
    assert np.isnan(table.columns["rc"].documents).tolist() == [[False, False, True], [True, False, False]]
    assert "different segments" in table.notes[0]


# ---------------------------------------------------------------------------------------------- run folders


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", ["chrf", "moverscore", "rc", "combination(members=[chrf, bleu])"])


def write_run(place: Path, metrics: list[str], *, evidence: bool = False) -> Path:
    texts = [*CANDIDATES["good"][:3], "", CANDIDATES["good"][4]]  # moverscore has no score for an empty text
    lines = [
        {"system": s, "document": d, "segment": n, "candidate": c, "references": r}
        for s, own in {"good": texts, "päör": CANDIDATES["poor"]}.items()
        for d, n, c, r in zip(DOCUMENTS, (0, 1, 0, 1, 0), own, REFERENCES, strict=True)
    ]
    data = place.with_suffix(".jsonl")
    data.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    inputs = Inputs(data=str(data))
    corpus = inputs.corpus()
    result = evaluate(corpus, named(metrics), evidence=evidence)
    run_folder.write(place, result, corpus, inputs, overwrite=False, evidence=evidence)
    return place


def test_a_run_folder_gives_back_what_was_written(run: Path) -> None:
    texts = {"good": [*CANDIDATES["good"][:3], "", CANDIDATES["good"][4]], "päör": CANDIDATES["poor"]}
    metrics = ["chrf", "moverscore", "rc", "combination(members=[chrf, bleu])"]
    told = coheval.score(texts, REFERENCES, documents=DOCUMENTS, metrics=metrics)
    read, made = ScoreTable.read(run), ScoreTable.of(told)
    assert read.systems == made.systems
    assert read.documents == made.documents
    assert read.units == made.units
    assert read.notes == made.notes
    for name, column in made.columns.items():
        again = read.columns[name]
        for part in ("segments", "documents", "system", "rows"):
            np.testing.assert_array_equal(getattr(again, part), getattr(column, part))
        assert again.metric == column.metric
        assert again.signature == column.signature
        assert again.higher_is_better == column.higher_is_better
    result = read_run(run)
    for name in metrics:
        for system in texts:
            ours, theirs = result[name].by_system[system], told[name].by_system[system]
            assert ours.reasons == theirs.reasons
            assert ours.document_reasons == theirs.document_reasons
        assert result[name].counts == told[name].counts


def test_a_run_folder_can_be_compared_by_its_name(run: Path) -> None:
    assert coheval.compare(str(run)).to_json() == coheval.compare(read_run(run)).to_json()


def test_evidence_is_read_on_request(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", ["bleu", "rc"], evidence=True)
    kept = read_run(run, evidence=True)
    assert kept["bleu"].by_system["good"].evidence[0]["kind"]
    assert kept["rc"].by_system["good"].document_evidence["flood"]["kind"]
    without = read_run(run)
    assert without["bleu"].by_system["good"].evidence == [None] * 5
    assert without["rc"].by_system["good"].document_evidence == {}


def change(path: Path, edit: Callable[[str], str]) -> None:
    text = path.read_text(encoding="utf-8")
    changed = edit(text)
    assert changed != text
    path.write_text(changed, encoding="utf-8")


def test_weights_and_libraries_need_not_be_there(tmp_path: Path) -> None:
    """Scores are made: only the formula that combines them is needed."""
    run = write_run(tmp_path / "run", ["moverscore", "chrf", "combination(members=[chrf, bertscore])"])
    change(run / "manifest.json", lambda text: text.replace("60c758432aa596c3", "0" * 16))
    change(run / "manifest.json", lambda text: re.sub(r"'(\w+)': '[\d.]+'", r"'\1': '0.0'", text))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = ScoreTable.read(run)
    assert isinstance(table.columns["chrf"].metric, type(coheval.metric("chrf")))
    assert "sha256='0000000000000000'" in str(table.columns["moverscore"].signature)


@pytest.mark.parametrize("unit", ["segment", "document"])
def test_the_model_of_a_combination_need_not_be_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unit: str
) -> None:
    """Scores are means of rows whatever the model was; but the metric itself cannot be had without it."""
    monkeypatch.chdir(tmp_path)
    chrf = coheval.metric("chrf")
    member = Member("chrf", True, MinMax(0.0, 50.0), 2.0, chrf.signature)
    Path("m.json").write_text(Model((member,), 1.0, "ridge", "minmax", unit=unit).to_json())
    spec = "combination(model='m.json')"
    run = write_run(tmp_path / "run", [spec, "chrf"])
    there = ScoreTable.read(run)
    signature = str(there.columns[spec].signature)
    Path("m.json").rename("elsewhere.json")
    table = ScoreTable.read(run)
    assert table.columns[spec].metric == there.columns[spec].metric
    assert table.columns[spec].unit == unit
    own, members = table.columns[spec], table.columns["chrf"]
    if unit == "segment":
        np.testing.assert_allclose(own.segments, 1 + 2 * members.segments / 50)
        np.testing.assert_allclose(own.system, (1 + 2 * members.segments / 50).mean(axis=1))
    else:
        np.testing.assert_allclose(own.documents, 1 + 2 * members.documents / 50)
        np.testing.assert_allclose(own.system, (1 + 2 * members.documents / 50).mean(axis=1))
    assert own.higher_is_better
    with pytest.raises(ResourceError, match="the model cannot be read"):
        coheval.metric(signature)
    with pytest.raises(ResourceError, match="read from a run folder, without its model"):
        coheval.score(["a dog"], ["a dog"], metrics=[own.metric])
    change(run / "manifest.json", lambda text: text.replace("combination(version=1", "combination(version=9"))
    with pytest.raises(DataError, match="cannot be had again: the signature was made by version 9"):
        ScoreTable.read(run)


def test_a_model_that_is_gone_need_not_be_there(tmp_path: Path) -> None:
    """Rows are combined by a formula, which needs no weights; but nothing more can be measured."""
    pytest.importorskip("transformers")
    from checkpoints import REGRESSION, write, write_pair_model

    write(tmp_path / "comet", REGRESSION)
    write_pair_model(tmp_path / "pairs", positions=512)
    specs = [f"learned(model={str(tmp_path / 'pairs')!r}, context=1)", f"comet(model={str(tmp_path / 'comet')!r})"]
    data = tmp_path / "data.jsonl"
    lines = [
        {"document": d, "segment": n, "candidate": c, "references": r, "source": "the cat"}
        for n, (d, c, r) in enumerate(zip(DOCUMENTS, CANDIDATES["good"], REFERENCES, strict=True))
    ]
    data.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    inputs = Inputs(data=str(data))
    corpus = inputs.corpus()
    result = evaluate(corpus, named(specs))
    run_folder.write(tmp_path / "run", result, corpus, inputs, overwrite=False)
    (tmp_path / "comet").rename(tmp_path / "gone")
    (tmp_path / "pairs").rename(tmp_path / "gone too")
    model_folder.cache_clear()
    table, made = ScoreTable.read(tmp_path / "run"), ScoreTable.of(result)
    for spec in specs:
        np.testing.assert_array_equal(table.columns[spec].system, made.columns[spec].system)
        with pytest.raises(ResourceError, match="its model is not there any more"):
            coheval.score(["a"], ["b"], metrics=[table.columns[spec].metric])
    change(tmp_path / "run/manifest.json", lambda text: text.replace("learned(version=1", "learned(version=9"))
    with pytest.raises(DataError, match="cannot be had again: the signature was made by version 9"):
        ScoreTable.read(tmp_path / "run")


def first_line(text: str, old: str, new: str) -> str:
    head, _, tail = text.partition("\n")
    return head.replace(old, new) + "\n" + tail


BROKEN: dict[str, tuple[str, Callable[[str], str], str]] = {
    "no JSON": ("manifest.json", lambda t: t[:-20], "not what coheval writes"),
    "foreign": ("manifest.json", lambda t: '{"name": "a package"}', "KeyError: 'format'"),
    "a list": ("manifest.json", lambda t: "[]", "not what coheval writes"),
    "other format": ("manifest.json", lambda t: t.replace('"format": 1', '"format": 7'), "format 7, expected 1"),
    "other version": ("manifest.json", lambda t: t.replace("rc(version=1", "rc(version=9"), "version 9 of rc"),
    "unknown metric": ("manifest.json", lambda t: t.replace("rc(version=1", "rcx(version=1"), "'rcx'"),
    "no systems": ("manifest.json", lambda t: t.replace('"good": 5', "").replace('\n   "p', '"p'), "not what coheval"),
    "other count": ("manifest.json", lambda t: t.replace('"good": 5', '"good": 6'), "expected 6 segments of 'good'"),
    "too few": ("manifest.json", lambda t: t.replace('"good": 5', '"good": 4'), "one segment too many"),
    "cut": ("scores.jsonl", lambda t: "\n".join(t.splitlines()[:-1]) + "\n", "expected 5 segments of 'päör'"),
    "cut inside a line": ("scores.jsonl", lambda t: t[:-50], "scores.jsonl:10"),
    "blank line": ("scores.jsonl", lambda t: "\n" + t, "scores.jsonl:1"),
    "twice": ("scores.jsonl", lambda t: t.splitlines()[0] + "\n" + t, "one segment too many"),
    "other system": ("scores.jsonl", lambda t: first_line(t, '"good"', '"bad"'), "KeyError: 'bad'"),
    "NaN": ("scores.jsonl", lambda t: first_line(t, '"chrf": [', '"chrf": [NaN, '), "NaN is no number"),
    "text": ("scores.jsonl", lambda t: first_line(t, '"chrf": [', '"chrf": ["x", '), "expected a number, got 'x'"),
    "wide": ("scores.jsonl", lambda t: first_line(t, '"chrf": [', '"chrf": [1.0, '), "numbers, the ones before"),
    "other row": (
        "scores.jsonl",
        lambda t: first_line(t, '"moverscore": [', '"moverscore": [9'),
        "as the manifest says",
    ),
    "no documents": ("documents.jsonl", lambda t: "", "not those of scores.jsonl"),
    "other document": ("documents.jsonl", lambda t: t.replace('"talk"', '"walk"'), "not those of scores.jsonl"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_not_a_whole_run_is_refused(run: Path, case: str) -> None:
    name, edit, told = BROKEN[case]
    change(run / name, edit)
    with pytest.raises(DataError) as caught:
        ScoreTable.read(run)
    assert told in str(caught.value)
    assert caught.value.hint
    assert "run" in str(caught.value.where)


@pytest.mark.parametrize("missing", ["manifest.json", "scores.jsonl", "documents.jsonl"])
def test_half_a_run_folder(run: Path, missing: str) -> None:
    (run / missing).unlink()
    with pytest.raises(DataError, match="not a run folder: No such file"):
        ScoreTable.read(run)


def test_places_that_are_no_run_folder(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_bytes(b"\xff\xfe\x00")
    for place in (tmp_path, tmp_path / "nowhere", tmp_path / "manifest.json"):
        with pytest.raises(DataError, match=r"not a run folder|no such folder|not what coheval writes"):
            ScoreTable.read(place)


# -------------------------------------------------------------------------------------------- plain numbers


def test_plain_numbers() -> None:
    values = {"m": {"a": [1, 2, None, 4], "b": [2.0, 2.0, 2.0, math.nan]}}
    table = ScoreTable.plain(values, ["x", "x", "y", "z"], lower_is_better=["m"])
    assert table.systems == ["a", "b"]
    assert table.units == [("x", 0), ("x", 1), ("y", 0), ("z", 0)]
    column = table.columns["m"]
    assert not column.higher_is_better
    np.testing.assert_array_equal(column.documents, [[1.5, np.nan, 4], [2, 2, np.nan]])
    assert column.system.tolist() == pytest.approx([7 / 3, 2])
    # documents x twice and z once: (1 + 2 + 1 + 2 + 4) / 5 and 2
    assert column.resampled(np.array([[2.0, 0.0, 1.0]]))[0].tolist() == pytest.approx([2, 2])


def test_plain_numbers_are_documents_of_their_own() -> None:
    table = ScoreTable.plain({"m": {"a": [1, 2], "b": [3, 4]}, "n": {"b": [7, 8], "a": [5, 6]}})
    assert table.documents == ["1", "2"]
    assert table.columns["n"].segments.tolist() == [[5, 6], [7, 8]]  # systems in the order of the first metric


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({}, "expected a dict, got {}"),
        ({"m": [1, 2]}, "expected a dict, got [1, 2]"),
        ({"m": {"a": []}}, "expected a list of finite numbers"),
        ({"m": {"a": 3}}, "expected a list of finite numbers, got 3"),
        ({"m": {"a": ["x"]}}, "expected a list of numbers"),
        ({"m": {"a": [[1], [2]]}}, "expected a list of finite numbers"),
        ({"m": {"a": [1, math.inf]}}, "expected a list of finite numbers"),
        ({"m": {"a": [1, 2], "b": [1]}}, "expected 2 numbers as of the first system, got 1"),
        ({"m": {"a": [1]}, "n": {"b": [1]}}, "expected the systems a as of 'm', got b"),
    ],
)
def test_plain_numbers_of_a_wrong_shape(values: object, told: str) -> None:
    with pytest.raises(DataError) as caught:
        ScoreTable.plain(values)
    assert told in str(caught.value)
    assert "hint:" in str(caught.value)


def test_plain_numbers_need_matching_names() -> None:
    with pytest.raises(DataError, match="a document for each of the 2 numbers, got 1"):
        ScoreTable.plain({"m": {"a": [1, 2]}}, ["x"])
    with pytest.raises(UnknownName, match="no metric is called 'mm'"):
        ScoreTable.plain({"m": {"a": [1, 2]}}, lower_is_better=["mm"])
    assert issubclass(UnknownName, CohevalError)
