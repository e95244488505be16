"""Adapters: their calls are those of the tools they resemble, and their numbers are coheval's."""

from __future__ import annotations

import importlib.util
import json
import runpy
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sacrebleu.metrics import BLEU, CHRF, TER

import coheval
from coheval import registry
from coheval.adapters import bert_score_style, evaluate_style, sacrebleu_style
from coheval.adapters.papers import known, papers
from coheval.errors import UnknownName, UsageError

HYPOTHESES = ["The old crane was sold.", "It becomes a hotel.", "Yes."]
STREAMS = [
    ["The old crane has been sold.", "It will be a hotel.", "Yes!"],
    ["Someone bought the crane.", None, "Certainly."],
]
BY_TEXT = [
    ["The old crane has been sold.", "Someone bought the crane."],
    ["It will be a hotel."],
    ["Yes!", "Certainly."],
]
PEERS = {
    "bleu(effective_order=True)": BLEU(effective_order=True),
    "bleu(lowercase=True, tokenize='char')": BLEU(lowercase=True, tokenize="char"),
    "chrf": CHRF(),
    "chrf(word_order=2)": CHRF(word_order=2),
    "ter": TER(),
}


@pytest.mark.parametrize("spec", PEERS)
def test_corpus_score_is_sacrebleus(spec: str) -> None:
    mine = sacrebleu_style.Metric(spec).corpus_score(HYPOTHESES, STREAMS)
    assert mine.score == pytest.approx(PEERS[spec].corpus_score(HYPOTHESES, STREAMS).score, abs=1e-9)
    assert mine.format(width=2, score_only=True) == PEERS[spec].corpus_score(HYPOTHESES, STREAMS).format(
        width=2, score_only=True
    )


@pytest.mark.parametrize("spec", [s for s in PEERS if "char" not in s])
def test_sentence_score_is_sacrebleus(spec: str) -> None:
    for hypothesis, references in zip(HYPOTHESES, BY_TEXT, strict=True):
        mine = sacrebleu_style.Metric(spec).sentence_score(hypothesis, references)
        assert mine.score == pytest.approx(PEERS[spec].sentence_score(hypothesis, references).score, abs=1e-9)


def test_bleu_alone_takes_both_conventions_of_sacrebleu() -> None:
    """Short texts leave orders out in sacreBLEU's `sentence_bleu`, and score 0 in its `BLEU().corpus_score`."""
    short, references = "Yes.", ["Yes!"]
    mine = sacrebleu_style.Metric("bleu")
    assert mine.sentence_score(short, references).score == pytest.approx(
        BLEU(effective_order=True).sentence_score(short, references).score
    )
    assert mine.corpus_score(HYPOTHESES, STREAMS).score == pytest.approx(BLEU().corpus_score(HYPOTHESES, STREAMS).score)


def test_score_is_told_as_sacrebleu_tells_it() -> None:
    metric = sacrebleu_style.Metric("chrf")
    score = metric.corpus_score(["one dog"], [["one dog"]])
    assert (str(score), repr(score), score.format(width=1, score_only=True)) == (
        "chrf = 100.0000",
        "chrf = 100.0000",
        "100.0",
    )
    assert score.format(signature="v") == "chrf|v = 100.0000"
    assert json.loads(score.format(signature="v", is_json=True)) == {"name": "chrf", "score": 100.0, "signature": "v"}
    assert coheval.metric(metric.get_signature()) == coheval.metric("chrf")


def test_undefined_is_none_and_says_why() -> None:
    score = sacrebleu_style.Metric("moverscore").sentence_score("", ["a dog"])
    assert score.score is None
    assert str(score) == "moverscore = undefined"
    assert score.result.reasons[0]
    assert '"score": null' in score.format(is_json=True)


def test_streams_turned_round_are_refused() -> None:
    with pytest.raises(coheval.CohevalError, match=r"references\[0\].*\n.*zip\(\*references\)"):
        sacrebleu_style.Metric("chrf").corpus_score(HYPOTHESES, BY_TEXT)


def test_streams_of_another_length_are_refused_where_sacrebleu_cuts() -> None:
    short = [["The old crane has been sold.", "It will be a hotel."]]
    assert CHRF().corpus_score(HYPOTHESES, short).score > 0  # the third text is not looked at
    with pytest.raises(coheval.CohevalError, match="expected 3 entries"):
        sacrebleu_style.Metric("chrf").corpus_score(HYPOTHESES, short)


@pytest.mark.parametrize("references", [[s or "" for s in STREAMS[0]], "The old crane"])
def test_texts_are_no_streams(references: list[str]) -> None:
    with pytest.raises(coheval.CohevalError, match=r"\[references\]"):
        sacrebleu_style.Metric("bleu").corpus_score(HYPOTHESES, references)


def test_one_text_is_no_list_of_references() -> None:
    with pytest.raises(coheval.CohevalError, match=r"\[reference\]"):
        sacrebleu_style.Metric("bleu").sentence_score("a dog", "a dog")


