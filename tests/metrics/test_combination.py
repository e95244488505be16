"""Combinations against hand calculations from their members' scores."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import coheval
from coheval.algo.scaling import MinMax, Rank, Standard
from coheval.data import Item
from coheval.describe import describe
from coheval.encoders.minilm import MiniLM
from coheval.errors import DataError, ResourceError, SignatureWarning, SpecError
from coheval.metrics import Measurement, Metric, Row, Unit, each_segment
from coheval.metrics._combined import Member, Model
from coheval.metrics.combination import Combination
from coheval.run import MetricResult

CANDIDATES = ["The river rose last night.", "Nobody saw the bridge fall.", "Bread was brought.", "The mud stayed."]
REFERENCES = ["Last night the river rose.", "No one saw the bridge fall.", "They brought bread.", "Only mud was left."]
DOCUMENTS = ["a", "a", "b", "c"]


def member(spec: str, scale: MinMax | Standard | Rank, weight: float) -> Member:
    metric = coheval.metric(spec)
    return Member(spec, metric.higher_is_better, scale, weight, metric.signature)


def saved(
    path: Path, *members: Member, intercept: float = 0.0, scaling: str = "minmax", unit: Unit | None = None
) -> str:
    model = Model(members, intercept, "ridge", scaling, 1.0, unit, {"text": "nothing", "texts": 4}, {})
    path.write_text(model.to_json(), encoding="utf-8")
    return str(path)


def scored(spec: str, **options: object) -> MetricResult:
    return coheval.score(CANDIDATES, REFERENCES, metrics=[spec], **options)[spec]


def test_uniform_is_the_mean_of_scaled_members() -> None:
    found = scored("combination(members=[chrf, bertscore])").segments
    chrf, bertscore = scored("chrf").segments, scored("bertscore").segments
    expected = [(c / 100 + (b + 1) / 2) / 2 for c, b in zip(chrf, bertscore, strict=True)]  # 0 to 100, -1 to 1
    assert found == pytest.approx(expected)


def test_a_range_that_does_not_begin_at_zero() -> None:
    found = scored("combination(members=[moverscore(variant='v2'), chrf])").segments
    expected = [
        ((m - 1 / 3) / (2 / 3) + c / 100) / 2
        for m, c in zip(scored("moverscore(variant='v2')").segments, scored("chrf").segments, strict=True)
    ]
    assert found == pytest.approx(expected)


@dataclass(frozen=True, kw_only=True)
class Length(Metric):
    """Characters, of which fewer are better."""

    higher_is_better: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, 40.0)

    def measure(self, items: Sequence[Item], *, evidence: bool = False) -> list[Measurement]:
        return [each_segment(item, lambda candidate, _: Row((len(candidate),))) for item in items]


def test_lower_is_better_is_turned() -> None:
    (found,) = coheval.score(CANDIDATES, REFERENCES, metrics=[Combination(members=(Length(),))]).values()
    assert found.segments == pytest.approx([1 - len(c) / 40 for c in CANDIDATES])


@pytest.mark.parametrize("scaling", ["minmax", "standard", "rank"])
def test_a_model_by_hand(tmp_path: Path, scaling: str) -> None:
    scales = {
        "minmax": (MinMax(10, 60), MinMax(20, 120)),
        "standard": (Standard(40, 20), Standard(50, 25)),
        "rank": (Rank((0.0, 50.0, 100.0), (0.0, 0.7, 1.0)), Rank((0.0, 100.0), (0.1, 0.9))),
    }
    formulas = {  # of chrf and of ter, which is better when lower
        "minmax": (lambda c: (c - 10) / 50, lambda t: 1 - (t - 20) / 100),
        "standard": (lambda c: (c - 40) / 20, lambda t: -(t - 50) / 25),
        "rank": (
            lambda c: 0.7 * c / 50 if c < 50 else 0.7 + 0.3 * (c - 50) / 50,
            lambda t: 1 - (0.1 + 0.8 * min(t, 100) / 100),
        ),
    }
    one, other = scales[scaling]
    path = saved(
        tmp_path / "m.json", member("chrf", one, 0.7), member("ter", other, 0.4), intercept=2.0, scaling=scaling
    )
    found = scored(f"combination(model={path!r})", evidence=True)
    of_chrf, of_ter = formulas[scaling]
    chrf, ter = scored("chrf").segments, scored("ter").segments
    expected = [2 + 0.7 * of_chrf(c) + 0.4 * of_ter(t) for c, t in zip(chrf, ter, strict=True)]
    assert found.segments == pytest.approx(expected)
    assert found.system == pytest.approx(sum(expected) / 4)
    assert found.higher_is_better
    for k, evidence in enumerate(found.evidence):
        assert evidence["kind"] == "contributions"
        first, second = evidence["members"]
        assert first["metric"] == "chrf"
        assert first["score"] == pytest.approx(chrf[k])
        assert second["scaled"] == pytest.approx(of_ter(ter[k]))
        total = evidence["intercept"] + first["contribution"] + second["contribution"]
        assert total == pytest.approx(found.segments[k])


def test_documents_where_a_member_is_of_documents(tmp_path: Path) -> None:
    """bleu, of segments, counts with its score of the document, which is not the mean of its segments' scores."""
    members = member("bleu", MinMax(0, 100), 1.0), member("dssent", MinMax(-1, 1), 2.0)
    spec = f"combination(model={saved(tmp_path / 'm.json', *members)!r})"
    found = scored(spec, documents=DOCUMENTS)
    bleu, dssent = (scored(m, documents=DOCUMENTS).documents for m in ("bleu", "dssent"))
    expected = {d: bleu[d] / 100 + 2 * (dssent[d] + 1) / 2 for d in "abc"}
    assert coheval.metric(spec).unit == "document"
    assert found.documents == pytest.approx(expected)
    assert found.system == pytest.approx(sum(expected.values()) / 3)


