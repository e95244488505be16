"""The encoder of a COMET checkpoint: its layers and their mix, and folders that are broken in every way."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from coheval.encoders import _hub
from coheval.encoders._checkpoint import CheckpointEncoder, MixedEncoder
from coheval.encoders._cometfolder import settings
from coheval.errors import ResourceError

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from checkpoints import REGRESSION, Comet, write, write_backbone  # noqa: E402

pytestmark = pytest.mark.xdist_group("encoders")

TEXT = "the cat sat on a mat"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "checkpoint", REGRESSION)
    return tmp_path / "checkpoint"


def of(folder: Path, backbone: Path | None = None) -> CheckpointEncoder:
    return CheckpointEncoder(folder=str(folder), backbone=None if backbone is None else str(backbone))


def test_layers_are_the_hidden_states(folder: Path) -> None:
    made = Comet(REGRESSION)
    (encoded,) = of(folder).encode([TEXT], layers=range(4))
    with torch.no_grad():
        for layer, state in enumerate(made.states(made.ids(TEXT))):
            assert np.allclose(encoded.vectors[layer], state.numpy(), atol=1e-5)


def test_mix_of_many_texts_is_as_of_each(folder: Path) -> None:
    """In chunks, whatever their order."""
    encoder = MixedEncoder(inner=of(folder))
    texts = [TEXT * n for n in (60, 1, 30, 2, 90)] * 20
    together = encoder.encode(texts)
    (alone,) = encoder.encode([TEXT * 30])
    assert np.allclose(together[2].vectors[3], alone.vectors[3], atol=1e-5)
    assert together[2].overflow == "windowed"
    assert [len(e) for e in together[:5]] == [len(pieces) for pieces in encoder.tokenize(texts[:5])]


def test_backbone_beside_the_checkpoint(tmp_path: Path) -> None:
    write(tmp_path / "checkpoint", REGRESSION, backbone=False)
    write(tmp_path / "whole", REGRESSION)
    outside = of(tmp_path / "checkpoint", write_backbone(tmp_path / "elsewhere"))
    assert np.allclose(
        outside.encode([TEXT])[0].vectors[3], of(tmp_path / "whole").encode([TEXT])[0].vectors[3], atol=1e-6
    )
    assert outside.digest() == of(tmp_path / "whole").digest()


def test_backbone_that_is_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    write(tmp_path / "checkpoint", REGRESSION, backbone=False)
    with pytest.raises(
        ResourceError, match=r"made from 'nobody/tiny-backbone'.*offline.*\nhint: give them as backbone="
    ):
        of(tmp_path / "checkpoint").encode([TEXT])
    with pytest.raises(ResourceError, match=r"holds no config\.json"):
        of(tmp_path / "checkpoint", tmp_path).encode([TEXT])


def test_backbone_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "checkpoint", REGRESSION, backbone=False)
    cached = write_backbone(tmp_path / "cache")
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda model, **_: str(cached))
    _hub.model_folder.cache_clear()
    assert of(tmp_path / "checkpoint").depth == 3
    _hub.model_folder.cache_clear()


def test_backbone_of_another_size(folder: Path, tmp_path: Path) -> None:
    other = write_backbone(tmp_path / "other")
    transformers.XLMRobertaConfig.from_pretrained(other, num_hidden_layers=4).save_pretrained(other)
    with pytest.raises(
        ResourceError, match=r"lacks parameters of its backbone .*: \d+, such as 'encoder\.model\.encoder\.layer\.3"
    ):
        of(folder, other).encode([TEXT])
    transformers.XLMRobertaConfig.from_pretrained(other, num_hidden_layers=2).save_pretrained(other)
    _hub.model_folder.cache_clear()
    with pytest.raises(ResourceError, match=r"has superfluous parameters .*'encoder\.model\.encoder\.layer\.2"):
        of(folder, Path(f"{other}/.")).encode([TEXT])


def test_minilm_is_a_bert_that_reads_the_words_of_xlm_r(tmp_path: Path) -> None:
    """cometinho's encoder: its configuration says BERT, and nothing there says whose its tokenizer is."""
    write(tmp_path / "checkpoint", REGRESSION | {"encoder_model": "BERT"})
    hparams = REGRESSION | {"encoder_model": "MiniLM"}
    (tmp_path / "checkpoint" / "hparams.yaml").write_text(yaml.safe_dump(hparams), encoding="utf-8")
    backbone = tmp_path / "checkpoint" / "tiny-backbone"
    words = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁the", -1.0), ("▁cat", -1.0), ("s", -2.0)]
    transformers.XLMRobertaTokenizer(vocab=[*words, ("<mask>", 0.0)]).save_pretrained(backbone)
    (backbone / "tokenizer_config.json").unlink()
    (encoded,) = of(tmp_path / "checkpoint").encode(["the cats"])
    assert encoded.pieces == ("<s>", "▁the", "▁cat", "s", "</s>")


def test_backbone_that_has_changed_is_read_again(folder: Path) -> None:
    encoder = of(folder)
    assert encoder.encode([TEXT.upper()])[0].unknown == 0
    file = folder / "tiny-backbone" / "tokenizer.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(content | {"normalizer": None}), encoding="utf-8")
    assert encoder.encode([TEXT.upper()])[0].unknown > 0


# ------------------------------------------------------------------------------------------------ damaged folders


def stored(folder: Path) -> dict[str, Any]:
    return torch.load(folder / "checkpoints" / "model.ckpt", weights_only=True)


