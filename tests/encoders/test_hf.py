"""transformers models: tiny random ones against transformers itself, the real MiniLM against the ONNX one, failures."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from coheval.encoders import Encoder, _hub
from coheval.errors import ResourceError, SpecError
from coheval.spec import build
from tinymodels import byte_pairs, saved

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

pytestmark = pytest.mark.xdist_group("encoders")

TEXT = "the cat sat on a mat"


def of(folder: Path | str, **options: object) -> Encoder:
    inside = "".join(f", {key}={value!r}" for key, value in options.items())
    return build(Encoder, f"hf(model={str(folder)!r}{inside})")


@pytest.fixture(params=["tiny_bert", "tiny_roberta", "tiny_t5"])
def folder(request: pytest.FixtureRequest) -> Path:
    return request.getfixturevalue(request.param)


@pytest.fixture
def copy(tiny_bert: Path, tmp_path: Path) -> Path:
    """A model's folder of which a test may break a file."""
    return Path(shutil.copytree(tiny_bert, tmp_path / "copy"))


def test_layers_are_the_hidden_states(folder: Path) -> None:
    encoder = of(folder)
    (encoded,) = encoder.encode([TEXT], layers=range(4))
    network = transformers.AutoModel.from_pretrained(folder).eval()
    network = network.get_encoder() if network.config.is_encoder_decoder else network
    ids = torch.tensor([[encoder.tokenizer().token_to_id(piece) for piece in encoded.pieces]])
    with torch.no_grad():
        states = network(input_ids=ids, output_hidden_states=True).hidden_states
    assert encoder.depth == len(states) - 1 == 3
    for layer, state in enumerate(states):
        assert np.allclose(encoded.vectors[layer], state[0].numpy(), atol=1e-5)


@pytest.mark.parametrize("layer", [1, 2, 3])
def test_layer_caps_the_depth_and_changes_no_number(folder: Path, layer: int) -> None:
    capped, whole = of(folder, layer=layer), of(folder)
    assert capped.depth == layer
    (ours,), (theirs,) = capped.encode([TEXT]), whole.encode([TEXT], layers=[layer])
    assert np.allclose(ours.vectors[layer], theirs.vectors[layer], atol=1e-6)
    blocks = [len(m) for m in capped._loaded().network.modules() if isinstance(m, torch.nn.ModuleList)]
    assert max(blocks) == min(3, layer + 1)
    with pytest.raises(SpecError, match="layer must be"):
        capped.encode([TEXT], layers=[layer + 1])


def test_window_is_what_positions_allow(tiny_bert: Path, tiny_roberta: Path, tiny_t5: Path) -> None:
    assert of(tiny_bert).window == 24
    assert of(tiny_roberta).window == 24  # of 26: counting begins after the padding's position
    assert of(tiny_t5).window == 512  # relative positions have no limit


def test_real_model_agrees_with_onnx(minilm_torch: Path) -> None:
    """Two files of one model, two runtimes, all six layers, also read in windows."""
    texts = ["They said: “never again”.", "", "By noon the water had gone. " * 80]
    layers = range(1, 7)
    pairs = zip(
        of(minilm_torch).encode(texts, layers=layers),
        build(Encoder, "minilm").encode(texts, layers=layers),
        strict=True,
    )
    for ours, theirs in pairs:
        assert ours.pieces == theirs.pieces
        assert ours.overflow == theirs.overflow
        assert (ours.offsets == theirs.offsets).all()
        for layer in layers:
            assert np.allclose(ours.vectors[layer], theirs.vectors[layer], rtol=1e-5, atol=1e-5)
    assert ours.overflow == "windowed"


def test_digest_covers_every_file(copy: Path) -> None:
    before = of(copy).digest()
    _hub.model_folder.cache_clear()
    with (copy / "tokenizer_config.json").open("a") as file:
        file.write(" ")
    assert of(copy).digest() != before


def test_layer_out_of_range(tiny_bert: Path) -> None:
    with pytest.raises(SpecError, match="layer must be at most 3"):
        of(tiny_bert, layer=4).encode([TEXT])
    with pytest.raises(SpecError, match="layer must be at least 1"):
        of(tiny_bert, layer=0)
    with pytest.raises(SpecError, match="the parameter 'model' must be given"):
        build(Encoder, "hf")


def test_weights_in_other_formats_are_refused(copy: Path) -> None:
    torch.save({}, copy / "pytorch_model.bin")
    (copy / "model.safetensors").unlink()
    with pytest.raises(ResourceError, match=r"holds no \*\.safetensors"):
        of(copy).encode([TEXT])