def test_documents_where_it_was_tuned_on_documents(tmp_path: Path) -> None:
    """Scales of documents' scores are put to documents' scores, though all members are of segments."""
    members = member("bleu", Rank((0.0, 50.0, 100.0), (0.0, 0.7, 1.0)), 1.0), member("ter", Rank((0, 100), (0, 1)), 2.0)
    spec = f"combination(model={saved(tmp_path / 'm.json', *members, scaling='rank', unit='document')!r})"
    found = scored(spec, documents=DOCUMENTS)
    bleu, ter = (scored(m, documents=DOCUMENTS).documents for m in ("bleu", "ter"))
    expected = {
        d: (0.7 * bleu[d] / 50 if bleu[d] < 50 else 0.7 + 0.3 * (bleu[d] - 50) / 50) + 2 * (1 - min(ter[d], 100) / 100)
        for d in "abc"
    }
    assert coheval.metric(spec).unit == "document"
    assert found.documents == pytest.approx(expected)
    assert found.system == pytest.approx(sum(expected.values()) / 3)
    assert found.segments[:2] == [None, None]  # parts of a document
    assert found.segments[2:] == pytest.approx([expected["b"], expected["c"]])


def test_segments_where_it_was_tuned_on_segments(tmp_path: Path) -> None:
    """Of documents all the same where a member has no score of anything else."""
    one, other = member("bleu", MinMax(0, 100), 1.0), member("dssent", MinMax(-1, 1), 2.0)
    segments = saved(tmp_path / "m.json", one, unit="segment")
    assert coheval.metric(f"combination(model={segments!r})").unit == "segment"
    documents = saved(tmp_path / "n.json", one, other, unit="segment")
    assert coheval.metric(f"combination(model={documents!r})").unit == "document"


def test_undefined_where_a_member_is(tmp_path: Path) -> None:
    candidates = ["", "A bridge."]
    found = coheval.score(candidates, ["A river.", "A bridge."], metrics=["combination(members=[chrf, moverscore])"])
    (only,) = found.values()
    assert only.segments[0] is None
    assert only.reasons[0] == "moverscore has no score: the candidate is empty"
    assert only.segments[1] == pytest.approx(1)


def test_undefined_documents_name_the_member() -> None:
    candidates, references = ["", "", "A bridge."], ["A river."] * 3
    found = coheval.score(
        candidates, references, documents=["a", "a", "b"], metrics=["combination(members=[moverscore, dssent])"]
    )
    (only,) = found.values()
    assert only.documents["a"] is None
    assert only.document_reasons["a"] == "moverscore has no score: the candidate is empty"
    assert only.documents["b"] is not None


def test_corpus_facts_reach_the_members() -> None:
    spec = "combination(members=[moverscore(idf='corpus', variant='v2'), bertscore(idf='corpus'), chrf])"
    assert coheval.metric(spec).needs_fit
    found = scored(spec).segments
    mover, bert, chrf = (
        scored(m).segments for m in ("moverscore(idf='corpus', variant='v2')", "bertscore(idf='corpus')", "chrf")
    )
    expected = [((m - 1 / 3) / (2 / 3) + (b + 1) / 2 + c / 100) / 3 for m, b, c in zip(mover, bert, chrf, strict=True)]
    assert found == pytest.approx(expected)


