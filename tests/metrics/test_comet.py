"""COMET from checkpoints: every class and setting against the same model written out in torch, context, failures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import coheval
from coheval.data import Corpus, Passage, Record
from coheval.encoders import Encoded, Encoder
from coheval.errors import DataError, ResourceError, SpecError
from coheval.metrics._cometcheckpoint import pool
from coheval.metrics._estimator import pooled
from coheval.run.score import evaluate, named
from coheval.spec import build

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from checkpoints import REFERENCELESS, REGRESSION, UNIFIED, Comet, write  # noqa: E402

pytestmark = pytest.mark.xdist_group("encoders")

CANDIDATES = ["the cat sat on a mat .", "dogs ran", "nobody came back after it"]
REFERENCES = ["a cat sat on the mat .", "the dogs ran after it", "nobody came"]
SOURCES = ["die katze saß auf der matte .", "hunde liefen", "der hunde"]
NEAR = {"abs": 1e-5}

Make = Callable[..., tuple[str, Comet]]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Writes a checkpoint; gives the spec of the metric that reads it, and the model that it holds."""

    def one(hparams: dict[str, Any], metric: str = "comet", **options: object) -> tuple[str, Comet]:
        folder = tmp_path / "checkpoint"
        made = write(folder, hparams)
        inside = "".join(f", {name}={value!r}" for name, value in options.items())
        return f"{metric}(model={str(folder)!r}{inside})", made

    return one


def scored(spec: str, **more: object) -> list[float | None]:
    options: dict[str, Any] = {"references": REFERENCES, "sources": SOURCES} | more
    return coheval.score(CANDIDATES, metrics=[spec], **options)[spec].segments


def expected(made: Comet) -> list[Any]:
    return [pytest.approx(made.score(*texts), **NEAR) for texts in zip(CANDIDATES, REFERENCES, SOURCES, strict=True)]


@pytest.mark.parametrize(
    "setting",
    [
        {},
        {"layer_norm": True},
        {"layer_transformation": "sparsemax"},
        {"layer_transformation": "sparsemax", "layer_norm": True},
        {"layer": 2},
        {"layer": 0},
        {"pool": "max"},
        {"pool": "cls"},
        {"pool": "default"},
        {"hidden_sizes": [5], "activations": "ReLU", "final_activation": "Sigmoid"},
        {"activations": "GELU"},
        {"encoder_model": "BERT"},
        {"encoder_model": "BERT", "pool": "default"},
    ],
    ids=str,
)
def test_regression(make: Make, setting: dict[str, Any]) -> None:
    spec, made = make(REGRESSION | setting)
    found = scored(spec)
    assert found == expected(made)
    assert len({round(score, 6) for score in found}) == 3  # texts do not all look alike to the tiny model


def test_layers_were_normed_before_there_was_a_setting(make: Make) -> None:
    old = {name: value for name, value in REGRESSION.items() if name not in ("layer_norm", "layer_transformation")}
    spec, made = make(old)
    assert scored(spec) == expected(made)


def test_sparsemax_patch_is_a_softmax(make: Make) -> None:
    """So the program reads the word, since CometKiwi was trained with one."""
    spec, made = make(REGRESSION | {"layer_transformation": "sparsemax_patch"})
    assert scored(spec) == expected(made)


@pytest.mark.parametrize("segments", [["mt", "src", "ref"], ["mt", "ref"]], ids=str)
@pytest.mark.parametrize("setting", [{}, {"layer_norm": True}, {"sent_layer": 1}, {"encoder_model": "BERT"}], ids=str)
def test_unified(make: Make, segments: list[str], setting: dict[str, Any]) -> None:
    spec, made = make(UNIFIED | {"input_segments": segments} | setting)
    sources = SOURCES if "src" in segments else [None] * 3
    wanted = [made.score(*texts) for texts in zip(CANDIDATES, REFERENCES, sources, strict=True)]
    assert scored(spec) == [pytest.approx(score, **NEAR) for score in wanted]


def test_unified_reads_a_source_where_there_is_one(make: Make) -> None:
    spec, made = make(UNIFIED)
    wanted = [made.score(c, r) for c, r in zip(CANDIDATES, REFERENCES, strict=True)]
    assert scored(spec, sources=None) == [pytest.approx(score, **NEAR) for score in wanted]
    assert coheval.metric(spec).needs == {"references"}


def test_source_that_is_not_read_changes_nothing(make: Make) -> None:
    spec, _ = make(UNIFIED | {"input_segments": ["mt", "ref"]})
    assert scored(spec, sources=["", "hunde", "x"]) == scored(spec, sources=None)


