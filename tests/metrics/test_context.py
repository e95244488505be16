"""Document context: which sentences are read, what is scored, and what is told before any work starts.

Expected numbers of Doc-BERTScore are the released program's (goldens, read in place); others are computed here from the
encoder's vectors by the paper's formula.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import coheval
from coheval.algo.scaling import MinMax
from coheval.data import Document, Item, Passage
from coheval.encoders import Encoder
from coheval.errors import CohevalError, DataError, SpecError
from coheval.metrics import Measurement, Metric
from coheval.metrics._combined import Member, Model
from coheval.metrics._context import ContextMetric
from coheval.spec import build

REFERENCE = ["Nina found a stray cat.", "It was hungry.", "She fed it at once."]
CANDIDATE = ["Nina came across a cat.", "The cat was hungry.", "She gave it food at once."]
SAME = ["d"] * 3


def passages(spec: str, index: int, source: list[str] | None = None) -> tuple[Passage, Passage]:
    reference = Document.of("d", REFERENCE)
    item = Item("s", Document.of("d", CANDIDATE), (reference,), source and Document.of("d", source))
    metric = coheval.metric(spec)
    assert isinstance(metric, ContextMetric)
    return metric.candidate_passage(item, index, reference), metric.reference_passage(item, index, reference)


def scores(spec: str, candidates: list[str] = CANDIDATE, documents: list[str] = SAME) -> list[float | None]:
    return coheval.score(candidates, REFERENCE, documents=documents, metrics=[spec])[spec].segments


def test_neighbours_are_the_references() -> None:
    candidate, reference = passages("bertscore(context=2)", 2)
    assert candidate == Passage(CANDIDATE[2], tuple(REFERENCE[:2]))
    assert reference == Passage(REFERENCE[2], tuple(REFERENCE[:2]))


def test_neighbours_of_each_side_or_of_the_source() -> None:
    candidate, reference = passages("bertscore(context=1, after=1, context_from=candidate)", 1)
    assert candidate == Passage(CANDIDATE[1], (CANDIDATE[0],), (CANDIDATE[2],))
    assert reference == Passage(REFERENCE[1], (REFERENCE[0],), (REFERENCE[2],))
    candidate, reference = passages("bertscore(context=1, context_from=source)", 1, ["un", "deux", "trois"])
    assert candidate.before == reference.before == ("un",)


def test_fewer_at_the_beginning_and_none_that_are_blank() -> None:
    assert passages("bertscore(context=9)", 0)[0].alone
    document = Document.of("d", ["one", " ", None, "four", "five"])
    assert Passage.of("x", [document], 4, before=4, after=2).before == ("one", "four")


@pytest.mark.parametrize("name", ["bertscore", "bertscore(variant='code')", "moverscore", "sentencemover", "sbert"])
def test_context_ends_with_the_document(name: str) -> None:
    """Where every line is a document of its own, there is nothing to read around it."""
    spec = name.removesuffix(")") + (", " if "(" in name else "(") + "context=2)"
    assert scores(spec, documents=["a", "b", "c"]) == pytest.approx(scores(name), abs=1e-6)
    assert scores(spec)[0] == pytest.approx(scores(name)[0], abs=1e-6)
    assert scores(spec)[2] != pytest.approx(scores(name)[2], abs=1e-4)


def test_only_the_sentences_own_tokens_are_matched() -> None:
    """F from the vectors of [CLS] … [SEP] … [SEP] sentence [SEP], the sentence's rows alone."""
    encoder = build(Encoder, "minilm")

    def rows(text: str) -> np.ndarray:
        joined = " [SEP] ".join([*REFERENCE[:2], text])
        (encoded,) = encoder.encode([joined])
        count = len(encoder.tokenize([text])[0]) - 2
        vectors = encoded.vectors[6][-1 - count : -1]
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    cosines = rows(CANDIDATE[2]) @ rows(REFERENCE[2]).T
    precision, recall = cosines.max(axis=1).mean(), cosines.max(axis=0).mean()
    expected = 2 * precision * recall / (precision + recall)
    assert scores("bertscore(context=2)")[2] == pytest.approx(expected, abs=1e-5)


