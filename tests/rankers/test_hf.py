"""Rankers with transformers models: tiny random ones against transformers itself, windows, failures."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from coheval.errors import ResourceError, SpecError
from coheval.rankers import Choice, LanguageModel, Ranker
from coheval.rankers._causal import windows
from coheval.spec import build

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TEXT = "the cat sat on a mat"
CHOICE = Choice("the cat ", ("sat", "ran", "zebra"), " on a mat")


def lm(folder: Path) -> LanguageModel:
    return build(LanguageModel, f"hf_lm(model={str(folder)!r})")


def logprobs(folder: Path, texts: Sequence[str]) -> list[np.ndarray]:
    return [found.logprobs for found in lm(folder).predict(texts)]


def mlm(folder: Path, top: int | None = 20) -> Ranker:
    return build(Ranker, f"hf_mlm(model={str(folder)!r}, top={top})")


def test_the_likelihood_is_the_loss_of_transformers(tiny_lm: Path) -> None:
    (ours,) = logprobs(tiny_lm, [TEXT])
    network = transformers.AutoModelForCausalLM.from_pretrained(tiny_lm).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_lm)
    ids = torch.tensor([[0, *tokenizer(TEXT, add_special_tokens=False)["input_ids"]]])
    with torch.no_grad():
        loss = network(input_ids=ids, labels=ids).loss.item()
    assert len(ours) == ids.shape[1] - 1
    assert -ours.mean() == pytest.approx(loss, abs=1e-5)


def test_without_a_beginning_the_first_token_has_no_probability(tiny_lm: Path, tiny_lm_without_beginning: Path) -> None:
    (with_it,), (without,) = (logprobs(folder, [TEXT]) for folder in (tiny_lm, tiny_lm_without_beginning))
    assert len(without) == len(with_it) - 1
    assert [len(found) for found in logprobs(tiny_lm_without_beginning, ["", "the"])] == [0, 0]


def test_tokens_have_their_characters(tiny_lm: Path, tiny_lm_without_beginning: Path) -> None:
    for folder, first in ((tiny_lm, "the"), (tiny_lm_without_beginning, "cat")):
        (found,) = lm(folder).predict([TEXT])
        words = [TEXT[start:stop].strip() for start, stop in found.spans.tolist()]
        assert words == TEXT.split()[TEXT.split().index(first) :]
        assert len(found.logprobs) == len(words)
        assert not found.windowed
    assert lm(tiny_lm).predict([TEXT * 10])[0].windowed


def test_a_sentence_is_ranked_by_its_likelihood(tiny_lm: Path) -> None:
    (scores,) = lm(tiny_lm).scores([CHOICE])
    sums = [found.sum() for found in logprobs(tiny_lm, CHOICE.texts)]
    assert np.allclose(scores, sums, atol=1e-6)
    assert len(set(scores)) == 3


@pytest.mark.parametrize("length", [0, 1, 2, 9, 10, 11, 15, 40, 101])
@pytest.mark.parametrize("width", [2, 3, 10])
def test_windows_speak_for_each_token_once(length: int, width: int) -> None:
    parts = list(windows(length, width))
    assert [n for _, first, stop in parts for n in range(first, stop)] == list(range(1, length))
    for number, (start, first, stop) in enumerate(parts):
        assert stop - start <= width
        assert first - start >= (1 if number == 0 else width // 2)
    longer = [place for place in windows(length + 7, width) if place[2] <= length]
    assert longer[: len(parts) - 1] == parts[:-1]  # what stands behind a token moves no window before it


def test_a_long_text_is_read_in_windows(tiny_lm: Path) -> None:
    """The window has 24 tokens: the first 23 predictions are those of a short text, the last those of a window.

    61 tokens with the beginning, windows begin at every twelfth: the last one that is needed has 13.
    """
    words = TEXT.split() * 10
    (whole,) = logprobs(tiny_lm, [" ".join(words)])
    (short,) = logprobs(tiny_lm, [" ".join(words[:23])])
    assert len(whole) == 60
    assert np.allclose(whole[:23], short, atol=1e-5)
    network = transformers.AutoModelForCausalLM.from_pretrained(tiny_lm).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_lm)
    last = torch.tensor([tokenizer(" ".join(words), add_special_tokens=False)["input_ids"][-13:]])
    with torch.no_grad():
        logits = network(input_ids=last).logits.log_softmax(dim=2)
    assert whole[-1] == pytest.approx(logits[0, -2, last[0, -1]].item(), abs=1e-5)


def test_states_are_those_of_transformers(tiny_lm: Path) -> None:
    model = lm(tiny_lm)
    assert (model.depth, model.width) == (2, 16)
    texts = [TEXT, "", "two dogs"]
    network = transformers.AutoModelForCausalLM.from_pretrained(tiny_lm).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_lm)
    for text, found in zip(texts, model.predict(texts, layers=(0, 1, 2)), strict=True):
        ids = torch.tensor([[0, *tokenizer(text, add_special_tokens=False)["input_ids"]]], dtype=torch.long)
        with torch.no_grad():
            states = network(input_ids=ids, output_hidden_states=True).hidden_states
        assert list(found.states) == [0, 1, 2]
        for layer, own in found.states.items():
            assert own.shape == (len(found.logprobs), 16)
            assert np.allclose(own, states[layer][0, 1:], atol=1e-5)


def test_texts_do_not_change_each_other(tiny_lm: Path, tiny_mlm: Path) -> None:
    texts = [TEXT, "two dogs ran", "", "it " * 60]
    for text, found in zip(texts, logprobs(tiny_lm, texts), strict=True):
        assert np.allclose(found, logprobs(tiny_lm, [text])[0], atol=1e-5)
    choices = [CHOICE, Choice("", ("it", "nobody"), " said that")]
    for choice, found in zip(choices, mlm(tiny_mlm, None).scores(choices), strict=True):
        assert np.allclose(found, mlm(tiny_mlm, None).scores([choice])[0], atol=1e-5)


def masked(folder: Path, before: str, tokens: list[str], after: str) -> np.ndarray:
    """By transformers: the log-probabilities of tokens in the place of masks, and how many others are likelier."""
    network = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    ids = tokenizer(before + "<mask>" * len(tokens) + after, return_tensors="pt")["input_ids"]
    with torch.no_grad():
        found = network(input_ids=ids).logits[0].log_softmax(dim=1)
    places = (ids[0] == tokenizer.mask_token_id).nonzero()[:, 0]
    chosen = [found[p, tokenizer.convert_tokens_to_ids(t)].item() for p, t in zip(places, tokens, strict=True)]
    ranks = [int((found[p] > c).sum()) for p, c in zip(places, chosen, strict=True)]
    return np.array([chosen, ranks])


def test_a_mask_for_each_token(tiny_mlm: Path) -> None:
    """ "sat" is one token and "zebra" several."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_mlm)
    (scores,) = mlm(tiny_mlm, None).scores([CHOICE])
    for score, word in zip(scores, CHOICE.candidates, strict=True):
        tokens = tokenizer.tokenize(f" {word}")
        expected, _ = masked(tiny_mlm, "the cat", tokens, " on a mat")
        assert score == pytest.approx(expected.mean(), abs=1e-5)
    assert len(tokenizer.tokenize(" zebra")) > 1


