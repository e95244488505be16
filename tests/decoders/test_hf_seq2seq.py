"""Encoder-decoders of transformers: tiny random ones against the model's own loss and logits; languages; failures."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from coheval.data import Passage
from coheval.decoders import Decoded, Decoder, Refusal
from coheval.encoders import _hub
from coheval.errors import ResourceError, SpecError
from coheval.spec import build

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

pytestmark = pytest.mark.xdist_group("encoders")

CAT, DOGS = Passage("the cat sat on a mat"), Passage("two dogs ran after it")
KINDS = {"tiny_t5": {}, "tiny_bart": {}, "tiny_mbart": {"language": "de_DE"}, "tiny_nllb": {"language": "deu_Latn"}}
TAGS = {"tiny_t5": [], "tiny_bart": ["<s>"], "tiny_mbart": ["de_DE"], "tiny_nllb": ["deu_Latn"]}


def of(folder: Path | str, **options: object) -> Decoder:
    inside = "".join(f", {key}={value!r}" for key, value in options.items())
    return build(Decoder, f"hf_seq2seq(model={str(folder)!r}{inside})")


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(kind: str, request: pytest.FixtureRequest) -> Path:
    return request.getfixturevalue(kind)


@pytest.fixture
def decoder(kind: str, folder: Path) -> Decoder:
    return of(folder, **KINDS[kind])


def test_probabilities_are_the_model_s_own(kind: str, folder: Path, decoder: Decoder) -> None:
    """The tokens as transformers' tokenizer makes them for training, and the logits and the loss of its training."""
    network = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    if KINDS[kind]:
        tokenizer.src_lang = tokenizer.tgt_lang = KINDS[kind]["language"]
    batch = tokenizer(CAT.text, text_target=DOGS.text, return_tensors="pt")
    with torch.no_grad():
        out = network(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], labels=batch["labels"])
    labels = batch["labels"][0]
    expected = torch.log_softmax(out.logits[0].double(), dim=1)[torch.arange(len(labels)), labels].numpy()
    (decoded,) = decoder.force([(CAT, DOGS)])
    assert decoded.pieces == tuple(tokenizer.convert_ids_to_tokens(labels.tolist()))
    assert decoded.logprobs == pytest.approx(expected, abs=1e-5)
    assert decoded.logprobs.mean() == pytest.approx(-float(out.loss), abs=1e-5)
    assert decoded.logprobs.std() > 0.1  # the tokens differ, so that a shift by one would be seen


def test_masks_and_offsets(kind: str, decoder: Decoder) -> None:
    before, after = ("the cat",), ("a cat",)
    (decoded,) = decoder.force([(CAT, Passage(DOGS.text, before, after))])
    pieces = np.array(decoded.pieces)
    assert pieces[decoded.tag].tolist() == TAGS[kind]
    assert pieces[decoded.end].tolist() == ["</s>"]
    for piece, (start, stop) in zip(pieces[decoded.own], decoded.offsets[decoded.own], strict=True):
        assert piece.lstrip("Ġ▁") in DOGS.text[start:stop]
    assert decoded.offsets[decoded.own][-1, 1] == len(DOGS.text)
    assert not decoded.offsets[~decoded.own].any()
    assert pieces[decoded.context].tolist().count("</s>") == 2  # one parts the context off, one ends the whole
    assert (decoded.tag + 0 + decoded.context + decoded.own + decoded.end == 1).all()


def test_context_is_joined_by_the_end_of_text(kind: str, folder: Path, decoder: Decoder) -> None:
    """`context </s> sentence` on both sides, written by hand and given to the model."""
    network = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    lead = TAGS[kind]
    source = [*lead, *tokenizer.tokenize("the mat"), "</s>", *tokenizer.tokenize(CAT.text), "</s>"]
    target = [*lead, *tokenizer.tokenize("the cat"), "</s>", *tokenizer.tokenize(DOGS.text), "</s>"]
    ids = [torch.tensor([tokenizer.convert_tokens_to_ids(tokens)]) for tokens in (source, target)]
    with torch.no_grad():
        loss = float(network(input_ids=ids[0], labels=ids[1]).loss)
    (decoded,) = decoder.force([(Passage(CAT.text, ("the mat",)), Passage(DOGS.text, ("the cat",)))])
    assert list(decoded.pieces) == target
    assert decoded.logprobs.mean() == pytest.approx(-loss, abs=1e-5)


def test_company_does_not_matter(decoder: Decoder) -> None:
    words = CAT.text.split()
    texts = [Passage(" ".join(words[i % 5 :] * (1 + i % 2)), ("the cat",) * (i % 3)) for i in range(12)]
    pairs = [(texts[i], texts[-j]) for i in range(5) for j in range(3)]
    together = decoder.force(pairs)
    alone = [decoder.force([pair])[0] for pair in pairs]
    order = random.Random(0).sample(range(len(pairs)), len(pairs))
    shuffled = decoder.force([pairs[i] for i in order])
    for i, one in enumerate(alone):
        assert together[i].logprobs == pytest.approx(one.logprobs, abs=1e-5)
        assert shuffled[order.index(i)].logprobs == pytest.approx(one.logprobs, abs=1e-5)