def test_documents_and_sources_reach_the_metric() -> None:
    lines = ["The crane stood in the harbour.", "The crane was sold."]
    whole = sacrebleu_style.Metric("entitygraph").corpus_score(lines, documents=["d", "d"]).score
    assert whole == coheval.score(lines, documents=["d", "d"], metrics="entitygraph")["entitygraph"].system
    qe = sacrebleu_style.Metric("cometqe")
    assert (
        qe.corpus_score(["A dog."], sources=["One dog."]).score == qe.sentence_score("A dog.", source="One dog.").score
    )


# ------------------------------------------------------------------------------------------------------ evaluate


def test_compute_is_coheval_score() -> None:
    mine = evaluate_style.load("moverscore").compute(predictions=HYPOTHESES, references=BY_TEXT)
    theirs = coheval.score(HYPOTHESES, BY_TEXT, metrics="moverscore")["moverscore"]
    assert mine == {
        "moverscore": theirs.system,
        "segments": theirs.segments,
        "reasons": theirs.reasons,
        "signature": theirs.signature,
    }


def test_added_predictions_are_computed_once() -> None:
    module = evaluate_style.load("chrf")
    module.add(prediction=HYPOTHESES[0], reference=BY_TEXT[0])
    module.add_batch(predictions=HYPOTHESES[1:], references=BY_TEXT[1:])
    assert module.compute()["chrf"] == CHRF().corpus_score(HYPOTHESES, STREAMS).score
    with pytest.raises(coheval.CohevalError, match="at least one text"):
        module.compute()


def test_parameters_stand_in_the_spec_or_beside_it() -> None:
    given = {"predictions": HYPOTHESES, "references": BY_TEXT}
    there = evaluate_style.load("rouge(kind='L', stem=True)").compute(**given)["segments"]
    assert evaluate_style.load("rouge", kind="L", stem=True).compute(**given)["segments"] == there
    assert evaluate_style.load("rouge(kind='L')").compute(**given, stem=True)["segments"] == there
    with pytest.raises(coheval.CohevalError, match="did you mean 'stem'"):
        evaluate_style.load("rouge", stemm=True)


def test_parameters_of_load_hold_in_every_call() -> None:
    given = {"predictions": HYPOTHESES, "references": BY_TEXT}
    told = evaluate_style.load("rouge", kind="2").compute(**given, stem=True)
    expected = coheval.score(HYPOTHESES, BY_TEXT, metrics="rouge(kind='2', stem=True)")
    assert told["signature"] == next(iter(expected.values())).signature
    assert told["segments"] == next(iter(expected.values())).segments


def test_parameters_of_a_call_settle_what_follows_from_them() -> None:
    """MoverScore's variant chooses how layers are put together; the default variant must not have chosen before."""
    told = evaluate_style.load("moverscore").compute(predictions=["a dog"], references=["a cat"], variant="v1")
    assert told["signature"] == coheval.metric("moverscore(variant='v1')").signature


def test_combined_metrics_have_keys_of_their_own() -> None:
    told = evaluate_style.combine(["chrf", "ter"]).compute(predictions=HYPOTHESES, references=BY_TEXT)
    assert list(told) == [f"{m}{end}" for m in ("chrf", "ter") for end in ("", "_segments", "_reasons", "_signature")]
    assert told["ter"] == TER().corpus_score(HYPOTHESES, STREAMS).score


@pytest.mark.parametrize(
    ("specs", "parameters", "same"),
    [
        (["bleu", "bleu()"], {}, "bleu"),
        (["rouge", "rouge(kind='2')"], {"kind": "2"}, "rouge(kind='2')"),
    ],
)
def test_two_names_of_one_metric_have_its_score_each(specs: list[str], parameters: dict[str, str], same: str) -> None:
    told = evaluate_style.combine(specs).compute(predictions=HYPOTHESES, references=BY_TEXT, **parameters)
    expected = coheval.score(HYPOTHESES, BY_TEXT, metrics=same)[same].system
    assert [told[spec] for spec in specs] == [expected] * 2


@pytest.mark.parametrize("make", [np.array, pd.Series], ids=["array", "series"])
def test_lists_may_be_arrays_and_columns(make: Any) -> None:
    """As `coheval.score` takes them; expected is what it says of lists."""
    references = [texts[0] for texts in BY_TEXT]
    told = evaluate_style.load("chrf").compute(predictions=make(HYPOTHESES), references=make(references))
    assert told["segments"] == coheval.score(HYPOTHESES, references, metrics="chrf")["chrf"].segments


def test_a_module_describes_itself_in_plain_data() -> None:
    module = evaluate_style.load("bertscore(context=1)")
    assert module.name == "bertscore(context=1)"
    assert module.description.startswith("BERTScore: ")
    assert "Artzi, Yoav" in module.citation
    assert list(module.features) == ["predictions", "references", "documents"]
    assert module.inputs_description.startswith("predictions: a list of texts\n")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"predictions": ["a"], "references": ["a", "b"]}, "references: expected a list of 1 entries"),
        ({"predictions": ["a"], "references": "a"}, "references: expected a list of 1 entries"),
        ({"predictions": 5}, "predictions: expected a list, got 5"),
        ({"predictions": {"a", "b"}}, "predictions: expected a list, got "),
        ({"predictions": ["a"], "labels": ["a"]}, "no input is called 'labels'"),
    ],
)
def test_wrong_batches_are_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(coheval.CohevalError, match=message):
        evaluate_style.load("chrf").add_batch(**given)