def test_unified_evidence_has_each_input(make: Make) -> None:
    spec, _ = make(UNIFIED)
    result = coheval.score(CANDIDATES, REFERENCES, SOURCES, metrics=[spec], evidence=True)[spec]
    for score, evidence in zip(result.segments, result.evidence, strict=True):
        assert evidence["inputs"].keys() == {"source", "reference", "both"}
        assert score == pytest.approx(sum(evidence["inputs"].values()) / 3)


@pytest.mark.parametrize(
    "hparams", [REGRESSION | {"layer_norm": True}, UNIFIED | {"layer_norm": True}], ids=["own", "joint"]
)
def test_company_does_not_matter(make: Make, hparams: dict[str, Any]) -> None:
    """The released program normed over a mini-batch."""
    spec, _ = make(hparams)
    together = scored(spec)
    for i, texts in enumerate(zip(CANDIDATES, REFERENCES, SOURCES, strict=True)):
        alone = coheval.score(*([text] for text in texts), metrics=[spec])[spec].segments
        assert alone == [pytest.approx(together[i], **NEAR)]


@pytest.mark.parametrize(("rule", "merge"), [("mean", lambda a, b: (a + b) / 2), ("max", max)])
def test_several_references(make: Make, rule: str, merge: Callable[[float, float], float]) -> None:
    spec, made = make(REGRESSION, references=rule)
    each = [made.score(CANDIDATES[0], reference, SOURCES[0]) for reference in REFERENCES[:2]]
    found = coheval.score(CANDIDATES[:1], [REFERENCES[:2]], SOURCES[:1], metrics=[spec])[spec].segments
    assert found == [pytest.approx(merge(*each), **NEAR)]


def test_safetensors_in_place_of_the_pickle(make: Make) -> None:
    from safetensors.torch import save_file

    spec, made = make(REGRESSION)
    folder = Path(coheval.metric(spec).model)
    (folder / "checkpoints" / "model.ckpt").unlink()
    save_file({name: value.contiguous() for name, value in made.state_dict().items()}, folder / "model.safetensors")
    assert scored(spec) == expected(made)


# ------------------------------------------------------------------------------------------------------ in context


@pytest.mark.parametrize("variant", ["strict", "code"])
def test_context_is_read_and_not_pooled(make: Make, variant: str) -> None:
    """The second segment behind the first: positions worked out here from the tokens of each sentence."""
    spec, made = make(REGRESSION | {"layer_norm": True}, context=1, variant=variant)

    def vector(text: str, before: str | None) -> Any:
        own, sep = made.ids(text)[1:-1], made.tokenizer.sep_token_id
        ahead = [] if before is None else [*made.ids(before)[1:-1], sep]
        ids = [made.tokenizer.cls_token_id, *ahead, *own, sep]
        first = 1 + len(ahead)
        keep = list(range(first, first + len(own)))
        return made.pooled(ids, keep if variant == "strict" else [0, *keep, len(ids) - 1])

    wanted = []
    with torch.no_grad():
        for i, texts in enumerate(zip(CANDIDATES, REFERENCES, SOURCES, strict=True)):
            reference, source = (REFERENCES[i - 1], SOURCES[i - 1]) if i else (None, None)
            h, r, s = map(vector, texts, (reference, reference, source))
            wanted.append(pytest.approx(made.head(h, r, s), **NEAR))
    assert scored(spec, documents=["d"] * 3) == wanted


def test_context_of_a_joint_sequence(make: Make) -> None:
    """A separator between sentences, the tokenizer's own between texts."""
    spec, made = make(UNIFIED | {"input_segments": ["mt", "ref"]}, context=1)
    texts = [f"{REFERENCES[0]} </s> {text[1]}" for text in (CANDIDATES, REFERENCES)]
    assert made.ids(texts[0]).count(made.tokenizer.sep_token_id) == 2
    found = scored(spec, sources=None, documents=["d"] * 3)
    with torch.no_grad():
        assert found[1] == pytest.approx(made.joint(texts), **NEAR)
    assert found[0] == pytest.approx(made.score(CANDIDATES[0], REFERENCES[0]), **NEAR)


def test_context_needs_documents(make: Make) -> None:
    spec, _ = make(REGRESSION, context=1)
    with pytest.raises(DataError, match="does not say which segments are of one document"):
        scored(spec)