def test_a_small_budget_changes_nothing(decoder: Decoder, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [(CAT, DOGS), (DOGS, CAT), (CAT, CAT)]
    usual = decoder.force(pairs)
    monkeypatch.setattr("coheval.decoders.hf_seq2seq._LOGITS", 1)
    for one, other in zip(decoder.force(pairs), usual, strict=True):
        assert one.logprobs == pytest.approx(other.logprobs, abs=1e-5)


def test_oldest_context_goes_first(tiny_bart: Path) -> None:
    """48 positions, <s> and </s>: 46 for a text of 5 tokens and its context, sentences of 6 with a separator each."""
    decoder = of(tiny_bart)
    before = tuple("the cat sat on a" if i else "two dogs ran after it" for i in range(9))
    (source,) = decoder.force([(Passage(DOGS.text, before), DOGS)])
    (target,) = decoder.force([(DOGS, Passage(DOGS.text, before))])
    assert (source.dropped, target.dropped) == ((3, 0), (0, 3))  # 5 + 6 · 6 = 41 fit, 47 do not
    assert len(target) == 43
    assert target.own.sum() == 5
    (kept,) = decoder.force([(DOGS, Passage(DOGS.text, before[3:]))])
    assert kept.logprobs == pytest.approx(target.logprobs, abs=1e-6)


def test_what_cannot_be_read_is_refused_with_a_reason(decoder: Decoder, kind: str) -> None:
    long = Passage("the cat sat on a mat " * 400)
    found = decoder.force([(CAT, long), (long, CAT), (Passage(" "), CAT), (CAT, Passage("")), (CAT, CAT)])
    assert [type(f) for f in found] == [Refusal] * 4 + [Decoded]
    assert [f.side for f in found[:4]] == ["target", "source", "source", "target"]
    assert "tokens, and the decoder reads at most" in found[0].why
    assert found[2].why == found[3].why == "is empty"


def test_context_flaw(tiny_bart: Path) -> None:
    assert of(tiny_bart).context_flaw(22) is None  # 2 + 1 + 44 = 47 of 48
    assert "its window 48" in (of(tiny_bart).context_flaw(23) or "")
    assert "words would run together" in (of(tiny_bart, separator="none").context_flaw(1) or "")


def test_unknown_words(tiny_mbart: Path) -> None:
    decoder = of(tiny_mbart, language="en_XX")
    some, none = decoder.force([(Passage("the 猫 cat"), Passage("cat 狗 the 狗")), (CAT, Passage("cat"))])
    assert some.unknown == (1, 2)
    assert none.unknown == (0, 0)
    (nothing,) = decoder.force([(CAT, Passage("猫 狗"))])
    assert nothing == Refusal("target", "has no word that the decoder knows")


def test_languages(tiny_mbart: Path) -> None:
    (german,) = of(tiny_mbart, language="de_DE").force([(CAT, CAT)])
    (english,) = of(tiny_mbart, language="en_XX").force([(CAT, CAT)])
    (mixed,) = of(tiny_mbart, language="de_DE", source_language="en_XX").force([(CAT, CAT)])
    assert (german.pieces[0], english.pieces[0], mixed.pieces[0]) == ("de_DE", "en_XX", "de_DE")
    assert not np.allclose(german.logprobs, mixed.logprobs)
    with pytest.raises(SpecError, match=r"no language 'de'[\s\S]*one of de_DE, [\s\S]* and \d+ more"):
        of(tiny_mbart, language="de").force([(CAT, CAT)])
    with pytest.raises(SpecError, match=r"must be told a language[\s\S]*language=…, one of "):
        of(tiny_mbart).force([(CAT, CAT)])
    with pytest.raises(SpecError, match=r"no language 'xx_XX'"):
        of(tiny_mbart, language="de_DE", source_language="xx_XX").force([(CAT, CAT)])


def test_languages_of_a_model_without_any(tiny_bart: Path) -> None:
    with pytest.raises(SpecError, match="knows no languages"):
        of(tiny_bart, language="de_DE").force([(CAT, CAT)])
    with pytest.raises(SpecError, match="knows no languages"):
        of(tiny_bart, source_language="de_DE").force([(CAT, CAT)])


def test_signature_round_trip(decoder: Decoder) -> None:
    again = build(Decoder, decoder.signature)
    assert again == decoder
    assert again.signature == decoder.signature


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_broken_file(tiny_bart: Path, tmp_path: Path, name: str) -> None:
    copy = Path(shutil.copytree(tiny_bart, tmp_path / "copy"))
    (copy / name).write_text("{")
    with pytest.raises(ResourceError, match="cannot load the model"):
        of(copy).force([(CAT, CAT)])


def test_a_model_that_is_no_encoder_decoder(tmp_path: Path) -> None:
    config = transformers.BertConfig(vocab_size=40, hidden_size=8, num_hidden_layers=1, num_attention_heads=1)
    transformers.AutoModel.from_config(config).save_pretrained(tmp_path)
    with pytest.raises(ResourceError, match="holds no vocabulary of a tokenizer"):
        of(tmp_path).force([(CAT, CAT)])
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\ncat\n")
    with pytest.raises(ResourceError, match="cannot load the model"):
        of(tmp_path).force([(CAT, CAT)])


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_hub, "find_spec", lambda name: None)
    with pytest.raises(ResourceError, match=r"hf_seq2seq needs torch and transformers[\s\S]*pip install torch "):
        of("absent-model").force([(CAT, CAT)])


def test_no_pairs(decoder: Decoder) -> None:
    assert decoder.force([]) == []


def test_two_tokenizers_in_one_folder_that_disagree_are_refused(tiny_mbart: Path, tmp_path: Path) -> None:
    """transformers makes mBART-50's anew from its class, and would not see how the file reads letters."""
    copy = Path(shutil.copytree(tiny_mbart, tmp_path / "mbart"))
    file = copy / "tokenizer.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    content["normalizer"] = {"type": "Replace", "pattern": {"String": "a"}, "content": "b"}
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ResourceError, match=r"mbart: tokenizer\.json reads 'a' as \[[\s\S]*belong together"):
        of(copy, language="de_DE").ready()