def test_facts_of_references_alone_are_shared_between_systems(tmp_path: Path) -> None:
    path = saved(tmp_path / "m.json", member("nist", MinMax(0, 10), 1.0), member("chrf", MinMax(0, 100), 1.0))
    metric = coheval.metric(f"combination(model={path!r})")
    assert metric.needs_fit
    assert metric.fits_references_only
    assert not coheval.metric("combination(members=[bleu, chrf])").fits_references_only
    found = scored(f"combination(model={path!r})").segments
    expected = [n / 10 + c / 100 for n, c in zip(scored("nist").segments, scored("chrf").segments, strict=True)]
    assert found == pytest.approx(expected)


def test_texts_are_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[str] = []
    encode = MiniLM.encode

    def counted(self: MiniLM, texts: list[str], **options: object) -> object:
        encoded.extend(texts)
        return encode(self, texts, **options)

    monkeypatch.setattr(MiniLM, "encode", counted)
    coheval.score(CANDIDATES, REFERENCES, metrics=["combination(members=[moverscore, bertscore(layer=3)])", "sbert"])
    assert sorted(encoded) == sorted({*CANDIDATES, *REFERENCES})


def test_needs_of_members_add_up() -> None:
    assert coheval.metric("combination(members=[rc])").needs == frozenset()
    assert coheval.metric("combination(members=[rc, chrf])").needs == {"references"}


def test_ranges_follow_from_the_members(tmp_path: Path) -> None:
    # chrf -2 · (0 to 100 → 0 to 1), bertscore turned nowhere 3 · (-1 to 1 → 0 to 4)
    path = saved(
        tmp_path / "m.json",
        member("chrf", MinMax(0, 100), -2.0),
        member("bertscore", MinMax(-1, -0.5), 3.0),
        intercept=1.0,
    )
    assert coheval.metric(f"combination(model={path!r})").range == (-1, 13)
    endless = saved(tmp_path / "n.json", member("ter", MinMax(0, 100), 1.0))
    assert coheval.metric(f"combination(model={endless!r})").range == (-math.inf, 1)
    ranked = saved(tmp_path / "r.json", member("ter", Rank((0.0, 9.0), (0.1, 0.8)), 1.0), scaling="rank")
    assert coheval.metric(f"combination(model={ranked!r})").range == (pytest.approx(0.2), pytest.approx(0.9))


def test_members_without_weight_are_not_asked(tmp_path: Path) -> None:
    path = saved(tmp_path / "m.json", member("chrf", MinMax(0, 100), 1.0), member("dssent", MinMax(-1, 1), 0.0))
    metric = coheval.metric(f"combination(model={path!r})")
    assert metric.unit == "segment"
    assert scored(f"combination(model={path!r})").segments == pytest.approx(
        [score / 100 for score in scored("chrf").segments]
    )


def test_signature_of_members_round_trip() -> None:
    metric = coheval.metric("combination(members=[bertscore(form=recall), combination(members=[chrf, bleu])])")
    again = coheval.metric(metric.signature)
    assert again == metric
    assert again.signature == metric.signature
    assert "sha256='60c7" in metric.signature  # the encoder's weights, inside a member


def test_signature_of_a_model_carries_its_digest_and_libraries(tmp_path: Path) -> None:
    path = saved(tmp_path / "m.json", member("chrf", MinMax(0, 100), 1.0), member("sbert", MinMax(-1, 1), 1.0))
    metric = coheval.metric(f"combination(model={path!r})")
    assert coheval.metric(metric.signature) == metric
    assert "'sacrebleu'" in metric.signature
    assert "'onnxruntime'" in metric.signature
    content = json.loads(Path(path).read_text())
    content["members"][0]["weight"] = 1.5
    Path(path).write_text(json.dumps(content))
    with pytest.raises(SpecError, match="made with files of sha256"):
        coheval.metric(metric.signature)