def test_only_the_likeliest_are_natural(tiny_mlm: Path) -> None:
    choice = Choice("the cat ", ("sat", "ran", "dogs", "it", "nobody"), " on a mat")
    ranks = [masked(tiny_mlm, "the cat", [f"Ġ{word}"], " on a mat")[1, 0] for word in choice.candidates]
    top = int(sorted(ranks)[2])  # so many are likelier than the third
    (scores,) = mlm(tiny_mlm, top).scores([choice])
    assert np.isfinite(scores).tolist() == [rank < top for rank in ranks]


def test_a_long_sentence_is_read_around_the_place(tiny_mlm: Path) -> None:
    words = TEXT.split() * 10
    choice = Choice(" ".join(words[:30]) + " ", ("sat", "it"), " " + " ".join(words[30:]))
    near = Choice(" ".join(words[20:30]) + " ", ("sat", "it"), " " + " ".join(words[30:41]))
    (scores,), (nearer,) = mlm(tiny_mlm, None).scores([choice]), mlm(tiny_mlm, None).scores([near])
    assert np.isfinite(scores).all()
    # The window has 24 tokens: two specials, one mask, 10 words before it and 11 behind. Only the first word's blank,
    # which a text does not begin with, is another token.
    assert np.allclose(scores, nearer, atol=2.0)
    end = Choice(" ".join(words) + " ", ("sat", "it"), "")
    assert np.isfinite(mlm(tiny_mlm, None).scores([end])[0]).all()


def test_faults(tiny_lm: Path, tiny_mlm: Path, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="top must be"):
        mlm(tiny_mlm, 0)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ResourceError, match="safetensors"):
        logprobs(tmp_path / "empty", ["a"])
    copy = Path(shutil.copytree(tiny_lm, tmp_path / "copy"))
    (copy / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(ResourceError, match="cannot load"):
        logprobs(copy, ["a"])
    with pytest.raises(ResourceError, match="cannot load"):
        mlm(tiny_lm).scores([CHOICE])
    assert lm(tiny_lm).digest() != mlm(tiny_mlm).digest()  # type: ignore[attr-defined]
    assert build(Ranker, lm(tiny_lm).signature) == lm(tiny_lm)