def without(name: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        content = stored(folder)
        del content["state_dict"][name]
        torch.save(content, folder / "checkpoints" / "model.ckpt")

    return change


def with_value(name: str, value: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        content = stored(folder)
        content["state_dict"][name] = value
        torch.save(content, folder / "checkpoints" / "model.ckpt")

    return change


def cut(folder: Path) -> None:
    path = folder / "checkpoints" / "model.ckpt"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


class Harm:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Path.touch, (Path("harm"),)


def with_code(folder: Path) -> None:
    torch.save({"state_dict": {}, "callbacks": Harm()}, folder / "checkpoints" / "model.ckpt")


def old_pickle_with_code(folder: Path) -> None:
    (folder / "checkpoints" / "model.ckpt").write_bytes(pickle.dumps(Harm(), protocol=2))


def no_state(folder: Path) -> None:
    torch.save({"epoch": 1}, folder / "checkpoints" / "model.ckpt")


def empty(folder: Path) -> None:
    (folder / "checkpoints" / "model.ckpt").write_bytes(b"")


def half_safetensors(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"\x40\x00\x00\x00\x00\x00\x00\x00{")


def no_weights(folder: Path) -> None:
    (folder / "checkpoints" / "model.ckpt").unlink()


SHAPE = "estimator.ff.0.weight"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (cut, "no whole checkpoint"),
        (empty, "no whole checkpoint"),
        (no_state, "there is no state_dict in it"),
        (half_safetensors, "no whole checkpoint"),
        (no_weights, "holds no weights"),
        (with_code, "asks for more than tensors and plain values"),
        (old_pickle_with_code, "asks for more than tensors and plain values"),
        (
            without("encoder.model.encoder.layer.1.output.dense.bias"),
            r"lacks parameters .*: 1, such as .*layer\.1\.output\.dense\.bias",
        ),
        (
            with_value("encoder.model.strange", torch.zeros(2)),
            r"has superfluous parameters .*: 1, such as 'encoder\.model\.strange'",
        ),
        (with_value("encoder.model.embeddings.LayerNorm.bias", torch.zeros(2)), "misshapes parameters"),
        (with_value("encoder.model.embeddings.LayerNorm.bias", 3), "is no tensor but int"),
        (without("layerwise_attention.gamma"), r"needs the number 'layerwise_attention\.gamma'"),
        (with_value("layerwise_attention.scalar_parameters.4", torch.zeros(1)), "mixes more than the 4 layers"),
        (
            with_value("layerwise_attention.gamma", torch.tensor([float("nan")])),
            "gamma' holds values",
        ),
        (without("layerwise_attention.scalar_parameters.2"), r"needs the number .*scalar_parameters\.2"),
        (without("estimator.ff.3.bias"), r"'estimator\.ff\.3\.bias' must have the shape \[6\], got nothing"),
        (
            with_value(SHAPE, torch.zeros(2, 2)),
            r"'estimator\.ff\.0\.weight' must have the shape \[12, 96\], got \[2, 2\]",
        ),
        (with_value("estimator.ff.9.bias", torch.zeros(2)), "parameters that hparams.yaml does not speak of"),
    ],
)
def test_damaged_weights(
    folder: Path, damage: Callable[[Path], None], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import coheval

    monkeypatch.chdir(tmp_path)
    damage(folder)
    with pytest.raises(ResourceError, match=message):
        coheval.metric(f"comet(model={str(folder)!r})").reads()
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"class_identifier": "ranking_metric"}, "class_identifier must be one of .*got 'ranking_metric'"),
        ({"class_identifier": None}, "'class_identifier' is missing"),
        ({"hidden_sizes": None}, "'hidden_sizes' is missing"),
        ({"hidden_sizes": ["many"]}, "hidden_sizes must be a list of numbers"),
        ({"encoder_model": "LASER"}, "encoder_model must be one of"),
        ({"layer": "last"}, "layer must be 'mix' or a number, got 'last'"),
        ({"layer": True}, "layer must be int or str, got True"),
        ({"pool": "min"}, "pool must be one of"),
        ({"activations": "Magic"}, "activations must be one of"),
        ({"layer_transformation": "entmax"}, "layer_transformation must be one of"),
        (
            {"class_identifier": "unified_metric", "sent_layer": "mix", "input_segments": ["src"]},
            "input_segments must be",
        ),
    ],
    ids=str,
)
def test_settings_that_cannot_be_read(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    (tmp_path / "hparams.yaml").write_text(yaml.safe_dump(REGRESSION | change), encoding="utf-8")
    with pytest.raises(ResourceError, match=message):
        settings(tmp_path)


@pytest.mark.parametrize("text", ["{", "a: !!python/object/apply:os.getcwd []", "- 1"])
def test_hparams_that_are_no_plain_settings(tmp_path: Path, text: str) -> None:
    (tmp_path / "hparams.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ResourceError, match=r"hparams\.yaml: .*\nhint: copy the file again"):
        settings(tmp_path)


def test_folder_without_hparams(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"must hold hparams\.yaml"):
        settings(tmp_path)


def test_layer_beyond_the_last(tmp_path: Path) -> None:
    import coheval

    write(tmp_path / "checkpoint", REGRESSION | {"layer": 7})
    with pytest.raises(ResourceError, match="layer must be 'mix' or 0 to 3, got 7"):
        coheval.metric(f"comet(model={str(tmp_path / 'checkpoint')!r})").reads()
