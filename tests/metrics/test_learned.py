"""Learned metrics of pairs: tiny random classifiers against transformers' own tokenizer and model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import coheval
from coheval.errors import DataError, ResourceError, SpecError

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from checkpoints import write_pair_model  # noqa: E402

pytestmark = pytest.mark.xdist_group("encoders")

CANDIDATES = ["the cat sat on a mat .", "dogs ran", "nobody came back after it"]
REFERENCES = ["a cat sat on the mat .", "the dogs ran after it", "nobody"]
LONG = " ".join(["the cat sat on a mat"] * 3)
NEAR = {"abs": 1e-5}


@pytest.fixture(scope="module", params=["bert", "xlmr"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pair_model(tmp_path_factory.mktemp("pairs") / request.param, bert=request.param == "bert")


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    return write_pair_model(tmp_path / "bert")


def spec_of(folder: Path, **options: object) -> str:
    return f"learned(model={str(folder)!r}" + "".join(f", {k}={v!r}" for k, v in options.items()) + ")"


def oracle(folder: Path, first: str, second: str) -> float:
    """One pair by itself, with whatever transformers' tokenizer gives the model."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    network = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    inputs = tokenizer(first, second, return_tensors="pt")
    if getattr(network.config, "type_vocab_size", 0) < 2:
        inputs.pop("token_type_ids", None)
    with torch.no_grad():
        return float(network(**inputs).logits[0, 0])


def scored(spec: str, **more: object) -> list[float | None]:
    options = {"references": REFERENCES} | more
    return coheval.score(CANDIDATES, metrics=[spec], **options)[spec].segments


def test_pairs_in_both_orders(folder: Path) -> None:
    """All in one batch, and as alone."""
    wanted = [pytest.approx(oracle(folder, r, c), **NEAR) for c, r in zip(CANDIDATES, REFERENCES, strict=True)]
    assert scored(spec_of(folder)) == wanted
    wanted = [pytest.approx(oracle(folder, c, r), **NEAR) for c, r in zip(CANDIDATES, REFERENCES, strict=True)]
    found = scored(spec_of(folder, order="candidate-reference"))
    assert found == wanted
    assert len({round(score, 6) for score in found}) == 3


def test_against_the_source(folder: Path) -> None:
    spec = spec_of(folder, against="source")
    assert coheval.metric(spec).needs == {"source"}
    wanted = [pytest.approx(oracle(folder, s, c), **NEAR) for c, s in zip(CANDIDATES, REFERENCES, strict=True)]
    assert scored(spec, references=None, sources=REFERENCES) == wanted
    with pytest.raises(DataError, match="needs a source"):
        scored(spec)


def test_several_references(bert: Path) -> None:
    each = [oracle(bert, reference, CANDIDATES[0]) for reference in REFERENCES[:2]]
    for rule, merged in (("mean", sum(each) / 2), ("max", max(each))):
        spec = spec_of(bert, references=rule)
        found = coheval.score(CANDIDATES[:1], [REFERENCES[:2]], metrics=[spec])[spec].segments
        assert found == [pytest.approx(merged, **NEAR)]


def test_context_stands_before_both(bert: Path) -> None:
    spec = spec_of(bert, context=1)
    found = scored(spec, documents=["d"] * 3)
    assert found[0] == pytest.approx(oracle(bert, REFERENCES[0], CANDIDATES[0]), **NEAR)
    before = REFERENCES[0] + " [SEP] "
    assert found[1] == pytest.approx(oracle(bert, before + REFERENCES[1], before + CANDIDATES[1]), **NEAR)


def test_oldest_context_goes_first_and_a_long_pair_has_no_score(bert: Path) -> None:
    spec = spec_of(bert, context=1)
    candidates = ["the cat sat on a mat on a mat on a mat", "dogs ran", LONG]
    result = coheval.score(candidates, candidates, documents=["d"] * 3, metrics=[spec], evidence=True)[spec]
    assert result.evidence[1]["dropped"] == 0
    assert result.segments[1] is not None
    assert result.segments[2] is None
    assert "longer than the 34 tokens" in result.reasons[2]
    wider = spec_of(bert, context=2)
    texts = ["the cat sat on a mat on a mat on a mat", "dogs ran", "dogs"]
    result = coheval.score(texts, texts, documents=["d"] * 3, metrics=[wider], evidence=True)[wider]
    assert result.evidence[2]["dropped"] == 2  # one of each text, so that neither is read in more context
    kept = "dogs ran [SEP] dogs"
    assert result.segments[2] == pytest.approx(oracle(bert, kept, kept), **NEAR)


