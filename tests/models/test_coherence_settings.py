"""What a coherence model is made with and what its file must tell; files are made by hand, as a stranger would."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path

import pytest

from coheval.encoders import Encoder
from coheval.errors import ResourceError, UsageError
from coheval.models import model
from coheval.models._file import FORMAT, KEY, read_facts
from coheval.models._recipe import Recipe
from coheval.models._trained import TrainedModel, is_named, without_libraries
from coheval.spec import build

GUIDE = Path(__file__).parents[2] / "docs" / "models.md"
WHOLE = {"model": "cohlstm", "variant": "repaired", "encoder": "minilm", "layers": [6]}
SIZES = {"width": 384, "hidden": 100, "sentences": 5}


@pytest.mark.parametrize("rate", [0.0, -1.0, float("nan"), float("inf")])
def test_a_rate_is_positive(rate: float) -> None:
    with pytest.raises(UsageError, match=f"must be a positive number, got {rate:g}"):
        Recipe().changed(rate=rate)


def test_unc_shares_heads() -> None:
    unc = model("unc")
    assert isinstance(unc, TrainedModel)
    assert unc.sizes(384, 24, []) == {"width": 384, "hidden": 24}
    with pytest.raises(UsageError, match="a multiple of 8, got 20") as error:
        unc.sizes(384, 20, [])
    assert error.value.hint == "try --hidden 24"


def test_an_encoder_is_its_parameters() -> None:
    """Weights alone do not tell it; where they lie and what runs them does not matter."""
    minilm = build(Encoder, "minilm")
    assert is_named(minilm, minilm.signature, ())
    assert is_named(minilm, re.sub(r"'onnxruntime': '[^']*'", "'onnxruntime': '0.1'", minilm.signature), ())
    assert not is_named(build(Encoder, "minilm(overflow=truncate)"), minilm.signature, ())
    assert not is_named(minilm, minilm.signature.replace("version=1", "version=9"), ())


def written(path: Path, facts: object) -> Path:
    """A graph of one node, and what it says of itself."""
    onnx = pytest.importorskip("onnx", reason="needs the extra torch")
    kind = onnx.TensorProto.FLOAT
    values = [onnx.helper.make_tensor_value_info(name, kind, [1]) for name in ("x", "scores")]
    graph = onnx.helper.make_graph([onnx.helper.make_node("Identity", ["x"], ["scores"])], "g", values[:1], values[1:])
    made = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9)
    onnx.helper.set_model_props(made, {KEY: json.dumps(facts)})
    path.write_bytes(made.SerializeToString())
    return path


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ([1, 2], "expected a file of"),
        ({"format": FORMAT}, "'model' must be a text, got none"),
        ({"format": FORMAT, **WHOLE}, "'sizes' must be an object of whole numbers, got none"),
        ({"format": FORMAT, **WHOLE, "sizes": SIZES, "layers": ["6"]}, "'layers' must be a list of whole numbers, got"),
        ({"format": FORMAT, **WHOLE, "sizes": SIZES, "encoder": 5}, "'encoder' must be a text, got 5"),
        ({"format": FORMAT, **WHOLE, "sizes": {"width": 384, "hidden": 100}}, "'sentences' must be a whole number"),
        ({"format": FORMAT, **WHOLE, "sizes": {**SIZES, "width": "384"}}, "'sizes' must be an object of whole numbers"),
        ({"format": FORMAT, **WHOLE, "sizes": SIZES, "model": "unc"}, "expected a trained cohlstm, got a unc"),
    ],
)
def test_half_a_file(facts: object, message: str, tmp_path: Path) -> None:
    path = written(tmp_path / "half.onnx", facts)
    with pytest.raises(ResourceError, match=message) as error:
        model(f"cohlstm(file={str(path)!r})")
    assert error.value.where == str(path)
    assert error.value.hint


def test_a_file_that_tells_no_variant(tmp_path: Path) -> None:
    facts = {"format": FORMAT, **WHOLE, "sizes": SIZES}
    path = written(tmp_path / "half.onnx", {name: value for name, value in facts.items() if name != "variant"})
    with pytest.raises(ResourceError, match="the model was trained with variant unknown, got repaired") as error:
        model(f"cohlstm(file={str(path)!r})")
    assert error.value.hint


def test_a_whole_file(tmp_path: Path) -> None:
    path = written(tmp_path / "whole.onnx", {"format": FORMAT, **WHOLE, "sizes": SIZES})
    assert read_facts(path, "cohlstm", tuple(SIZES))["sizes"] == SIZES


def test_the_exporter_is_quiet_and_others_are_not() -> None:
    pytest.importorskip("torch", reason="needs the extra torch")
    from coheval.run.coherence.export import _quiet

    folding = logging.getLogger("onnxscript.optimizer._constant_folding")
    with _quiet():
        assert not folding.isEnabledFor(logging.WARNING)
        assert folding.isEnabledFor(logging.ERROR)
        assert logging.getLogger("coheval").isEnabledFor(logging.WARNING)
    assert folding.isEnabledFor(logging.WARNING)


@pytest.mark.parametrize("name", ["sentavg", "parseq", "cohlstm", "unc", "boundary", "continuation"])
def test_the_guide_tells_our_recipes(name: str) -> None:
    (row,) = re.findall(rf"^\| `{name}` \| (\d.*) \|$", GUIDE.read_text(encoding="utf-8").split("## Measured")[0], re.M)
    told = [float(cell) for cell in row.split(" | ")[:6]]
    taught = model(name)
    assert isinstance(taught, TrainedModel)
    recipe = taught.recipe
    assert told == [recipe.hidden, recipe.rate, recipe.decay, recipe.batch, recipe.negatives, recipe.epochs]
    assert recipe.clip == 5


def test_a_model_s_encoder_is_read_whatever_libraries_it_was_trained_with() -> None:
    """A warning, which is an error here, would come with each score."""
    signature = "static(version=1, file='words.txt', libraries={'numpy': '1.0.0'})"
    assert build(Encoder, without_libraries(signature)).spec.params["file"] == "words.txt"