def test_weights_of_another_model_are_refused(copy: Path) -> None:
    """transformers would make up at random what the file lacks."""
    from safetensors.torch import load_file, save_file

    tensors = load_file(copy / "model.safetensors")
    save_file({k: v for k, v in tensors.items() if "layer.1." not in k}, copy / "model.safetensors", {"format": "pt"})
    with pytest.raises(ResourceError, match=r"lack \d+ parameters of the model, such as 'encoder\.layer\.1"):
        of(copy).encode([TEXT])


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_broken_file(copy: Path, name: str) -> None:
    (copy / name).write_text("{")
    with pytest.raises(ResourceError, match="cannot load the model"):
        of(copy).encode([TEXT])


def test_special_tokens_that_the_model_does_not_embed_are_read_as_words(tmp_path: Path) -> None:
    """bart-large-cnn embeds all tokens but its last, <mask>."""
    tokenizer = byte_pairs()
    tokenizer.add_special_tokens(["<fill>"])
    sizes = {"d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_ffn_dim": 8, "decoder_ffn_dim": 8}
    heads = {"encoder_attention_heads": 2, "decoder_attention_heads": 2, "max_position_embeddings": 32}
    config = transformers.BartConfig(vocab_size=tokenizer.get_vocab_size() - 1, **sizes, **heads)
    folder = saved(tmp_path / "bart", config, tokenizer, {"pad_token": "<pad>"})
    (encoded,) = of(folder).encode(["the cat<fill> sat"])
    assert "<fill>" not in encoded.pieces
    assert "".join(encoded.pieces) == "<s>theĠcat<fill>Ġsat</s>"
    assert np.isfinite(encoded.vectors[1]).all()


def test_tokenizer_file_is_read_as_it_is(tmp_path: Path) -> None:
    """Without a tokenizer_config.json transformers would take any BERT for an uncased one."""
    vocabulary = {piece: i for i, piece in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "The", "Cat", "the", "cat"])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8}
    folder = saved(tmp_path / "bert", transformers.BertConfig(vocab_size=8, **sizes), tokenizer, {})
    (folder / "tokenizer_config.json").unlink()
    assert of(folder).encode(["The Cat"])[0].pieces == ("[CLS]", "The", "Cat", "[SEP]")


def test_tokenizer_without_words_is_refused(copy: Path) -> None:
    tokenizer = Tokenizer(models.WordLevel({"[PAD]": 0, "[UNK]": 1}, unk_token="[UNK]"))
    tokenizer.add_special_tokens(["[PAD]", "[UNK]"])
    tokenizer.save(str(copy / "tokenizer.json"))
    with pytest.raises(ResourceError, match="the tokenizer has no words"):
        of(copy).encode([TEXT])


def test_slow_tokenizer_is_refused() -> None:
    with pytest.raises(ResourceError, match="knows no character offsets"):
        _hub.engine(object(), object(), Path("somewhere"))


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_hub, "find_spec", lambda name: None)
    with pytest.raises(ResourceError, match=r"pip install torch .*coheval\[torch\]"):
        of("absent-model").encode([TEXT])


def test_hub_is_not_asked_when_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ResourceError, match=r"HF_HUB_OFFLINE is set\)\nhint: give the model.s folder"):
        of("nobody/has-this").encode([TEXT])


def test_hub_that_cannot_be_reached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not in the cache, no network: one clear sentence."""
    asked = []

    def unreachable(model: str, *, local_files_only: bool, **_: object) -> str:
        asked.append(local_files_only)
        raise FileNotFoundError("not cached") if local_files_only else ConnectionError("no route\nto the host")

    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.snapshot_download", unreachable)
    with pytest.raises(ResourceError, match=r"nobody/has-this: .*the hub says: no route\nhint: check the name"):
        of("nobody/has-this").encode([TEXT])
    assert asked == [True, False]


def test_cached_model_needs_no_network(monkeypatch: pytest.MonkeyPatch, tiny_bert: Path) -> None:
    def cached_only(model: str, *, local_files_only: bool, **_: object) -> str:
        assert local_files_only
        return str(tiny_bert)

    monkeypatch.setattr("huggingface_hub.snapshot_download", cached_only)
    _hub.model_folder.cache_clear()
    assert of("somebody/has-this").depth == 3
    _hub.model_folder.cache_clear()


def test_impossible_name() -> None:
    with pytest.raises(ResourceError, match="no such folder"):
        of("/no/such/folder").encode([TEXT])


def test_words_begin_behind_signs_too(tiny_roberta: Path) -> None:
    """Byte-level BPE marks only words behind a blank; `continues` must not take the others for parts of words."""
    text = 'the cat ("dogs") sat-mat 猫坐'
    (encoded,) = of(tiny_roberta).encode([text])
    begun = {text[a:b] for (a, b), goes_on in zip(encoded.offsets, encoded.continues, strict=True) if not goes_on}
    starts = {text.index(word) for word in ("the", "cat", "dogs", "sat", "mat", "猫", "坐")}
    found = {int(a) for (a, _), goes_on in zip(encoded.offsets, encoded.continues, strict=True) if not goes_on}
    assert starts <= found, begun
    assert any(encoded.continues) or len(begun) == len(encoded)
