"""Runs: the same numbers however the input is cut, shared encoding, bounded memory, and the run folder."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import coheval
from coheval.data import Corpus, Record
from coheval.data.lists import from_lists
from coheval.encoders import Encoded, Encoder, _shared
from coheval.encoders.minilm import MiniLM
from coheval.errors import DataError, MetricError, ResourceError, UsageError
from coheval.metrics import Measurement, Metric, Row, undefined
from coheval.run import folder as run_folder
from coheval.run.folder import Inputs, write
from coheval.run.score import evaluate, named

WORDS = "river stone garden winter letter market engine silver window forest carries opens under slowly again".split()


def sentences(count: int, seed: int = 1) -> list[str]:
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=rng.randint(1, 14))) for _ in range(count)]


@pytest.fixture(scope="module")
def texts() -> tuple[list[str], list[str]]:
    return sentences(64, seed=1), sentences(64, seed=2)


@pytest.mark.parametrize("size", [1, 7])
def test_batch_size_changes_nothing(texts: tuple[list[str], list[str]], size: int) -> None:
    """Scores of 64 segments in one call, and of the same in calls of 1 or 7."""
    metrics = ["moverscore", "bertscore", "sbert", "moverscore(aggregation='pmeans')"]
    candidates, references = texts
    whole = coheval.score(candidates, references, metrics=metrics)
    for start in range(0, 64, size):
        part = slice(start, start + size)
        result = coheval.score(candidates[part], references[part], metrics=metrics)
        for name in metrics:
            assert result[name].segments == pytest.approx(whole[name].segments[part], abs=1e-5)


def test_ten_systems_as_one(texts: tuple[list[str], list[str]]) -> None:
    candidates, references = texts[0][:20], texts[1][:20]
    specs = ["moverscore", "moverscore(idf='corpus')", "bertscore(idf='corpus')", "nist"]
    alone = coheval.score(candidates, references, metrics=specs)
    ten = {f"s{k}": sentences(20, seed=10 + k) for k in range(9)} | {"mine": candidates}
    together = coheval.score(ten, references, metrics=specs)
    for spec in specs:
        assert together[spec].segments["mine"] == pytest.approx(alone[spec].segments, abs=1e-5)
        assert together[spec].system["mine"] == pytest.approx(alone[spec].system, abs=1e-5)


def test_small_blocks_change_nothing(texts: tuple[list[str], list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    candidates, references = texts
    whole = coheval.score(candidates, references, metrics=["moverscore", "bleu"])
    blocks = Corpus.blocks
    monkeypatch.setattr(Corpus, "blocks", lambda self: blocks(self, 100))
    monkeypatch.setattr(_shared, "BUDGET", 1)
    parts = coheval.score(candidates, references, metrics=["moverscore", "bleu"])
    for name in whole:
        assert parts[name].segments == pytest.approx(whole[name].segments, abs=1e-5)
        assert parts[name].system == pytest.approx(whole[name].system, abs=1e-5)


@pytest.fixture
def encoded_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that the default encoder is really asked to encode."""
    seen: list[str] = []
    encode = MiniLM.encode

    def spy(self: MiniLM, texts: Sequence[str], *, layers: Sequence[int] | None = None) -> list[Encoded]:
        seen.extend(texts)
        return encode(self, texts, layers=layers)

    monkeypatch.setattr(MiniLM, "encode", spy)
    return seen


def test_each_text_is_encoded_once(encoded_texts: list[str]) -> None:
    references = ["one red boat", "a quiet street", "one red boat"]
    systems = {"a": ["a red boat", "the street", "one red boat"], "b": ["a red boat", "street", "boats"]}
    metrics = ["moverscore", "bertscore(layer=3)", "sbert", "moverscore(variant='v1')"]
    coheval.score(systems, references, metrics=metrics)
    assert sorted(encoded_texts) == sorted({*references, *systems["a"], *systems["b"]})


def test_memory_of_encodings_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_shared, "BUDGET", 100_000)
    shared = _shared.SharedEncoder(inner=MiniLM(), wanted=(6,))
    for text in sentences(40):
        shared.encode([text])
    kept = sum(v.nbytes for e in shared.memory.values() for v in e.vectors.values())
    assert 0 < kept <= 100_000


def test_windowed_texts_are_counted_and_told() -> None:
    long = " ".join(sentences(80))
    result = coheval.score([long, "short"], [long, "brief"], metrics=["sbert"])
    assert result["sbert"].counts == {"undefined": 0, "windowed": 1, "cut": 0, "unknown": 0, "dropped": 0}
    assert result.notes == ["sbert: 1 long texts were read in overlapping windows"]
    cut = "sbert(encoder=minilm(overflow='truncate'))"
    assert coheval.score([long], [long], metrics=[cut])[cut].counts["cut"] == 1
    refusing = "sbert(encoder=minilm(overflow='error'))"
    with pytest.raises(DataError, match=r"candidate of 'system', document 'b', segment 1: sbert.*reads at most 510"):
        coheval.score(["a", "b", long], ["a", "b", "c"], documents=["a", "b", "b"], metrics=[refusing])
    with pytest.raises(DataError, match="reference of 'system', document '1'"):
        coheval.score(["a"], [long], metrics=[refusing])