def test_empty_text_has_a_reason(bert: Path) -> None:
    spec = spec_of(bert)
    result = coheval.score(["", "dogs"], ["dogs", " "], metrics=[spec])[spec]
    assert result.segments == [None, None]
    assert result.reasons == ["the candidate is empty", "the reference is empty"]


def test_words_that_the_model_does_not_know(bert: Path) -> None:
    spec = spec_of(bert)
    result = coheval.score(["日本語", "the 猫 sat", "dogs"], ["dogs", "dogs", "漢字 語"], metrics=[spec])
    assert result[spec].reasons == [
        "the candidate has no word that the model knows",
        None,
        "the reference has no word that the model knows",
    ]
    assert result[spec].counts["unknown"] == 1
    assert f"{spec}: 1 tokens are unknown to the model" in result.notes


def test_context_that_is_left_out_is_counted_and_told(bert: Path) -> None:
    """A pair has 34 tokens: room for two texts of 12, or for two of one that are each behind a sentence of 12."""
    spec = spec_of(bert, context=2)
    texts = [" ".join(["dogs ran after it"] * 3)] * 2 + ["dogs"]
    result = coheval.score(texts, texts, documents=["d"] * 3, metrics=[spec])
    assert result[spec].counts["dropped"] == 2 + 2  # one before each second text, whose pair is full; one of each third
    assert any("sentences of context are left out" in note for note in result.notes)


def test_more_context_than_could_ever_fit_is_refused(bert: Path) -> None:
    """7 sentences of a token and a separator around each of two tokens: 2 · 15 and three specials are 33 of 34."""
    coheval.metric(spec_of(bert, context=7))
    with pytest.raises(SpecError, match="8 sentences around each of 2 texts take 37 tokens or more, its window 34"):
        coheval.metric(spec_of(bert, context=8))


def test_a_model_that_has_changed_is_read_again(bert: Path) -> None:
    spec = spec_of(bert)
    before = coheval.score(CANDIDATES, REFERENCES, metrics=[spec])[spec]
    network = transformers.AutoModelForSequenceClassification.from_pretrained(bert)
    network.classifier.bias.data += 1
    network.save_pretrained(bert)
    after = coheval.score(CANDIDATES, REFERENCES, metrics=[spec])[spec]
    assert after.segments == [pytest.approx(score + 1, **NEAR) for score in before.segments]
    assert after.signature != before.signature


def test_a_tokenizer_that_pads_on_the_left_is_refused(bert: Path) -> None:
    """Such models take the last token for the whole."""
    path = bert / "tokenizer_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"padding_side": "left"}))
    with pytest.raises(SpecError, match="must pad on the right, got left"):
        scored(spec_of(bert))


def test_a_tokenizer_that_is_not_the_model_s_is_refused(bert: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(bert)
    tokenizer.add_tokens(["herring"])
    tokenizer.save_pretrained(bert)
    with pytest.raises(ResourceError, match=r"tokens up to number \d+, the model embeds \d+"):
        scored(spec_of(bert))
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (bert / name).unlink()
    from coheval.encoders._hub import model_folder

    model_folder.cache_clear()
    with pytest.raises(ResourceError, match="holds no vocabulary of a tokenizer"):
        scored(spec_of(bert))


def test_several_labels_are_refused(tmp_path: Path) -> None:
    folder = write_pair_model(tmp_path / "labels", labels=3)
    with pytest.raises(SpecError, match="must give a pair one number, got 3 labels"):
        scored(spec_of(folder))


def test_model_without_a_head_is_refused(bert: Path) -> None:
    """transformers would make the head up at random."""
    from safetensors.torch import load_file, save_file

    tensors = load_file(bert / "model.safetensors")
    kept = {name: value for name, value in tensors.items() if "classifier" not in name}
    save_file(kept, bert / "model.safetensors", {"format": "pt"})
    with pytest.raises(ResourceError, match=r"lack 2 parameters of the model, such as 'classifier\.bias'"):
        scored(spec_of(bert))


def test_signature_round_trip(bert: Path) -> None:
    metric = coheval.metric(spec_of(bert, order="candidate-reference"))
    assert coheval.metric(metric.signature) == metric
    assert metric.perfect is None