def test_batches_have_the_same_lists() -> None:
    module = evaluate_style.load("chrf")
    module.add(prediction="a", reference="a")
    with pytest.raises(coheval.CohevalError, match="expected predictions, references"):
        module.add(prediction="a")


def test_the_script_tells_evaluate_what_a_metric_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """With stand-ins for the two packages, which are no dependencies."""

    class Base:
        def __init__(self, config_name: str | None) -> None:
            self.config_name = config_name

    evaluate = SimpleNamespace(Metric=Base, MetricInfo=SimpleNamespace)
    datasets = SimpleNamespace(Value=str, Sequence=lambda value: [value], Features=dict)
    monkeypatch.setitem(sys.modules, "evaluate", evaluate)
    monkeypatch.setitem(sys.modules, "datasets", datasets)
    script = runpy.run_path(evaluate_style.script())
    info = script["Coheval"]("chrf(word_order=2)")._info()
    assert info.features == [
        {"predictions": "string", "references": ["string"]},
        {"predictions": "string", "references": "string"},
    ]
    assert info.description.startswith("chrF and chrF++")
    assert script["Coheval"]("cometqe")._info().features == [{"predictions": "string", "sources": "string"}]
    given = {"predictions": HYPOTHESES, "references": BY_TEXT}
    assert script["Coheval"]("chrf")._compute(**given) == evaluate_style.load("chrf").compute(**given)
    assert "moverscore" in script["Coheval"](None)._compute(**given)


@pytest.mark.skipif(importlib.util.find_spec("evaluate") is None, reason="the package evaluate is not installed")
def test_the_package_evaluate_loads_the_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import evaluate

    given = {"predictions": ["It was sold."], "references": [["It is sold.", "It was bought."]]}
    module = evaluate.load(evaluate_style.script(), "chrf(word_order=2)")
    assert module.compute(**given) == evaluate_style.load("chrf(word_order=2)").compute(**given)


# ---------------------------------------------------------------------------------------------------- bert_score


def test_bert_score_style_gives_three_arrays() -> None:
    found = bert_score_style.score(HYPOTHESES, BY_TEXT)
    for values, form in zip(found, ("precision", "recall", "f"), strict=True):
        spec = f"bertscore(variant='code', form='{form}')"
        assert isinstance(values, np.ndarray)
        assert values.tolist() == coheval.score(HYPOTHESES, BY_TEXT, metrics=spec)[spec].segments


def test_bert_score_style_scores_an_empty_text_as_bert_score() -> None:
    assert [values.tolist() for values in bert_score_style.score([""], ["a dog"])] == [[0.0]] * 3


def test_bert_score_style_reads_a_layer_and_idf() -> None:
    spec = "bertscore(variant='code', form='recall', idf='corpus', layer=2)"
    _, recall, _ = bert_score_style.score(HYPOTHESES, BY_TEXT, num_layers=2, idf=True)
    assert recall.tolist() == coheval.score(HYPOTHESES, BY_TEXT, metrics=spec)[spec].segments


def test_bert_score_style_takes_what_is_for_speed_and_refuses_what_moves_numbers() -> None:
    plain = bert_score_style.score(HYPOTHESES, BY_TEXT)
    same = bert_score_style.score(HYPOTHESES, BY_TEXT, verbose=True, batch_size=64, rescale_with_baseline=False)
    assert [values.tolist() for values in same] == [values.tolist() for values in plain]
    with pytest.raises(UsageError, match=r"rescale_with_baseline=True is not known here\nhint: use .*baseline='FILE'"):
        bert_score_style.score(HYPOTHESES, BY_TEXT, rescale_with_baseline=True)
    with pytest.raises(UnknownName, match="bert_score has no argument 'batchsize'\nhint: did you mean 'batch_size'"):
        bert_score_style.score(HYPOTHESES, BY_TEXT, batchsize=64)


def test_bert_score_style_asks_for_a_model_of_the_language() -> None:
    assert bert_score_style.score(["a"], ["a"], lang="en")[2].shape == (1,)
    with pytest.raises(coheval.CohevalError, match="model_type="):
        bert_score_style.score(["a"], ["a"], lang="de")


# -------------------------------------------------------------------------------------------------------- papers


def test_papers_are_found_where_docstrings_name_them() -> None:
    without = {name for name in registry.names("metrics") if not papers(registry.find("metrics", name))}
    assert without == {"coherence", "perplexity"}  # one is ours, the other has no paper of its own
    (first, *_) = papers(registry.find("metrics", "dr"))
    assert first.title == "Using Discourse Structure Improves Machine Translation Evaluation"


def test_every_paper_is_named_by_some_metric() -> None:
    named = {paper for name in registry.names("metrics") for paper in papers(registry.find("metrics", name))}
    assert named == set(known())