def test_words_without_a_vector_are_counted_and_told(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("red 1 0\nboat 0 1\n", encoding="utf-8")
    spec = f"moverscore(encoder=static(file={str(tmp_path / 'v.txt')!r}))"
    result = coheval.score(["a red boat"], ["one red boat"], metrics=[spec])
    assert result[spec].segments == [1.0]
    assert result[spec].counts["unknown"] == 2
    assert result.notes[0].endswith("2 tokens are unknown to the model")


def test_a_hundred_thousand_words() -> None:
    """Nothing is cut: there is a score or a reason."""
    words = sentences(12_500)
    text = " ".join(words)
    metrics = ["chrf", "rouge", "bleu"]
    result = coheval.score([text], [" ".join(reversed(words))], metrics=metrics)
    for name in metrics:
        assert (result[name].segments[0] is None) == (result[name].reasons[0] is not None)
    assert result["chrf"].segments[0] > 50


def test_systems_with_different_segments_are_told() -> None:
    records = [
        Record(system=s, document=d, candidate="a", references=("a",)) for s, d in (("x", "1"), ("x", "2"), ("y", "1"))
    ]
    result = evaluate(Corpus.of(records), named(["chrf"]))
    assert "not comparable" in result.notes[0]


def test_scores_keep_input_order_when_documents_interleave() -> None:
    order = [("d1", 0), ("d2", 0), ("d1", 1), ("d2", 1)]
    records = [
        Record(
            system="s", document=d, segment=k, candidate=f"{d} {k}", references=(f"{d} {k}" if d == "d1" else "zzz",)
        )
        for d, k in order
    ]
    result = evaluate(Corpus.of(records), named(["chrf"]))
    assert [round(s) for s in result["chrf"].by_system["s"].segments] == [100, 0, 100, 0]
    assert [(k.document, k.segment) for k in result.keys_by_system["s"]] == order


@dataclass(frozen=True, kw_only=True)
class Broken(Metric):
    answer: str = "raise"

    def measure(self, items, *, evidence=False):
        if self.answer == "raise":
            raise ZeroDivisionError("no nouns")
        rows = {"nan": [(float("nan"),)], "uneven": [(1.0, 2.0), (1.0,)], "nan later": [(1.0,)]}[self.answer]
        return [Measurement((Row(row),)) for row, _ in zip(rows, items, strict=True)]

    def combine(self, totals, count):
        return float("nan") if self.answer == "nan later" else totals[0]


def test_a_failing_metric_is_named() -> None:
    with pytest.raises(MetricError, match=r"broken.*failed.*ZeroDivisionError: no nouns"):
        coheval.score(["a"], ["a"], metrics=[Broken()])
    with pytest.raises(MetricError, match="expected finite numbers"):
        coheval.score(["a"], ["a"], metrics=[Broken(answer="nan")])
    with pytest.raises(MetricError, match="a row has 1 numbers, the ones before have 2"):
        coheval.score(["a", "b"], ["a", "b"], metrics=[Broken(answer="uneven")])
    with pytest.raises(MetricError, match="it made nan of the sums"):
        coheval.score(["a"], ["a"], metrics=[Broken(answer="nan later")])


@dataclass(frozen=True, kw_only=True)
class WholeDocument(Metric):
    """Counts characters of whole documents."""

    unit = "document"
    needs = frozenset()

    def measure(self, items, *, evidence=False):
        lengths = [len(item.candidate.text) for item in items]
        return [
            Measurement((Row((float(n),), evidence={"kind": "length"}) if n else undefined("the document is empty"),))
            for n in lengths
        ]


def test_metrics_of_whole_documents() -> None:
    result = coheval.score(["ab", "c", "defg"], documents=["x", "x", "y"], metrics=[WholeDocument()], evidence=True)
    (only,) = result.values()
    assert only.documents == {"x": 4.0, "y": 4.0}
    assert only.system == 4.0
    assert only.segments == [None, None, 4.0]
    assert "whole documents" in only.reasons[0]
    assert result.notes == []  # every document has a score
    assert "*" not in repr(result)
    assert only.document_evidence["x"] == {"kind": "length"}


def test_documents_without_a_score_are_told_as_documents(tmp_path: Path) -> None:
    records = from_lists(["", "ab", "c"], documents=["empty", "x", "x"])
    corpus, inputs = Corpus.of(records), Inputs(data="data.jsonl")
    result = evaluate(corpus, {"whole": WholeDocument()}, evidence=True)
    assert result["whole"].document_reasons["system"] == {"empty": "the document is empty"}
    (note,) = result.notes
    assert note.startswith("whole: 1 of 2 documents of 'system' have no score")
    write(tmp_path / "run", result, corpus, inputs, overwrite=False)
    lines = [json.loads(line) for line in (tmp_path / "run" / "documents.jsonl").read_text("utf-8").splitlines()]
    assert [line["document"] for line in lines] == ["empty", "x"]
    assert [line["scores"]["whole"] for line in lines] == [None, 4.0]
    assert [line["reasons"] for line in lines] == [{"whole": "the document is empty"}, {}]
    assert [line["evidence"] for line in lines] == [{}, {"whole": {"kind": "length"}}]
    assert [line["rows"]["whole"] for line in lines] == [None, [4.0]]
    segments = [json.loads(line) for line in (tmp_path / "run" / "scores.jsonl").read_text("utf-8").splitlines()]
    assert ["whole documents" in line["reasons"]["whole"] for line in segments] == [False, True, True]
    assert [line["rows"] for line in segments] == [{}, {}, {}]


# ------------------------------------------------------------------------------------------------- the run folder


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    (tmp_path / "sys.txt").write_text("a red boat\n\nthe street\n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("one red boat\nnothing\na street\n", encoding="utf-8")
    return Inputs(candidates={"sys": str(tmp_path / "sys.txt")}, references=(str(tmp_path / "ref.txt"),))


def run(inputs: Inputs, place: Path, *, overwrite: bool = False) -> None:
    corpus = inputs.corpus()
    run_folder.write(place, evaluate(corpus, named(["moverscore", "chrf"])), corpus, inputs, overwrite=overwrite)


def test_folder_holds_scores_and_manifest(inputs: Inputs, tmp_path: Path) -> None:
    run(inputs, tmp_path / "runs" / "a")
    lines = [json.loads(line) for line in (tmp_path / "runs/a/scores.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["document"] for line in lines] == ["1", "2", "3"]
    assert lines[1]["scores"]["moverscore"] is None
    assert lines[1]["reasons"] == {"moverscore": "the candidate is empty"}
    manifest = json.loads((tmp_path / "runs/a/manifest.json").read_text(encoding="utf-8"))
    assert manifest["coheval"] == coheval.__version__
    assert manifest["metrics"]["moverscore"]["counts"]["undefined"] == 1
    assert len(manifest["files"]) == 2
    assert sorted(p.name for p in (tmp_path / "runs").iterdir()) == ["a"]


def test_a_manifest_repeats_the_run(inputs: Inputs, tmp_path: Path) -> None:
    run(inputs, tmp_path / "a")
    plan = run_folder.read_plan(tmp_path / "a")
    corpus = plan.corpus()
    run_folder.write(tmp_path / "b", evaluate(corpus, plan.metrics()), corpus, plan.inputs, overwrite=False)
    assert (tmp_path / "a/scores.jsonl").read_bytes() == (tmp_path / "b/scores.jsonl").read_bytes()


def test_changed_input_is_not_repeated(inputs: Inputs, tmp_path: Path) -> None:
    run(inputs, tmp_path / "a")
    (tmp_path / "ref.txt").write_text("other\nother\nother\n", encoding="utf-8")
    with pytest.raises(DataError, match="the input is not what it was"):
        run_folder.read_plan(tmp_path / "a").corpus()


def test_a_taken_place_is_refused(inputs: Inputs, tmp_path: Path) -> None:
    run(inputs, tmp_path / "a")
    with pytest.raises(UsageError, match="exists already"):
        run(inputs, tmp_path / "a")
    run(inputs, tmp_path / "a", overwrite=True)
    (tmp_path / "mine").mkdir()
    with pytest.raises(UsageError, match="not a run folder"):
        run(inputs, tmp_path / "mine", overwrite=True)


def test_full_disk_leaves_nothing_behind(inputs: Inputs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise OSError(28, "No space left on device")

    run(inputs, tmp_path / "a")
    before = (tmp_path / "a/scores.jsonl").read_bytes()
    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(ResourceError, match="No space left"):
        run(inputs, tmp_path / "a", overwrite=True)
    assert (tmp_path / "a/scores.jsonl").read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "ref.txt", "sys.txt"]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 1}', '{"format": 99}'])
def test_broken_manifests_are_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=r"manifest\.json: "):
        run_folder.read_plan(tmp_path)


def test_encoders_are_shared_by_equality() -> None:
    assert MiniLM() == MiniLM()
    assert hash(MiniLM()) == hash(MiniLM(overflow="window"))
    assert issubclass(_shared.SharedEncoder, Encoder)