def test_pooling_worked_by_hand() -> None:
    """[CLS] before | own own [SEP]: without the context the mean of 0, 4, 5 and 9 is 4.5, of 4 and 5 alone it is too;
    the maximum is 9 or 5."""
    read = np.array([[0.0], [70.0], [80.0], [4.0], [5.0], [9.0]], dtype=np.float32)
    context = np.array([False, True, True, False, False, False])
    special = np.array([True, False, False, False, False, True])
    empty = np.zeros((6, 2), dtype=np.int32)
    encoded = Encoded({1: read}, tuple("abcdef"), empty, special, ~special, context=context).without_context()
    vectors = encoded.vectors[1]
    assert encoded.pieces == ("a", "d", "e", "f")
    code, strict = pooled(encoded, own_only=False), pooled(encoded, own_only=True)
    assert code.tolist() == [True, True, True, True]
    assert strict.tolist() == [False, True, True, False]
    assert pool(vectors, code, "avg") == pool(vectors, strict, "avg") == 4.5
    assert (pool(vectors, code, "max"), pool(vectors, strict, "max"), pool(vectors, strict, "cls")) == (9, 5, 0)


def test_pooling_of_the_released_program(shared: Path) -> None:
    golden = json.loads((shared / "golden" / "bertscore_doc.json").read_text(encoding="utf-8"))["doc_comet_pooling"]
    encoder = build(Encoder, "minilm")
    for text, first, norm in zip(golden["texts"], golden["doc_pool_first8"], golden["doc_pool_norm"], strict=True):
        *before, own = text.split(" [SEP] ")
        (encoded,) = encoder.encode_passages([Passage(own, tuple(before))])
        vector = pool(encoded.vectors[encoder.depth], pooled(encoded, own_only=False), "avg")
        assert vector[:8] == pytest.approx(first, abs=1e-5)
        assert np.linalg.norm(vector) == pytest.approx(norm, abs=1e-4)


# ---------------------------------------------------------------------------------------------------- long texts

LONG = " ".join(["the cat sat on a mat"] * 8)


def test_long_texts_are_read_in_windows(make: Make) -> None:
    spec, _ = make(REGRESSION)
    result = coheval.score([LONG], [LONG], [LONG], metrics=[spec])
    assert result[spec].segments[0] is not None
    assert any("overlapping windows" in note for note in result.notes)


def test_joint_sequence_that_is_too_long_has_no_score(make: Make) -> None:
    spec, _ = make(UNIFIED)
    result = coheval.score([LONG, "dogs ran"], [LONG, "dogs"], [LONG, "hunde"], metrics=[spec])[spec]
    assert result.segments[0] is None
    assert result.segments[1] is not None
    assert "longer than the 32 tokens" in result.reasons[0]


def test_joint_sequence_loses_its_oldest_context_first(make: Make) -> None:
    """Of two sentences before each text, of which the window has room for the nearer."""
    spec, _ = make(UNIFIED | {"input_segments": ["mt", "ref"]}, context=2)
    long, short = " ".join(["the cat sat on a mat"] * 3), "dogs ran"
    texts = [long, short, short]
    result = coheval.score(texts, texts, documents=["d"] * 3, metrics=[spec], evidence=True)[spec]
    later = coheval.score(texts[1:], texts[1:], documents=["d"] * 2, metrics=[spec])[spec]
    assert result.segments[0] is None
    assert [why["dropped"] for why in result.evidence[1:]] == [2, 2]
    assert result.counts["dropped"] == 4
    assert result.segments[2] == pytest.approx(later.segments[1], **NEAR)


def test_more_context_than_a_joint_sequence_could_ever_have_is_refused(make: Make) -> None:
    """3 sentences of a token and a separator around each of three tokens: 3 · 7 and six specials are 27 of 32."""
    spec, _ = make(UNIFIED, context=3)
    coheval.metric(spec)
    with pytest.raises(SpecError, match="4 sentences around each of 3 texts take 33 tokens or more, its window 32"):
        coheval.metric(spec.replace("context=3", "context=4"))


def test_words_that_a_joint_model_does_not_know(make: Make) -> None:
    spec, _ = make(UNIFIED)
    result = coheval.score(["日本語", "dogs"], ["dogs", "the 猫"], ["hunde", "hunde"], metrics=[spec])[spec]
    assert result.reasons == ["the candidate has no word that the model knows", None]
    assert result.counts["unknown"] == 1  # the reference's, though it is read with the source and without


