"""Sentences in context: vectors beside transformers' states of each beginning by itself, in any company."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coheval.models._incontext import LIKELIHOOD, InContext
from coheval.rankers import LanguageModel
from coheval.spec import build
from tinygguf import WIDTH
from tinymodels import tiny_causal

STORY = ("the cat sat on a mat", "two dogs ran after it", "né", "12 dogs said that they would not come back again")


def reading(file: Path, *, layers: tuple[int, ...] = (1, 3), **params: int) -> InContext:
    told = "".join(f", {name}={value}" for name, value in params.items())
    return InContext(build(LanguageModel, f"smollm(file={str(file)!r}{told})"), layers)


def vectors(reads: InContext, *documents: tuple[str, ...]) -> list[np.ndarray]:
    """[n, d] of each document's sentences"""
    reads.add(documents)
    return [reads.batch([document]).tokens for document in documents]


def expected(llama: Any, file: Path, before: str, sentence: str) -> np.ndarray:
    """What is said of a sentence behind a text, by transformers and the definitions."""
    import torch

    tokenizer = build(LanguageModel, f"smollm(file={str(file)!r})").reader().tokenizer  # type: ignore[attr-defined]
    ahead = f"{before} " if before else ""  # with these few words, the blank is a token and no part of the sentence
    count = len(tokenizer.encode(ahead + sentence).ids) - len(tokenizer.encode(ahead).ids)
    ids = [0, *tokenizer.encode(ahead + sentence).ids]
    with torch.no_grad():
        out = llama(torch.tensor([ids]), output_hidden_states=True)
    logprobs = out.logits.double().log_softmax(-1)[0, :-1].gather(1, torch.tensor(ids[1:])[:, None])[-count:, 0].numpy()
    states = [out.hidden_states[layer][0, -count:].numpy() for layer in (1, 3)]
    return np.concatenate(
        [
            *(part for rows in states for part in (rows.mean(axis=0), rows[-1])),
            [logprobs.mean(), logprobs.sum() / len(sentence), logprobs.min(), logprobs[0]],
            [np.log(len(sentence)), np.log(count)],
        ]
    )


def test_against_transformers(llama: Any, llama_file: Path) -> None:
    (found,) = vectors(reading(llama_file), STORY)
    assert found.shape == (len(STORY), 4 * WIDTH + LIKELIHOOD)
    for place, sentence in enumerate(STORY):
        own = expected(llama, llama_file, " ".join(STORY[:place]), sentence)
        assert found[place] == pytest.approx(own, rel=1e-4, abs=5e-4)


@pytest.mark.parametrize("window", [1024, 12])
def test_a_sentence_is_the_same_in_any_company(llama_file: Path, window: int) -> None:
    """What stands behind it does not matter, whether or not all fits into the model's window."""
    documents = [STORY, STORY[:2], STORY[::-1], (*STORY[:2], "again"), (*STORY, *STORY)]
    together = vectors(reading(llama_file, window=window), *documents)
    for document, own in zip(documents, together, strict=True):
        for place in range(len(document)):
            (alone,) = vectors(reading(llama_file, window=window), document[: place + 1])
            assert own[place] == pytest.approx(alone[-1], rel=1e-4, abs=5e-4)


def test_each_beginning_is_read_once(llama_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = reading(llama_file)
    asked: list[str] = []
    predict = type(reads.model).predict

    def counted(self: Any, texts: Any, **more: Any) -> Any:
        asked.extend(texts)
        return predict(self, texts, **more)

    monkeypatch.setattr(type(reads.model), "predict", counted)
    vectors(reads, STORY, STORY[:2], (*STORY[:2], "again"), STORY)
    assert sorted(asked) == sorted([" ".join(STORY), " ".join([*STORY[:2], "again"])])
    vectors(reads, STORY[:3])
    assert len(asked) == 2


@pytest.mark.parametrize("blank", ["", "  ", "\n\t", "\u3000"])
def test_blanks(llama_file: Path, blank: str) -> None:
    """A blank sentence is zeros; blanks around others change nothing, and no sentence takes another's tokens."""
    (plain,), (other,) = (
        vectors(reading(llama_file), STORY),
        vectors(reading(llama_file), tuple(f"{blank}{s}{blank}" for s in STORY)),
    )
    assert other == pytest.approx(plain, abs=1e-5)
    (found,) = vectors(reading(llama_file), (blank, *STORY[:2], blank))
    assert found[0].tolist() == found[3].tolist() == [0.0] * (4 * WIDTH + LIKELIHOOD)
    assert np.isfinite(found).all()
    assert (found[1:3] != 0).any(axis=1).all()
    (nothing,) = vectors(reading(llama_file), (blank, blank))
    assert not nothing.any()


def test_a_model_without_a_beginning(tmp_path: Path) -> None:
    """A first token with nothing before it has no number: a sentence of it alone is zeros."""
    model = build(LanguageModel, f"hf_lm(model={str(tiny_causal(tmp_path / 'lm', {}))!r})")
    (found,) = vectors(InContext(model, (2,)), ("the", "cat sat", "on a mat"))
    assert found.shape == (3, 2 * 16 + LIKELIHOOD)
    assert not found[0].any()
    assert np.isfinite(found).all()
    assert found[1:].any(axis=1).all()