def test_moverscore_moves_the_sentence_and_its_specials_only() -> None:
    """As many units as without context: words without punctuation, [CLS] and the last [SEP]."""
    with_context, without = (
        coheval.score(CANDIDATE, REFERENCE, documents=SAME, metrics=[spec], evidence=True)[spec].evidence[2]
        for spec in ("moverscore(context=2)", "moverscore")
    )
    assert with_context["candidate"] == without["candidate"]
    assert with_context["reference"] == without["reference"]


@pytest.mark.parametrize(
    ("golden", "spec"),
    [
        ("ws2_refctx", "bertscore(variant='code', context=2, form={})"),
        ("ws2_hypctx", "bertscore(variant='code', context=2, context_from=candidate, form={})"),
        ("ws0_refctx", "bertscore(variant='code', form={})"),
    ],
)
def test_released_document_bertscore(shared: Path, golden: str, spec: str) -> None:
    content = json.loads((shared / "golden" / "bertscore_doc.json").read_text())["doc_bertscore"]
    for key, form in (("P", "precision"), ("R", "recall"), ("F", "f")):
        assert _of_golden(content, spec.format(form)) == pytest.approx(content["settings"][golden][key], abs=1e-5)


def test_the_papers_document_bertscore(shared: Path) -> None:
    content = json.loads((shared / "golden" / "bertscore_doc.json").read_text())["doc_bertscore"]
    expected = np.array(content["ws2_refctx_strict_paper"]["PRF"]).T
    for number, form in enumerate(("precision", "recall", "f")):
        assert _of_golden(content, f"bertscore(context=2, form={form})") == pytest.approx(expected[number], abs=1e-5)


def _of_golden(content: dict, spec: str) -> list[float | None]:
    documents = content["documents"]
    candidates, references = ([t for d in documents for t in d[side]] for side in ("hyp", "ref"))
    ids = [d["id"] for d in documents for _ in d["hyp"]]
    return coheval.score(candidates, references, documents=ids, metrics=[spec])[spec].segments


def test_oldest_context_goes_first_and_is_told() -> None:
    """A window of 512 holds a sentence of 200 words, one such neighbour, and not two."""
    long = ["so " * 200, "as " * 200, "the end " * 100]
    result = coheval.score(long, long, documents=SAME, metrics=["bertscore(context=2)"])
    assert result["bertscore(context=2)"].counts["dropped"] == 1
    assert any("1 sentences of context are left out" in note for note in result.notes)
    alone = coheval.score(long, long, documents=SAME, metrics=["bertscore(context=1)"])
    assert alone["bertscore(context=1)"].counts["dropped"] == 0


def test_each_metric_tells_of_what_it_read_itself(tmp_path: Path) -> None:
    """A metric that reads no context has none to leave out, though another one shares its model."""
    texts = [f"sentence {n} has some words, and a few more" for n in range(80)]
    specs = [
        "bertscore",
        "bertscore(context=2)",
        "bertscore(context=79)",
        "comet",
        "combination(members=[bertscore, sbert])",
    ]
    result = coheval.score(texts, texts, documents=["d"] * 80, metrics=specs)
    assert [result[spec].counts["dropped"] > 0 for spec in specs] == [False, False, True, False, False]
    assert [note.partition(":")[0] for note in result.notes if "left out" in note] == ["bertscore(context=79)"]
    members = tuple(Member(spec, True, MinMax(-9.0, 0.0), 1.0, coheval.metric(spec).signature) for spec in ["prism"])
    (tmp_path / "model.json").write_text(Model(members, 0.0, "ridge", "minmax").to_json())
    specs = [f"combination(model={str(tmp_path / 'model.json')!r})", "prism(context=79)", "prism"]
    result = coheval.score(texts[:50], texts[:50], documents=["d"] * 50, metrics=specs)
    assert [result[spec].counts["dropped"] > 0 for spec in specs] == [False, True, False]


def test_a_sentence_longer_than_the_window_loses_its_context_and_nothing_else() -> None:
    text = "word " * 700
    (encoded,) = build(Encoder, "minilm").encode_passages([Passage(text, ("before",), ("behind",))])
    (plain,) = build(Encoder, "minilm").encode([text])
    assert encoded.dropped == 2
    assert encoded.overflow == "windowed"
    assert encoded.pieces == plain.pieces
    np.testing.assert_allclose(encoded.vectors[6], plain.vectors[6], atol=1e-5)