def test_segments_without_a_source_are_told(make: Make) -> None:
    spec, made = make(UNIFIED)
    records = [
        Record("system", candidate, (reference,), source=source, document=str(n), segment=0)
        for n, (candidate, reference, source) in enumerate(
            zip(CANDIDATES, REFERENCES, [SOURCES[0], None, SOURCES[2]], strict=True)
        )
    ]
    result = evaluate(Corpus.of(records), named([spec]), single=True)
    assert result[spec].segments[1] == pytest.approx(made.score(CANDIDATES[1], REFERENCES[1]), **NEAR)
    assert f"{spec}: 1 segments have no source and are scored by their references alone" in result.notes


def test_rembert_is_told_no_token_types(make: Make, tmp_path: Path) -> None:
    """As in the comet package; here a BERT, which would see the difference, passes for one."""
    spec, made = make(UNIFIED | {"encoder_model": "BERT", "input_segments": ["mt", "ref"]})
    path = tmp_path / "checkpoint" / "hparams.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("BERT", "RemBERT"), encoding="utf-8")
    found = scored(spec)
    untyped = [made.joint([c, r], typed=False) for c, r in zip(CANDIDATES, REFERENCES, strict=True)]
    assert found == [pytest.approx(score, **NEAR) for score in untyped]
    assert found != expected(made)


@pytest.mark.parametrize("hparams", [REGRESSION, UNIFIED], ids=["own", "joint"])
@pytest.mark.parametrize("side", [0, 1, 2])
def test_empty_text_has_a_reason(make: Make, hparams: dict[str, Any], side: int) -> None:
    spec, _ = make(hparams)
    texts = [["dogs ran"], ["dogs"], ["hunde"]]
    texts[side] = [" "]
    result = coheval.score(*texts, metrics=[spec])[spec]
    assert result.segments == [None]
    assert result.reasons == [f"the {('candidate', 'reference', 'source')[side]} is empty"]


# -------------------------------------------------------------------------------------------------- what is refused


def test_source_is_needed(make: Make) -> None:
    spec, _ = make(REGRESSION)
    assert coheval.metric(spec).needs == {"references", "source"}
    with pytest.raises(DataError, match="needs a source for every segment"):
        scored(spec, sources=None)


@pytest.mark.parametrize("hparams", [REFERENCELESS, UNIFIED | {"input_segments": ["mt", "src"]}], ids=["own", "joint"])
def test_checkpoint_without_references_is_for_the_other_metric(make: Make, hparams: dict[str, Any]) -> None:
    spec, _ = make(hparams)
    with pytest.raises(SpecError, match=r"comet: the checkpoint reads no references\nhint: use cometqe\(model="):
        coheval.metric(spec)


def test_signature_round_trip_and_digest(make: Make) -> None:
    spec, _ = make(REGRESSION, variant="code")
    metric = coheval.metric(spec)
    assert coheval.metric(metric.signature) == metric
    folder = Path(metric.model)
    before = metric.digest()
    for name in ("hparams.yaml", "tiny-backbone/tokenizer_config.json"):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write("\n")
        assert metric.digest() != before
        before = metric.digest()
    with pytest.raises(SpecError, match="made with files of sha256"):
        coheval.metric(metric.signature.replace(str(before)[:16], "0" * 16))


def test_no_such_folder() -> None:
    with pytest.raises(ResourceError, match="the folder of a COMET checkpoint, got 'nowhere', which is no folder"):
        coheval.metric("comet(model='nowhere')")


def test_embedded_model_has_its_own_encoder() -> None:
    with pytest.raises(SpecError, match="backbone belongs to a checkpoint"):
        coheval.metric("comet(backbone='somewhere')")


def test_a_missing_pooler_is_told_before_anything_is_scored(make: Make, tmp_path: Path) -> None:
    spec, _ = make(REGRESSION | {"encoder_model": "BERT", "pool": "default"})
    path = tmp_path / "checkpoint/checkpoints/model.ckpt"
    stored = torch.load(path, weights_only=True)
    stored["state_dict"].pop("encoder.model.pooler.dense.bias")
    torch.save(stored, path)
    with pytest.raises(
        ResourceError, match=r"'encoder.model.pooler.dense.bias' must have the shape \[16\], got nothing"
    ):
        coheval.metric(spec).reads()


def test_weights_are_checked_before_anything_is_scored(make: Make) -> None:
    spec, _ = make(REGRESSION)
    (Path(coheval.metric(spec).model) / "checkpoints" / "model.ckpt").write_bytes(b"PK")
    with pytest.raises(ResourceError, match="no whole checkpoint"):
        coheval.metric(spec).reads()
