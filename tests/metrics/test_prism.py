"""Prism by hand on a decoder that counts, the released program's slices, and which text is forced out of which."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import coheval
from coheval.algo.lastsentence import scored
from coheval.data import Passage
from coheval.decoders import Decoded, Decoder, _shared
from coheval.errors import DataError, SpecError
from coheval.metrics.bartscore import BARTScore
from coheval.metrics.prism import Prism
from coheval.spec import state
from fakedecoder import Counting

DOCUMENT = {"references": ["u v w", "x", "a b c"], "documents": ["d"] * 3}


def last(metric: object, candidates: list[str], **more: Any) -> float | None:
    """The score of the last segment."""
    (result,) = coheval.score(candidates, metrics=[metric], **more).values()
    return result.segments[-1]


def of(**options: Any) -> Prism:
    return Prism(decoder=Counting(), **options)


@pytest.mark.parametrize(
    ("form", "expected"),
    # <tag> −1, a −2, b −3, </s> −4: (2 + 3 + 4) / 3; the reference a b c has one more: (2 + 3 + 4 + 5) / 4
    [("precision", -3.0), ("recall", -3.5), ("f", -3.25), ("source", -3.0)],
)
def test_paper_without_context(form: str, expected: float) -> None:
    assert last(of(form=form), ["a b"], references=["a b c"], sources=["q"]) == expected


def test_code_without_context_takes_the_tag_and_not_the_end() -> None:
    assert last(of(form="precision", variant="code"), ["a b"], references=["a b c"]) == -2.0  # (1 + 2 + 3) / 3
    assert last(of(form="recall", variant="code"), ["a b"], references=["a b c"]) == -2.5  # (1 + 2 + 3 + 4) / 4


@pytest.mark.parametrize(
    ("variant", "expected"),
    # <tag> −1, x −2, </s> −3, a −4, b −5, </s> −6
    [("paper", -5.0), ("code", -4.0)],
)
def test_context(variant: str, expected: float) -> None:
    assert last(of(form="precision", variant=variant, context=1), ["p", "q", "a b"], **DOCUMENT) == expected


def test_sentences_behind() -> None:
    """<tag> −1, u −2, v −3, w −4, </s> −5, a −6, b −7, and </s> −8, which closes the segment; x and the end follow."""
    result = coheval.score(["p", "a b", "q"], metrics=[of(form="precision", context=1, after=1)], **DOCUMENT)
    (only,) = result.values()
    assert only.segments[1] == -7.0


def test_whose_context() -> None:
    def forced(form: str, **options: Any) -> list[tuple[Passage, Passage]]:
        metric = of(form=form, context=1, **options)
        coheval.score(["p", "q"], ["u", "v"], sources=["s", "t"], documents=["d", "d"], metrics=[metric])
        return metric.decoder.asked

    def pair(before: str, source: str, behind: str, target: str) -> tuple[Passage, Passage]:
        return Passage(source, (before,)), Passage(target, (behind,))

    assert pair("u", "v", "u", "q") in forced("precision")
    assert pair("u", "q", "u", "v") in forced("recall")
    assert pair("u", "v", "p", "q") in forced("precision", context_from="candidate")
    assert pair("s", "v", "s", "q") in forced("precision", context_from="source")
    assert pair("s", "t", "p", "q") in forced("source")  # there is no reference, so that each has its own


def test_several_references() -> None:
    references = [["a b c", "a"]]  # recall −3.5 and (2 + 3) / 2
    assert last(of(form="recall"), ["a b"], references=references) == -3.0
    assert last(of(form="recall", references="max"), ["a b"], references=references) == -2.5


@pytest.mark.parametrize(
    ("form", "candidate", "reference", "reason"),
    [
        ("f", "", "a", "the candidate is empty"),
        ("f", "a", " ", "the reference is empty"),
        ("precision", "a", "", "the reference is empty"),
        ("recall", "", "a", "the candidate is empty"),
        ("f", "a " * 60, "a", "the candidate is too long"),
        ("recall", "a", "a " * 60, "the reference is too long"),
    ],
)
def test_reasons_name_the_side(form: str, candidate: str, reference: str, reason: str) -> None:
    (only,) = coheval.score([candidate], [reference], metrics=[of(form=form)]).values()
    assert (only.segments, only.reasons) == ([None], [reason])


def test_source_needs_no_reference() -> None:
    assert of(form="source").needs == {"source"}
    assert last(of(form="source"), ["a b"], sources=["q"]) == -3.0
    with pytest.raises(DataError, match="needs a source"):
        coheval.score(["a"], ["b"], metrics=[of(form="source")])


def test_evidence() -> None:
    (only,) = coheval.score(["so it"], ["a"], metrics=[of()], evidence=True).values()
    assert only.evidence[0] == {
        "kind": "logprobs",
        "candidate": {
            "given": "reference",
            "pieces": ["so", "it", "</s>"],
            "spans": [[0, 2], [3, 5], [0, 0]],
            "logprobs": [-2.0, -3.0, -4.0],
        },
        "reference": {
            "given": "candidate",
            "pieces": ["a", "</s>"],
            "spans": [[0, 1], [0, 0]],
            "logprobs": [-2.0, -3.0],
        },
    }


def test_each_pair_is_forced_once_in_a_run() -> None:
    decoder = Counting()
    metrics = [Prism(decoder=decoder), Prism(decoder=decoder, form="recall"), BARTScore(decoder=decoder)]
    coheval.score({"s": ["a b", "c"], "t": ["a b", "d"]}, ["r", "q"], metrics=metrics)
    texts = [(source.text, target.text) for source, target in decoder.asked]
    assert sorted(texts) == sorted(pair for x, y in (("a b", "r"), ("c", "q"), ("d", "q")) for pair in ((x, y), (y, x)))


def test_shared_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_shared, "BUDGET", 10)
    shared = _shared.SharedDecoder(inner=Counting())
    pairs = [(Passage("a"), Passage(word)) for word in "bcdefg"]  # three tokens each
    first = shared.force(pairs)
    assert len(shared.memory) == 3
    assert [d.pieces for d in shared.force(pairs)] == [d.pieces for d in first]


def test_notes_count_each_text_once() -> None:
    metric = of(context=2)
    result = coheval.score(["p", "q", "a ?"], metrics=[metric], **DOCUMENT)
    (only,) = result.values()
    # the last candidate and its reference have two sentences before them and room for one; each is forced both ways
    assert only.counts == {"undefined": 0, "unknown": 1, "dropped": 2}
    assert any("2 sentences of context are left out" in note for note in result.notes)
    assert any("1 tokens are unknown to the model" in note for note in result.notes)


@pytest.mark.parametrize("metric", ["prism", "bartscore"])
@pytest.mark.parametrize("more", ["", ", context=2", ", context=2, context_from=source"])
def test_forms_may_be_bare_words(metric: str, more: str) -> None:
    """Whatever the spelling, the same metric needs the same texts."""
    for form in ("f", "precision", "recall", "source"):
        bare, quoted = (coheval.metric(f"{metric}(form={spelt}{more})") for spelt in (form, repr(form)))
        assert bare == quoted
        assert bare.needs == quoted.needs
        assert ("references" in bare.needs) == (form != "source")
        assert ("documents" in bare.needs) == bool(more)


def test_without_a_reference_each_text_has_its_own_context() -> None:
    assert of(form="source", context=1).context_from == "candidate"
    assert of(form="source", context=1, context_from="source").context_from == "source"
    assert of(context=1).context_from == "reference"


def test_refused_parameters() -> None:
    with pytest.raises(SpecError, match="reads no sentences behind"):
        of(variant="code", after=1)
    with pytest.raises(SpecError, match="the decoder cannot read context: it is short"):
        of(context=60)
    with pytest.raises(SpecError, match="sentences around a text take"):
        coheval.metric("prism(context=1000)")
    with pytest.raises(SpecError, match="form must be"):
        coheval.metric("prism(form='sauce')")


def test_a_hundred_thousand_words() -> None:
    text = "river bank " * 50_000
    (only,) = coheval.score([text], ["A river."], metrics=["prism"]).values()
    assert only.segments == [None]
    assert "the candidate has 100,00" in only.reasons[0]


# ------------------------------------------------------------- doc_prism_slicing.json, from the released program


@pytest.fixture(scope="module")
def golden(shared: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((shared / "golden" / "doc_prism_slicing.json").read_text())
    return content


def test_released_slices() -> None:
    """Of the golden file: lengths of the last sentence and of the whole, and the tokens that were averaged."""
    assert scored(8, 8) == slice(0, 7)
    assert scored(14, 7) == slice(7, 13)
    assert scored(20, 7) == slice(13, 19)


def test_released_scores(golden: dict[str, Any]) -> None:
    for i, (cut, expected) in enumerate(zip(golden["slices"], golden["doc"], strict=True)):
        chosen = scored(cut["total"], cut["len_last"])
        assert chosen.start == cut["start"]
        rows = [golden[f"token_nll_{name}"][i] for name in ("cand_given_ref", "ref_given_cand")]
        assert -np.mean([np.mean(row[chosen]) for row in rows]) == pytest.approx(expected, abs=1e-5)


@dataclass(frozen=True, kw_only=True)
class Stored(Decoder):
    """The program's numbers, as a decoder that reads `tag context </s> … sentence </s>` would give them."""

    rows: dict[tuple[str, str], list[float]] = state(dict)

    def context_flaw(self, sentences: int) -> None:
        return None

    def force(self, pairs: Any) -> list[Decoded]:
        return [self._one(source, target) for source, target in pairs]

    def _one(self, source: Passage, target: Passage) -> Decoded:
        whole = [" </s> ".join((*p.before, p.text)) for p in (source, target)]
        row = np.array(self.rows[whole[0], whole[1]])
        places, own = np.arange(len(row)), len(target.text.split())
        start = len(row) - own - 1
        return Decoded(
            logprobs=-row,
            pieces=("?",) * len(row),
            offsets=np.zeros((len(row), 2), dtype=np.int32),
            tag=places == 0,
            context=(places > 0) & (places < start),
            end=places == len(row) - 1,
        )


def test_released_scores_of_a_document(golden: dict[str, Any]) -> None:
    candidates = [text.split(" </s> ")[-1] for text in golden["cand"]]
    references = [text.split(" </s> ")[-1] for text in golden["ref"]]
    rows = {}
    for i, (candidate, reference) in enumerate(zip(golden["cand"], golden["ref"], strict=True)):
        rows[reference, candidate] = golden["token_nll_cand_given_ref"][i]
        rows[candidate, reference] = golden["token_nll_ref_given_cand"][i]
    metric = Prism(decoder=Stored(rows=rows), variant="code", context=2)
    (only,) = coheval.score(candidates, references, documents=["d"] * 3, metrics=[metric]).values()
    assert only.segments == pytest.approx(golden["doc"], abs=1e-5)
    alone = Prism(decoder=Stored(rows=rows), variant="code")
    (only,) = coheval.score(candidates[:1], references[:1], metrics=[alone]).values()
    assert only.segments == pytest.approx(golden["sentence"], abs=1e-5)