def test_systems_and_order_change_nothing() -> None:
    spec = "moverscore(context=2)"
    alone = scores(spec)
    both = coheval.score({"a": CANDIDATE, "b": REFERENCE}, REFERENCE, documents=SAME, metrics=[spec])[spec].segments[
        "a"
    ]
    assert both == pytest.approx(alone, abs=1e-5)


def test_what_a_reference_lacks_is_anothers() -> None:
    """The second reference has the last line only: it is read behind the first one's, and scores as it does there."""
    second = "She gave the cat some food."
    partly = [[REFERENCE[0]], [REFERENCE[1]], [REFERENCE[2], second]]
    for spec in ("bertscore(context=2, references=mean)", "comet(context=2)", "prism(context=2)"):
        both = coheval.score(CANDIDATE, partly, documents=SAME, metrics=[spec])[spec].segments[2]
        alone = [
            coheval.score(CANDIDATE, [*REFERENCE[:2], text], documents=SAME, metrics=[spec])[spec].segments[2]
            for text in (REFERENCE[2], second)
        ]
        assert both == pytest.approx(np.mean(alone), abs=1e-5)


def test_a_model_that_cannot_be_used_is_told_before_anything_is_scored(tmp_path: Path) -> None:
    seen = []

    @dataclass(frozen=True, kw_only=True)
    class Watch(Metric):
        def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
            seen.append(items)
            raise AssertionError

    for spec in (
        f"prism(decoder=onnx_seq2seq(path={str(tmp_path)!r}))",
        f"sbert(encoder=onnx(path={str(tmp_path)!r}))",
    ):
        with pytest.raises(CohevalError, match=r"found neither|cannot be read"):
            coheval.score(["a"], ["a"], metrics=[Watch(), spec])
    assert not seen


def test_references_bring_their_own_context() -> None:
    """The mean over two references is the mean of each by itself."""
    other = ["Nina found a cat in the street.", "The animal was starving.", "She fed it."]
    spec = "bertscore(context=2, references=mean)"
    both = coheval.score(CANDIDATE, list(map(list, zip(REFERENCE, other, strict=True))), documents=SAME, metrics=[spec])
    second = coheval.score(CANDIDATE, other, documents=SAME, metrics=[spec])[spec].segments
    expected = (np.array(scores(spec)) + np.array(second)) / 2
    assert both[spec].segments == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("spec", "error", "told"),
    [
        ("bertscore(context=-1)", SpecError, "context must be at least 0, got -1"),
        ("moverscore(context=300)", SpecError, "300 sentences around a text take 603 tokens or more, its window 512"),
        ("sbert(context=1, encoder=static(file='glove-6b-50d'))", SpecError, "static sees no context"),
        ("bertscore(context=1, context_from=source)", DataError, "needs a source"),
        ("comet(context=300)", SpecError, "its window 512"),
    ],
)
def test_told_before_any_work(spec: str, error: type[CohevalError], told: str) -> None:
    with pytest.raises(error, match="hint") as found:
        scores(spec)
    assert told in str(found.value)


@pytest.mark.parametrize("spec", ["bertscore(context=1)", "comet(after=1)", "prism(context=1)"])
def test_documents_are_needed(spec: str) -> None:
    with pytest.raises(DataError, match="does not say which segments are of one document"):
        coheval.score(CANDIDATE, REFERENCE, metrics=[spec])


def test_documents_of_one_segment_are_told() -> None:
    documents = ["a", "b", "c"]
    told = "bertscore(context=2): every document has one segment, so there is no context to read"
    assert told in coheval.score(CANDIDATE, REFERENCE, documents=documents, metrics=["bertscore(context=2)"]).notes
    assert not coheval.score(CANDIDATE, REFERENCE, documents=SAME, metrics=["bertscore(context=2)"]).notes


def test_refused_where_nothing_may_be_left_out() -> None:
    spec = "bertscore(context=2, encoder=minilm(overflow='error'))"
    long = ["so " * 200] * 3
    with pytest.raises(DataError, match="a text and its context have 602 pieces"):
        coheval.score(long, long, documents=SAME, metrics=[spec])