def test_paths_are_relative_to_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved(tmp_path / "m.json", member("chrf", MinMax(0, 100), 1.0))
    monkeypatch.chdir(tmp_path)
    assert "model='m.json'" in coheval.metric("combination(model='m.json')").signature


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("60c758432aa596c3", "0000000000000000", "the member 'sbert' is not what the model was tuned with: .*sha256"),
        ("sbert(version=1", "sbert(version=99", "the member 'sbert' .* was made by version 99"),
        ("sbert(version=1", "sbart(version=1", "no metric is called 'sbart'"),
        ("sbert(version=1", "combination(version=1", "a combination cannot be a member"),
    ],
)
def test_other_members_than_it_was_tuned_with(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = Path(saved(tmp_path / "m.json", member("sbert", MinMax(0, 1), 1.0)))
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(SpecError, match=message) as error:
        coheval.metric(f"combination(model={str(path)!r})")
    assert "m.json" in str(error.value)


def test_other_libraries_are_told_once(tmp_path: Path) -> None:
    path = Path(saved(tmp_path / "m.json", member("sbert", MinMax(0, 1), 1.0), member("bertscore", MinMax(0, 1), 1.0)))
    text = path.read_text()
    assert f"'numpy': '{np.__version__}'" in text
    path.write_text(text.replace(f"'numpy': '{np.__version__}'", "'numpy': '0.1'"))
    with pytest.warns(SignatureWarning, match=r"m\.json was made with numpy 0\.1") as told:
        coheval.metric(f"combination(model={str(path)!r})")
    assert len(told) == 1


def test_members_made_with_different_libraries(tmp_path: Path) -> None:
    """Every other version is told, whichever member comes last."""
    sbert, bertscore = member("sbert", MinMax(0, 1), 1.0), member("bertscore", MinMax(0, 1), 1.0)
    here = f"'numpy': '{np.__version__}'"
    older = replace(sbert, signature=str(sbert.signature).replace(here, "'numpy': '0.1'"))
    oldest = replace(sbert, signature=str(sbert.signature).replace(here, "'numpy': '0.0.1'"))
    for members, told in (
        ((older, bertscore), f"numpy 0.1 and {np.__version__}"),
        ((bertscore, older), f"numpy 0.1 and {np.__version__}"),
        ((older, replace(oldest, spec="sbert again")), "numpy 0.0.1 and 0.1"),
    ):
        path = saved(tmp_path / "m.json", *members)
        with pytest.warns(SignatureWarning, match=re.escape(f"{told} (here {np.__version__})")) as warned:
            coheval.metric(f"combination(model={path!r})")
        assert len(warned) == 1


def test_columns_that_are_no_metrics(tmp_path: Path) -> None:
    path = saved(tmp_path / "m.json", Member("somebody's scores", True, MinMax(0, 1), 1.0))
    with pytest.raises(DataError, match="no metric but a column of scores"):
        coheval.metric(f"combination(model={path!r})")


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="exclude each other"):
        coheval.metric("combination(model='m.json', members=[chrf])")
    with pytest.raises(SpecError, match="members must have a finite range to be scaled by, got ter with 0 to inf"):
        coheval.metric("combination(members=[chrf, ter])")
    with pytest.raises(SpecError, match="members must be a list of metrics, got 'chrf'"):
        coheval.metric("combination(members='chrf')")
    with pytest.raises(ResourceError, match="the model cannot be read"):
        coheval.metric(f"combination(model={str(tmp_path / 'none.json')!r})")


def test_without_a_model_that_comes_with_coheval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coheval.metrics.combination.SHIPPED", tmp_path / "none.json")
    with pytest.raises(ResourceError, match="no tuned model comes with this version") as error:
        coheval.metric("combination")
    assert "combination(members=" in str(error.value)
    assert "version: 1" in describe(Combination)


def test_the_model_that_comes_with_coheval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path / "m.json", member("chrf", MinMax(0, 100), 1.0))
    monkeypatch.setattr("coheval.metrics.combination.SHIPPED", Path(path))
    metric = coheval.metric("combination")
    assert metric.signature.startswith("combination(version=1, model='', members=[], sha256=")
    assert coheval.metric(metric.signature) == metric


def test_info_shows_members_and_weights(tmp_path: Path) -> None:
    members = member("chrf", MinMax(10, 60.5), 0.75), member("ter", MinMax(20, 120), -0.25)
    metric = coheval.metric(f"combination(model={saved(tmp_path / 'm.json', *members, intercept=2.0)!r})")
    shown = describe(Combination, metric).splitlines()
    assert [line.split() for line in shown if line.startswith(("chrf", "ter"))] == [
        ["chrf", "higher", "10", "to", "60.5", "0.75"],
        ["ter", "lower", "20", "to", "120", "-0.25"],
    ]
    assert "method: ridge, scaling by minmax, penalty 1, intercept 2" in shown
    assert "tuned on: text nothing, texts 4" in shown
    documents = saved(tmp_path / "n.json", *members, unit="document")
    shown = coheval.metric(f"combination(model={documents!r})").details()
    assert "method: ridge, scaling by minmax, penalty 1, intercept 0, scores of documents" in shown
