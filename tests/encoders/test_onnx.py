"""ONNX models of one's own: the carried MiniLM by path, a tiny graph that the test writes, and broken files."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from coheval.encoders import Encoder
from coheval.encoders._graph import output_names, tensor_names, with_outputs, with_rows
from coheval.errors import ResourceError, SpecError
from coheval.spec import build

pytestmark = pytest.mark.xdist_group("encoders")

TEXTS = ["Nobody expected the bridge to hold.", "", "it held " * 300]
BLOCKS = [f"/model/layers.{i}/mlp_output_norm_layernorm/output_0" for i in range(6)]


def onnx(path: Path, **options: object) -> Encoder:
    inside = "".join(f", {key}={value!r}" for key, value in options.items())
    return build(Encoder, f"onnx(path={str(path)!r}{inside})")


@pytest.fixture
def folder(minilm_onnx: Path, tmp_path: Path) -> Path:
    """A model's folder of which a test may break a file; the weights are linked, not copied."""
    shutil.copy(minilm_onnx / "tokenizer.json", tmp_path)
    shutil.copy(minilm_onnx / "onnx" / "model.onnx", tmp_path)
    (tmp_path / "model.onnx_data").symlink_to(minilm_onnx / "onnx" / "model.onnx_data")
    return tmp_path


def test_last_layer_is_the_default(minilm_onnx: Path) -> None:
    encoder = onnx(minilm_onnx)
    assert encoder.depth == 1
    for ours, theirs in zip(encoder.encode(TEXTS), build(Encoder, "minilm").encode(TEXTS), strict=True):
        assert ours.pieces == theirs.pieces
        assert ours.overflow == theirs.overflow
        assert np.allclose(ours.vectors[1], theirs.vectors[6], atol=1e-5)


def test_inner_tensors_are_layers(minilm_onnx: Path) -> None:
    encoder = onnx(minilm_onnx / "onnx" / "model.onnx", outputs=[*BLOCKS[:2], "last_hidden_state"])
    assert encoder.depth == 3
    (ours,) = encoder.encode(TEXTS[:1], layers=[3, 1, 2])
    (theirs,) = build(Encoder, "minilm").encode(TEXTS[:1], layers=[1, 2, 6])
    for here, there in {1: 1, 2: 2, 3: 6}.items():
        assert np.allclose(ours.vectors[here], theirs.vectors[there], atol=1e-5)


def test_max_length_is_the_window(minilm_onnx: Path) -> None:
    (encoded,) = onnx(minilm_onnx, max_length=10, overflow="truncate").encode(TEXTS[2:])
    assert (len(encoded), encoded.overflow) == (10, "cut")
    with pytest.raises(SpecError, match="no room beside the 2 specials"):
        onnx(minilm_onnx, max_length=2).encode(["a"])


def test_digest_covers_every_file(folder: Path) -> None:
    before = onnx(folder).digest()
    (folder / "tokenizer.json").write_text((folder / "tokenizer.json").read_text(encoding="utf-8") + " ")
    other_tokenizer = onnx(folder).digest()
    (folder / "model.onnx_data").unlink()
    assert len({before, other_tokenizer, onnx(folder).digest()}) == 3


def test_tokenizer_elsewhere(folder: Path, minilm_onnx: Path) -> None:
    moved = (folder / "tokenizer.json").rename(folder / "words.json")
    with pytest.raises(ResourceError, match=r"neither tokenizer\.json nor [\s\S]*tokenizer_path="):
        onnx(folder).encode(["a"])
    assert len(onnx(minilm_onnx, tokenizer_path=str(moved)).encode(["a"])[0]) == 3


def test_unknown_output_is_a_spec_error(minilm_onnx: Path) -> None:
    with pytest.raises(SpecError, match=r"no tensor called '/model/layers\.9/[\s\S]*did you mean '/model/layers\.\d/"):
        onnx(minilm_onnx, outputs=[BLOCKS[0].replace("layers.0", "layers.9")]).encode(["a"])
    with pytest.raises(SpecError, match="its outputs are last_hidden_state"):
        onnx(minilm_onnx, outputs=["?"]).encode(["a"])


def test_output_without_a_vector_for_each_token(minilm_onnx: Path) -> None:
    graph = (minilm_onnx / "onnx" / "model.onnx").read_bytes()
    name = next(n for n in tensor_names(graph) if "attn_mask" in n)
    with pytest.raises(ResourceError, match="must have the shape"):
        onnx(minilm_onnx, outputs=[name]).encode(["a"])


@pytest.mark.parametrize("content", [b"", b"\xff\xff", b"hello world", b'{"json": 1}'])
def test_broken_model(folder: Path, content: bytes) -> None:
    (folder / "model.onnx").write_bytes(content)
    with pytest.raises(ResourceError, match=r"model\.onnx: [\s\S]*is the file whole"):
        onnx(folder).encode(["a"])


def test_truncated_model(folder: Path) -> None:
    whole = (folder / "model.onnx").read_bytes()
    (folder / "model.onnx").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ResourceError, match="is the file whole"):
        onnx(folder).encode(["a"])


def test_broken_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(ResourceError, match=r"tokenizer\.json: this is not a tokenizer"):
        onnx(folder).encode(["a"])


def test_missing_files(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="no such file or folder"):
        onnx(tmp_path / "absent").encode(["a"])
    with pytest.raises(ResourceError, match=r"neither model\.onnx nor"):
        onnx(tmp_path).encode(["a"])
    with pytest.raises(SpecError, match="the parameter 'path' must be given"):
        build(Encoder, "onnx")


def test_graph_gets_more_outputs(minilm_onnx: Path) -> None:
    graph = (minilm_onnx / "onnx" / "model.onnx").read_bytes()
    assert output_names(with_outputs(graph, BLOCKS[:2])) == [*output_names(graph), *BLOCKS[:2]]
    assert with_outputs(graph, []) == graph
    assert set(BLOCKS) < set(tensor_names(graph))


def test_nodes_read_rows(minilm_onnx: Path) -> None:
    """A node that finds the rows, one more input, and everything else as it was."""
    graph = (minilm_onnx / "onnx" / "model.onnx").read_bytes()
    changed = with_rows(graph, {"/model/layers.5/attention/output/Add/output_0": BLOCKS[4]}, "rows")
    assert output_names(changed) == output_names(graph)
    added = "rows for /model/layers.5/attention/output/Add/output_0"
    assert [name for name in tensor_names(changed) if name != added] == tensor_names(graph)
    assert changed.count(b"GatherND") == graph.count(b"GatherND") + 1
